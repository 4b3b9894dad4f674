import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { loadOrder } from '../api/bookings/orders/order.ts';
import { CampaignDelivery } from '../delivery/campaign-delivery.tsx';
import { isCumulative } from '../delivery/delivery-days.ts';
import { ItemDelivery } from '../delivery/item-delivery.tsx';
import { ObjectLink } from '../tables/column-parts.tsx';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useLineItem } from '../line-item/use-line-item.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import type { WidgetOptions, WidgetBodyProps } from './widgets.ts';

/** What a line item or a campaign has delivered by day, beside what was planned. */
export function DeliveryWidget({ options: { about } }: WidgetBodyProps<WidgetOptions['delivery']>) {
  return about.kind === 'lineItem' ? (
    <LineItemChart key={about.id} id={about.id} />
  ) : (
    <CampaignChart key={about.id} id={about.id} />
  );
}

function LineItemChart({ id }: { readonly id: string }) {
  const context = useCellContext();
  const item = useLineItem(id);
  return (
    <Found query={item} missing={say('item.missing', { id })}>
      {(found) => (
        <>
          <Text>
            <ObjectLink to="/desk/line-items/$id" id={id} name={found.name} />
            {' · '}
            {say(isCumulative(found.goal) ? 'item.chart_cumulative' : 'item.chart')}
          </Text>
          <ItemDelivery item={found} context={context} />
        </>
      )}
    </Found>
  );
}

function CampaignChart({ id }: { readonly id: string }) {
  const context = useCellContext();
  const scope = useDeskScope();
  const campaign = useQuery({
    queryKey: [...deskKey(scope), 'campaign', id],
    queryFn: ({ signal }) => loadOrder(scope, id, signal),
    enabled: scope.networkId !== '',
  });
  return (
    <Found query={campaign} missing={say('campaign.missing', { id })}>
      {(found) => (
        <>
          <Text>
            <ObjectLink to="/desk/campaigns/$id" id={id} name={found.name} />
            {' · '}
            {say('item.chart')}
          </Text>
          <CampaignDelivery campaignId={id} context={context} />
        </>
      )}
    </Found>
  );
}

/** An object once it is read; else that it is on its way, failed, or missing. */
function Found<Data extends object>({
  query: { data, error, refetch },
  missing,
  children,
}: {
  readonly query: { readonly data: Data | null | undefined; readonly error: unknown; refetch: () => unknown };
  readonly missing: string;
  readonly children: (data: Data) => ReactNode;
}) {
  if (data === null) return <Text c="dimmed">{missing}</Text>;
  if (data !== undefined) return children(data);
  return error === null ? <Skeleton height={300} /> : <ProblemAlert error={error} onRetry={() => void refetch()} />;
}
