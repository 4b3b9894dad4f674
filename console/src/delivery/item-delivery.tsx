import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LineItem } from '../api/bookings/desk-list.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { DeliveryChart } from './delivery-chart.tsx';
import { arrangeDays, countsOf, dayQuery, daysOf, isCumulative } from './delivery-days.ts';
import { flightOf } from '../format/desk-format.ts';
import { useDeskScope, type CellContext } from '../session/desk-scope.ts';

/** What a line item has delivered by day, beside its plan. */
export function ItemDelivery({ item, context }: { readonly item: LineItem; readonly context: CellContext }) {
  const scope = useDeskScope();
  const { goal } = item;
  const zone = item.timezone ?? context.timezone;
  const flight = flightOf(item);
  const range = zone === undefined ? null : daysOf(goal, flight, { timezone: zone, nowMs: context.nowMs });
  const report = useQuery(
    reportQuery(scope, range === null || zone === undefined ? null : dayQuery([item.id], goal, range, zone)),
  );
  const { startsAt, endsAt } = flight;
  const progress = item.delivery?.progress ?? null;
  const days = useMemo(
    () =>
      report.data === undefined || range === null || zone === undefined
        ? null
        : arrangeDays({
            goal,
            progress,
            flight: { startsAt, endsAt },
            counts: countsOf(report.data.rows, goal),
            range,
            timezone: zone,
          }),
    // The range follows from the moment, and matters by its days alone.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [report.data, goal, progress, startsAt, endsAt, zone, range?.from, range?.today],
  );
  return (
    <>
      <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />
      {days === null || range === null ? (
        report.error === null ? (
          <Skeleton height={300} />
        ) : null
      ) : (
        <DeliveryChart days={days} today={range.today} isCumulative={isCumulative(goal)} />
      )}
    </>
  );
}
