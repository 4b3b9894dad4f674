import { Anchor, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { loadWatched } from '../api/attention.ts';
import { useSession } from '../app/session.ts';
import { dateIn } from '../lens/calendar.ts';
import { reportQuery } from '../lens/report-query.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { listAttention } from './attention.ts';
import { AttentionItem } from './attention-item.tsx';
import { formatCount, formatMoney, formatPercent } from './desk-format.ts';
import type { CellContext } from './list-columns.tsx';
import { changeOf, numberOf, TODAY_NUMBERS, type TodayFigure, type TodayNumber, todayQuery } from './today-numbers.ts';
import { UndoButton } from './undo.tsx';
import { deskKey, useCellContext, useDeskScope } from './use-desk-list.ts';

const REFRESH_MS = 60_000;
/** Numbers of the day follow while the page is looked at. */
const LIVE_MS = 20_000;
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

/** The numbers read themselves again; one that has not come in for a while says how old the last one is. */
function Numbers({ context }: { readonly context: CellContext }) {
  const scope = useDeskScope();
  const { timezone, currency, nowMs } = context;
  // The same report for a quarter of an hour; between, its rows are only refreshed.
  const day = timezone === undefined ? null : todayQuery(timezone, Math.floor(nowMs / QUARTER_MS) * QUARTER_MS);
  const report = useQuery({ ...reportQuery(scope, day), refetchInterval: LIVE_MS });
  const rows = report.data?.rows;
  return (
    <section aria-label={say('today.numbers')}>
      <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }}>
        {(Object.keys(TODAY_NUMBERS) as TodayNumber[]).map((number) => (
          <Paper key={number} withBorder p="md" className="desk-figure">
            <Text size="sm" c="dimmed">
              {say(`today.${number}`)}
            </Text>
            {rows === undefined || timezone === undefined ? (
              <Skeleton height={56} mt={4} />
            ) : (
              <Figure
                figure={numberOf(rows, number, { timezone, nowMs })}
                format={(value) => formatNumber(number, value, currency)}
                weekday={weekdayOf(timezone, nowMs)}
              />
            )}
          </Paper>
        ))}
      </SimpleGrid>
      {rows === undefined ? null : (
        <Text size="sm" c="dimmed" mt={6}>
          <Age atMs={report.dataUpdatedAt} nowMs={Math.max(nowMs, report.dataUpdatedAt)} />
        </Text>
      )}
    </section>
  );
}

function Age({ atMs, nowMs }: { readonly atMs: number; readonly nowMs: number }) {
  const minutes = Math.floor((nowMs - atMs) / 60_000);
  return minutes < 1 ? say('today.live') : say('today.age', { minutes });
}

function formatNumber(number: TodayNumber, value: number, currency: string | undefined): string {
  if (number === 'revenue' || number === 'ecpm') return formatMoney(value.toFixed(2), currency);
  return number === 'fill' ? formatPercent(value) : formatCount(Math.round(value));
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
      <Text fw={650} className="desk-figure-value">
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
  return new Intl.DateTimeFormat(currentLocale(), { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(`${dateIn(timezone, nowMs)}T12:00:00Z`),
  );
}

function Attention({ context }: { readonly context: CellContext }) {
  const scope = useDeskScope();
  const { user } = useSession();
  const watched = useQuery({
    queryKey: [...deskKey(scope), 'watched'],
    queryFn: ({ signal }) => loadWatched(scope, { nowMs: Date.now(), isOperator: user.operator }, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
  const found = watched.data;
  const entries = found === undefined ? [] : listAttention(found, context);
  return (
    <Paper withBorder p="md" component="section" aria-label={say('attention.title')}>
      <Group justify="space-between">
        <Title order={2}>{say('attention.title')}</Title>
        <UndoButton />
      </Group>
      <ProblemAlert error={watched.error} onRetry={() => void watched.refetch()} />
      {watched.isPending ? <Skeleton height={96} mt="sm" /> : null}
      {found !== undefined && entries.length === 0 ? <Text mt="xs">{say('attention.empty')}</Text> : null}
      {entries.length === 0 ? null : (
        <ul className="desk-history">
          {entries.map((entry) => (
            <AttentionItem
              key={`${entry.kind}/${entry.lineItemId ?? ''}/${entry.name}/${entry.sentence}`}
              entry={entry}
            />
          ))}
        </ul>
      )}
      {found === undefined || found.more === 0 ? null : (
        <Anchor size="sm" renderRoot={(props) => <Link to="/desk/line-items" search={{ tab: 'behind' }} {...props} />}>
          {say('attention.more', { count: formatCount(found.more) })}
        </Anchor>
      )}
    </Paper>
  );
}
