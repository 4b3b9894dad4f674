import type { GoalKind, PricingModel } from '../api/bookings/desk-list.ts';
import type { MessageKey } from '../messages/say.ts';
import { targetingOf, type TargetingRow } from '../targeting/targeting-rows.ts';
import { instantOf, midnightAfter } from '../format/wall-time.ts';
import { ALL_HOURS, toDayParts, type WeekHours } from '../targeting/week-hours.ts';
import { decimalOf, numberOf, wholeOf } from '../format/typed-numbers.ts';

/** What is booked, in the words of people. */
export const CARDS = ['GUARANTEED', 'SPONSORSHIP', 'PRICE', 'HOUSE'] as const;
export type Card = (typeof CARDS)[number];

export const TYPES = { GUARANTEED: 'STANDARD', SPONSORSHIP: 'SPONSORSHIP', PRICE: 'PRICE', HOUSE: 'HOUSE' } as const;

/** The terms of a line item that is being made or changed: texts as they are typed. */
export interface TermsDraft {
  readonly name: string;
  /** The product that it is sold as; null: none. */
  readonly productId: string | null;
  readonly card: Card;
  /** Times of day in the network's time zone, or in that of the line item. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly hours: WeekHours;
  readonly goalAmount: string;
  readonly goalKind: GoalKind;
  readonly goalPeriod: 'DAY' | 'LIFETIME';
  readonly pricingModel: PricingModel;
  readonly price: string;
  readonly level: string;
  readonly sharePercent: string;
  readonly targeting: readonly TargetingRow[];
}

/** A booking that is being made. */
export interface BookingDraft extends TermsDraft {
  readonly advertiserId: string | null;
  /** Null: the campaign of `campaignName` is made with it. */
  readonly campaignId: string | null;
  readonly campaignName: string;
  readonly capCount: string;
  readonly capWindow: 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'LIFETIME';
}

const FLIGHT_DAYS = 30;

/** A new booking: from tomorrow on, for thirty days; terms as they were booked last. */
export function emptyDraft(nowMs: number, timezone: string, defaults: Partial<BookingDraft> = {}): BookingDraft {
  return {
    advertiserId: null,
    campaignId: null,
    campaignName: '',
    name: '',
    productId: null,
    card: 'GUARANTEED',
    startsAt: midnightAfter(nowMs, 1, timezone),
    endsAt: midnightAfter(nowMs, 1 + FLIGHT_DAYS, timezone),
    hours: ALL_HOURS,
    goalAmount: '',
    goalKind: 'IMPRESSIONS',
    goalPeriod: 'LIFETIME',
    pricingModel: 'CPM',
    price: '',
    level: '8',
    sharePercent: '100',
    capCount: '',
    capWindow: 'DAY',
    targeting: [],
    ...defaults,
  };
}

/** Whether the card has a goal, or a share. */
export const hasGoal = (card: Card): boolean => card === 'GUARANTEED' || card === 'PRICE';
export const hasShare = (card: Card): boolean => card === 'SPONSORSHIP' || card === 'HOUSE';
export const hasPrice = (card: Card): boolean => card !== 'HOUSE';

function isoOf(wall: string, timezone: string): string | null {
  const atMs = instantOf(wall, timezone);
  return atMs === null ? null : new Date(atMs).toISOString();
}

/** Fields of numbers, with the name of the API's field, and whether the card needs them. */
const NUMBERS: readonly {
  readonly field: 'price' | 'goalAmount' | 'level' | 'sharePercent' | 'capCount';
  readonly path: string;
  readonly fault: 'booking.fault_price' | 'booking.fault_whole' | 'booking.fault_number';
  read: (text: string) => unknown;
  isNeeded: (card: Card) => boolean;
  isShown: (card: Card) => boolean;
}[] = [
  {
    field: 'price',
    path: 'price',
    fault: 'booking.fault_price',
    read: decimalOf,
    isNeeded: hasPrice,
    isShown: hasPrice,
  },
  {
    field: 'goalAmount',
    path: 'goal',
    fault: 'booking.fault_whole',
    read: wholeOf,
    isNeeded: (card) => card === 'GUARANTEED',
    isShown: hasGoal,
  },
  {
    field: 'level',
    path: 'level',
    fault: 'booking.fault_whole',
    read: wholeOf,
    isNeeded: () => true,
    isShown: () => true,
  },
  {
    field: 'sharePercent',
    path: 'sharePercent',
    fault: 'booking.fault_number',
    read: numberOf,
    isNeeded: hasShare,
    isShown: hasShare,
  },
  {
    field: 'capCount',
    path: 'frequencyCaps',
    fault: 'booking.fault_whole',
    read: wholeOf,
    isNeeded: () => false,
    isShown: () => true,
  },
];

/** Texts that cannot be read as a number or time, which the API never gets, an end before the start, and a week without an hour. */
export function unreadable(
  draft: BookingDraft,
  timezone: string,
): readonly { readonly path: string; readonly fault: MessageKey }[] {
  const never = draft.hours.includes(true) ? [] : [{ path: 'dayParts', fault: 'booking.week_none' } as const];
  return [...unreadableTimes(draft, timezone), ...never, ...unreadableNumbers(draft)];
}

function unreadableTimes({ startsAt, endsAt }: BookingDraft, timezone: string) {
  const [fromMs, toMs] = [instantOf(startsAt, timezone), instantOf(endsAt, timezone)];
  const faults: { path: string; fault: MessageKey }[] = [];
  if (fromMs === null) faults.push({ path: 'startsAt', fault: 'booking.fault_time' });
  if (toMs === null) faults.push({ path: 'endsAt', fault: 'booking.fault_time' });
  if (fromMs !== null && toMs !== null && toMs <= fromMs) faults.push({ path: 'endsAt', fault: 'booking.fault_end' });
  return faults;
}

function unreadableNumbers(draft: BookingDraft) {
  return NUMBERS.filter(({ field, read, isNeeded, isShown }) => {
    const text = draft[field].trim();
    if (!isShown(draft.card)) return false;
    return text === '' ? isNeeded(draft.card) : read(text) === null;
  }).map(({ path, fault }) => ({ path, fault }));
}

/** The members that bookings and forecasts share. */
function commonInput(draft: BookingDraft, timezone: string) {
  const amount = wholeOf(draft.goalAmount);
  const count = wholeOf(draft.capCount);
  const share = numberOf(draft.sharePercent);
  const level = wholeOf(draft.level);
  const parts = toDayParts(draft.hours);
  return {
    type: TYPES[draft.card],
    startsAt: isoOf(draft.startsAt, timezone),
    endsAt: isoOf(draft.endsAt, timezone),
    targeting: targetingOf(draft.targeting),
    ...(parts.length === 0 ? {} : { dayParts: parts }),
    ...(hasGoal(draft.card) && amount !== null
      ? { goal: { amount, kind: draft.goalKind, period: draft.goalPeriod } }
      : {}),
    ...(hasShare(draft.card) && share !== null ? { sharePercent: share } : {}),
    ...(level === null ? {} : { level }),
    ...(count === null ? {} : { frequencyCaps: [{ count, event: 'IMPRESSIONS', window: draft.capWindow }] }),
  };
}

/** The line item of a draft, but for its campaign. */
export function lineItemInput(draft: BookingDraft, timezone: string, status: 'DRAFT' | 'ACTIVE') {
  const price = decimalOf(draft.price);
  return {
    ...commonInput(draft, timezone),
    name: draft.name.trim(),
    status,
    ...(draft.productId === null ? {} : { advertisingProductId: draft.productId }),
    ...(hasPrice(draft.card) ? { pricingModel: draft.pricingModel, price: price ?? '0' } : { price: '0' }),
  };
}

/** The forecast of a draft; null until it says when, and at which price. */
export function forecastInput(draft: BookingDraft, timezone: string): object | null {
  const common = commonInput(draft, timezone);
  const price = hasPrice(draft.card) ? decimalOf(draft.price) : '0';
  if (common.startsAt === null || common.endsAt === null || common.startsAt >= common.endsAt) return null;
  if (price === null || draft.hours.every((isChosen) => !isChosen)) return null;
  return { ...common, price };
}

/** What the goal is worth at the price, exact to the nano; null where the price is not one of each goal event. */
export function totalOf(draft: TermsDraft): string | null {
  const price = decimalOf(draft.price);
  const amount = wholeOf(draft.goalAmount);
  if (!hasGoal(draft.card) || price === null || amount === null || !Number.isSafeInteger(amount)) return null;
  const perThousand = GOAL_OF_PRICE[draft.pricingModel];
  if (perThousand?.goal !== draft.goalKind) return null;
  const [whole = '0', fraction = ''] = price.split('.');
  const nanos = BigInt(whole + fraction.padEnd(9, '0')) * BigInt(amount);
  const total = perThousand.isThousand ? nanos / 1_000n : nanos;
  const digits = total.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/0{1,7}$/, '');
}

