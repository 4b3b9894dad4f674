import { Paper, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadNetworkSettings } from '../api/account/settings.ts';
import { type LimitUse, loadLimitUse, loadStorageUse, type StorageUse } from '../api/account/usage.ts';
import { useIsAdmin, useScope } from '../session/session.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { LimitsForm } from './limits-form.tsx';

/** The limits of calls, and today's use of each. */
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
        <LimitsForm key={settings.data.version} settings={settings.data} scope={scope} />
      )}
    </Page>
  );
}

const MEGABYTE = 1_000_000;

function StorageTable({ uses }: { readonly uses: readonly StorageUse[] }) {
  const amount = (use: StorageUse, value: number): string =>
    use.unit === 'bytes'
      ? say('limits.megabytes', {
          value: (value / MEGABYTE).toLocaleString(currentLocale(), { maximumFractionDigits: 1 }),
        })
      : value.toLocaleString(currentLocale());
  return (
    <Stack gap="xs" my="lg">
      <Title order={2}>{say('limits.storage')}</Title>
      <Text c="dimmed">{say('limits.storage_text')}</Text>
      <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
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
  const limit = use.limit.toLocaleString(currentLocale());
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
            <Text>{say('limits.used', { used: use.used.toLocaleString(currentLocale()), limit })}</Text>
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
