import { choosingEvent } from '../../domain/booking/optimisation-goal.ts';
import { rateUnitOf } from '../../domain/money/counter-key.ts';
import { drawRate } from '../value/draw-rate.ts';
import { lifetimeTally } from '../value/rate-evidence.ts';
import { paceOf } from './eligibility.ts';
import type { SlotContext } from './eligibility.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import { neededShare } from './draws/unit-share.ts';

/** With fewer events than this, nothing is known of where they are likely. */
const HITS_MIN = 5;
/** A line item that waits for no unit. */
const ALL = 1;
const NONE = 0;

/** A draw from what is known of the rate of a line item in a unit, by which it chose. */
export interface UnitDraw {
  readonly lineItem: CompiledLineItem;
  readonly drawn: number;
}

/**
 * Which line items want the unit of one slot. A line item with an optimisation goal that has more opportunities than it needs waits for units where its
 * event is likely: a draw from the rate of each unit must reach the bar that about the share of opportunities reaches that it needs (Thompson sampling).
 * One draw for each line item, however often it is asked.
 */
export class UnitChoice {
  readonly #weighed: UnitDraw[];
  /** The share of opportunities that a line item wants, of those that were asked; 0 = not this one. */
  #shares: Map<CompiledLineItem, number> | null = null;

  readonly #hasWorths: boolean;

  /** @param weighed gets the draws @param hasWorths goals bid what they are worth */
  constructor(weighed: UnitDraw[], hasWorths: boolean) {
    this.#weighed = weighed;
    this.#hasWorths = hasWorths;
  }

  /** Whether the line item was asked and waits for a better unit. */
  waits(lineItem: CompiledLineItem): boolean {
    return this.#shares?.get(lineItem) === NONE;
  }

  /** The share of its opportunities that the line item wants, where this is one of them; 0 where it waits for a better unit. */
  shareOf(lineItem: CompiledLineItem, slotContext: SlotContext, random: () => number): number {
    // In this order, most line items without a goal are decided without a look at what is booked.
    if (lineItem.goal === null || lineItem.booked.optimisationGoal === undefined) return ALL;
    const { booked } = lineItem;
    const known = this.#shares?.get(lineItem);
    if (known !== undefined) return known;
    // Where urgency alone decides among them, one that lags on purpose would win where it is not wanted.
    if (booked.type === 'STANDARD' && !this.#hasWorths) return ALL;
    const share = this.#choose(lineItem, slotContext, random);
    (this.#shares ??= new Map()).set(lineItem, share);
    return share;
  }

  #choose(lineItem: CompiledLineItem, slotContext: SlotContext, random: () => number): number {
    const { state, slot, nowMs, facts, opportunity } = slotContext;
    const kind = choosingEvent(lineItem.booked);
    const unit = rateUnitOf(slot);
    const bar = state.unitBar?.(lineItem.booked.id) ?? null;
    if (kind === null || unit === '' || bar === null || state.rate === undefined) return ALL;
    const asked = {
      kind,
      workspaceId: opportunity.workspaceId,
      advertiserId: lineItem.advertiser.id,
      lineItemId: lineItem.booked.id,
      creativeId: '',
    };
    // Its own history alone: what its advertiser's other line items bring would say little of its units.
    const whole = lifetimeTally(asked, 'li', asked.lineItemId, (key) => state.counter(key));
    if (whole.hits < HITS_MIN) return ALL;
    const { urgency } = paceOf(lineItem, slotContext);
    const local = () => facts.localMoment(lineItem.booked.timezone);
    const share = neededShare(lineItem, urgency, { nowMs, local });
    if (share <= 0 || share >= 1) return share;
    // Counters are read one after the other, and one that is unavailable reads lower.
    const parent = { hits: whole.hits, trials: Math.max(whole.hits, whole.trials) };
    const drawn = drawRate(state.rate({ ...asked, unit }, parent), random);
    this.#weighed.push({ lineItem, drawn });
    return drawn >= bar.at(share) ? share : NONE;
  }
}
