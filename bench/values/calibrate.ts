import { replayDecision } from '../../src/delivery/insight/decision-log/decision-replay.ts';
import type { DecisionRecord } from '../../src/delivery/insight/decision-log/decision-log.ts';
import { meanRate } from '../../src/delivery/value/draw-rate.ts';
import type { CountedKind } from '../../src/domain/pricing/pricing-models.ts';
import type { DecidedOutcome } from './learning-worker.ts';
import type { Predicted } from './reliability.ts';

/**
 * What a logged decision expected of the ad that it chose: the mean of the rate of its creative, else of its line item, as its tape holds it.
 * Null where the decision needed no such rate (a single candidate, or one that is paid by impressions).
 */
export function predictedRate({ answer, tape }: DecisionRecord, kind: CountedKind): number | null {
  const [placement] = answer.placements;
  if (placement === null || placement === undefined) return null;
  const ofLineItem = `${kind}/li/${placement.lineItemId}/`;
  const ofCreative = `${ofLineItem}cr/${placement.creativeId}`;
  let rate: number | null = null;
  for (const entry of tape) {
    if (entry[0] !== 'rate') continue;
    const [, name, hits, trials] = entry;
    if (name === ofCreative) return meanRate({ hits, trials });
    if (name === ofLineItem) rate = meanRate({ hits, trials });
  }
  return rate;
}

/** Predictions by kind of event, from decisions that are made again from their record. */
export class Calibration {
  readonly byKind = new Map<CountedKind, Predicted[]>();
  replayed = 0;

  /** @throws Error where the replay differs from the record: its prediction is then not that of the decision */
  add({ compiled, record, kind, isHit }: DecidedOutcome): void {
    const differences = replayDecision(compiled, record);
    if (differences.length > 0) throw new Error(`A logged decision does not replay: ${differences.join('; ')}`);
    this.replayed += 1;
    const rate = predictedRate(record, kind);
    if (rate === null) return;
    const found = this.byKind.get(kind);
    if (found === undefined) this.byKind.set(kind, [{ rate, isHit }]);
    else found.push({ rate, isHit });
  }
}
