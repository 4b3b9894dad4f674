import { ActionIcon, Button, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ExactNumberField } from '../format/number-field.tsx';
import { isMessageKey, say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { IMAGINED, type Imagined, WHAT_IFS_MAX, type WhatIf } from './inspector-state.ts';

/** Something that a change can be imagined of. */
export interface Subject {
  readonly id: string;
  readonly name: string;
  readonly isAdUnit: boolean;
}

/** Values to choose from; where there are none, they are typed, or there is nothing to say. */
const CHOICES: Readonly<Partial<Record<Imagined, readonly string[]>>> = {
  status: ['ACTIVE', 'PAUSED'],
  type: ['SPONSORSHIP', 'STANDARD', 'PRICE', 'HOUSE'],
};
const WITHOUT_VALUE: ReadonlySet<Imagined> = new Set(['frequency', 'goal']);
/** The first value of each. */
const FIRST: Readonly<Record<Imagined, string>> = {
  price: '',
  status: 'PAUSED',
  type: 'SPONSORSHIP',
  level: '1',
  share: '50',
  caps: '',
  frequency: '',
  goal: '',
  floor: '0',
};

/** Imagined changes. They are edited as a draft, and decided when they are sent. */
export function WhatIfEditor({
  whatIfs,
  subjects,
  isBusy,
  change,
}: {
  readonly whatIfs: readonly WhatIf[];
  readonly subjects: readonly Subject[];
  readonly isBusy: boolean;
  change: (whatIfs: readonly WhatIf[]) => void;
}) {
  const [draft, setDraft] = useState(whatIfs);
  const [first] = subjects;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change(draft);
  };
  const put = (at: number, next: WhatIf): void => setDraft(draft.map((one, index) => (index === at ? next : one)));
  const remove = (at: number): void => {
    const rest = draft.filter((_one, index) => index !== at);
    setDraft(rest);
    change(rest);
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="what-if-title">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <div>
            <Title order={2} size="h4" id="what-if-title">
              {say('inspector.what_if')}
            </Title>
            <Text size="sm" c="dimmed">
              {say('inspector.what_if_lead')}
            </Text>
          </div>
          {draft.map((whatIf, at) => (
            <WhatIfRow
              key={at}
              whatIf={whatIf}
              subjects={subjects}
              put={(next) => put(at, next)}
              remove={() => remove(at)}
            />
          ))}
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              disabled={first === undefined || draft.length >= WHAT_IFS_MAX}
              onClick={() => setDraft([...draft, { id: first?.id ?? '', what: 'price', value: '' }])}
            >
              {say('inspector.add')}
            </Button>
            {draft.length === 0 ? null : (
              <Button size="xs" type="submit" loading={isBusy}>
                {say('inspector.again')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function WhatIfRow({
  whatIf,
  subjects,
  put,
  remove,
}: {
  readonly whatIf: WhatIf;
  readonly subjects: readonly Subject[];
  put: (next: WhatIf) => void;
  remove: () => void;
}) {
  const { id, what, value } = whatIf;
  const isUnit = what === 'floor';
  const choices = CHOICES[what];
  const options = subjects.filter(({ isAdUnit }) => isAdUnit === isUnit);
  const choose = (kind: string | null): void => {
    const next = IMAGINED.find((one) => one === kind) ?? 'price';
    const fitting = subjects.filter(({ isAdUnit }) => isAdUnit === (next === 'floor'));
    const kept = fitting.some((one) => one.id === id) ? id : (fitting[0]?.id ?? id);
    put({ id: kept, what: next, value: FIRST[next] });
  };
  return (
    <Group gap="xs" align="flex-end" wrap="wrap">
      <Select
        size="xs"
        label={isUnit ? say('inspector.unit') : say('inspector.who')}
        data={options.map((one) => ({ value: one.id, label: one.name === '' ? one.id : one.name }))}
        value={id}
        searchable
        allowDeselect={false}
        style={{ flex: '1 1 12rem' }}
        onChange={(next) => put({ ...whatIf, id: next ?? id })}
      />
      <Select
        size="xs"
        label={say('inspector.what')}
        data={IMAGINED.map((one) => ({ value: one, label: say(`imagined.${one}`) }))}
        value={what}
        allowDeselect={false}
        style={{ flex: '1 1 14rem' }}
        onChange={choose}
      />
      {choices === undefined ? null : (
        <Select
          size="xs"
          label={say('inspector.value')}
          data={choices.map((one) => ({ value: one, label: labelOf(what, one) }))}
          value={value}
          allowDeselect={false}
          onChange={(next) => put({ ...whatIf, value: next ?? value })}
        />
      )}
      {choices !== undefined || WITHOUT_VALUE.has(what) ? null : (
        <ExactNumberField
          key={what}
          size="xs"
          w={110}
          label={say('inspector.value')}
          isWhole={what === 'level' || what === 'caps'}
          required={what !== 'caps'}
          value={value}
          onChange={(next) => put({ ...whatIf, value: next })}
        />
      )}
      <ActionIcon aria-label={say('inspector.what_if_remove')} onClick={remove}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </Group>
  );
}

function labelOf(what: Imagined, value: string): string {
  const key = what === 'status' ? `status.${value}` : `line_item_type.${value}`;
  return isMessageKey(key) ? say(key) : value;
}
