import { Alert, Anchor, Group, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dateFormat } from '../format/intl-formats.ts';
import { dateIn } from '../reports/calendar.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { Term } from '../ui/explained.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { formatCount, formatMoney, formatPercent } from '../format/desk-format.ts';
import { Sparkline } from './sparkline.tsx';
import {
  changeOf,
  type HourSeries,
  numberOf,
  seriesOf,
  TODAY_NUMBERS,
  type TodayFigure,
  type TodayNumber,
  todayQuery,
  type Traffic,
  trafficOf,
} from './today-numbers.ts';
import { useDeskScope, type CellContext } from '../session/desk-scope.ts';

/** Numbers of the day follow while the page is looked at. */
const LIVE_MS = 20_000;
const QUARTER_MS = 15 * 60_000;
/** A change of less than this is none. */
const STEADY_PERCENT = 1;
/** A change of more than this is a change from next to nothing. */
const PERCENT_SHOWN = 999;
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
      {rows === undefined || timezone === undefined ? null : (
        <TrafficAlert traffic={trafficOf(rows, { timezone, nowMs })} today={dateIn(timezone, nowMs)} />
      )}
      <SimpleGrid type="container" cols={COLUMNS}>
        {(Object.keys(TODAY_NUMBERS) as TodayNumber[]).map((number) => (
          <Paper key={number} withBorder p="md" className="desk-figure">
            <Text size="sm" c="dimmed" component="div">
              <Term text={say(`today_text.${number}`)}>{say(`today.${number}`)}</Term>
            </Text>
            {rows === undefined || timezone === undefined ? (
              <Skeleton height={56} mt={4} />
            ) : (
              <Figure
                figure={numberOf(rows, number, { timezone, nowMs })}
                series={seriesOf(rows, number, { timezone, nowMs })}
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

/** Tells that no ad requests come. */
function TrafficAlert({ traffic, today }: { readonly traffic: Traffic; readonly today: string }) {
  if (traffic.kind === 'FLOWS') return null;
  return (
    <Alert color="orange" variant="outline" mb="sm" styles={ALERT_STYLES}>
      {describeTraffic(traffic, today)}{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/desk/integrate" search={{}} {...props} />}>
        {say('today.check_tag')}
      </Anchor>
    </Alert>
  );
}

function describeTraffic(traffic: Exclude<Traffic, { readonly kind: 'FLOWS' }>, today: string): string {
  if (traffic.kind === 'NEVER') return say('today.never_asked');
  const hour = `${String(traffic.hour).padStart(2, '0')}:59`;
  return traffic.date === today
    ? say('today.stopped', { hour })
    : say('today.stopped_before', { hour, date: traffic.date });
}

const ALERT_STYLES = { message: { color: 'var(--mantine-color-text)' } } as const;

function Age({ atMs, nowMs }: { readonly atMs: number; readonly nowMs: number }) {
  const minutes = Math.floor((nowMs - atMs) / 60_000);
  return minutes < 1 ? say('today.live') : say('today.age', { minutes });
}

function formatNumber(number: TodayNumber, value: number, currency: string | undefined): string {
  if (number === 'revenue' || number === 'ecpm') return formatMoney(value.toFixed(2), currency);
  return number === 'fill' ? formatPercent(value) : formatCount(Math.round(value));
}

/** A number with how far it is from last week, and its course. */
function Figure({
  figure: { today, yesterday, lastWeek },
  series,
  format,
  weekday,
}: {
  readonly figure: TodayFigure;
  readonly series: HourSeries;
  readonly format: (value: number) => string;
  readonly weekday: string;
}) {
  const earlier = [
    say('today.last_week', { value: format(lastWeek), weekday }),
    say('today.yesterday', { value: format(yesterday) }),
  ].join(' ');
  return (
    <div title={earlier}>
      <Text fw={650} className="desk-figure-value">
        {format(today)}
      </Text>
      <Group gap={6}>
        <Change change={changeOf(today, lastWeek)} />
        <Text size="xs" c="dimmed">
          {say('today.against', { weekday, value: format(lastWeek) })}
        </Text>
      </Group>
      <Sparkline series={series} />
    </div>
  );
}

/** How far a number is from what it was: an arrow, and the words for those who do not see it. */
function Change({ change }: { readonly change: number | null }) {
  if (change === null) return null;
  const direction = Math.abs(change) < STEADY_PERCENT ? 'steady' : change < 0 ? 'down' : 'up';
  const tone = { steady: '', down: 'state-bad', up: 'state-good' }[direction];
  return (
    <span className={`state-word ${tone}`}>
      <span aria-hidden="true">{{ steady: '→', down: '▼', up: '▲' }[direction]}</span>
      <span className="visually-hidden">{say(`today.${direction}`)}</span>
      {Math.abs(change) > PERCENT_SHOWN ? `> ${formatPercent(PERCENT_SHOWN)}` : formatPercent(Math.abs(change))}
    </span>
  );
}

function weekdayOf(timezone: string, nowMs: number): string {
  return dateFormat(currentLocale(), { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(`${dateIn(timezone, nowMs)}T12:00:00Z`),
  );
}
