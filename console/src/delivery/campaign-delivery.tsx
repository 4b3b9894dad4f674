import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DELIVERY_STATUSES, loadLineItems, WINDOW_MAX } from '../api/bookings/desk-list.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { arrangeCampaign, campaignRange, plannedItems } from './campaign-days.ts';
import { DeliveryChart } from './delivery-chart.tsx';
import { countsOf, dayQuery } from './delivery-days.ts';
import { formatCount } from '../format/desk-format.ts';
import { deskKey, useDeskScope, type CellContext } from '../session/desk-scope.ts';

const STALE_MS = 60_000;

/** What the line items of a campaign have delivered by day, beside the sum of their goals. */
export function CampaignDelivery({
  campaignId,
  context: { timezone, nowMs },
}: {
  readonly campaignId: string;
  readonly context: CellContext;
}) {
  const scope = useDeskScope();
  const found = useQuery({
    queryKey: [...deskKey(scope), 'campaignItems', campaignId],
    queryFn: ({ signal }) => {
      const statuses = DELIVERY_STATUSES.filter((one) => one !== 'DRAFT' && one !== 'RESERVED');
      const sort = { field: 'ID', direction: 'DESC' } as const;
      const filter = { campaignIds: [campaignId], statuses };
      return loadLineItems(scope, { tab: null, filter, sort, offset: 0, first: WINDOW_MAX }, signal);
    },
    staleTime: STALE_MS,
    enabled: scope.networkId !== '',
  });
  const rows = found.data?.rows;
  const plan = useMemo(() => (rows === undefined ? null : plannedItems(rows)), [rows]);
  const range = timezone === undefined ? null : campaignRange(timezone, nowMs);
  const ids = plan?.items.map(({ id }) => id) ?? [];
  const report = useQuery(
    reportQuery(
      scope,
      plan === null || range === null || timezone === undefined || ids.length === 0
        ? null
        : dayQuery(ids, plan, range, { timezone }),
    ),
  );
  const days =
    plan === null || report.data === undefined || range === null || timezone === undefined
      ? null
      : arrangeCampaign({ items: plan.items, counts: countsOf(report.data.rows, plan), range, timezone });
  const error = found.error ?? report.error;
  const total = found.data?.total ?? 0;
  return (
    <>
      <ProblemAlert error={error} onRetry={() => void (found.error === null ? report.refetch() : found.refetch())} />
      {plan === null ? null : (
        <Text size="sm" c="dimmed">
          {plan.items.length === 0
            ? say('campaign.no_plan')
            : say('campaign.planned', {
                what: say(`goal_kind.${plan.kind}`),
                count: formatCount(plan.items.length),
                total: formatCount(total),
              })}
        </Text>
      )}
      {days !== null && range !== null ? (
        <DeliveryChart days={days} present={range.today} isCumulative={false} />
      ) : error === null && (plan === null || plan.items.length > 0) ? (
        <Skeleton height={300} />
      ) : null}
    </>
  );
}
