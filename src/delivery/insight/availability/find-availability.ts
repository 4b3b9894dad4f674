import { countValue, textOf, type DeliveryText } from '../../../domain/booking/delivery-text.ts';
import { AVAILABILITY_LINE_ITEMS_MAX } from '../../../domain/booking/availability.ts';
import type {
  AdUnitDays,
  Availability,
  AvailabilityLineItem,
  AvailableDay,
  BookedLineItem,
} from '../../../domain/booking/availability.ts';
import type { AdUnit } from '../../../domain/booking/inventory.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { hasBit, setBit, wordsOf } from '../../decision/index/bit-set.ts';
import type { WorkSteps } from '../../decision/index/work-steps.ts';
import { type AskedRequests, meetsOf, namesCountryOrDevice } from './asked-requests.ts';
import { BookedUnits, countUnits } from './booked-units.ts';
import { expectTraffic, WEEKDAYS, WeekdayFinder } from './expected-traffic.ts';
import type { ExpectedDay, ExpectedTraffic } from './expected-traffic.ts';

const DAY_MS = 86_400_000;
/** Ad units between two steps. */
const UNITS_PER_STEP = 500;

/** The input of {@link findAvailability}. Pure data. */
export interface AvailabilityInput {
  /** Of the network, in use. */
  readonly adUnits: readonly AdUnit[];
  /** Those to show. */
  readonly chosen: ReadonlySet<string>;
  readonly traffic: readonly AdUnitDays[];
  readonly booked: readonly BookedLineItem[];
  readonly asked: AskedRequests;
  /** The days, each with its first instant and its end. */
  readonly days: readonly { readonly day: string; readonly startMs: number; readonly endMs: number }[];
  readonly nowMs: number;
}

/**
 * Sold, reserved and free impressions by day, in steps. A day is expected to have the mean of the last weeks' same weekday. What is left of a
 * goal spreads evenly over the time that is left, and over the ad units that the targeting leaves, by their traffic; a share of voice takes
 * its share.
 */
export function* findAvailability(input: AvailabilityInput): WorkSteps<Availability> {
  const { chosen, traffic, booked, nowMs } = input;
  const weekdays = new WeekdayFinder();
  const expected = yield* expectTraffic(traffic, chosen, weekdays);
  const inventory = yield* TargetedTraffic.of(input, expected);
  const days = input.days.map((day) => ({ ...day, weekday: weekdays.find(day.day), sold: 0, reserved: 0, certain: 0 }));
  const taken: AvailabilityLineItem[] = [];
  for (const lineItem of booked) {
    yield;
    const rate = rateOf(lineItem, nowMs);
    if (rate === null) continue;
    const { targeting } = lineItem;
    const meets = meetsOf(targeting, input.asked);
    if (meets === 'none') continue;
    const isNamed = namesCountryOrDevice(targeting);
    let ofWeekdays: readonly WeekdayTraffic[] | null = null;
    let impressions = 0;
    for (const day of days) {
      const overlapMs = Math.min(day.endMs, rate.endMs) - Math.max(day.startMs, rate.fromMs);
      if (overlapMs <= 0) continue;
      ofWeekdays ??= yield* inventory.sum(targeting);
      const on = ofWeekdays[day.weekday] as WeekdayTraffic;
      const most = rate.impressionsOf(isNamed ? { ...on, part: on.askedPart } : on, overlapMs, day.endMs - day.startMs);
      impressions += most;
      day[lineItem.isReserved ? 'reserved' : 'sold'] += most;
      if (meets === 'all') day.certain += rate.impressionsOf(on, overlapMs, day.endMs - day.startMs);
    }
    if (impressions < 0.5) continue;
    const { id, name, isReserved } = lineItem;
    taken.push({ lineItemId: id, name, isReserved, impressions: Math.round(impressions) });
  }
  const { historyDays, shownShare } = expected;
  return {
    days: days.map((day) => {
      const ofDay = scaleDay(expected.chosen[day.weekday] ?? null, leftOf(day, nowMs));
      return describeDay(day.day, ofDay, { ...day, shownShare });
    }),
    lineItems: taken
      .toSorted((one, other) => other.impressions - one.impressions)
      .slice(0, AVAILABILITY_LINE_ITEMS_MAX),
    elsewhere: [],
    historyDays,
    shownShare,
    remarks: listRemarks(input, historyDays),
  };
}

