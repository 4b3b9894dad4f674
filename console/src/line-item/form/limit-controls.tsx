import { ActionIcon, Button, Checkbox, Group, Select, SimpleGrid, TagsInput } from '@mantine/core';
import { NumberField } from '../../format/number-field.tsx';
import { say } from '../../messages/say.ts';
import { Icon } from '../../ui/icons.tsx';
import type { ControlProps } from './control-props.ts';
import { FaultText } from './fault-text.tsx';
import { CAP_NAMES, type CapDraft, NEW_CAP } from './item-draft.ts';

const WINDOWS = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const;
const EVENTS = ['IMPRESSIONS', 'CLICKS'] as const;
const COUNTED = ['USER', 'HOUSEHOLD'] as const;

/** How often a user sees or clicks it: all caps hold. */
export function FrequencyControl({ part: { draft, change, fault } }: ControlProps) {
  const caps = draft.frequencyCaps;
  const set = (next: readonly CapDraft[]): void => change({ frequencyCaps: next });
  return (
    <>
      {caps.map((cap, at) => (
        <CapRow
          key={at}
          number={at + 1}
          cap={cap}
          change={(next) => set(caps.map((one, index) => (index === at ? { ...one, ...next } : one)))}
          remove={() => set(caps.filter((_one, index) => index !== at))}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => set([...caps, NEW_CAP])}
        >
          {say('item_form.cap_add')}
        </Button>
      </Group>
      <FaultText text={fault('frequencyCaps')} />
      <Checkbox
        label={say('field.serveWithoutUser')}
        description={say('item_form.without_user_hint')}
        checked={draft.serveWithoutUser}
        error={fault('serveWithoutUser')}
        onChange={(event) => change({ serveWithoutUser: event.currentTarget.checked })}
      />
    </>
  );
}

interface CapRowProps {
  readonly number: number;
  readonly cap: CapDraft;
  change: (next: Partial<CapDraft>) => void;
  remove: () => void;
}

function CapRow({ number, cap, change, remove }: CapRowProps) {
  const choice = <Value extends string>(
    label: string,
    values: readonly Value[],
    value: string,
    { textOf, set }: { textOf: (value: Value) => string; set: (value: Value) => void },
  ) => (
    <Select
      size="xs"
      w={150}
      aria-label={`${label} ${number}`}
      data={values.map((one) => ({ value: one, label: textOf(one) }))}
      value={value}
      allowDeselect={false}
      onChange={(next) => {
        const chosen = values.find((one) => one === next);
        if (chosen !== undefined) set(chosen);
      }}
    />
  );
  return (
    <Group gap="xs" align="flex-end">
      <NumberField
        size="xs"
        w={90}
        label={say('booking.cap')}
        aria-label={`${say('booking.cap')} ${number}`}
        isWhole
        value={cap.count}
        onChange={(count) => change({ count })}
      />
      {choice(say('item_form.cap_event'), EVENTS, cap.event, {
        textOf: (event) => say(`booking.of_${event}`),
        set: (event) => change({ event }),
      })}
      <NumberField
        size="xs"
        w={70}
        label={say('booking.cap_per')}
        aria-label={`${say('booking.cap_per')} ${number}`}
        isWhole
        value={cap.every}
        onChange={(every) => change({ every })}
      />
      {choice(say('item_form.cap_window'), WINDOWS, cap.window, {
        textOf: (window) => say(`item_form.window_${window}`),
        set: (window) => change({ window }),
      })}
      {choice(say('item_form.cap_whose'), COUNTED, cap.per, {
        textOf: (per) => say(`item_form.per_${per}`),
        set: (per) => change({ per }),
      })}
      <ActionIcon aria-label={say('item_form.cap_remove', { number })} onClick={remove}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </Group>
  );
}

/** Hard limits, and the labels of ads that may not share a response with it. */
export function LimitsControl({ part: { draft, change, fault }, currency }: ControlProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {CAP_NAMES.map((name) => {
          const isMoney = name.startsWith('spend');
          const label = say(`field.caps.${name}`);
          return (
            <NumberField
              key={name}
              label={isMoney ? `${label} (${currency})` : label}
              isWhole={!isMoney}
              value={draft.caps[name]}
              error={fault(name)}
              onChange={(text) => change({ caps: { ...draft.caps, [name]: text } })}
            />
          );
        })}
      </SimpleGrid>
      <FaultText text={fault('caps')} />
      <TagsInput
        label={say('field.exclusionLabels')}
        description={say('item_form.exclusion_hint')}
        value={[...draft.exclusionLabels]}
        error={fault('exclusionLabels')}
        acceptValueOnBlur
        onChange={(exclusionLabels) => change({ exclusionLabels })}
      />
    </>
  );
}
