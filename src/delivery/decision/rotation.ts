import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { CounterKind } from '../../domain/money/counter-key.ts';
import { sequenceCounterKey } from '../../domain/booking/frequency-key.ts';
import type { CompiledCreative } from './index/compile-line-items.ts';
import type { DecideContext } from './decision.ts';
import type { Candidate, SlotContext } from './eligibility.ts';

/** Share of impressions in which OPTIMISED shows any creative, to learn the rates of all of them. */
const EXPLORED_SHARE = 0.1;
/** The weight of the line item's own click rate in the rate of each creative, in impressions. */
const RATE_WEIGHT = 1_000;
const RATE_BEFORE_ANY_CLICK = 0.001;

/**
 * Chooses one of the fitting creatives. EVEN: an even draw. WEIGHTED: a draw by weight. SEQUENTIAL: the next in order for each user;
 * requests without a user share one order. OPTIMISED: the best click rate, except in a tenth of the impressions.
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
      return context.random() < EXPLORED_SHARE
        ? draw(creatives, weightOf, context.random)
        : findBestRate(candidate, slotContext, context);
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

/** Clicks per impression, shrunk toward the line item's own rate; an even draw decides between equals. */
function findBestRate(
  { lineItem, creatives }: Candidate,
  { opportunity, state }: SlotContext,
  context: DecideContext,
): CompiledCreative {
  const { workspaceId } = opportunity;
  const read = (scope: 'li' | 'cr', id: string, kind: CounterKind) =>
    state.counter(lifetimeCounterKey({ workspaceId, scope, id, kind }));
  const { id } = lineItem.booked;
  const ownRate = (read('li', id, 'clk') + RATE_BEFORE_ANY_CLICK * RATE_WEIGHT) / (read('li', id, 'imp') + RATE_WEIGHT);
  let best = creatives[0] as CompiledCreative;
  let bestRate = Number.NEGATIVE_INFINITY;
  let equals = 0;
  for (const one of creatives) {
    const clicks = read('cr', one.creative.id, 'clk');
    const rate = (clicks + ownRate * RATE_WEIGHT) / (read('cr', one.creative.id, 'imp') + RATE_WEIGHT);
    if (rate > bestRate) {
      best = one;
      bestRate = rate;
      equals = 1;
    } else if (rate === bestRate) {
      equals += 1;
      if (context.random() * equals < 1) best = one;
    }
  }
  return best;
}
