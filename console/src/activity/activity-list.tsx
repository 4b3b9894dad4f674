import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ActivityEntry, objectKey, subjectOf } from '../api/account/activity-feed.ts';
import { listChanges } from '../api/account/audit-log.ts';
import { describeValue } from '../changes/change-preview.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { actionWords } from './audit-words.ts';
import { actorWords } from '../ui/actor-words.ts';
import type { ActivityDay } from './activity-days.ts';
import { deskAddressOf } from './activity-links.ts';

/** Fields of one change that are shown; the object's page has all of them. */
const FIELDS_SHOWN = 3;
/** Changes whose fields say more than their verb. */
const CHANGING = /\.(update|progress)$/;

interface ActivityListProps {
  readonly days: readonly ActivityDay[];
  readonly names: ReadonlyMap<string, string>;
  readonly timezone: string;
}

/** What happened, day by day. */
export function ActivityList({ days, names, timezone }: ActivityListProps) {
  return (
    <Stack gap="xl">
      {days.map(({ date, entries }) => (
        <section key={date} aria-labelledby={`activity-${date}`}>
          <Title order={2} size="h4" id={`activity-${date}`}>
            {formatDay(date)}
          </Title>
          <ol className="desk-history">
            {entries.map((entry) => {
              const { kind, id } = subjectOf(entry);
              const name = names.get(objectKey(kind, id)) ?? nameIn(entry);
              return (
                <li key={entry.sequence}>
                  <Entry entry={entry} timezone={timezone} name={name} />
                </li>
              );
            })}
          </ol>
        </section>
      ))}
    </Stack>
  );
}

interface EntryProps {
  readonly entry: ActivityEntry;
  readonly name: string | null;
  readonly timezone: string;
}

function Entry({ entry, name, timezone }: EntryProps) {
  const changes = CHANGING.test(entry.action) ? listChanges(entry.details) : [];
  const more = changes.length - FIELDS_SHOWN;
  return (
    <>
      <Text size="sm" className="desk-value">
        <time dateTime={entry.at}>{formatTime(entry.at, timezone)}</time>
        {' · '}
        <bdi title={entry.actor}>{actorWords(entry.actor)}</bdi>
      </Text>
      <Text className="desk-value">
        {`${actionWords(entry.action)} · `}
        <ObjectLink entry={entry} name={name ?? entry.objectId} />
      </Text>
      {changes.slice(0, FIELDS_SHOWN).map(({ field, before, after }) => (
        <Text key={field} size="sm" className="desk-value">
          {`${field}: `}
          <span className="diff-before">{describeValue(before)}</span>
          {' → '}
          <span className="diff-after">{describeValue(after)}</span>
        </Text>
      ))}
      {more > 0 ? (
        <Text size="sm" c="dimmed">
          {say('feed.more_fields', { count: more })}
        </Text>
      ) : null}
    </>
  );
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
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(date));
}

function formatTime(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat(currentLocale(), { timeStyle: 'short', timeZone }).format(Date.parse(at));
}
