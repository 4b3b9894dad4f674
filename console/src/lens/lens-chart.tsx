import { Alert, Group, Paper, Skeleton, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { useMediaQuery, useReducedMotion } from '@mantine/hooks';
import { lazy, Suspense, useMemo } from 'react';
import { say } from '../messages/say.ts';
import { clockIn, findUnfinished, listBuckets } from '../reports/calendar.ts';
import { arrangeSeries } from '../charts/chart-data.ts';
import { gridOf, seriesChart } from '../charts/chart-options.ts';
import { heatmapChart, pieChart } from '../charts/part-charts.ts';
import { changePercent } from '../reports/compare-rows.ts';
import type { DateRange } from '../reports/date-range.ts';
import { formatChange, formatMeasure } from '../format/format-value.ts';
import { groupKeysOf } from '../reports/lens-query.ts';
import type { LensState } from '../reports/lens-state.ts';
import { titleOf } from '../charts/member-titles.ts';
import { findMember, type ReportModel } from '../reports/report-model.ts';
import type { CellValue, ReportRow } from '../reports/report-rows.ts';
import { Term } from '../ui/explained.tsx';

const loadChart = () => import('../charts/chart-view.tsx');
const ChartView = lazy(async () => ({ default: (await loadChart()).ChartView }));
const HEIGHT_PX = 340;

/** Begins to load the code of charts, while the page asks for what they show. A failure shows where the chart would be. */
export function preloadChart(): void {
  loadChart().catch(() => {});
}

/** The input of a chart: the complete reports of one state. */
export interface LensChartProps {
  readonly state: LensState;
  readonly model: ReportModel;
  readonly range: DateRange;
  /** IANA name. */
  readonly timezone: string;
  /** Until when events are in the rows, ISO 8601; null: not known. */
  readonly asOf: string | null;
  readonly rows: readonly ReportRow[];
  readonly before: readonly (ReportRow | null)[] | null;
  readonly totals: ReportRow | null;
  readonly totalsBefore: ReportRow | null;
  onPick: (member: string, value: CellValue) => void;
}

/** The chosen chart. Says what is missing when the view cannot be drawn that way. */
export function LensChart(props: LensChartProps) {
  const { state } = props;
  if (state.chart === 'table') return null;
  if (state.chart === 'number') return <BigNumbers {...props} />;
  return <DrawnChart {...props} />;
}

function DrawnChart({ state, model, range, timezone, asOf, rows, before, totals, onPick }: LensChartProps) {
  const scheme = useComputedColorScheme('light');
  const reducedMotion = useReducedMotion();
  const wide = useMediaQuery('(min-width: 68em)', true, { getInitialValueInEffect: false });
  const keys = groupKeysOf(state);
  const drawn = useMemo(() => {
    const context = { state, model, look: { scheme, reducedMotion } };
    const [firstKey, secondKey] = groupKeysOf(state);
    if (state.chart === 'pie') {
      if (firstKey === undefined) return { missing: say('chart.needs_group') };
      if (findMember(model, state.measures[0] ?? '')?.isAdditive !== true)
        return { missing: say('chart.needs_additive') };
      return { option: pieChart(context, rows, totals, keys) };
    }
    if (state.chart === 'heatmap') {
      if (firstKey === undefined || secondKey === undefined) return { missing: say('chart.needs_two') };
      return { option: heatmapChart(context, rows, { across: firstKey, down: secondKey }) };
    }
    if (firstKey === undefined) return { missing: say('chart.needs_group') };
    const buckets = state.granularity === null ? null : listBuckets(range.from, range.to, state.granularity);
    const unfinished =
      buckets === null || state.granularity === null || asOf === null
        ? null
        : findUnfinished(buckets, state.granularity, clockIn(timezone, Date.parse(asOf)));
    const data = arrangeSeries({
      state,
      unfinished,
      rows,
      before,
      buckets,
      isAdditive: (measure) => findMember(model, measure)?.isAdditive === true,
    });
    const kind = state.chart === 'bar' || state.chart === 'stacked' ? state.chart : 'line';
    const grid = gridOf(state, kind, { wide, positions: data.positions.length });
    return { option: seriesChart(context, data, kind, grid), data, heightPx: grid.heightPx };
    // The keys and the range follow from the state.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [state, model, scheme, reducedMotion, wide, rows, totals, range.from, range.to, before, timezone, asOf]);
  if (drawn.missing !== undefined) {
    return (
      <Alert variant="outline" color="gray" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
        {drawn.missing}
      </Alert>
    );
  }
  const pick = (position: number): void => {
    const [key] = drawn.data?.positionKeys ?? [];
    const row = drawn.data?.positions[position];
    if (key !== undefined && row !== undefined && state.dimensions.includes(key)) onPick(key, row[key] ?? null);
  };
  const leftOut = (drawn.data?.seriesLeftOut ?? 0) + (drawn.data?.positionsLeftOut ?? 0);
  return (
    <Stack gap={4}>
      <Suspense fallback={<Skeleton height={drawn.heightPx ?? HEIGHT_PX} />}>
        <ChartView option={drawn.option} heightPx={drawn.heightPx ?? HEIGHT_PX} onPick={pick} />
      </Suspense>
      {leftOut > 0 ? (
        <Text size="sm" c="dimmed">
          {say('chart.left_out', { count: leftOut })}
        </Text>
      ) : null}
    </Stack>
  );
}

function BigNumbers({ state, model, totals, totalsBefore, before }: LensChartProps) {
  return (
    <Group align="stretch" component="dl" m={0}>
      {state.measures.map((name) => {
        const member = findMember(model, name) ?? { format: null, currency: null };
        const percent = before === null ? null : changePercent(totals?.[name], totalsBefore?.[name]);
        return (
          <Paper key={name} withBorder p="md" miw={170} component="div">
            <Text component="dt" size="sm" c="dimmed">
              <Term text={findMember(model, name)?.description}>{titleOf(model, name)}</Term>
            </Text>
            <dd className="big-number" style={{ margin: 0 }}>
              {formatMeasure(member, totals?.[name])}
              {percent === null ? null : (
                <span className={`change ${percent >= 0 ? 'change-up' : 'change-down'}`}>
                  {formatChange(percent)} ({formatMeasure(member, totalsBefore?.[name])})
                </span>
              )}
            </dd>
          </Paper>
        );
      })}
    </Group>
  );
}
