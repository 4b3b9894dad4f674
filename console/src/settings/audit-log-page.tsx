import { Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type AuditEntry, type AuditFilter, listChanges, listFacts, loadAuditPage } from '../api/account/audit-log.ts';
import { loadAuditChain } from '../api/account/audit-chain.ts';
import { describeProblem } from '../api/transport/problem.ts';
import type { Scope } from '../api/transport/scope.ts';
import type { AppSearch } from '../session/app-search.ts';
import { useScope } from '../session/session.ts';
import { csvLine } from '../reports/csv.ts';
import { saveFile } from '../ui/save-file.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Instant } from '../ui/instant.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { actionWords, kindWord } from '../activity/audit-words.ts';

/** Parts of the filter by their names in the address. */
const FIELDS = { actor: 'actorContains', action: 'action', objectKind: 'objectKind', objectId: 'objectId' } as const;
const PAGE = 50;
/** Entries of one exported file. */
const EXPORT_MAX = 100_000;

/** The actions in the network, newest first; the filters are in the address. */
export function AuditLogPage() {
  const { networkId, environment } = useScope();
  const scope: Scope = { networkId, environment };
  const search = useSearch({ strict: false }) as AppSearch;
  const filter = readFilter(search);
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const log = useInfiniteQuery({
    queryKey: ['audit', networkId, filter],
    queryFn: ({ pageParam, signal }) => loadAuditPage(scope, filter, { after: pageParam, first: PAGE }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.hasNextPage ? page.endCursor : null),
  });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  return (
    <Page
      title={say('nav.audit')}
      lead={say('audit.lead')}
      actions={
        <Group>
          <ChainBadge scope={scope} />
          <ExportButton scope={scope} filter={filter} />
        </Group>
      }
    >
      <AuditFilters key={JSON.stringify(filter)} search={search} />
      <ProblemAlert error={log.error} onRetry={() => void log.refetch()} />
      {log.isPending ? <LoadingPage /> : null}
      {entries === undefined ? null : (
        <SettingsTable
          label={say('nav.audit')}
          columns={columns(setShown)}
          rows={entries}
          rowKey={(entry) => entry.sequence}
          empty={say('audit.empty')}
        />
      )}
      {log.hasNextPage ? (
        <Group>
          <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {say('action.more')}
          </Button>
        </Group>
      ) : null}
      {shown === null ? null : <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

/** Days in the address become instants in the browser's timezone: from the start of the first to the end of the last. */
function readFilter(search: AppSearch): AuditFilter {
  const texts = Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, part]) => (search[name] ? [[part, search[name]]] : [])),
  );
  const from = search['from'] ? new Date(`${search['from']}T00:00:00`) : null;
  const to = search['to'] ? new Date(`${search['to']}T00:00:00`) : null;
  if (to !== null) to.setDate(to.getDate() + 1);
  return {
    ...texts,
    ...(from === null || Number.isNaN(from.getTime()) ? {} : { from: from.toISOString() }),
    ...(to === null || Number.isNaN(to.getTime()) ? {} : { to: to.toISOString() }),
  };
}

function columns(show: (entry: AuditEntry) => void): SettingsColumn<AuditEntry>[] {
  return [
    { title: say('audit.sequence'), render: (entry) => entry.sequence },
    { title: say('audit.at'), render: (entry) => <Instant at={entry.at} /> },
    {
      title: say('column.environment'),
      render: (entry) => (entry.environment === null ? '–' : say(`environment_of.${entry.environment}`)),
    },
    { title: say('audit.actor'), render: (entry) => <bdi title={entry.actor}>{actorWords(entry.actor)}</bdi> },
    { title: say('audit.action'), render: (entry) => <span title={entry.action}>{actionWords(entry.action)}</span> },
    { title: say('audit.object'), render: (entry) => `${kindWord(entry.objectKind)} ${entry.objectId}` },
    { title: say('column.address'), render: (entry) => entry.remoteAddress },
    {
      title: say('column.actions'),
      isAction: true,
      render: (entry) => (
        <Button
          size="xs"
          variant="default"
          onClick={() => show(entry)}
          aria-label={say('audit.show', { sequence: entry.sequence })}
        >
          {say('audit.details')}
        </Button>
      ),
    },
  ];
}

function asText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function EntryDialog({ entry, onClose }: { readonly entry: AuditEntry; onClose: () => void }) {
  const changes = listChanges(entry.details);
  const facts = listFacts(entry.details);
  return (
    <Dialog opened onClose={onClose} size="xl" title={`${entry.sequence} · ${actionWords(entry.action)}`}>
      <Stack>
        {changes.length === 0 ? (
          <Text c="dimmed">{say('audit.no_changes')}</Text>
        ) : (
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{say('audit.field')}</Table.Th>
                <Table.Th scope="col">{say('audit.before')}</Table.Th>
                <Table.Th scope="col">{say('audit.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map((change) => (
                <Table.Tr key={change.field}>
                  <Table.Th scope="row">{change.field}</Table.Th>
                  <Table.Td>
                    <span className="diff-before">{asText(change.before)}</span>
                  </Table.Td>
                  <Table.Td>
                    <span className="diff-after">{asText(change.after)}</span>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {facts.map(([name, value]) => (
          <Text key={name} size="sm">
            {name}: <Code>{asText(value)}</Code>
          </Text>
        ))}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {say('audit.hash')} {entry.hash}
        </Text>
      </Stack>
    </Dialog>
  );
}

/** Whether the server found the log's chain of hashes unbroken. */
function ChainBadge({ scope }: { readonly scope: Scope }) {
  const chain = useQuery({
    queryKey: ['audit-chain', scope.networkId],
    queryFn: ({ signal }) => loadAuditChain(scope, signal),
    staleTime: 60_000,
  });
  if (chain.data === undefined) return null;
  return (
    <Badge
      size="lg"
      variant="outline"
      color={chain.data.verified ? 'green.9' : 'red.9'}
      c={chain.data.verified ? 'var(--placard-good)' : 'var(--placard-bad)'}
    >
      {say(chain.data.verified ? 'audit.verified' : 'audit.broken', {
        entries: chain.data.entries.toLocaleString(currentLocale()),
      })}
    </Badge>
  );
}

function ExportButton({ scope, filter }: { readonly scope: Scope; readonly filter: AuditFilter }) {
  const exporting = useMutation({
    mutationFn: async () => {
      const pieces = [
        csvLine(['sequence', 'at', 'actor', 'remoteAddress', 'action', 'objectKind', 'objectId', 'details', 'hash']),
      ];
      let after: string | null = null;
      const { signal } = new AbortController();
      for (let count = 0; count < EXPORT_MAX; count += 100) {
        const page = await loadAuditPage(scope, filter, { after, first: 100 }, signal);
        for (const entry of page.entries) {
          pieces.push(
            csvLine([
              entry.sequence,
              entry.at,
              entry.actor,
              entry.remoteAddress,
              entry.action,
              entry.objectKind,
              entry.objectId,
              JSON.stringify(entry.details),
              entry.hash,
            ]),
          );
        }
        if (!page.hasNextPage) break;
        after = page.endCursor;
      }
      saveFile(`placard-${scope.networkId}-audit-log.csv`, pieces, 'text/csv;charset=utf-8');
    },
    onError: (error) => notifications.show({ color: 'red', message: describeProblem(error) }),
  });
  return (
    <Button variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
      {say('action.export_csv')}
    </Button>
  );
}
