import { Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldMessage } from '../api/transport/problem.ts';
import type { Scope } from '../api/transport/scope.ts';
import { LIMIT_NAMES, type LimitName, type NetworkSettings, updateNetworkSettings } from '../api/account/settings.ts';
import { type LimitUse, loadLimitUse } from '../api/account/usage.ts';
import { currentLocale } from '../messages/language.ts';
import { NumberField } from '../format/number-field.tsx';
import { wholeOf } from '../format/typed-numbers.ts';
import { say } from '../messages/say.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

type Draft = Readonly<Record<LimitName, number | null>>;

type Texts = Readonly<Record<LimitName, string>>;

const mapLimits = <Value,>(of: (name: LimitName) => Value) =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, of(name)])) as Record<LimitName, Value>;

/** The limits as texts; an empty text: the network has no limit of its own. */
function textsOf(limits: Draft): Texts {
  return mapLimits((name) => String(limits[name] ?? ''));
}

function readTexts(texts: Texts): Draft {
  return mapLimits((name) => wholeOf(texts[name]));
}

function isUnreadable(text: string): boolean {
  return text.trim() !== '' && wholeOf(text) === null;
}

/** The limits of a draft that are below what today has used already: saving shuts the calls of the day. */
export function limitsBelowUse(draft: Draft, uses: readonly LimitUse[]): LimitUse[] {
  return uses.filter(({ name, used }) => {
    const limit = draft[name];
    return limit !== null && used !== null && limit <= used;
  });
}

/**
 * The network's own limits, each beside the operator's ceiling, which no limit passes. Reads today's use as it saves, and asks before a limit that the use has
 * reached: saves nothing while the use is not known.
 */
export function LimitsForm({ settings, scope }: { readonly settings: NetworkSettings; readonly scope: Scope }) {
  const client = useQueryClient();
  const [texts, setTexts] = useState(() => textsOf(settings.limits));
  const draft = readTexts(texts);
  const [below, setBelow] = useState<readonly LimitUse[]>([]);
  const saving = useMutation({
    mutationFn: async (isConfirmed: boolean) => {
      const reached = isConfirmed ? [] : limitsBelowUse(draft, await loadLimitUse(scope));
      setBelow(reached);
      if (reached.length > 0) return;
      const limits = Object.fromEntries(LIMIT_NAMES.map((name) => [name, draft[name]]));
      await updateNetworkSettings(scope, settings.version, { limits });
      notifications.show({ message: say('state.saved') });
      await client.invalidateQueries({ queryKey: ['network-settings'] });
      await client.invalidateQueries({ queryKey: ['limits'] });
    },
    onError: () => setBelow([]),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (Object.values(texts).some(isUnreadable)) return;
    // The server refuses such limits, and names their fields.
    saving.mutate(Object.values(draft).some((limit) => limit !== null && limit < 1));
  };
  return (
    <>
      {below.length > 0 ? (
        <BelowUseDialog
          below={below}
          draft={draft}
          submission={{ ...saving, mutate: () => saving.mutate(true) }}
          onClose={() => setBelow([])}
        />
      ) : null}
      <form onSubmit={submit}>
        <Stack maw={460}>
          <Title order={2}>{say('limits.own')}</Title>
          <Text c="dimmed">{say('limits.own_text')}</Text>
          <ProblemAlert error={saving.error} />
          {LIMIT_NAMES.map((name) => (
            <LimitField
              key={name}
              name={name}
              value={texts[name]}
              ceiling={settings.limitCeilings[name]}
              error={isUnreadable(texts[name]) ? say('number.fault_whole') : fieldMessage(saving.error, name)}
              onChange={(text) => setTexts((present) => ({ ...present, [name]: text }))}
            />
          ))}
          <Group>
            <Button type="submit" loading={saving.isPending}>
              {say('action.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

function LimitField({
  name,
  value,
  ceiling,
  error,
  onChange,
}: {
  readonly name: LimitName;
  readonly value: string;
  readonly ceiling: number;
  readonly error: string | null;
  onChange: (text: string) => void;
}) {
  const shownCeiling = ceiling.toLocaleString(currentLocale());
  return (
    <NumberField
      label={say(`limit.${name}`)}
      description={say(name === 'ads' ? 'limits.per_second' : 'limits.per_day', { ceiling: shownCeiling })}
      placeholder={shownCeiling}
      isWhole
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}

/** Asks before a limit that today's use has reached. */
function BelowUseDialog({
  below,
  draft,
  submission,
  onClose,
}: {
  readonly below: readonly LimitUse[];
  readonly draft: Draft;
  readonly submission: { readonly error: unknown; readonly isPending: boolean; mutate: () => void };
  onClose: () => void;
}) {
  return (
    <FormDialog
      title={say('limits.below_title')}
      action={say('limits.below_save')}
      submission={submission}
      isDangerous
      onClose={onClose}
    >
      <Text>{say('limits.below_text')}</Text>
      <List>
        {below.map(({ name, used }) => (
          <List.Item key={name}>
            {say('limits.below_item', {
              name: say(`limit.${name}`),
              limit: (draft[name] ?? 0).toLocaleString(currentLocale()),
              used: (used ?? 0).toLocaleString(currentLocale()),
            })}
          </List.Item>
        ))}
      </List>
    </FormDialog>
  );
}
