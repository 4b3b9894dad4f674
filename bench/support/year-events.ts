import { formatEventTime } from '../../src/domain/events/event.ts';
import type { EventKind, EventRow } from '../../src/domain/events/event.ts';
import { ImpressionIds } from '../../src/domain/ids/impression-ids.ts';
import { newUlid } from '../../src/domain/ids/ids.ts';
import { EMPTY_EVENT_ROW } from '../../src/events/recording/event-rows.ts';
import { seeded } from '../values/seeded.ts';
import { FIRST_LINE_ITEM, KEYS } from './report-rows.ts';

/** Line items that run all year, and those with flights of 20 to 60 days. */
const LASTING = 2_000;
const WITH_FLIGHTS = 8_000;
const USERS = 3_000_000;
const AD_UNITS = 240;
const TEXTS = {
  countries: 'PL DE FR US GB ES IT NL CZ AT CH SE NO DK FI BE PT IE RO HU GR BG HR SK SI LT LV EE UA CA AU BR MX IN JP KR ZA AR CL TR'.split(' '),
  devices: ['phone', 'desktop', 'tablet', 'tv'],
  systems: ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Tizen'],
  browsers: ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet', 'Opera', 'Other'],
  sizes: ['300x250', '728x90', '320x50', '970x250', '160x600', '300x600', '336x280', '640x360'],
  types: ['STANDARD', 'SPONSORSHIP', 'PRICE', 'HOUSE'],
  kinds: ['article', 'list', 'video'],
} as const; // biome-ignore format: lists
const VIDEO: readonly EventKind[] = ['video_start', 'video_first_quartile', 'video_midpoint', 'video_third_quartile', 'video_complete']; // biome-ignore format: a list
/** Parts of ads with the event. */
const SHARES = { served: 0.95, impression: 0.88, measurable: 0.85, viewable: 0.62, click: 0.008, video: 0.04, activity: 0.003, robot: 0.02 } as const; // biome-ignore format: a list

/**
 * Events of a network's days, of ads that differ as those of a network do: a few line items, ad units and countries have most of the
 * traffic, each ad has a user and the key-values of its page, and its events come seconds to minutes behind it.
 */
export class YearEvents {
  readonly #ids = new ImpressionIds();
  readonly #random: () => number;
  readonly #flights: readonly { readonly fromDay: number; readonly toDay: number }[];
  readonly #workspaceId: number;

  constructor(workspaceId: number, seed: number) {
    this.#workspaceId = workspaceId;
    this.#random = seeded(seed);
    this.#flights = Array.from({ length: WITH_FLIGHTS }, () => {
      const fromDay = Math.floor(this.#random() * 400) - 40;
      return { fromDay, toDay: fromDay + 20 + Math.floor(this.#random() * 40) };
    });
  }

  /** Rows of a part of a day, at least `rows` of them, by the times of their ads. */
  *rowsOf(day: number, from: { readonly ms: number; readonly lengthMs: number }, rows: number): Generator<EventRow> {
    const flights = this.#flights.flatMap(({ fromDay, toDay }, at) =>
      fromDay <= day && day < toDay ? [LASTING + at] : [],
    );
    const live = [...Array.from({ length: LASTING }, (_none, at) => at), ...flights];
    const adsExpected = rows / EVENTS_PER_AD;
    for (let made = 0, ad = 0; made < rows; ad += 1) {
      const atMs = from.ms + Math.floor((Math.min(ad, adsExpected) / adsExpected) * (from.lengthMs - 600_000));
      for (const row of this.#eventsOfAd(atMs, live)) {
        made += 1;
        yield row;
      }
    }
  }

  /** A few of many have most. */
  #skewed(count: number, power: number): number {
    return Math.floor(count * this.#random() ** power);
  }

  #pick(texts: readonly string[], power: number): string {
    return texts[this.#skewed(texts.length, power)] ?? '';
  }