/** The part of a day that is still to come: of today, what is over is neither sold nor free. */
function leftOf({ startMs, endMs }: AvailabilityInput['days'][number], nowMs: number): number {
  return Math.min(1, Math.max(0, endMs - nowMs) / (endMs - startMs));
}

function scaleDay(expected: ExpectedDay | null, part: number): ExpectedDay | null {
  if (expected === null) return null;
  return { mean: expected.mean * part, spread: expected.spread === null ? null : expected.spread * part };
}

/** What line items take of a day at most, active and reserved ones apart, and what all of them are certain to take. */
interface Taken {
  readonly sold: number;
  readonly reserved: number;
  readonly certain: number;
}

function describeDay(
  day: string,
  expected: ExpectedDay | null,
  { sold, reserved, certain, shownShare }: Taken & { readonly shownShare: number },
): AvailableDay {
  const booked = { sold: Math.round(sold), reserved: Math.round(reserved) };
  if (expected === null) return { day, expected: null, low: null, high: null, ...booked, free: null, freeUpTo: null };
  const { mean, spread } = expected;
  const shown = Math.round(mean * shownShare);
  return {
    day,
    expected: shown,
    low: spread === null ? null : Math.max(0, Math.round((mean - spread) * shownShare)),
    high: spread === null ? null : Math.round((mean + spread) * shownShare),
    ...booked,
    free: Math.max(0, shown - booked.sold - booked.reserved),
    freeUpTo: Math.max(0, shown - Math.round(certain)),
  };
}

/** What a line item takes in a part of a day. */
interface BookedRate {
  readonly fromMs: number;
  readonly endMs: number;
  /** @returns impressions on the chosen ad units */
  readonly impressionsOf: (on: WeekdayTraffic, overlapMs: number, dayMs: number) => number;
}

/** The part of a line item's goal, or of its share, that falls on the chosen ad units in a day; null for line items that take nothing. */
function rateOf(lineItem: BookedLineItem, nowMs: number): BookedRate | null {
  const { goal, sharePercent, type, delivered } = lineItem;
  const fromMs = Math.max(nowMs, lineItem.startsAtMs ?? nowMs);
  const endMs = lineItem.endsAtMs ?? fromMs + 365 * DAY_MS;
  if (type === 'SPONSORSHIP' && sharePercent !== null && goal === null) {
    const impressionsOf: BookedRate['impressionsOf'] = ({ shown }, overlapMs, dayMs) =>
      (shown * sharePercent * overlapMs) / (100 * dayMs);
    return { fromMs, endMs, impressionsOf };
  }
  if (goal === null || goal.kind === 'CLICKS' || goal.kind === 'CONVERSIONS') return null;
  if (goal.period === 'DAY') {
    const impressionsOf: BookedRate['impressionsOf'] = ({ part }, overlapMs, dayMs) =>
      (goal.amount * part * overlapMs) / dayMs;
    return { fromMs, endMs, impressionsOf };
  }
  const left = Math.max(0, goal.amount - delivered);
  return {
    fromMs,
    endMs,
    impressionsOf: ({ part }, overlapMs) => (left * part * overlapMs) / Math.max(1, endMs - fromMs),
  };
}

/** What is expected of a weekday on the ad units that a targeting leaves. */
interface WeekdayTraffic {
  /** Impressions of those that are chosen. */
  readonly shown: number;
  /** Their asked requests as a share of all requests; of the ad units where there are none. */
  readonly part: number;
  /** The same as a share of asked requests alone: the most that can fall here. */
  readonly askedPart: number;
}

