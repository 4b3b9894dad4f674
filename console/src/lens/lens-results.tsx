/* oxlint-disable jsx-a11y/prefer-tag-over-role -- `output` is for results of a form */
import { Alert, Box, Group, Loader, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { comparePivot, matchComparison } from '../reports/compare-rows.ts';
import {
  comparisonRange,
  type DateRange,
  RANGE_DAYS_MAX,
  type RangeProblem,
  resolveRange,
} from '../reports/date-range.ts';
import { formatInstant } from '../format/format-value.ts';
import { LensChart } from './lens-chart.tsx';
import { groupKeysOf, ROWS_MAX, timeKeyOf } from '../reports/lens-query.ts';
import { type LensState, TIME_MEMBER } from '../reports/lens-state.ts';
import { pivotRows } from '../reports/pivot-rows.ts';
import { flatColumns, pivotColumns, type PivotRow } from './report-columns.tsx';
import type { ReportModel } from '../reports/report-model.ts';
import type { CellValue, ReportRow } from '../reports/report-rows.ts';
import { ReportTable } from './report-table.tsx';
import type { LensReports } from './use-lens.ts';

/** The state, the model and the reports to show. */
export interface LensResultsProps {
  readonly state: LensState;
  readonly model: ReportModel;
  readonly reports: LensReports;
  readonly onPick: ((member: string, value: CellValue) => void) | null;
  readonly onSort: ((member: string) => void) | null;
  readonly title: string;
}

/** The chart and its table, or why there is none: nothing chosen, refused, loading, slow, empty, too large, failed. */
export function LensResults(props: LensResultsProps) {
  const { state, reports } = props;
  const [complete, setComplete] = useState<{ readonly state: LensState; readonly reports: LensReports } | null>(null);
  // The last complete results stay in sight until the next are complete.
  if (reports.isReady && (complete?.state !== state || complete.reports.rows !== reports.rows))
    setComplete({ state, reports });
  const problem =
    state.measures.length === 0
      ? say('lens.no_measures')
      : reports.rangeProblem === null
        ? null
        : describeRange(reports.rangeProblem);
  if (problem !== null) return <Notice text={problem} />;
  if (reports.error !== null) return <ProblemAlert error={reports.error} onRetry={reports.refetch} />;
  const shown = reports.isReady ? { state, reports } : complete;
  return (
    <Stack gap="sm" pos="relative">
      <Progress reports={reports} />
      {shown === null ? (
        <Stack aria-hidden="true">
          <Skeleton height={300} />
          <Skeleton height={180} />
        </Stack>
      ) : (
        <Box style={reports.isReady ? {} : { opacity: 0.45 }} aria-busy={!reports.isReady}>
          <CompleteResults {...props} state={shown.state} reports={shown.reports} />
        </Box>
      )}
    </Stack>
  );
}

function Notice({ text }: { readonly text: string }) {
  return (
    <Alert variant="outline" color="gray" role="status" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      {text}
    </Alert>
  );
}

/** Why a span is not even asked. */
export function describeRange(problem: RangeProblem): string {
  if (problem.kind === 'too_long') return say('range.too_long', { days: problem.days, max: RANGE_DAYS_MAX });
  return say(problem.kind === 'reversed' ? 'range.reversed' : 'range.invalid');
}

/** Lies over the results, so that nothing moves when it comes and goes. */
function Progress({ reports }: { readonly reports: LensReports }) {
  const text = reports.isReady ? '' : say(reports.isSlow ? 'state.slow' : 'state.loading');
  return (
    <div role="status" className="results-progress">
      {text === '' ? null : (
        <Paper withBorder shadow="sm" px="md" py={6} radius="xl">
          <Group gap="xs" wrap="nowrap">
            <Loader size="xs" />
            <Text size="sm">{text}</Text>
          </Group>
        </Paper>
      )}
    </div>
  );
}

function CompleteResults(props: LensResultsProps) {
  const { state, model, reports } = props;
  const rows = reports.rows?.rows ?? [];
  const range = resolveRange(state.range, reports.moment?.today ?? '');
  const other = comparisonRange(range, state.comparison);
  const before = useMemo(() => {
    const others = reports.comparison?.rows?.rows;
    if (others === undefined || other === null) return null;
    return matchComparison(rows, others, {
      dimensions: state.dimensions,
      timeKey: timeKeyOf(state),
      granularity: state.granularity,
      current: range,
      other,
    });
    // The ranges follow from the reports' own state.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, reports.comparison?.rows, state]);
  const totals = reports.totals?.rows[0] ?? null;
  const totalsBefore = reports.comparison?.totals?.rows[0] ?? null;
  if (rows.length === 0) return <Notice text={say('state.empty')} />;
  const total = reports.rows?.total ?? rows.length;
  return (
    <Stack gap="sm">
      {total > ROWS_MAX ? (
        <Notice
          text={say('state.too_large', {
            shown: ROWS_MAX.toLocaleString(currentLocale()),
            total: total.toLocaleString(currentLocale()),
          })}
        />
      ) : null}
      {state.chart === 'table' ? null : (
        <Paper withBorder p="sm" className="lens-chart" component="section" tabIndex={0} aria-label={say('lens.chart')}>
          <LensChart
            {...{ state, model, range, rows, before, totals, totalsBefore }}
            timezone={reports.moment?.timezone ?? 'UTC'}
            asOf={reports.rows?.asOf ?? null}
            onPick={(member, value) => props.onPick?.(member, value)}
          />
        </Paper>
      )}
      {state.pivot === null ? (
        <FlatTable {...props} rows={rows} before={before} totals={totals} totalsBefore={totalsBefore} />
      ) : (
        <Pivot {...props} rows={rows} totals={totals} totalsBefore={totalsBefore} range={range} other={other} />
      )}
      <Text size="sm" c="dimmed">
        {say('lens.status', {
          rows: total.toLocaleString(currentLocale()),
          count: total,
          from: range.from,
          to: range.to,
          timezone: reports.moment?.timezone ?? '',
          asOf:
            reports.rows?.asOf === null || reports.rows === undefined
              ? '–'
              : formatInstant(reports.rows.asOf, reports.moment?.timezone),
        })}
        {(reports.rows?.completeUntil ?? null) === null
          ? ''
          : ` ${say('lens.complete', { until: formatInstant(reports.rows?.completeUntil ?? '', reports.moment?.timezone) })}`}
        {other === null ? '' : ` ${say('lens.compared', { from: other.from, to: other.to })}`}
      </Text>
    </Stack>
  );
}

interface FlatData {
  readonly rows: readonly ReportRow[];
  readonly before: readonly (ReportRow | null)[] | null;
  readonly totals: ReportRow | null;
  readonly totalsBefore: ReportRow | null;
}

function FlatTable({
  state,
  model,
  onPick,
  onSort,
  title,
  rows,
  before,
  totals,
  totalsBefore,
}: LensResultsProps & FlatData) {
  const columns = useMemo(
    () => flatColumns({ state, model, onPick }, { keys: groupKeysOf(state), before, totals, totalsBefore }),
    [state, model, onPick, before, totals, totalsBefore],
  );
  return (
    <ReportTable
      label={title}
      columns={columns}
      rows={rows}
      rowHeightPx={before === null ? 34 : 52}
      order={state.order}
      onSort={(member) => onSort?.(member)}
    />
  );
}

interface PivotData {
  readonly rows: readonly ReportRow[];
  readonly totals: ReportRow | null;
  readonly totalsBefore: ReportRow | null;
  readonly range: DateRange;
  /** The dates that are compared with. */
  readonly other: DateRange | null;
}

/** The rows and totals of a pivot with those of the other dates; null where nothing is compared. */
function comparedRows({ state, reports, rows, totals, totalsBefore, range, other }: LensResultsProps & PivotData) {
  const { comparison } = reports;
  if (comparison === null || other === null) return null;
  const { pivot, dimensions, granularity } = state;
  const time = timeKeyOf(state);
  const isByTime = pivot === TIME_MEMBER;
  return comparePivot(
    [
      { rows, others: comparison.rows?.rows ?? [], dimensions, timeKey: time },
      {
        rows: reports.rowTotals?.rows ?? [],
        others: comparison.rowTotals?.rows ?? [],
        dimensions: dimensions.filter((name) => name !== pivot),
        timeKey: isByTime ? null : time,
      },
      {
        rows: reports.columnTotals?.rows ?? [],
        others: comparison.columnTotals?.rows ?? [],
        dimensions: isByTime || pivot === null ? [] : [pivot],
        timeKey: isByTime ? time : null,
      },
      {
        rows: totals === null ? [] : [totals],
        others: totalsBefore === null ? [] : [totalsBefore],
        dimensions: [],
        timeKey: null,
      },
    ],
    { granularity, current: range, other },
  );
}

function Pivot(props: LensResultsProps & PivotData) {
  const { state, model, reports, onPick, onSort, title, rows, totals } = props;
  // The reports and the dates decide it.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const compared = useMemo(() => comparedRows(props), [state, reports.comparison?.rows, rows, totals]);
  const pivotKey = state.pivot === TIME_MEMBER ? (timeKeyOf(state) ?? '') : (state.pivot ?? '');
  const groupKeys = groupKeysOf(state).filter((key) => key !== pivotKey);
  const groups = groupKeys.join(' ');
  const table = useMemo(
    () =>
      pivotRows({
        rows,
        rowTotals: reports.rowTotals?.rows ?? [],
        columnTotals: reports.columnTotals?.rows ?? [],
        pivotKey,
        groupKeys: groups === '' ? [] : groups.split(' '),
      }),
    [rows, reports.rowTotals, reports.columnTotals, pivotKey, groups],
  );
  const columns = useMemo(
    () =>
      pivotColumns({ state, model, onPick }, table, {
        key: pivotKey,
        groupKeys: groups === '' ? [] : groups.split(' '),
        totals,
        compared,
      }),
    [state, model, onPick, table, pivotKey, groups, totals, compared],
  );
  return (
    <Stack gap={4}>
      <ReportTable<PivotRow>
        label={title}
        columns={columns}
        rows={table.rows}
        rowHeightPx={compared === null ? 34 : 52}
        order={state.order}
        onSort={(member) => onSort?.(member)}
      />
      {table.columnsLeftOut > 0 ? (
        <Text size="sm">{say('pivot.left_out', { count: table.columnsLeftOut })}</Text>
      ) : null}
    </Stack>
  );
}
