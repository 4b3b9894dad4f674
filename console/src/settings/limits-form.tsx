import { Button, Group, List, NumberInput, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldMessage } from '../api/transport/problem.ts';
import type { Scope } from '../api/transport/scope.ts';
import { LIMIT_NAMES, type LimitName, type NetworkSettings, updateNetworkSettings } from '../api/account/settings.ts';
import type { LimitUse } from '../api/account/usage.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

type Draft = Readonly<Record<LimitName, number | null>>;

/** The limits of a draft that are below what today has used already: saving shuts the calls of the day. */
export function limitsBelowUse(draft: Draft, uses: readonly LimitUse[]): LimitUse[] {
  return uses.filter(({ name, used }) => {
    const limit = draft[name];
    return limit !== null && used !== null && limit <= used;
  });
}

/** The network's own limits, each beside the operator's ceiling, which no limit passes. Asks before a limit that today's use has reached. */
export function LimitsForm({
  settings,
  scope,
  uses,
}: {
  readonly settings: NetworkSettings;
  readonly scope: Scope;
  readonly uses: readonly LimitUse[];
}) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>(settings.limits);
  const [isAsking, setIsAsking] = useState(false);
  const below = limitsBelowUse(draft, uses);
  const saving = useMutation({
    mutationFn: () =>
      updateNetworkSettings(scope, settings.version, {
        limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, draft[name]])),
      }),
    onSettled: () => setIsAsking(false),
    onSuccess: async () => {
      notifications.show({ message: say('state.saved') });
      await client.invalidateQueries({ queryKey: ['network-settings'] });
      await client.invalidateQueries({ queryKey: ['limits'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (below.length > 0 && Object.values(draft).every((limit) => limit === null || limit >= 1)) {
      saving.reset();
      setIsAsking(true);
    } else saving.mutate();
  };
  return (
    <>
      {isAsking ? (
        <BelowUseDialog below={below} draft={draft} submission={saving} onClose={() => setIsAsking(false)} />
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
              value={draft[name]}
              ceiling={settings.limitCeilings[name]}
              error={fieldMessage(saving.error, name)}
              onChange={(value) => setDraft((present) => ({ ...present, [name]: value }))}
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
  readonly value: number | null;
  readonly ceiling: number;
  readonly error: string | null;
  onChange: (value: number | null) => void;
}) {
  const shownCeiling = ceiling.toLocaleString(currentLocale());
  return (
    <NumberInput
      label={say(`limit.${name}`)}
      description={say(name === 'ads' ? 'limits.per_second' : 'limits.per_day', { ceiling: shownCeiling })}
      placeholder={shownCeiling}
      // What was typed is sent and refused by its name, never changed to something else.
      clampBehavior="none"
      allowDecimal={false}
      hideControls
      thousandSeparator=","
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
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