  *#eventsOfAd(atMs: number, live: readonly number[]): Generator<EventRow> {
    const random = this.#random;
    const request = this.#requestAt(atMs);
    yield { ...request, event_id: `q:${newUlid(atMs)}` };
    if (random() > SHARES.served) return;
    const ad = { ...request, ...this.#bookingOf(live[this.#skewed(live.length, 2)] ?? 0) };
    yield { ...ad, kind: 'served', event_id: `q:${newUlid(atMs)}` };
    if (random() > SHARES.impression) return;
    const id = this.#ids.next(atMs);
    const invalid_reason = random() < SHARES.robot ? 'robot' : '';
    const userHash =
      random() < 0.1 ? '0' : String(BigInt.asUintN(64, BigInt(this.#skewed(USERS, 2) + 1) * 6_148_914_691_236_517n));
    const seen = { ...ad, impression_id: id, invalid_reason, npa: userHash === '0', user_hash: userHash };
    const event = (kind: EventKind, suffix: string, afterMs: number, more: Partial<EventRow> = {}): EventRow => {
      const time = formatEventTime(atMs + Math.floor(random() * afterMs));
      return { ...seen, kind, time, event_id: `${id}:${suffix}`, revenue_nanos: '0', ...more };
    };
    const price = String(400_000 + (Number(ad.line_item_id) % 97) * 55_000);
    yield event('impression', 'imp', 3_000, { revenue_nanos: invalid_reason === '' ? price : '0' });
    if (random() < SHARES.measurable) yield event('measurable', 'meas', 5_000);
    if (random() < SHARES.viewable) yield event('viewable', 'view', 9_000);
    if (random() < SHARES.click) yield event('click', 'clk', 60_000);
    if (random() < SHARES.video) for (const kind of VIDEO) yield event(kind, `v:${kind}`, 40_000);
    if (random() < SHARES.activity)
      yield event('activity', 'act', 500_000, { activity_id: String(1 + this.#skewed(12, 2)), attribution: 'click', value_micros: String(5_000_000 + Math.floor(random() * 1e8)) }); // biome-ignore format: one event
  }

  #requestAt(atMs: number): Omit<EventRow, 'event_id'> {
    const random = this.#random;
    const unit = this.#skewed(AD_UNITS, 2);
    const site = unit % 20;
    const country = this.#skewed(TEXTS.countries.length, 3);
    const isKeyed = random() < 0.7;
    const section = `section-${(site * 5 + this.#skewed(16, 2)) % 48}`;
    return {
      ...EMPTY_EVENT_ROW,
      workspace_id: this.#workspaceId,
      kind: 'request',
      time: formatEventTime(atMs),
      site_id: String(1 + site),
      area_id: String(1 + (unit % 60)),
      ad_unit_id: String(1 + unit),
      size: TEXTS.sizes[unit % TEXTS.sizes.length] ?? '',
      country: TEXTS.countries[country] ?? '',
      region: random() < 0.8 ? `${TEXTS.countries[country]}-${1 + this.#skewed(12, 2)}` : '',
      device_type: this.#pick(TEXTS.devices, 2),
      os: this.#pick(TEXTS.systems, 2),
      browser: this.#pick(TEXTS.browsers, 2),
      ...(isKeyed ? { key_values: { [KEYS.section]: section, [KEYS.kind]: this.#pick(TEXTS.kinds, 2) } } : {}),
    };
  }

  /** The objects of a line item; its creatives take turns. */
  #bookingOf(lineItem: number): Partial<EventRow> {
    return {
      advertiser_id: String(1_000 + (lineItem % 50)),
      campaign_id: String(10_000 + (lineItem % 1_000)),
      line_item_id: String(FIRST_LINE_ITEM + lineItem),
      line_item_type: TEXTS.types[lineItem % 4] ?? '',
      creative_id: String(1_000_000 + lineItem * 4 + this.#skewed(1 + (lineItem % 4), 1)),
      creative_format: lineItem % 9 === 0 ? 'VIDEO' : 'IMAGE',
      deal_id: lineItem % 20 === 0 ? String(1 + (lineItem % 40)) : '',
      advertising_product_id: lineItem % 10 === 0 ? String(1 + (lineItem % 8)) : '',
    };
  }
}

/** On average: the parts above. */
const EVENTS_PER_AD = 1 + SHARES.served * (1 + SHARES.impression * (1 + SHARES.measurable + SHARES.viewable + SHARES.click + SHARES.video * VIDEO.length + SHARES.activity)); // biome-ignore format: a sum
