import type { RateContext } from '../../domain/events/context-outcome.ts';
import type { Maturities } from './conversion-delays.ts';
import type { RateEvidence } from './draw-rate.ts';
import { hashFacts, isOfCreative } from './rate-context.ts';
import type { FactOwner } from './rate-context.ts';

/** A context makes a rate at most so many times as high or as low. */
const LIFT_MAX = 4;
const LOG_LIFT_MAX = Math.log(LIFT_MAX);

/** The weights of facts that surely differ from 0, as they travel to those who decide. */
export interface PublishedContextModel {
  readonly madeAtMs: number;
  readonly weights: readonly (readonly [fact: number, weight: number])[];
  /** Absent: none are known. */
  readonly maturities?: readonly (readonly [key: string, part: number])[];
}

/** How rates depend on where and when an ad is shown. */
export interface RateLifts {
  /** By which factor a rate is higher in a context than elsewhere; 1 where nothing is known. */
  lift(owner: FactOwner, context: RateContext): number;
}

/** How the rates of line items and of their creatives depend on where and when they are shown. */
export class ContextModel implements RateLifts {
  readonly madeAtMs: number;
  /** Whether it knows of any line item as a whole. */
  readonly knowsLineItems: boolean;
  readonly #weights: ReadonlyMap<number, number>;
  readonly #maturities: Maturities;

  constructor({ madeAtMs, weights, maturities = [] }: PublishedContextModel) {
    this.madeAtMs = madeAtMs;
    this.knowsLineItems = weights.some(([fact]) => !isOfCreative(fact));
    this.#weights = new Map(weights);
    this.#maturities = new Map(maturities);
  }

  /** The part of the impressions whose conversions have come, by line item or advertiser; null = not known. */
  maturity(key: string): number | null {
    return this.#maturities.get(key) ?? null;
  }

  lift(owner: FactOwner, context: RateContext): number {
    if (this.#weights.size === 0) return 1;
    let sum = 0;
    for (const fact of hashFacts(owner, context)) sum += this.#weights.get(fact) ?? 0;
    return Math.exp(Math.min(LOG_LIFT_MAX, Math.max(-LOG_LIFT_MAX, sum)));
  }
}

/** Evidence of a rate that is so many times as high, with the same relative doubt. */
export function liftEvidence(evidence: RateEvidence, lift: number): RateEvidence {
  if (lift === 1) return evidence;
  return { hits: evidence.hits, trials: Math.max(evidence.hits, evidence.trials / lift) };
}