/** Sums the expected traffic of targetings, once for all days. */
class TargetedTraffic {
  readonly #units: BookedUnits;
  readonly #chosen: Uint32Array;
  /** Positions of the ad units with traffic, ascending. */
  readonly #busy: Uint32Array;
  /** Their mean requests, seven weekdays each. */
  readonly #means: Float64Array;
  /** The same of asked requests alone. */
  readonly #askedMeans: Float64Array;
  readonly #shownShare: number;
  #ofAll: readonly WeekdayTraffic[] | null = null;

  private constructor(units: BookedUnits, chosen: Uint32Array, busy: readonly number[], expected: ExpectedTraffic) {
    this.#units = units;
    this.#chosen = chosen;
    this.#busy = Uint32Array.from(busy);
    const meansOf = (means: ReadonlyMap<string, Float64Array>): Float64Array => {
      const found = new Float64Array(busy.length * WEEKDAYS);
      for (const [at, unit] of busy.entries()) found.set(means.get(units.adUnits[unit]?.id ?? '') ?? [], at * WEEKDAYS);
      return found;
    };
    this.#means = meansOf(expected.means);
    this.#askedMeans = meansOf(expected.askedMeans);
    this.#shownShare = expected.shownShare;
  }

  static *of({ adUnits, chosen }: AvailabilityInput, expected: ExpectedTraffic): WorkSteps<TargetedTraffic> {
    const units = yield* BookedUnits.of(adUnits);
    const chosenUnits = new Uint32Array(wordsOf(adUnits.length));
    const busy: number[] = [];
    for (const [at, { id }] of adUnits.entries()) {
      if (chosen.has(id)) setBit(chosenUnits, at);
      if (expected.means.has(id)) busy.push(at);
      if (at % UNITS_PER_STEP === 0) yield;
    }
    return new TargetedTraffic(units, chosenUnits, busy, expected);
  }

  /** @returns by weekday */
  *sum(targeting: Targeting | null): WorkSteps<readonly WeekdayTraffic[]> {
    if (targeting !== null) return this.#sumOf(yield* this.#units.leftBy(targeting));
    this.#ofAll ??= this.#sumOf(yield* this.#units.leftBy(null));
    return this.#ofAll;
  }

  #sumOf(units: Uint32Array): readonly WeekdayTraffic[] {
    const all = new Float64Array(WEEKDAYS);
    const allAsked = new Float64Array(WEEKDAYS);
    const own = new Float64Array(WEEKDAYS);
    for (let index = 0; index < this.#busy.length; index += 1) {
      const at = this.#busy[index] as number;
      if (!hasBit(units, at)) continue;
      addWeekdays(all, this.#means, index);
      addWeekdays(allAsked, this.#askedMeans, index);
      if (hasBit(this.#chosen, at)) addWeekdays(own, this.#askedMeans, index);
    }
    const counted = all.includes(0) ? countUnits(units, this.#chosen) : { units: 0, chosen: 0 };
    const partOfUnits = counted.units === 0 ? 0 : counted.chosen / counted.units;
    return Array.from(all, (sum, weekday) => {
      const ownSum = own[weekday] as number;
      const askedSum = allAsked[weekday] as number;
      return {
        shown: ownSum * this.#shownShare,
        part: sum > 0 ? ownSum / sum : partOfUnits,
        askedPart: askedSum > 0 ? ownSum / askedSum : partOfUnits,
      };
    });
  }
}

function addWeekdays(sums: Float64Array, means: Float64Array, index: number): void {
  const from = index * WEEKDAYS;
  for (let weekday = 0; weekday < WEEKDAYS; weekday += 1)
    sums[weekday] = (sums[weekday] as number) + (means[from + weekday] as number);
}

function listRemarks({ booked }: AvailabilityInput, historyDays: number): DeliveryText[] {
  const leftOut = booked.filter(({ goal }) => goal?.kind === 'CLICKS' || goal?.kind === 'CONVERSIONS').length;
  return [
    ...(historyDays === 0 ? [textOf('availability_no_traffic')] : []),
    ...(historyDays > 0 && historyDays < 7
      ? [textOf('availability_short_history', { days: countValue(historyDays) })]
      : []),
    ...(leftOut === 0 ? [] : [textOf('availability_left_out', { lineItems: countValue(leftOut) })]),
  ];
}
