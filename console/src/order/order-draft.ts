import type { Order, OrderInput } from '../api/bookings/orders/order.ts';
import type { CustomValue } from '../api/bookings/line-item-settings.ts';
import { isSameValue } from '../changes/change-preview.ts';
import { exactOf, typedText } from '../format/typed-numbers.ts';
import { instantOf, wallTimeOf } from '../format/wall-time.ts';

/** An order as a person types it. Empty texts: none. */
export interface OrderDraft {
  readonly name: string;
  readonly advertiserId: string;
  readonly orderNumber: string;
  /** As clocks of the network show it. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly budget: string;
  readonly owner: string;
  readonly salesperson: string;
  readonly teamId: string | null;
  /** A person a line. */
  readonly contacts: string;
  readonly labels: readonly string[];
  readonly notes: string;
  readonly externalId: string;
  readonly customFields: Readonly<Record<string, CustomValue>>;
}

/** Fields whose text cannot be read. */
export type OrderFault = 'startsAt' | 'endsAt' | 'budget';

/** The difference between a draft and its order. */
export interface OrderChanges {
  /** The fields that differ. */
  readonly input: OrderInput;
  /** The same fields as they are now. */
  readonly undo: OrderInput;
  readonly faults: readonly OrderFault[];
}

/** The draft that says what an order is; of a new one, all is empty but its owner. @param zone the network's time zone */
export function draftOfOrder(order: Order | null, zone: string, owner = ''): OrderDraft {
  const wall = (iso: string | null | undefined): string =>
    iso === null || iso === undefined ? '' : wallTimeOf(Date.parse(iso), zone);
  return {
    name: order?.name ?? '',
    advertiserId: order?.advertiser?.id ?? '',
    orderNumber: order?.orderNumber ?? '',
    startsAt: wall(order?.startsAt),
    endsAt: wall(order?.endsAt),
    budget: typedText(order?.caps.spendLifetime ?? ''),
    owner: order === null ? owner : (order.owner ?? ''),
    salesperson: order?.salesperson ?? '',
    teamId: order?.teamId ?? null,
    contacts: (order?.contacts ?? []).join('\n'),
    labels: order?.labels ?? [],
    notes: order?.notes ?? '',
    externalId: order?.externalId ?? '',
    customFields: order?.customFields ?? {},
  };
}

/** The fields of a draft that differ from the order; of a new one, all that are set. */
export function changesOfOrder(draft: OrderDraft, order: Order | null, zone: string): OrderChanges {
  const faults: OrderFault[] = [];
  const instant = (name: 'startsAt' | 'endsAt'): string | null => {
    const text = draft[name];
    const before = order?.[name] ?? null;
    // A field has no seconds: what nobody has typed stays exactly as it is.
    if (before !== null && text === wallTimeOf(Date.parse(before), zone)) return before;
    const atMs = instantOf(text, zone);
    if (text !== '' && atMs === null) faults.push(name);
    return atMs === null ? null : new Date(atMs).toISOString();
  };
  const budget = draft.budget.trim() === '' ? null : exactOf(draft.budget, false);
  if (budget === null && draft.budget.trim() !== '') faults.push('budget');
  const after = {
    ...(order === null ? { advertiserId: draft.advertiserId } : {}),
    name: draft.name.trim(),
    orderNumber: textOf(draft.orderNumber),
    startsAt: instant('startsAt'),
    endsAt: instant('endsAt'),
    // The API replaces all limits at once, so the others are sent as they are.
    caps: isSameMoney(budget, order?.caps.spendLifetime ?? null)
      ? order?.caps
      : { ...order?.caps, spendLifetime: budget },
    owner: textOf(draft.owner),
    salesperson: textOf(draft.salesperson),
    teamId: draft.teamId,
    contacts: linesOf(draft.contacts),
    labels: draft.labels,
    notes: draft.notes.trim(),
    externalId: textOf(draft.externalId),
    customFields: draft.customFields,
  };
  const before = (name: string): unknown => (order === null ? EMPTY[name] : Reflect.get(order, name));
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== undefined && !isSameValue(before(name), value),
  );
  return {
    input: Object.fromEntries(changed),
    undo: Object.fromEntries(changed.map(([name]) => [name, before(name)])),
    faults,
  };
}

/** The fields of a new order that are not null. */
const EMPTY: Readonly<Record<string, unknown>> = { contacts: [], labels: [], notes: '', customFields: {} };

function textOf(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed;
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function isSameMoney(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : Number(one) === Number(other);
}
