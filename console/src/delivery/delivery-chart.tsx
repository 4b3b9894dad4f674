import { Skeleton, Stack, Table, Text, useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import type { EChartsOption } from 'echarts';
import { lazy, Suspense, useMemo } from 'react';
import { axisLook, base, type ChartLook, COLORS } from '../charts/chart-look.ts';
import { formatBucket, formatShort, formatShortBucket } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import type { DeliveryDay } from './delivery-days.ts';
import { formatCount } from '../format/desk-format.ts';

const ChartView = lazy(async () => ({ default: (await import('../charts/chart-view.tsx')).ChartView }));
const HEIGHT_PX = 300;

interface DeliveryChartProps {
  readonly days: readonly DeliveryDay[];
  readonly today: string;
  /** Whether days add up to the goal of the flight. */
  readonly isCumulative: boolean;
}

/** What was delivered by day, beside the plan; its numbers are in a table below. */
export function DeliveryChart({ days, today, isCumulative }: DeliveryChartProps) {
  const scheme = useComputedColorScheme('light');
  const reducedMotion = useReducedMotion();
  const option = useMemo(
    () => drawDays({ days, today, isCumulative }, { scheme, reducedMotion }),
    [days, today, isCumulative, scheme, reducedMotion],
  );
  return (
    <Stack gap="xs">
      {days.every(({ delivered }) => (delivered ?? 0) === 0) ? <Text c="dimmed">{say('item.chart_empty')}</Text> : null}
      <Suspense fallback={<Skeleton height={HEIGHT_PX} />}>
        <ChartView option={option} heightPx={HEIGHT_PX} onPick={() => {}} />
      </Suspense>
      <details>
        <summary>{say('item.chart_numbers')}</summary>
        <DayTable days={days} isCumulative={isCumulative} />
      </details>
    </Stack>
  );
}

function titleOf(isCumulative: boolean): string {
  return say(isCumulative ? 'item.chart_cumulative' : 'item.chart');
}

function planName(isCumulative: boolean): string {
  return say(isCumulative ? 'item.chart_plan' : 'item.chart_goal');
}

function DayTable({ days, isCumulative }: Pick<DeliveryChartProps, 'days' | 'isCumulative'>) {
  const hasPlan = days.some(({ plan }) => plan !== null);
  const hasProjection = days.some(({ projected }) => projected !== null);
  const count = (value: number | null): string => (value === null ? say('value.none_measure') : formatCount(value));
  return (
    <ScrollRegion label={titleOf(isCumulative)}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('item.chart_day')}</Table.Th>
            <Table.Th scope="col" className="number-cell">
              {say('item.chart_delivered')}
            </Table.Th>
            {hasPlan ? (
              <Table.Th scope="col" className="number-cell">
                {planName(isCumulative)}
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
          {days.map(({ date, delivered, plan, projected }) => (
            <Table.Tr key={date}>
              <Table.Th scope="row" fw={400}>
                {formatBucket(date, 'day')}
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
export function drawDays({ days, today, isCumulative }: DeliveryChartProps, look: ChartLook): EChartsOption {
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
          ...(day.date === today ? { itemStyle: { opacity: 0.55 } } : {}),
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
      data: days.map(({ date }) => formatBucket(date, 'day')),
      boundaryGap: !isCumulative,
      ...axisLook(look.scheme),
      axisLabel: {
        ...axisLook(look.scheme).axisLabel,
        hideOverlap: true,
        formatter: (_name: string, at: number) => formatShortBucket(days[at]?.date ?? null, 'day'),
      },
    },
    yAxis: {
      type: 'value',
      splitNumber: 4,
      ...axisLook(look.scheme),
      axisLabel: { ...axisLook(look.scheme).axisLabel, formatter: formatShort, hideOverlap: true },
    },
    series: [
      { name: say('item.chart_delivered'), color: first, ...delivered, ...markOf(days, today, isCumulative) },
      ...(hasPlan
        ? [
            {
              ...line,
              name: planName(isCumulative),
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

/** A line at today, where days add up and the curve goes on to the end of the flight. */
function markOf(days: readonly DeliveryDay[], today: string, isCumulative: boolean) {
  const at = days.findIndex(({ date }) => date === today);
  if (!isCumulative || at < 0 || at === days.length - 1) return {};
  return {
    markLine: {
      symbol: 'none',
      silent: true,
      lineStyle: { type: 'solid' as const, width: 1 },
      label: { formatter: say('item.chart_today'), position: 'insideEndTop' as const },
      data: [{ xAxis: at }],
    },
  };
}

function formatTip(value: unknown): string {
  return typeof value === 'number' ? formatCount(value) : say('value.none_measure');
}
