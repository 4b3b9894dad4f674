import { Button, Group, NumberInput, Paper, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldMessage } from '../api/problem.ts';
import {
  LIMIT_NAMES,
  type LimitName,
  loadNetworkSettings,
  type NetworkSettings,
  updateNetworkSettings,
} from '../api/settings.ts';
import { type LimitUse, loadLimitUse, loadStorageUse, type StorageUse } from '../api/usage.ts';
import { useIsAdmin, useScope } from '../app/session.ts';
import { say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';

/** What may be called how often, and how much of it is used today. */
export function LimitsPage() {
  const scope = useScope();
  const isAdmin = useIsAdmin();
  const settings = useQuery({
    queryKey: ['network-settings', scope.networkId],
    queryFn: ({ signal }) => loadNetworkSettings(scope, signal),
  });
  const usage = useQuery({
    queryKey: ['limits', scope.environment, scope.networkId],
    queryFn: ({ signal }) => loadLimitUse(scope, signal),
    refetchInterval: 15_000,
  });
  const storage = useQuery({
    queryKey: ['storage', scope.environment, scope.networkId],
    queryFn: ({ signal }) => loadStorageUse(scope, signal),
    refetchInterval: 60_000,
  });
  return (
    <Page title={say('nav.limits')} lead={say('limits.lead')}>
      <ProblemAlert error={settings.error ?? usage.error ?? storage.error} />
      {usage.isPending || settings.isPending ? <LoadingPage /> : null}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {usage.data?.map((use) => (
          <UseCard key={use.name} use={use} />
        ))}
      </SimpleGrid>
      {storage.data === undefined ? null : <StorageTable uses={storage.data} />}
      {settings.data === undefined || settings.data === null || !isAdmin ? null : (
        <LimitsForm key={settings.data.version} settings={settings.data} defaults={usage.data ?? []} />
      )}
    </Page>
  );
}

const MEGABYTE = 1_000_000;

function StorageTable({ uses }: { readonly uses: readonly StorageUse[] }) {
  const amount = (use: StorageUse, value: number): string =>
    use.unit === 'bytes'
      ? say('limits.megabytes', { value: (value / MEGABYTE).toLocaleString(undefined, { maximumFractionDigits: 1 }) })
      : value.toLocaleString();
  return (
    <Stack gap="xs" my="lg">
      <Title order={2}>{say('limits.storage')}</Title>
      <Text c="dimmed">{say('limits.storage_text')}</Text>
      <Table.ScrollContainer minWidth={420}>
        <Table aria-label={say('limits.storage')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say('limits.stored')}</Table.Th>
              <Table.Th ta="right">{say('limits.storage_used')}</Table.Th>
              <Table.Th ta="right">{say('limits.storage_limit')}</Table.Th>
              <Table.Th w={160} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {uses.map((use) => (
              <Table.Tr key={use.name}>
                <Table.Td>{use.title}</Table.Td>
                <Table.Td ta="right">{amount(use, use.used)}</Table.Td>
                <Table.Td ta="right">{amount(use, use.limit)}</Table.Td>
                <Table.Td>
                  <Progress value={Math.min(100, (use.used / use.limit) * 100)} aria-label={use.title} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function UseCard({ use }: { readonly use: LimitUse }) {
  const limit = use.limit.toLocaleString();
  const percent = use.used === null ? 0 : Math.min(100, (use.used / use.limit) * 100);
  return (
    <Paper withBorder p="md">
      <Stack gap={6}>
        <Title order={2} size="h3">
          {say(`limit.${use.name}`)}
        </Title>
        {use.used === null ? (
          <Text>{say('limits.rate', { limit })}</Text>
        ) : (
          <>
            <Text>{say('limits.used', { used: use.used.toLocaleString(), limit })}</Text>
            <Progress value={percent} aria-label={say(`limit.${use.name}`)} />
            <Text size="sm" c="dimmed">
              {say('limits.resets')} <Instant at={use.resetsAt} />
            </Text>
          </>
        )}
      </Stack>
    </Paper>
  );
}

function LimitsForm({
  settings,
  defaults,
}: {
  readonly settings: NetworkSettings;
  readonly defaults: readonly LimitUse[];
}) {
  const scope = useScope();
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
            description={say(name === 'ads' ? 'limits.per_second' : 'limits.per_day')}
            placeholder={defaults.find((one) => one.name === name)?.limit.toString() ?? ''}
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
