import { Anchor, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { dateFormat } from '../format/intl-formats.ts';
import {
  type ActivityEntry,
  type ActivitySource,
  loadParts,
  objectKey,
  subjectOf,
} from '../api/account/activity-feed.ts';
import { fieldsOfEntry, fieldTitle, type LogContext, type LoggedField } from '../changes/change-words.ts';
import { LoggedFieldLine, useLogContext } from '../changes/logged-fields.tsx';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { actorWords } from '../ui/actor-words.ts';
import { Icon } from '../ui/icons.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import type { ActivityDay } from './activity-days.ts';
import { deskAddressOf } from './activity-links.ts';
import { actionWords } from './audit-words.ts';

/** Fields of one change that are shown; the object's page has all of them. */
const FIELDS_SHOWN = 3;
/** Changes whose fields say more than their verb. */
const CHANGING = /\.(update|progress)$/;

interface ActivityListProps {
  readonly days: readonly ActivityDay[];
  readonly names: ReadonlyMap<string, string>;
  readonly source: ActivitySource;
  readonly timezone: string;
}

/** What happened, day by day. */
export function ActivityList({ days, names, source, timezone }: ActivityListProps) {
  const context = useLogContext(useMemo(() => days.flatMap(({ entries }) => entries).flatMap(shownFields), [days]));
  return (
    <Stack gap="xl">
      {days.map(({ date, entries }) => (
        <section key={date} aria-labelledby={`activity-${date}`}>
          <Title order={2} size="h4" id={`activity-${date}`}>
            {formatDay(date)}
          </Title>
          <ol className="desk-history">
            {entries.map((entry) => (
              <li key={entry.sequence}>
                <Text size="sm" className="desk-value">
                  <time dateTime={entry.at}>{formatTime(entry.at, timezone)}</time>
                  {' · '}
                  <bdi title={entry.actor}>{actorWords(entry.actor)}</bdi>
                </Text>
                {entry.changeSetSize > 1 ? (
                  <ManyEntry entry={entry} source={source} />
                ) : (
                  <OneEntry entry={entry} names={names} context={context} />
                )}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </Stack>
  );
}

/** The changed fields of an entry whose fields say more than its verb. */
function shownFields({ action, details, changeSetSize }: ActivityEntry): LoggedField[] {
  return changeSetSize === 1 && CHANGING.test(action) ? fieldsOfEntry(details).slice(0, FIELDS_SHOWN) : [];
}

interface OneEntryProps {
  readonly entry: ActivityEntry;
  readonly names: ReadonlyMap<string, string>;
  readonly context: LogContext;
}

/** The change of one object. */
function OneEntry({ entry, names, context }: OneEntryProps) {
  const { kind, id } = subjectOf(entry);
  // An object without a page has no name to miss.
  const unnamed = deskAddressOf(entry) === null ? null : say('feed.unnamed');
  const name = names.get(objectKey(kind, id)) ?? nameIn(entry) ?? unnamed;
  const fields = CHANGING.test(entry.action) ? fieldsOfEntry(entry.details) : [];
  const more = fields.length - FIELDS_SHOWN;
  return (
    <>
      <Text className="desk-value">
        {actionWords(entry.action)}
        {name === null ? null : (
          <>
            {' · '}
            <ObjectLink entry={entry} name={name} />
          </>
        )}
      </Text>
      {fields.slice(0, FIELDS_SHOWN).map((field) => (
        <LoggedFieldLine key={field.name} field={field} context={context} />
      ))}
      {more > 0 ? (
        <Text size="sm" c="dimmed">
          {say('feed.more_fields', { count: more })}
        </Text>
      ) : null}
    </>
  );
}

/** A change of many objects in one entry, which unfolds. */
function ManyEntry({ entry, source }: { readonly entry: ActivityEntry; readonly source: ActivitySource }) {
  const [isOpen, setOpen] = useState(false);
  const id = `activity-parts-${entry.sequence}`;
  const fields = CHANGING.test(entry.action) ? fieldsOfEntry(entry.details).map(({ name }) => fieldTitle(name)) : [];
  const what = say('feed.many', { what: actionWords(entry.action), count: entry.changeSetSize });
  return (
    <>
      <Text className="desk-value">{[what, ...(fields.length === 0 ? [] : [listFields(fields)])].join(' · ')}</Text>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        leftSection={<Icon name={isOpen ? 'up' : 'down'} size={14} />}
        onClick={() => setOpen((known) => !known)}
      >
        {say(isOpen ? 'feed.fold' : 'feed.unfold')}
      </Button>
      {isOpen ? <Parts id={id} of={entry} source={source} /> : null}
    </>
  );
}

/** The parts of a change of many objects, page by page. */
function Parts({
  id,
  of,
  source,
}: {
  readonly id: string;
  readonly of: ActivityEntry;
  readonly source: ActivitySource;
}) {
  const scope = useDeskScope();
  const read = useInfiniteQuery({
    queryKey: [...deskKey(scope), 'activity-parts', source, of.changeSet, of.objectKind, of.actor],
    queryFn: ({ pageParam, signal }) => loadParts(scope, { source, of }, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
  const entries = useMemo(() => read.data?.pages.flatMap((page) => page.entries) ?? [], [read.data]);
  const names = new Map(read.data?.pages.flatMap((page) => [...page.names]));
  const context = useLogContext(
    useMemo(() => entries.flatMap(({ details }) => fieldsOfEntry(details).slice(0, FIELDS_SHOWN)), [entries]),
  );
  return (
    <>
      <ol className="desk-history" id={id} style={{ paddingInlineStart: '1.5rem' }}>
        {entries.map((entry) => (
          <li key={entry.sequence}>
            <OneEntry entry={entry} names={names} context={context} />
          </li>
        ))}
      </ol>
      <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
      {read.isPending ? <Skeleton height={40} /> : null}
      {read.hasNextPage ? (
        <Button size="xs" variant="default" loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          {say('action.more')}
        </Button>
      ) : null}
    </>
  );
}

function listFields(titles: readonly string[]): string {
  return new Intl.ListFormat(currentLocale()).format(titles);
}

function ObjectLink({ entry, name }: { readonly entry: ActivityEntry; readonly name: string }) {
  const address = deskAddressOf(entry);
  if (address === null) return <bdi>{name}</bdi>;
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link {...address} {...props} />}>
      <bdi>{name}</bdi>
    </Anchor>
  );
}

/** The name that an entry itself holds, of an object that has none by now; null where it holds none. */
function nameIn({ details }: ActivityEntry): string | null {
  for (const side of [details['after'], details['before']]) {
    const name = (side as { readonly name?: unknown } | null | undefined)?.name;
    if (typeof name === 'string' && name !== '') return name;
  }
  return null;
}

function formatDay(date: string): string {
  return dateFormat(currentLocale(), { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(date));
}

function formatTime(at: string, timeZone: string): string {
  return dateFormat(currentLocale(), { timeStyle: 'short', timeZone }).format(Date.parse(at));
}
