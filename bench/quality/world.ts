import type { SampleInput } from '../../test/worlds/sample-workspace.ts';
import type { Surprise } from '../../test/simulation/traffic.ts';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import type { Targeting } from '../../src/domain/targeting/targeting.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A Monday, local midnight. */
export const STARTS_MS = Date.parse('2026-10-05T00:00:00+02:00');

/** The size of a world. */
export interface WorldScale {
  readonly days: number;
  readonly requestsPerHour: number;
}

export type WorldLineItem = NonNullable<SampleInput['lineItems']>[number] & { readonly id: string };

/** Bookings that contend for one traffic. All goals fit together, or nearly. */
export interface World {
  readonly name: string;
  readonly about: string;
  readonly lineItems: readonly WorldLineItem[];
  /** Line items that are booked, or changed, on this day only; the others stay. */
  readonly later?: { readonly day: number; readonly lineItems: readonly WorldLineItem[] };
  readonly drawVisit: (random: () => number, atMs: number) => Partial<Opportunity>;
  /** The same of the past, which delivery has learnt from; absent: as now. */
  readonly drawPastVisit?: World['drawVisit'];
  /** Days of the past that delivery has learnt from; absent: 28. */
  readonly historyDays?: number;
  /** Goals are to be even, from the second day on. */
  readonly isAboutEven?: boolean;
  readonly surprises?: readonly Surprise[];
  /** The revenue of PRICE is measured beside the goals. */
  readonly isAboutRevenue?: boolean;
}

/** The line items of a world as they are booked at last. */
export function lastBookings({ lineItems, later }: World): WorldLineItem[] {
  const changed = new Map((later?.lineItems ?? []).map((one) => [one.id, one]));
  const kept = lineItems.map((one) => changed.get(one.id) ?? one);
  const known = new Set(lineItems.map(({ id }) => id));
  return [...kept, ...[...changed.values()].filter(({ id }) => !known.has(id))];
}

/** The sections of the site; each request belongs to one. */
export const SECTIONS = ['home', 'sport', 'politics', 'culture', 'science', 'travel', 'cars', 'food'] as const;
export type Section = (typeof SECTIONS)[number];

/** What a visit is like: a part of the traffic for each section, the rest is `home`. */
export function visitsOf(
  shares: Partial<Readonly<Record<Section, number>>>,
  { users = 2 ** 32, abroad = 0 }: { readonly users?: number; readonly abroad?: number } = {},
): World['drawVisit'] {
  return (random) => {
    let draw = random();
    const drawn = SECTIONS.find((section) => (draw -= shares[section] ?? 0) < 0) ?? 'home';
    const userHash = Math.floor(random() * users)
      .toString(16)
      .padStart(16, '0');
    const country = random() < abroad ? 'de' : 'pl';
    return { userHash, country, keyValues: new Map([['section', [drawn]]]) };
  };
}

/** The targeting of requests in any of these sections. */
export function inSections(...sections: readonly Section[]): Targeting {
  return { dimension: 'keyValue', key: 'section', operator: 'is', values: [...sections] };
}

/** Builds the line items of one world. */
export class Bookings {
  readonly #scale: WorldScale;
  #nextId = 1;

  constructor(scale: WorldScale) {
    this.#scale = scale;
  }

  /** The expected requests of so many days. */
  requests(days = this.#scale.days): number {
    return this.#scale.requestsPerHour * 24 * days;
  }

  /** A STANDARD line item whose goal is this many requests, over the whole time. */
  goal(name: string, amount: number, more: Partial<WorldLineItem> = {}): WorldLineItem {
    const goal = { kind: 'IMPRESSIONS', amount: Math.round(amount), period: 'LIFETIME' } as const;
    return this.#lineItem({ name, type: 'STANDARD', goal, ...more });
  }

  sponsor(name: string, sharePercent: number, more: Partial<WorldLineItem> = {}): WorldLineItem {
    return this.#lineItem({ name, type: 'SPONSORSHIP', sharePercent, level: 1, ...more });
  }

  price(name: string, cpm: number, more: Partial<WorldLineItem> = {}): WorldLineItem {
    return this.#lineItem({ name, type: 'PRICE', priceMicros: cpm * 1_000_000, ...more });
  }

  house(): WorldLineItem {
    return this.#lineItem({ name: 'house', type: 'HOUSE', sharePercent: 1 });
  }

  #lineItem(members: Partial<WorldLineItem>): WorldLineItem {
    const id = String(this.#nextId++);
    const flight = { startsAtMs: STARTS_MS, endsAtMs: STARTS_MS + this.#scale.days * DAY_MS };
    return { ...flight, timezone: 'Europe/Warsaw', ...members, id };
  }
}
