import { Button, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldMessage } from '../api/problem.ts';
import type { Scope } from '../api/scope.ts';
import { LIMIT_NAMES, type LimitName, type NetworkSettings, updateNetworkSettings } from '../api/settings.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** The network's own limits, each beside the operator's ceiling, which no limit passes. */
export function LimitsForm({ settings, scope }: { readonly settings: NetworkSettings; readonly scope: Scope }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Readonly<Record<LimitName, number | null>>>(settings.limits);
  const saving = useMutation({
    mutationFn: () =>
      updateNetworkSettings(scope, settings.version, {
        limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, draft[name]])),
      }),
    onSuccess: async () => {
      notifications.show({ message: say('state.saved') });
      await client.invalidateQueries({ queryKey: ['network-settings'] });
      await client.invalidateQueries({ queryKey: ['limits'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={460}>
        <Title order={2}>{say('limits.own')}</Title>
        <Text c="dimmed">{say('limits.own_text')}</Text>
        <ProblemAlert error={saving.error} />
        {LIMIT_NAMES.map((name) => (
          <NumberInput
            key={name}
            label={say(`limit.${name}`)}
            description={say(name === 'ads' ? 'limits.per_second' : 'limits.per_day', {
              ceiling: settings.limitCeilings[name].toLocaleString('en'),
            })}
            placeholder={settings.limitCeilings[name].toLocaleString('en')}
            min={1}
            allowDecimal={false}
            hideControls
            thousandSeparator=","
            value={draft[name] ?? ''}
            onChange={(value) =>
              setDraft((present) => ({ ...present, [name]: typeof value === 'number' ? value : null }))
            }
            error={fieldMessage(saving.error, name)}
          />
        ))}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {say('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