const GOAL_OF_PRICE: Readonly<
  Partial<Record<PricingModel, { readonly goal: GoalKind; readonly isThousand: boolean }>>
> = {
  CPM: { goal: 'IMPRESSIONS', isThousand: true },
  VCPM: { goal: 'VIEWABLE_IMPRESSIONS', isThousand: true },
  CPC: { goal: 'CLICKS', isThousand: false },
  CPA: { goal: 'CONVERSIONS', isThousand: false },
};

/** How much of the goal each day of the flight needs on average; null without a goal or a flight. */
export function neededPerDay(draft: TermsDraft, timezone: string): number | null {
  const amount = wholeOf(draft.goalAmount);
  const [fromMs, toMs] = [instantOf(draft.startsAt, timezone), instantOf(draft.endsAt, timezone)];
  if (!hasGoal(draft.card) || amount === null || fromMs === null || toMs === null || toMs <= fromMs) return null;
  if (draft.goalPeriod === 'DAY') return amount;
  return amount / ((toMs - fromMs) / 86_400_000);
}

const STORED_VERSION = 1;

/** A draft as the browser stores it. */
export function storeDraft(draft: BookingDraft): string {
  return JSON.stringify({ version: STORED_VERSION, draft });
}

/** A stored draft; null for a text that is none, such as that of another version. */
export function readStoredDraft(text: string | null, usual: BookingDraft): BookingDraft | null {
  if (text === null) return null;
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== 'object' || stored === null || Reflect.get(stored, 'version') !== STORED_VERSION) return null;
    const draft: unknown = Reflect.get(stored, 'draft');
    if (typeof draft !== 'object' || draft === null) return null;
    const known = Object.keys(usual).filter((name) => sameKind(Reflect.get(draft, name), Reflect.get(usual, name)));
    const merged = { ...usual, ...Object.fromEntries(known.map((name) => [name, Reflect.get(draft, name)])) };
    return merged.hours.length === ALL_HOURS.length ? merged : { ...merged, hours: ALL_HOURS };
  } catch {
    return null;
  }
}

function sameKind(value: unknown, usual: unknown): boolean {
  if (usual === null) return value === null || typeof value === 'string';
  return typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual);
}
