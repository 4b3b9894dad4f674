import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import { ApprovalSection } from '../team/approval-section.tsx';
import { CommentsSection } from '../team/comments-section.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { CreativesSection } from './creatives-section.tsx';
import { goalValue, isCumulative } from '../delivery/delivery-days.ts';
import { deliveryStateOf, describeDelivery } from '../delivery/delivery-sentence.ts';
import { flightOf, formatFlight, formatGoal, formatMoney, formatPrice } from '../format/desk-format.ts';
import { DiagnosisSection } from './diagnosis-section.tsx';
import { ForecastSection } from './forecast-section.tsx';
import { HistorySection } from './history-section.tsx';
import { ObjectLink } from '../tables/column-parts.tsx';
import { ItemActions } from './item-actions.tsx';
import { SettingsSection } from './later-dialogs.ts';
import { ItemDelivery } from '../delivery/item-delivery.tsx';
import { Trail, TrailLink } from './object-header.tsx';
import { DeliveryWord, GoalBar } from '../delivery/state-words.tsx';
import { useCellContext, type CellContext } from '../session/desk-scope.ts';
import { useRecent } from '../session/recent-objects.ts';
import { useLineItem } from './use-line-item.ts';

/** One line item on a page of its own: how it delivers and why, all that is set, and who changed it. */
export function LineItemPage() {
  const { id = '' } = useParams({ strict: false });
  const item = useLineItem(id);
  if (item.data === null)
    return (
      <Page title={say('nav.line_items')}>
        <Text>{say('item.missing', { id })}</Text>
        <TrailLink to="/desk/line-items" name={say('nav.line_items')} />
      </Page>
    );
  return (
    <Page
      title={item.data?.name ?? say('nav.line_items')}
      actions={item.data === undefined ? undefined : <ItemActions item={item.data} />}
    >
      <ProblemAlert error={item.error} onRetry={() => void item.refetch()} />
      {item.isPending ? <LoadingPage /> : null}
      {item.data === undefined ? null : <LineItemDetails key={id} item={item.data} />}
    </Page>
  );
}

/** What is known of a line item, on its page or in the panel beside the table. */
export function LineItemDetails({
  item,
  isPanel = false,
}: {
  readonly item: LineItemDetail;
  readonly isPanel?: boolean;
}) {
  const context = useCellContext();
  useRecent('LINE_ITEM', item);
  return (
    <Stack gap="md">
      <Trail>
        {isPanel ? null : (
          <>
            <TrailLink to="/desk/line-items" name={say('nav.line_items')} />
            {' · '}
          </>
        )}
        {item.campaign === null ? null : (
          <>
            <ObjectLink to="/desk/campaigns/$id" id={item.campaign.id} name={item.campaign.name} />
            {item.campaign.advertiser === null ? '' : ` · ${isolate(item.campaign.advertiser.name)}`}
          </>
        )}
      </Trail>
      <Paper withBorder p="md" component="section" aria-label={say('desk_column.delivery')}>
        <Group gap="sm" align="baseline">
          <DeliveryWord state={deliveryStateOf(item, context.nowMs)} />
          <Text style={{ flex: '1 1 18rem' }}>{describeDelivery(item, context)}</Text>
        </Group>
        {item.delivery?.progress === null || item.delivery === null ? null : (
          <div className="desk-progress">
            <GoalBar progress={item.delivery.progress} />
          </div>
        )}
      </Paper>
      <ApprovalSection item={item} />
      <Facts item={item} context={context} isPanel={isPanel} />
      <CreativesSection lineItem={item} />
      <ChartSection item={item} context={context} />
      <SettingsSection item={item} isPanel={isPanel}>
        <DiagnosisSection lineItemId={item.id} campaignId={item.campaign?.id ?? null} />
        <ForecastSection lineItemId={item.id} context={context} />
      </SettingsSection>
      <CommentsSection kind="lineItem" id={item.id} />
      <HistorySection kind="lineItem" object={item} />
    </Stack>
  );
}

function Facts({
  item,
  context,
  isPanel,
}: {
  readonly item: LineItemDetail;
  readonly context: CellContext;
  readonly isPanel: boolean;
}) {
  const { currency, nowMs, timezone } = context;
  const value = goalValue(item.goal, item.price, item.pricingModel);
  const none = say('value.none_measure');
  const facts: readonly (readonly [string, string])[] = [
    [say('item.dates'), formatFlight(flightOf(item), item.timezone ?? timezone, nowMs)],
    [say('desk_column.goal'), item.goal === null ? none : formatGoal(item.goal)],
    [say('item.price'), formatPrice(item, currency)],
    [say('item.spend_today'), item.delivery === null ? none : formatMoney(item.delivery.today.spend, currency)],
    [say('item.spend'), item.delivery === null ? none : formatMoney(item.delivery.lifetime.spend, currency)],
    [
      say(item.goal?.period === 'DAY' ? 'item.value_day' : 'item.value'),
      value === null ? none : formatMoney(value, currency),
    ],
  ];
  return (
    <Paper withBorder p="md" component="section" aria-label={say('item.money')}>
      <SimpleGrid component="dl" cols={isPanel ? 3 : { base: 2, sm: 3, lg: 6 }} m={0}>
        {facts.map(([title, text]) => (
          <div key={title}>
            <Text component="dt" size="sm" c="dimmed">
              {title}
            </Text>
            <Text component="dd" m={0} fw={600} className="desk-value">
              {text}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}

function ChartSection({ item, context }: { readonly item: LineItemDetail; readonly context: CellContext }) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="chart-title" miw={0}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h3" id="chart-title">
            {say(isCumulative(item.goal) ? 'item.chart_cumulative' : 'item.chart')}
          </Title>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/lens" search={{ f: `line_item_id~equals~${item.id}` }} {...props} />}
          >
            {say('item.open_lens')}
          </Anchor>
        </Group>
        <ItemDelivery item={item} context={context} />
      </Stack>
    </Paper>
  );
}
