import { Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadWatched } from '../api/attention.ts';
import { dateIn } from '../lens/calendar.ts';
import { reportQuery } from '../lens/use-lens.ts';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type AttentionEntry, type AttentionKind, listAttention } from './attention.ts';
import { formatCount, formatMoney, formatPercent } from './desk-format.ts';
import { type CellContext, ObjectLink } from './list-columns.tsx';
import {
  changeOf,
  figuresOf,
  TODAY_MEASURES,
  type TodayFigure,
  type TodayNumber,
  todayQuery,
} from './today-numbers.ts';
import { deskKey, useCellContext, useDeskScope } from './use-desk-list.ts';

const REFRESH_MS = 60_000;
const QUARTER_MS = 15 * 60_000;

/** What needs a person now, and the day so far. */
export function TodayPage() {
  const context = useCellContext();
  return (
    <Page title={say('nav.today')} lead={say('today.lead')}>
      <Stack gap="lg">
        <Numbers context={context} />
        <Attention context={context} />
      </Stack>
    </Page>
  );
}

function Numbers({ context }: { readonly context: CellContext }) {
  const scope = useDeskScope();
  const { timezone, currency, nowMs } = context;
  // The same report for a quarter of an hour; between, its rows are only refreshed.
  const day = timezone === undefined ? null : todayQuery(timezone, Math.floor(nowMs / QUARTER_MS) * QUARTER_MS);
  const report = useQuery({ ...reportQuery(scope, day), refetchInterval: REFRESH_MS });
  const rows = report.data?.rows;
  const format = (number: TodayNumber, value: number): string =>
    number === 'revenue' ? formatMoney(value.toFixed(2), currency) : formatCount(Math.round(value));
  return (
    <section aria-label={say('today.numbers')}>
      <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {(Object.keys(TODAY_MEASURES) as TodayNumber[]).map((number) => (
          <Paper key={number} withBorder p="md">
            <Text size="sm" c="dimmed">
              {say(`today.${number}`)}
            </Text>
            {rows === undefined || timezone === undefined ? (
              <Skeleton height={56} mt={4} />
            ) : (
              <Figure
                figure={figuresOf(rows, number, { timezone, nowMs })}
                format={(value) => format(number, value)}
                weekday={weekdayOf(timezone, nowMs)}
              />
            )}
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  );
}

function Figure({
  figure: { today, yesterday, lastWeek },
  format,
  weekday,
}: {
  readonly figure: TodayFigure;
  readonly format: (value: number) => string;
  readonly weekday: string;
}) {
  return (
    <>
      <Text fz="1.6rem" fw={650} className="desk-value">
        {format(today)}
      </Text>
      <Text size="sm">
        {say('today.yesterday', { change: describeChange(today, yesterday), value: format(yesterday) })}
      </Text>
      <Text size="sm">
        {say('today.last_week', { change: describeChange(today, lastWeek), value: format(lastWeek), weekday })}
      </Text>
    </>
  );
}

function describeChange(now: number, before: number): string {
  const change = changeOf(now, before);
  if (change === null) return say('today.new');
  return `${change < 0 ? '−' : '+'}${formatPercent(Math.abs(change))}`;
}

function weekdayOf(timezone: string, nowMs: number): string {
  return new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(`${dateIn(timezone, nowMs)}T12:00:00Z`),
  );
}

function Attention({ context }: { readonly context: CellContext }) {
  const scope = useDeskScope();
  const watched = useQuery({
    queryKey: [...deskKey(scope), 'watched'],
    queryFn: ({ signal }) => loadWatched(scope, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
  const found = watched.data;
  const entries = found === undefined ? [] : listAttention(found.lineItems, found.creatives, context);
  return (
    <Paper withBorder p="md" component="section" aria-label={say('attention.title')}>
      <Title order={2}>{say('attention.title')}</Title>
      <ProblemAlert error={watched.error} onRetry={() => void watched.refetch()} />
      {watched.isPending ? <Skeleton height={96} mt="sm" /> : null}
      {found !== undefined && entries.length === 0 ? <Text mt="xs">{say('attention.empty')}</Text> : null}
      {entries.length === 0 ? null : (
        <ul className="desk-history">
          {entries.map((entry) => (
            <Entry key={`${entry.kind}/${entry.lineItemId}/${entry.sentence}`} entry={entry} />
          ))}
        </ul>
      )}
      {found?.isPartial === true ? (
        <Text size="sm" c="dimmed">
          {say('attention.partial', { count: formatCount(found.lineItems.length) })}
        </Text>
      ) : null}
    </Paper>
  );
}

const TONES: Readonly<Record<AttentionKind, string>> = {
  AT_RISK: 'state-bad',
  BEHIND: 'state-warn',
  SILENT: 'state-bad',
  REJECTED: 'state-bad',
  PENDING: 'state-warn',
  ENDING: '',
};
/** Shapes beside the words: colour is never the only sign. */
const SHAPES: Readonly<Record<AttentionKind, string>> = {
  AT_RISK: '◆',
  BEHIND: '▼',
  SILENT: '✕',
  REJECTED: '✕',
  PENDING: '○',
  ENDING: '◔',
};

function Entry({ entry: { kind, lineItemId, name, campaign, sentence } }: { readonly entry: AttentionEntry }) {
  return (
    <li>
      <span className={`state-word ${TONES[kind]}`}>
        <span aria-hidden="true">{SHAPES[kind]}</span>
        {say(`attention.${kind}`)}
      </span>{' '}
      <ObjectLink to="/desk/line-items/$id" id={lineItemId} name={name} />
      <Text size="sm" c="dimmed">
        {campaign === null ? sentence : `${campaign} · ${sentence}`}
      </Text>
    </li>
  );
}
