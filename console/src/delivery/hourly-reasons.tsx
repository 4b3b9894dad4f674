import { Skeleton, Table, useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import type { EChartsOption } from 'echarts';
import { lazy, Suspense, useState } from 'react';
import type { HourOfReasons } from '../api/bookings/diagnosis.ts';
import { axisLook, base, type ChartLook, COLORS } from '../charts/chart-look.ts';
import { formatShort, formatShortBucket, formatBucket } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { formatCount } from '../format/desk-format.ts';
import { countByReason, OTHERS, type ReasonSeries } from './reason-series.ts';
import { sayReason } from './say-delivery.ts';
import { useCellContext } from '../session/desk-scope.ts';

const ChartView = lazy(async () => ({ default: (await import('../charts/chart-view.tsx')).ChartView }));
const HEIGHT_PX = 260;

/** What a line item won and lost hour by hour, and why: a chart and its numbers, drawn when they are opened. */
export function HourlyReasons({ byHour }: { readonly byHour: readonly HourOfReasons[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{say('diagnosis.by_hour')}</summary>
      {isOpen ? <Hours byHour={byHour} /> : null}
    </details>
  );
}

function Hours({ byHour }: { readonly byHour: readonly HourOfReasons[] }) {
  const { timezone = 'UTC' } = useCellContext();
  const scheme = useComputedColorScheme('light');
  const reducedMotion = useReducedMotion();
  const series = countByReason(byHour, timezone);
  return (
    <>
      <Suspense fallback={<Skeleton height={HEIGHT_PX} />}>
        <ChartView option={drawReasons(series, { scheme, reducedMotion })} heightPx={HEIGHT_PX} onPick={() => {}} />
      </Suspense>
      <HourTable series={series} />
    </>
  );
}

function HourTable({ series: { hours, reasons } }: { readonly series: ReasonSeries }) {
  return (
    <ScrollRegion label={say('diagnosis.by_hour')}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('diagnosis.hour')}</Table.Th>
            {reasons.map(({ reason }) => (
              <Table.Th key={reason} scope="col" className="number-cell">
                {nameOf(reason)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {hours.map((hour, at) => (
            <Table.Tr key={hour}>
              <Table.Th scope="row" fw={400}>
                {formatBucket(hour, 'hour')}
              </Table.Th>
              {reasons.map(({ reason, counts }) => (
                <Table.Td key={reason} className="number-cell">
                  {formatCount(counts[at] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}

function nameOf(reason: string): string {
  if (reason === 'won') return say('diagnosis.won');
  return reason === OTHERS ? say('diagnosis.others') : sayReason(reason);
}

function drawReasons({ hours, reasons }: ReasonSeries, look: ChartLook): EChartsOption {
  const axis = axisLook(look.scheme);
  return {
    ...base(look, say('diagnosis.by_hour')),
    grid: { left: 8, right: 16, top: 16, bottom: 40, containLabel: true },
    xAxis: {
      type: 'category',
      data: hours.map((hour) => formatBucket(hour, 'hour')),
      ...axis,
      axisLabel: {
        ...axis.axisLabel,
        hideOverlap: true,
        formatter: (_name: string, at: number) => formatShortBucket(hours[at], 'hour'),
      },
    },
    yAxis: {
      type: 'value',
      splitNumber: 4,
      ...axis,
      axisLabel: { ...axis.axisLabel, formatter: formatShort, hideOverlap: true },
    },
    series: reasons.map(({ reason, counts }, at) => ({
      name: nameOf(reason),
      type: 'bar',
      stack: 'all',
      color: COLORS[look.scheme][at % COLORS[look.scheme].length],
      tooltip: { valueFormatter: (value: unknown) => formatCount(Number(value)) },
      data: counts,
    })),
  } as EChartsOption;
}
