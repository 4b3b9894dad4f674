import './order.css';
import { Button, Stack, Table, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { LineItem } from '../api/bookings/desk-list.ts';
import { goalValue } from '../delivery/delivery-days.ts';
import { deliveryStateOf } from '../delivery/delivery-sentence.ts';
import { DeliveryWord } from '../delivery/state-words.tsx';
import {
  formatCount,
  formatFlight,
  formatFullDay,
  formatGoal,
  formatMoney,
  formatPercent,
  formatPrice,
} from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { useCellContext, type CellContext } from '../session/desk-scope.ts';
import { useNetwork } from '../session/session.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { OrderFigures, OrderPeople } from './order-facts.tsx';
import { useOrder, useOrderItems } from './use-order.ts';

/** An order on paper: its people, dates and figures, and each of its line items. */
export function OrderSheetPage() {
  const { id = '' } = useParams({ strict: false });
  const context = useCellContext();
  const network = useNetwork();
  const order = useOrder(id);
  const items = useOrderItems(id);
  const { data } = order;
  const error = order.error ?? items.error;
  const retry = (): void => void (order.error === null ? items.refetch() : order.refetch());
  return (
    <Page
      title={data?.name ?? say('order.sheet')}
      lead={data?.advertiser?.name ?? ''}
      actions={<Button onClick={() => window.print()}>{say('order.print')}</Button>}
    >
      <ProblemAlert error={error} onRetry={retry} />
      {data === null ? <Text>{say('campaign.missing', { id })}</Text> : null}
      {(order.isPending || items.isPending) && error === null ? <LoadingPage /> : null}
      {data === null || data === undefined || items.data === undefined ? null : (
        <Stack gap="lg" className="order-sheet">
          <OrderPeople order={data} />
          <OrderFigures order={data} items={items.data} />
          <Title order={2} size="h3">
            {say('nav.line_items')}
          </Title>
          <ItemTable rows={items.data.rows} context={context} />
          {items.data.total > items.data.rows.length ? (
            <Text size="sm" c="dimmed">
              {say('order.more', { count: items.data.total - items.data.rows.length })}
            </Text>
          ) : null}
          <Text size="sm" c="dimmed">
            {say('order.as_of', {
              network: network?.name ?? '',
              at: formatFullDay(new Date(context.nowMs).toISOString(), context.timezone),
            })}
          </Text>
        </Stack>
      )}
    </Page>
  );
}

const HEADS = [
  'desk_column.name',
  'desk_column.dates',
  'desk_column.goal',
  'desk_column.price',
  'desk_column.value',
  'desk_column.delivered',
  'desk_column.delivery',
] as const;

function ItemTable({ rows, context }: { readonly rows: readonly LineItem[]; readonly context: CellContext }) {
  if (rows.length === 0) return <Text c="dimmed">{say('line_items.empty')}</Text>;
  return (
    <Table.ScrollContainer minWidth={280} type="native" tabIndex={0}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            {HEADS.map((head) => (
              <Table.Th key={head} scope="col">
                {say(head)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((item) => (
            <ItemRow key={item.id} item={item} context={context} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ItemRow({
  item,
  context: { currency, timezone, nowMs },
}: {
  readonly item: LineItem;
  readonly context: CellContext;
}) {
  const { name, goal, price, pricingModel, delivery } = item;
  const none = say('value.none_measure');
  const value = goalValue(goal, price, pricingModel);
  const money = value === null ? none : formatMoney(value, currency);
  const progress = delivery?.progress ?? null;
  return (
    <Table.Tr>
      <Table.Td>
        <bdi>{name}</bdi>
      </Table.Td>
      <Table.Td>{formatFlight(item, item.timezone ?? timezone, nowMs)}</Table.Td>
      <Table.Td>{goal === null ? none : formatGoal(goal)}</Table.Td>
      <Table.Td>{formatPrice(item, currency)}</Table.Td>
      <Table.Td>{goal?.period === 'DAY' && value !== null ? say('goal.per_day', { goal: money }) : money}</Table.Td>
      <Table.Td>
        {progress === null ? none : `${formatCount(progress.delivered)} (${formatPercent(progress.percent)})`}
      </Table.Td>
      <Table.Td>
        <DeliveryWord state={deliveryStateOf(item, nowMs)} />
      </Table.Td>
    </Table.Tr>
  );
}
