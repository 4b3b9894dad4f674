import { Skeleton, Stack, Table, Text, useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import type { EChartsOption } from 'echarts';
import { lazy, Suspense, useMemo } from 'react';
import { axisLook, base, type ChartLook, COLORS } from '../charts/chart-look.ts';
import { formatBucket, formatShort, formatShortBucket } from '../format/format-value.ts';
import type { Pacing } from '../api/bookings/line-item-settings.ts';
import { say } from '../messages/say.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import type { DeliveryDay } from './delivery-days.ts';
import { formatCount } from '../format/desk-format.ts';

const ChartView = lazy(async () => ({ default: (await import('../charts/chart-view.tsx')).ChartView }));
const HEIGHT_PX = 300;
/** Of `2026-11-24`. */
const DAY_LENGTH = 10;

interface DeliveryChartProps {
  readonly days: readonly DeliveryDay[];
  /** The day or hour that goes on; null: none of these does. */
  readonly present: string | null;
  /** Whose plan it is; absent or null: of no pacing. */
  readonly pacing?: Pacing | null;
  /** Whether days add up to the goal of the flight. */
  readonly isCumulative: boolean;
}

/** A chart of the delivery by day or hour, beside the plan; its numbers are in a table below. */
export function DeliveryChart({ days, present, pacing = null, isCumulative }: DeliveryChartProps) {
  const scheme = useComputedColorScheme('light');
  const reducedMotion = useReducedMotion();
  const option = useMemo(
    () => drawDays({ days, present, pacing, isCumulative }, { scheme, reducedMotion }),
    [days, present, pacing, isCumulative, scheme, reducedMotion],
  );
  return (
    <Stack gap="xs">
      {days.every(({ delivered }) => (delivered ?? 0) === 0) ? <Text c="dimmed">{say('item.chart_empty')}</Text> : null}
      <Suspense fallback={<Skeleton height={HEIGHT_PX} />}>
        <ChartView option={option} heightPx={HEIGHT_PX} onPick={() => {}} />
      </Suspense>
      <details>
        <summary>{say('item.chart_numbers')}</summary>
        <DayTable days={days} pacing={pacing} isCumulative={isCumulative} />
      </details>
    </Stack>
  );
}

function titleOf(isCumulative: boolean): string {
  return say(isCumulative ? 'item.chart_cumulative' : 'item.chart');
}

function planName(isCumulative: boolean, pacing: Pacing | null): string {
  if (!isCumulative) return say('item.chart_goal');
  return pacing === null ? say('item.chart_plan') : say(`item.chart_plan_${pacing}`);
}

function granularityOf(days: readonly DeliveryDay[]): 'day' | 'hour' {
  return (days[0]?.date.length ?? 0) > DAY_LENGTH ? 'hour' : 'day';
}

function DayTable({
  days,
  pacing,
  isCumulative,
}: Pick<DeliveryChartProps, 'days' | 'isCumulative'> & { readonly pacing: Pacing | null }) {
  const granularity = granularityOf(days);
  const hasPlan = days.some(({ plan }) => plan !== null);
  const hasProjection = days.some(({ projected }) => projected !== null);
  const count = (value: number | null): string => (value === null ? say('value.none_measure') : formatCount(value));
  return (
    <ScrollRegion label={titleOf(isCumulative)}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say(granularity === 'hour' ? 'item.chart_hour' : 'item.chart_day')}</Table.Th>
            <Table.Th scope="col" className="number-cell">
              {say('item.chart_delivered')}
            </Table.Th>
            {hasPlan ? (
              <Table.Th scope="col" className="number-cell">
                {planName(isCumulative, pacing)}
              </Table.Th>
            ) : null}
            {hasProjection ? (
              <Table.Th scope="col" className="number-cell">
                {say('item.chart_projected')}
              </Table.Th>
            ) : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map(({ date, delivered, plan, projected }, at) => (
            // Clocks may show an hour twice.
            <Table.Tr key={`${date} ${at}`}>
              <Table.Th scope="row" fw={400}>
                {formatBucket(date, granularity)}
              </Table.Th>
              <Table.Td className="number-cell">{count(delivered)}</Table.Td>
              {hasPlan ? <Table.Td className="number-cell">{count(plan)}</Table.Td> : null}
              {hasProjection ? <Table.Td className="number-cell">{count(projected)}</Table.Td> : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}

/** The drawing. Today is not over: its bar is pale. */
export function drawDays(
  { days, present, pacing = null, isCumulative }: DeliveryChartProps,
  look: ChartLook,
): EChartsOption {
  const granularity = granularityOf(days);
  const [first, second, third] = COLORS[look.scheme];
  const common = base(look, say('item.chart_description', { title: titleOf(isCumulative) }));
  const line = { type: 'line' as const, showSymbol: false, tooltip: { valueFormatter: formatTip } };
  const delivered = isCumulative
    ? { ...line, lineStyle: { width: 3 }, areaStyle: { opacity: 0.12 }, data: days.map((day) => day.delivered) }
    : {
        type: 'bar' as const,
        barMaxWidth: 28,
        tooltip: { valueFormatter: formatTip },
        data: days.map((day) => ({
          value: day.delivered,
          ...(day.date === present ? { itemStyle: { opacity: 0.55 } } : {}),
        })),
      };
  const dashed = (name: 'projected' | 'low' | 'high', width: number) => ({
    ...line,
    name: say(`item.chart_${name}`),
    color: third,
    lineStyle: { type: name === 'projected' ? ('dashed' as const) : ('dotted' as const), width },
    data: days.map((day) => day[name]),
  });
  const hasPlan = days.some(({ plan }) => plan !== null);
  const hasProjection = days.some(({ projected }) => projected !== null);
  return {
    ...common,
    grid: { left: 8, right: 16, top: 16, bottom: 40, containLabel: true },
    xAxis: {
      type: 'category',
      data: days.map(({ date }) => formatBucket(date, granularity)),
      boundaryGap: !isCumulative,
      ...axisLook(look.scheme),
      axisLabel: {
        ...axisLook(look.scheme).axisLabel,
        hideOverlap: true,
        formatter: (_name: string, at: number) => formatShortBucket(days[at]?.date ?? null, granularity),
      },
    },
    yAxis: {
      type: 'value',
      splitNumber: 4,
      ...axisLook(look.scheme),
      axisLabel: { ...axisLook(look.scheme).axisLabel, formatter: formatShort, hideOverlap: true },
    },
    series: [
      { name: say('item.chart_delivered'), color: first, ...delivered, ...markOf(days, present, isCumulative) },
      ...(hasPlan
        ? [
            {
              ...line,
              name: planName(isCumulative, pacing),
              color: second,
              lineStyle: { width: 2 },
              data: days.map(({ plan }) => plan),
            },
          ]
        : []),
      ...(hasProjection ? [dashed('projected', 2), dashed('low', 1), dashed('high', 1)] : []),
    ],
  } as EChartsOption;
}

/** A line at today or now, where days add up and the curve goes on to the end of the flight. */
function markOf(days: readonly DeliveryDay[], present: string | null, isCumulative: boolean) {
  const at = days.findIndex(({ date }) => date === present);
  if (!isCumulative || at < 0 || at === days.length - 1) return {};
  return {
    markLine: {
      symbol: 'none',
      silent: true,
      lineStyle: { type: 'solid' as const, width: 1 },
      label: {
        formatter: say(granularityOf(days) === 'hour' ? 'item.chart_now' : 'item.chart_today'),
        position: 'insideEndTop' as const,
      },
      data: [{ xAxis: at }],
    },
  };
}

function formatTip(value: unknown): string {
  return typeof value === 'number' ? formatCount(value) : say('value.none_measure');
}
