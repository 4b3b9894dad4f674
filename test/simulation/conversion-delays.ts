import { ContextModel } from '../../src/delivery/value/context-model.ts';
import { learnMaturities } from '../../src/delivery/value/conversion-delays.ts';
import type { ConversionAges } from '../../src/domain/events/conversion-ages.ts';

const HOUR_MS = 3_600_000;

/** Whose ads are shown. */
export interface Converting {
  readonly booked: { readonly id: string };
  readonly advertiser: { readonly id: string };
}

interface Seen {
  readonly advertiserId: string;
  /** Impressions by the hour since 1970. */
  readonly shown: Map<number, number>;
  /** Conversions by delay, in steps of ten minutes. */
  readonly delays: Map<number, number>;
}

const STEP_MS = 600_000;

/** When ads were shown and converted, as the analytics store tells the core. */
export class ConversionDelays {
  readonly #seen = new Map<string, Seen>();

  show(lineItem: Converting, atMs: number): void {
    add(this.#of(lineItem).shown, Math.floor(atMs / HOUR_MS));
  }

  convert(lineItem: Converting, delayMs: number): void {
    add(this.#of(lineItem).delays, Math.floor(delayMs / STEP_MS));
  }

  /** What a core would publish at this moment; null = nothing was shown. */
  learn(nowMs: number): ContextModel | null {
    if (this.#seen.size === 0) return null;
    const ages = [...this.#seen].map(
      ([lineItemId, { advertiserId, shown, delays }]): ConversionAges => ({
        lineItemId,
        advertiserId,
        shown: [...shown].map(([hour, count]) => ({ ageMs: Math.max(0, nowMs - (hour + 0.5) * HOUR_MS), count })),
        converted: [...delays].map(([step, count]) => ({ delayMs: (step + 0.5) * STEP_MS, count })),
      }),
    );
    return new ContextModel({ madeAtMs: nowMs, weights: [], maturities: [...learnMaturities(ages)] });
  }

  #of({ booked: { id }, advertiser }: Converting): Seen {
    const known = this.#seen.get(id);
    if (known !== undefined) return known;
    const seen = { advertiserId: advertiser.id, shown: new Map<number, number>(), delays: new Map<number, number>() };
    this.#seen.set(id, seen);
    return seen;
  }
}

function add(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
