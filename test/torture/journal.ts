import { openSync, writeSync } from 'node:fs';
import { orderEventId } from '../../src/events/activities/repeat-interval.ts';
import { openServedAd } from '../../src/domain/events/link-token.ts';
import type { LinkKey, ServedAd } from '../../src/domain/events/served-ad.ts';

/** A conversion that a user sent, after the impression of one ad. */
export interface SentConversion {
  readonly impressionId: string;
  readonly costMicros: bigint;
  /** From when on its outcome may depend on the hot store: the first try of the impression that it follows, by `performance.now()`. */
  readonly sinceMs: number;
  acknowledgedMs: number | null;
}

/** The fields of a conversion. */
export interface Order {
  readonly actgid: string;
  readonly event: string;
  readonly ord: string;
}

/** The user of an ad request, and the values in the request. */
export interface Asked {
  readonly user: string;
  /** '' = none */
  readonly mood: string;
}

/** A time in which contacts of users were lost or got a wrong time, as documented: a conversion may then be credited to nobody. */
interface BlindSpot {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The records of the load generator: which events it sent, and which of them the server acknowledged. Times by `performance.now()`. */
export class Journal {
  readonly #fd: number;
  readonly #linkKeys: readonly LinkKey[];
  readonly sent = new Set<string>();
  readonly acknowledged = new Set<string>();
  /** By event id. */
  readonly conversions = new Map<string, SentConversion>();
  /** Ads that were served, by impression id. */
  readonly ads = new Map<string, { readonly ad: ServedAd; readonly of: Asked }>();
  readonly #firstTries = new Map<string, number>();
  readonly #blindSpots: BlindSpot[] = [];
  /** When the newest acknowledgement came. */
  lastAcknowledgedMs = 0;
  /** Events that were not acknowledged, by reason; they are sent again. */
  readonly refusals = new Map<string, number>();

  /** @param path where every acknowledged event is recorded as well */
  constructor(path: string, linkKeys: readonly LinkKey[]) {
    this.#fd = openSync(path, 'a');
    this.#linkKeys = linkKeys;
  }

  /** The ad of a tracking link. */
  recordAd(link: string, of: Asked): ServedAd {
    const token = new URL(link).pathname.split('/').at(-1) ?? '';
    const ad = openServedAd(token, this.#linkKeys);
    if (ad === null) throw new Error(`The server made a link that it did not sign: ${link}`);
    this.ads.set(ad.impressionId, { ad, of });
    return ad;
  }

  userOf(impressionId: string): string {
    return this.ads.get(impressionId)?.of.user ?? '';
  }

  recordRefused(why: string): void {
    this.refusals.set(why, (this.refusals.get(why) ?? 0) + 1);
  }

  get refused(): number {
    return [...this.refusals.values()].reduce((sum, count) => sum + count, 0);
  }

  recordSent(eventId: string): void {
    if (!this.sent.has(eventId)) this.#firstTries.set(eventId, performance.now());
    this.sent.add(eventId);
  }

  /** @returns the id that the event must get */
  recordConversion(ad: ServedAd, order: Order, costMicros: bigint): string {
    const eventId = orderEventId(ad.workspaceId, order, order.ord);
    if (!this.conversions.has(eventId)) {
      const sinceMs = this.#firstTries.get(`${ad.impressionId}:imp`) ?? 0;
      this.conversions.set(eventId, { impressionId: ad.impressionId, costMicros, sinceMs, acknowledgedMs: null });
    }
    this.recordSent(eventId);
    return eventId;
  }

  recordAcknowledged(eventId: string): void {
    this.acknowledged.add(eventId);
    this.lastAcknowledgedMs = performance.now();
    const conversion = this.conversions.get(eventId);
    if (conversion !== undefined) conversion.acknowledgedMs ??= this.lastAcknowledgedMs;
    writeSync(this.#fd, `${eventId}\n`);
  }

  recordBlindSpot(fromMs: number, toMs: number): void {
    this.#blindSpots.push({ fromMs, toMs });
  }

  /** Whether a conversion may be credited to nobody, although its user saw the ad. */
  mayBeUncredited({ sinceMs, acknowledgedMs }: SentConversion): boolean {
    const untilMs = acknowledgedMs ?? Number.POSITIVE_INFINITY;
    return this.#blindSpots.some(({ fromMs, toMs }) => sinceMs <= toMs && untilMs >= fromMs);
  }
}
