import { rotatedEvent } from '../../domain/booking/optimisation-goal.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { sequenceCounterKey } from '../../domain/frequency/frequency-key.ts';
import { drawRate } from '../value/draw-rate.ts';
import { evidenceByCounters } from '../value/rate-evidence.ts';
import { rateEvidence } from './expected-value.ts';
import { rateContextOf } from './slot-context.ts';
import type { CompiledCreative } from './index/compile-line-items.ts';
import type { DecideContext } from './decision.ts';
import type { Candidate, SlotContext } from './eligibility.ts';

/**
 * Chooses one of the fitting creatives. EVEN: an even draw. WEIGHTED: a draw by weight. SEQUENTIAL: the next in order for each user;
 * requests without a user share one order. OPTIMISED: the best of draws from what is known of each rate (Thompson sampling).
 */
export function rotateCreatives(
  candidate: Candidate,
  slotContext: SlotContext,
  context: DecideContext,
): CompiledCreative {
  const { lineItem, creatives } = candidate;
  const [first] = creatives as readonly [CompiledCreative, ...CompiledCreative[]];
  if (creatives.length === 1) return first;
  switch (lineItem.booked.creativeRotation) {
    case 'EVEN':
      return draw(creatives, () => 1, context.random);
    case 'WEIGHTED':
      return draw(creatives, weightOf, context.random);
    case 'SEQUENTIAL':
      return nextInSequence(candidate, slotContext);
    case 'OPTIMISED':
      return drawBestRate(candidate, slotContext, context);
  }
}

function weightOf({ creative }: CompiledCreative): number {
  return creative.weight;
}

function draw(
  creatives: readonly CompiledCreative[],
  shareOf: (one: CompiledCreative) => number,
  random: () => number,
): CompiledCreative {
  let left = random() * creatives.reduce((sum, one) => sum + shareOf(one), 0);
  for (const one of creatives) {
    left -= shareOf(one);
    if (left < 0) return one;
  }
  return creatives[0] as CompiledCreative;
}

/** The first creative that fits, starting with the one whose turn it is. */
function nextInSequence({ lineItem, creatives }: Candidate, { opportunity, state }: SlotContext): CompiledCreative {
  const { workspaceId, userHash } = opportunity;
  const lineItemId = lineItem.booked.id;
  const shown = state.counter(
    userHash === ''
      ? lifetimeCounterKey({ workspaceId, scope: 'li', id: lineItemId, kind: 'imp' })
      : sequenceCounterKey({ workspaceId, userHash, lineItemId }),
  );
  // Companions are shown beside their masters and have no turn of their own.
  const inTurn = lineItem.creatives.filter(({ creative }) => creative.masterCreativeId === null);
  const count = inTurn.length;
  for (let step = 0; step < count; step += 1) {
    const one = inTurn[(shown + step) % count] as CompiledCreative;
    if (creatives.includes(one)) return one;
  }
  return creatives[0] as CompiledCreative;
}

/** A creative is shown as often as its rate may be the best one. */
function drawBestRate(
  { lineItem, creatives }: Candidate,
  { opportunity, slot, state, nowMs }: SlotContext,
  { random }: DecideContext,
): CompiledCreative {
  const { workspaceId } = opportunity;
  const context = rateContextOf(opportunity, slot, nowMs);
  const kind = rotatedEvent(lineItem.booked);
  const parent = rateEvidence(kind, lineItem, workspaceId, state);
  const of = { kind, workspaceId, advertiserId: lineItem.advertiser.id, lineItemId: lineItem.booked.id };
  const read = (key: string) => state.counter(key);
  let best = creatives[0] as CompiledCreative;
  let bestRate = Number.NEGATIVE_INFINITY;
  for (const one of creatives) {
    const asked = { ...of, creativeId: one.creative.id, context };
    const rate = drawRate(state.rate?.(asked, parent) ?? evidenceByCounters(asked, parent, read), random);
    if (rate <= bestRate) continue;
    best = one;
    bestRate = rate;
  }
  return best;
}
