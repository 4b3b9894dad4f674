import type { CatalogRow } from '../api/bookings/catalog.ts';
import { askGraphql } from '../api/transport/graphql.ts';
import type { Scope } from '../api/transport/scope.ts';
import { typedText } from '../format/typed-numbers.ts';
import { type BookingDraft, type Card, CARDS } from './booking-draft.ts';

/** What a next booking begins with: terms, but neither names nor dates. */
export type BookingDefaults = Pick<
  BookingDraft,
  'card' | 'goalKind' | 'goalPeriod' | 'pricingModel' | 'price' | 'level' | 'sharePercent' | 'capCount' | 'capWindow'
>;

const NAMES = [
  'card',
  'goalKind',
  'goalPeriod',
  'pricingModel',
  'price',
  'level',
  'sharePercent',
  'capCount',
  'capWindow',
] as const satisfies readonly (keyof BookingDefaults)[];

function storageKey({ networkId, environment }: Scope): string {
  return `placard-booking-last-${environment}-${networkId}`;
}

/** Keeps the terms of a booking for the next one. */
export function recordDefaults(scope: Scope, draft: BookingDraft): void {
  localStorage.setItem(storageKey(scope), JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, draft[name]]))));
}

/** The terms of the last booking; nothing where there was none, or what is stored is not to be read. */
export function readDefaults(text: string | null): Partial<BookingDefaults> {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    const known = NAMES.filter((name) => typeof Reflect.get(stored, name) === 'string');
    const card: unknown = Reflect.get(stored, 'card');
    if (!CARDS.includes(card as Card)) return {};
    return Object.fromEntries(known.map((name) => [name, Reflect.get(stored, name)]));
  } catch {
    return {};
  }
}

/** The terms of the last booking of a scope. */
export function loadDefaults(scope: Scope): Partial<BookingDefaults> {
  return readDefaults(localStorage.getItem(storageKey(scope)));
}

/** A line item as far as its terms are taken over. */
export interface SoldItem {
  readonly type: 'SPONSORSHIP' | 'STANDARD' | 'PRICE' | 'HOUSE';
  readonly price: string;
  readonly pricingModel: BookingDraft['pricingModel'];
  readonly level: number;
  readonly frequencyCaps: readonly {
    readonly event: string;
    readonly count: number;
    readonly window: string;
    readonly every: number;
  }[];
}

/** The card of each type. */
export const CARD_OF: Readonly<Record<SoldItem['type'], Card>> = {
  STANDARD: 'GUARANTEED',
  SPONSORSHIP: 'SPONSORSHIP',
  PRICE: 'PRICE',
  HOUSE: 'HOUSE',
};
const CAP_WINDOWS: readonly BookingDraft['capWindow'][] = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'];

/** The terms of a line item for the form. */
export function termsOf({ type, price, pricingModel, level, frequencyCaps }: SoldItem): Partial<BookingDraft> {
  const cap = frequencyCaps.find(({ event, every }) => event === 'IMPRESSIONS' && every === 1);
  const capWindow = CAP_WINDOWS.find((one) => one === cap?.window);
  return {
    card: CARD_OF[type],
    price: typedText(price),
    pricingModel,
    level: String(level),
    ...(cap === undefined || capWindow === undefined ? { capCount: '' } : { capCount: String(cap.count), capWindow }),
  };
}

/** How a product was sold last; null: it never was. */
export async function loadSold(
  scope: Scope,
  productId: CatalogRow['id'],
  signal?: AbortSignal,
): Promise<SoldItem | null> {
  const query = `query BookingSold($ids: [ID!]) { lineItems(
    filter: { advertisingProductIds: $ids }, sort: { field: ID, direction: DESC }, first: 1) {
      nodes { type price pricingModel level frequencyCaps { event count window every } } } }`;
  type Body = { lineItems: { nodes: readonly SoldItem[] } };
  return (await askGraphql<Body>(scope, query, { ids: [productId] }, signal)).lineItems.nodes[0] ?? null;
}
