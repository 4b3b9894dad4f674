import '../order/order.css';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { later } from '../ui/later.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { OrderFigures, OrderPeople } from '../order/order-facts.tsx';
import { useOrder, useOrderItems } from '../order/use-order.ts';
import { CommentsSection, HistorySection, ShareReport } from './later-parts.ts';
import { AddCreatives } from '../line-item/add-creatives.tsx';
import { NewLineItem } from './new-line-item.tsx';
import { StatusActions, Trail, TrailLink } from '../line-item/object-header.tsx';
import { useCanEdit } from '../session/session.ts';
import { useRecent } from '../session/recent-objects.ts';

const LineItemList = later(async () => (await import('./object-list.tsx')).LineItemList, ['desk', 'desk-table']);

/** One campaign with its line items. */
export function CampaignPage() {
  const { id = '' } = useParams({ strict: false });
  const canEdit = useCanEdit();
  const campaign = useOrder(id);
  const items = useOrderItems(id);
  const { data } = campaign;
  useRecent('CAMPAIGN', data ?? undefined);
  if (data === null)
    return (
      <Page title={say('nav.campaigns')}>
        <Text>{say('campaign.missing', { id })}</Text>
        <TrailLink to="/desk/campaigns" name={say('nav.campaigns')} />
      </Page>
    );
  return (
    <Page
      title={data?.name ?? say('nav.campaigns')}
      actions={
        data === undefined ? undefined : (
          <Group gap="xs">
            <StatusActions kind="campaign" object={data} />
            {canEdit ? <OrderLink to="/desk/campaigns/$id/edit" id={id} text={say('action.edit')} /> : null}
            <OrderLink to="/desk/campaigns/$id/order" id={id} text={say('order.sheet')} />
            <ShareReport campaignId={id} name={data.advertiser?.name ?? data.name} />
            <AddCreatives campaignId={id} />
            <NewLineItem campaignId={id} />
          </Group>
        )
      }
    >
      <ProblemAlert error={campaign.error} onRetry={() => void campaign.refetch()} />
      {campaign.isPending ? <LoadingPage /> : null}
      {data === undefined ? null : (
        <Stack gap="md">
          <Trail>
            <TrailLink to="/desk/campaigns" name={say('nav.campaigns')} />
            {data.advertiser === null ? '' : ` · ${isolate(data.advertiser.name)}`}
          </Trail>
          <Paper withBorder p="md">
            <Text>{say(`campaign.sentence_${data.status}`)}</Text>
            <Stack gap="sm" mt="sm">
              <OrderFigures order={data} items={items.data} />
              <OrderPeople order={data} />
            </Stack>
          </Paper>
          <Title order={2} size="h3">
            {say('nav.line_items')}
          </Title>
          <LineItemList key={id} campaignId={id} />
          <CommentsSection kind="campaign" id={id} />
          <HistorySection kind="campaign" object={data} />
        </Stack>
      )}
    </Page>
  );
}

function OrderLink({
  to,
  id,
  text,
}: {
  readonly to: '/desk/campaigns/$id/edit' | '/desk/campaigns/$id/order';
  readonly id: string;
  readonly text: string;
}) {
  return (
    <Button size="xs" variant="default" renderRoot={(props) => <Link to={to} params={{ id }} search={{}} {...props} />}>
      {text}
    </Button>
  );
}
