import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dateIn } from '../reports/calendar.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { formatCount, formatMoney, formatPercent } from '../format/desk-format.ts';
import { changeOf, numberOf, TODAY_NUMBERS, type TodayFigure, type TodayNumber, todayQuery } from './today-numbers.ts';
import { useDeskScope, type CellContext } from '../session/desk-scope.ts';

/** Numbers of the day follow while the page is looked at. */
const LIVE_MS = 20_000;
const QUARTER_MS = 15 * 60_000;
/** Side by side, depending on the width of the container. */
const COLUMNS = { base: 1, '22rem': 2, '56rem': 5 };

/** The figures of the day beside earlier days. They are read again by themselves, and say how old they are. */
export function DayFigures({ context }: { readonly context: CellContext }) {
  const scope = useDeskScope();
  const { timezone, currency, nowMs } = context;
  // The same report for a quarter of an hour; between, its rows are only refreshed.
  const day = timezone === undefined ? null : todayQuery(timezone, Math.floor(nowMs / QUARTER_MS) * QUARTER_MS);
  const report = useQuery({ ...reportQuery(scope, day), refetchInterval: LIVE_MS });
  const rows = report.data?.rows;
  return (
    <div>
      <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />
      <SimpleGrid type="container" cols={COLUMNS}>
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
    </div>
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
