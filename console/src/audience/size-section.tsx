import { Paper, SegmentedControl, Skeleton, Stack, Table, Text, Title, useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EChartsOption } from 'echarts';
import { lazy, Suspense, useMemo, useState } from 'react';
import { loadSegmentSizes } from '../api/inventory/segments.ts';
import { formatCount } from '../format/desk-format.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { dateIn } from '../reports/calendar.ts';
import { axisLook, base, type ChartLook, COLORS } from '../charts/chart-look.ts';
import { formatBucket, formatShort, formatShortBucket } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { type SizeChange, type SizeDay, sizeChange, sizeDays } from './size-days.ts';

const ChartView = lazy(async () => ({ default: (await import('../charts/chart-view.tsx')).ChartView }));
const HEIGHT_PX = 200;
const RANGES = [30, 90, 365] as const;
const RANGE_AT_FIRST = 90;

/** How large a segment was on the last days; the numbers are in a table below. */
export function SizeSection({ segmentId, present }: { readonly segmentId: string; readonly present: number }) {
  const scope = useDeskScope();
  const { nowMs, timezone } = useCellContext();
  const [range, setRange] = useState<number>(RANGE_AT_FIRST);
  const found = useQuery({
    queryKey: [...deskKey(scope), 'segment-sizes', segmentId, range],
    queryFn: ({ signal }) => loadSegmentSizes(scope, { segmentId, days: range }, signal),
    placeholderData: keepPreviousData,
    enabled: scope.networkId !== '',
  });
  const today = dateIn(timezone ?? 'UTC', nowMs);
  const days = useMemo(() => sizeDays(found.data ?? [], today, present), [found.data, today, present]);
  const change = sizeChange(days);
  return (
    <Paper withBorder p="md" component="section" aria-label={say('size.title')}>
      <Stack gap="xs">
        <Title order={3} size="h5">
          {say('size.title')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={say('size.range')}
          data={RANGES.map((count) => ({ value: String(count), label: say('days.count', { count }) }))}
          value={String(range)}
          onChange={(value) => setRange(Number(value))}
        />
        <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
        {found.data === undefined ? (
          found.error === null ? (
            <Skeleton height={HEIGHT_PX} />
          ) : null
        ) : (
          <>
            <Text size="sm" component="output">
              {change === null ? say('size.new', { size: present }) : changeWords(present, change)}
            </Text>
            <SizeChart days={days} />
            <details>
              <summary>{say('size.numbers')}</summary>
              <SizeTable days={days} today={today} />
            </details>
          </>
        )}
      </Stack>
    </Paper>
  );
}

function changeWords(size: number, { by, days }: SizeChange): string {
  const direction = by > 0 ? 'more' : by < 0 ? 'fewer' : 'same';
  return say(`size.change_${direction}`, { size, by: Math.abs(by), days });
}

function SizeChart({ days }: { readonly days: readonly SizeDay[] }) {
  const scheme = useComputedColorScheme('light');
  const reducedMotion = useReducedMotion();
  const option = useMemo(() => drawSizes(days, { scheme, reducedMotion }), [days, scheme, reducedMotion]);
  return (
    <Suspense fallback={<Skeleton height={HEIGHT_PX} />}>
      <ChartView option={option} heightPx={HEIGHT_PX} onPick={() => {}} />
    </Suspense>
  );
}

function SizeTable({ days, today }: { readonly days: readonly SizeDay[]; readonly today: string }) {
  return (
    <ScrollRegion label={say('size.title')}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('size.day')}</Table.Th>
            <Table.Th scope="col" className="number-cell">
              {say('size.members')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ date, size }) => (
            <Table.Tr key={date}>
              <Table.Th scope="row" fw={400}>
                {date === today ? say('size.today', { date: formatBucket(date, 'day') }) : formatBucket(date, 'day')}
              </Table.Th>
              <Table.Td className="number-cell">
                {size === null ? say('value.none_measure') : formatCount(size)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}

/** One line. The axis begins where the sizes do: a large segment moves little. */
function drawSizes(days: readonly SizeDay[], look: ChartLook): EChartsOption {
  const [first] = COLORS[look.scheme];
  const { legend: _legend, ...common } = base(look, say('size.description'));
  const axis = axisLook(look.scheme);
  return {
    ...common,
    grid: { left: 8, right: 16, top: 12, bottom: 8, containLabel: true },
    xAxis: {
      type: 'category',
      data: days.map(({ date }) => formatBucket(date, 'day')),
      boundaryGap: false,
      ...axis,
      axisLabel: {
        ...axis.axisLabel,
        hideOverlap: true,
        formatter: (_name: string, at: number) => formatShortBucket(days[at]?.date ?? null, 'day'),
      },
    },
    yAxis: {
      type: 'value',
      scale: true,
      minInterval: 1,
      splitNumber: 3,
      ...axis,
      axisLabel: { ...axis.axisLabel, formatter: formatShort, hideOverlap: true },
    },
    series: [
      {
        type: 'line',
        name: say('size.members'),
        color: first,
        showSymbol: days.length < 2,
        connectNulls: true,
        lineStyle: { width: 2 },
        tooltip: {
          valueFormatter: (value) => (typeof value === 'number' ? formatCount(value) : say('value.none_measure')),
        },
        data: days.map(({ size }) => size),
      },
    ],
  };
}
