import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Order, OrderItems } from '../api/bookings/orders/order.ts';
import { DeliveryWord } from '../delivery/state-words.tsx';
import { formatCount, formatFlight, formatMoney, formatPercent } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { useMembers } from '../pickers/member-select.tsx';
import { useSettingChoices } from '../pickers/use-setting-choices.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { rollUp } from './roll-up.ts';

/** The value of an order, its earnings, and the states of its line items. @param items undefined: not read yet */
export function OrderFigures({ order, items }: { readonly order: Order; readonly items: OrderItems | undefined }) {
  const { currency, timezone, nowMs } = useCellContext();
  const rolled = items === undefined ? null : rollUp(items.rows, nowMs);
  const money = (amount: string | null | undefined): string | null =>
    amount === null || amount === undefined ? null : formatMoney(amount, currency);
  const unpriced = rolled?.unpriced ?? 0;
  const { rows, total } = items ?? { rows: [], total: 0 };
  const partly = total > rows.length ? say('order.partly', { shown: rows.length, total }) : null;
  return (
    <Group component="dl" m={0} gap="xl" align="flex-start">
      <Fact title={say('item.dates')}>{formatFlight(order, timezone, nowMs)}</Fact>
      <Fact title={say('order.budget')}>{money(order.caps.spendLifetime)}</Fact>
      <Fact
        title={say('order.booked')}
        note={partly ?? (unpriced === 0 ? null : say('order.unpriced', { count: unpriced }))}
      >
        {money(rolled?.booked)}
      </Fact>
      <Fact title={say('item.spend')}>{money(order.delivery?.lifetime.spend)}</Fact>
      <Fact title={say('order.pace')} note={partly}>
        {rolled === null || rolled.pacePercent === null ? null : formatPercent(rolled.pacePercent)}
      </Fact>
      <Fact title={say('desk_column.impressions')}>
        {order.delivery === null ? null : formatCount(order.delivery.lifetime.impressions)}
      </Fact>
      <Fact title={say('nav.line_items')} note={partly}>
        {rolled === null || rolled.states.length === 0 ? null : (
          <Group gap="sm">
            {rolled.states.map(({ state, count }) => (
              <span key={state}>
                {formatCount(count)} <DeliveryWord state={state} />
              </span>
            ))}
          </Group>
        )}
      </Fact>
    </Group>
  );
}

/** Who made the order and who looks after it, its number, its notes and its custom fields; what is not set is left out. */
export function OrderPeople({ order }: { readonly order: Order }) {
  const members = useMembers();
  const fields = useSettingChoices('campaign')?.customFields ?? [];
  const nameOf = (email: string | null): string | null =>
    email === null ? null : members.find((one) => one.email === email)?.name || email;
  const facts: readonly (readonly [string, string | null])[] = [
    [say('field.orderNumber'), order.orderNumber],
    [say('order.trafficker'), nameOf(order.owner)],
    [say('field.salesperson'), nameOf(order.salesperson)],
    [say('field.teamId'), order.team?.name ?? null],
    [say('field.externalId'), order.externalId],
    [say('field.labels'), order.labels.join(', ')],
    ...fields.map(({ key, name }) => [name, customText(order.customFields[key])] as const),
    [say('field.contacts'), order.contacts.join('\n')],
    [say('field.notes'), order.notes],
  ];
  const shown = facts.filter(([, text]) => text !== null && text !== '');
  if (shown.length === 0) return null;
  return (
    <Group component="dl" m={0} gap="xl" align="flex-start">
      {shown.map(([title, text]) => (
        <Fact key={title} title={title}>
          <bdi className="order-text">{text}</bdi>
        </Fact>
      ))}
    </Group>
  );
}

function customText(value: string | number | boolean | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'boolean' ? say(value ? 'value.yes' : 'value.no') : String(value);
}

function Fact({
  title,
  note = null,
  children,
}: {
  readonly title: string;
  readonly note?: string | null;
  /** Null: it is not known, or there is none. */
  readonly children: ReactNode;
}) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {title}
      </Text>
      <Text component="dd" m={0} fw={600}>
        {children ?? say('value.none_measure')}
        {note === null ? null : (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </Text>
    </div>
  );
}
