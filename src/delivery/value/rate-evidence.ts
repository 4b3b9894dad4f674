import type { RateContext } from '../../domain/events/context-outcome.ts';
import { creativeRateId, lifetimeCounterKey, unitRateId } from '../../domain/money/counter-key.ts';
import type { CounterKind, CounterScope } from '../../domain/money/counter-key.ts';
import { COUNTED_EVENTS } from '../../domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import { meanRate } from './draw-rate.ts';
import type { RateEvidence } from './draw-rate.ts';

/** Whose rate, and of which event by impression. */
export interface AskedRate {
  readonly kind: CountedKind;
  readonly workspaceId: number;
  readonly advertiserId: string;
  readonly lineItemId: string;
  /** '' = the line item as a whole. Creatives have the rate of the event by which their line item rotates. */
  readonly creativeId: string;
  /** Absent: everywhere. The line item in one unit, as `rateUnitOf` names it, has the rate of the event of its optimisation goal. */
  readonly unit?: string;
  /** Absent: everywhere. Of creatives alone. */
  readonly context?: RateContext;
}

/** The owner of the counters of a rate: the line item, or one of its creatives or units. */
export function ratedOwner({ kind, lineItemId, creativeId, unit }: AskedRate): {
  readonly scope: CounterScope;
  readonly id: string;
} {
  if (unit !== undefined) return { scope: 'un', id: unitRateId(kind, lineItemId, unit) };
  return creativeId === '' ? { scope: 'li', id: lineItemId } : { scope: 'cr', id: creativeRateId(kind, creativeId) };
}

/** Impressions and events of one object. */
export interface Tally {
  readonly trials: number;
  readonly hits: number;
}

/** Every impression brings its impression. */
const CERTAIN: RateEvidence = { hits: 1, trials: 1 };
/** The prior of a creative or a unit weighs as much as half an event. */
const CHILD_PRIOR_HITS = 0.5;
/** A prior weighs at least so many impressions. */
const PRIOR_TRIALS_MIN = 50;

/** The impressions and events of all time. @param read the present value of a counter */
export function lifetimeTally(asked: AskedRate, scope: CounterScope, id: string, read: (key: string) => number): Tally {
  const count = (kind: CounterKind) => read(lifetimeCounterKey({ workspaceId: asked.workspaceId, scope, id, kind }));
  return { trials: count('imp'), hits: count(COUNTED_EVENTS[asked.kind].counter) };
}

/** The usual rate of an event joined with what a line item has had: what is known where nothing is remembered. */
export function plainEvidence(asked: AskedRate, own: Tally): RateEvidence {
  const { prior } = COUNTED_EVENTS[asked.kind];
  return prior === null ? CERTAIN : { hits: own.hits + prior.rate * prior.weight, trials: own.trials + prior.weight };
}

/** The evidence of a creative or a unit, shrunk toward the mean of its line item. Rates of siblings differ by a factor, and a prior that weighs more would hide it. */
export function shrunkEvidence(kind: CountedKind, parent: RateEvidence, own: Tally): RateEvidence {
  return COUNTED_EVENTS[kind].prior === null ? CERTAIN : shrink(parent, own, CHILD_PRIOR_HITS);
}

/** The evidence of a line item or an advertiser, shrunk toward the mean of the one above. */
export function shrunkLineItemEvidence(kind: CountedKind, parent: RateEvidence, own: Tally): RateEvidence {
  const { prior } = COUNTED_EVENTS[kind];
  return prior === null ? CERTAIN : shrink(parent, own, prior.hits);
}

/**
 * What a line item competes by: its evidence with the benefit of the doubt, as often as it counts. Where a trial is worth little, there is less benefit, and draws are
 * nearer to the mean.
 * @param worth of a trial, above 0 and up to 1
 */
export function optimisticEvidence(kind: CountedKind, { hits, trials }: RateEvidence, worth: number): RateEvidence {
  const { prior } = COUNTED_EVENTS[kind];
  if (prior === null) return { hits, trials };
  const times = prior.drawnTimes / worth;
  return { hits: times * Math.min(trials, hits + worth * prior.optimismHits), trials: times * trials };
}

function shrink(parent: RateEvidence, own: Tally, priorHits: number): RateEvidence {
  const mean = meanRate(parent);
  const weight = Math.min(parent.trials, Math.max(PRIOR_TRIALS_MIN, priorHits / mean));
  return { hits: own.hits + mean * weight, trials: own.trials + weight };
}

/** The evidence by counters alone. @param parent as for `RateMemory.evidence` */
export function evidenceByCounters(
  asked: AskedRate,
  parent: RateEvidence | null,
  read: (key: string) => number,
): RateEvidence {
  const { scope, id } = ratedOwner(asked);
  const own = lifetimeTally(asked, scope, id, read);
  return parent === null ? plainEvidence(asked, own) : shrunkEvidence(asked.kind, parent, own);
}
