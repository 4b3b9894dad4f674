import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { DeliveryChart } from './delivery-chart.tsx';
import { arrangeDays, countsOf, dayQuery, daysOf, isCumulative } from './delivery-days.ts';
import { sayPromise } from './say-promise.ts';
import { flightOf } from '../format/desk-format.ts';
import { useDeskScope, type CellContext } from '../session/desk-scope.ts';

/** What a line item has delivered by day or hour, beside what its pacing promises. */
export function ItemDelivery({ item, context }: { readonly item: LineItemDetail; readonly context: CellContext }) {
  const scope = useDeskScope();
  const { goal } = item;
  const { nowMs } = context;
  const zone = item.timezone ?? context.timezone;
  const progress = item.delivery?.progress ?? null;
  const course = isCumulative(goal) ? (progress?.course ?? null) : null;
  const granularity = course?.step === 'HOUR' ? 'hour' : 'day';
  const range = zone === undefined ? null : daysOf(goal, flightOf(item), { timezone: zone, nowMs });
  const report = useQuery(
    reportQuery(
      scope,
      range === null || zone === undefined ? null : dayQuery([item.id], goal, range, { timezone: zone, granularity }),
    ),
  );
  const delivered = progress?.delivered ?? null;
  const days = useMemo(
    () =>
      report.data === undefined || range === null || zone === undefined
        ? null
        : arrangeDays({
            goal,
            course,
            delivered,
            counts: countsOf(report.data.rows, goal, granularity),
            range,
            timezone: zone,
            nowMs,
          }),
    // The range and the moment matter by the times of the course alone, which is read again each minute.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [report.data, goal, course, delivered, zone, range?.from, range?.today],
  );
  const promise = sayPromise(item);
  return (
    <>
      <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />
      {days === null || range === null ? (
        report.error === null ? (
          <Skeleton height={300} />
        ) : null
      ) : (
        <Stack gap="xs">
          {promise.map((sentence) => (
            <Text key={sentence} size="sm" c="dimmed">
              {sentence}
            </Text>
          ))}
          <DeliveryChart
            days={days}
            present={presentOf(days, course === null ? range.today : null)}
            pacing={course === null ? null : item.pacing}
            isCumulative={isCumulative(goal)}
          />
        </Stack>
      )}
    </>
  );
}

/** The time that goes on: today, or the last time of a course of which something may be delivered. */
function presentOf(days: ReturnType<typeof arrangeDays>, today: string | null): string | null {
  return today ?? days.findLast(({ delivered }) => delivered !== null)?.date ?? null;
}
