import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AuditEntry, loadAuditPage } from '../api/account/audit-log.ts';
import type { BookedObject } from '../api/bookings/desk-list.ts';
import type { LoggedKind } from '../api/bookings/desk-object.ts';
import { useIsAdmin } from '../session/session.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { Instant } from '../ui/instant.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { fieldsOfEntry } from '../changes/change-words.ts';
import { LoggedFieldLine, useLogContext } from '../changes/logged-fields.tsx';
import { RevertButton } from './revert-button.tsx';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const PAGE = 20;

/** Who changed an object, when, and what. The audit log is for admins; others see the last change. */
export function HistorySection({
  kind,
  object,
}: {
  readonly kind: LoggedKind;
  readonly object: Pick<BookedObject, 'id' | 'updatedAt' | 'updatedBy'>;
}) {
  const isAdmin = useIsAdmin();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="history-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="history-title">
          {say('history.title')}
        </Title>
        {isAdmin ? (
          <AuditEntries kind={kind} id={object.id} />
        ) : (
          <Text>
            {say('history.admin_only', {
              at: formatInstant(object.updatedAt),
              actor: object.updatedBy === '' ? 'Placard' : actorWords(object.updatedBy),
            })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function AuditEntries({ kind, id }: { readonly kind: LoggedKind; readonly id: string }) {
  const scope = useDeskScope();
  const log = useInfiniteQuery({
    queryKey: [...deskKey(scope), 'history', kind, id],
    queryFn: ({ pageParam, signal }) =>
      loadAuditPage(scope, { objectKind: kind, objectId: id }, { after: pageParam, first: PAGE }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.hasNextPage ? page.endCursor : null),
  });
  const own = log.data?.pages
    .flatMap((page) => page.entries)
    .filter(({ environment }) => environment === null || environment.toLowerCase() === scope.environment);
  return (
    <>
      <ProblemAlert error={log.error} onRetry={() => void log.refetch()} />
      {log.isPending ? <Skeleton height={60} /> : null}
      {own?.length === 0 ? <Text c="dimmed">{say('history.empty')}</Text> : null}
      <ol className="desk-history">
        {own?.map((entry) => (
          <li key={entry.sequence}>
            <Entry entry={entry} kind={kind} id={id} />
          </li>
        ))}
      </ol>
      {log.hasNextPage ? (
        <Group>
          <Button size="xs" variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {say('action.more')}
          </Button>
        </Group>
      ) : null}
    </>
  );
}

function Entry({ entry, kind, id }: { readonly entry: AuditEntry; readonly kind: LoggedKind; readonly id: string }) {
  const isNew = entry.action.endsWith('.create');
  const fields = useMemo(() => (isNew ? [] : fieldsOfEntry(entry.details)), [entry, isNew]);
  const context = useLogContext(fields);
  return (
    <>
      <Text size="sm" c="dimmed">
        <Instant at={entry.at} /> · <bdi title={entry.actor}>{actorWords(entry.actor)}</bdi>
        <RevertButton entry={entry} kind={kind} id={id} context={context} />
      </Text>
      {isNew ? <Text size="sm">{say('history.created')}</Text> : null}
      {isNew ? null : fields.map((field) => <LoggedFieldLine key={field.name} field={field} context={context} />)}
    </>
  );
}
