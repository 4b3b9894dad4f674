/** A goal that is so much of its rest behind bids e times the usual price; so much of the goal ahead, an e-th of it. */
const STEP = 0.01;
/** A step is at least so many ads: chance decides about fewer. */
const STEP_ADS = 2;
const STEPS_MAX = 20;
/** A goal of level 16 bids at most so many times the usual price. Each level above bids up to twice as much. */
const LOWEST_BOUND = 1_000;
const LOWEST_LEVEL = 16;
/** How far a goal may run ahead of its plan: this share of its plan so far, at most and at least these shares of the goal, and some ads. */
const AHEAD_OF_PLANNED = 0.1;
export const AHEAD_MAX = 0.05;
const AHEAD_MIN = 0.001;
const AHEAD_ADS = 2;
/**
 * A goal whose plan needs more than this part of its free traffic bids more than others of the same deficit, and so many steps more from the second part on: it
 * could not catch up later.
 */
const TIGHT_FROM = 0.8;
const TIGHT_TO = 1.2;
const TIGHT_STEPS = 8;
/** From this part on, a goal cannot be reached: more for it would be taken from goals that can. */
const TIGHT_LOST = 1.5;

/** How a goal stands against its plan. Amounts are in units of the goal. */
export interface GoalStanding {
  /** How far it is behind; negative = ahead. */
  readonly deficit: number;
  /** What its plan has had so far, and what it has for the time that is left. */
  readonly planned: number;
  readonly left: number;
  /** The whole goal. */
  readonly amount: number;
  /** Expected units of one ad. */
  readonly unitsPerAd: number;
  /** 1 to 16; 1 is the highest. */
  readonly level: number;
  /** The part of its free traffic that its plan needs; absent or 0: not known. */
  readonly tightness?: number;
}

/**
 * What a goal bids for an opportunity, as a multiple of the network's usual price: 1 on its plan, more behind it, less ahead of it. All processes compute
 * it from the same counters. This is dual descent (Balseiro, Lu, Mirrokni, 2020) with an entropic mirror: the price of a goal is the exponential of its deficit.
 * Bounds by level decide where goals cannot all be reached; goals of one level then come equally far.
 */
export function goalWorth({
  deficit,
  left,
  amount,
  unitsPerAd,
  level,
  tightness = 0,
}: Omit<GoalStanding, 'planned'>): number {
  const steps = bidSteps({ deficit, left, amount, unitsPerAd }) + tightSteps(tightness);
  return 1 / (1 / boundOf(level) + Math.exp(-steps));
}

function tightSteps(tightness: number): number {
  const upward = (tightness - TIGHT_FROM) / (TIGHT_TO - TIGHT_FROM);
  const downward = (TIGHT_LOST - tightness) / (TIGHT_LOST - TIGHT_TO);
  return TIGHT_STEPS * Math.min(1, Math.max(0, Math.min(upward, downward)));
}

/** By how many steps a goal bids more than the usual price: each step is a factor of e. Negative ahead of its plan. */
export function bidSteps({
  deficit,
  left,
  amount,
  unitsPerAd,
}: Pick<GoalStanding, 'deficit' | 'left' | 'amount' | 'unitsPerAd'>): number {
  const step = Math.max(STEP * (deficit < 0 ? amount : left), STEP_ADS * unitsPerAd);
  return left <= 0 && deficit > 0 ? STEPS_MAX : Math.max(-STEPS_MAX, Math.min(STEPS_MAX, deficit / step));
}

/** The number of steps from which a goal bids no more, because it has reached the bound of its level: fewer for a tight goal, which bids more. */
export function boundSteps(level: number, tightness: number): number {
  return Math.log(boundOf(level)) - tightSteps(tightness);
}

function boundOf(level: number): number {
  return LOWEST_BOUND * 2 ** (LOWEST_LEVEL - level);
}

/** Whether a goal is so far ahead of its plan that it waits. */
export function isFarAhead({ deficit, planned, amount, unitsPerAd }: Omit<GoalStanding, 'left' | 'level'>): boolean {
  const most = Math.min(AHEAD_MAX * amount, Math.max(AHEAD_MIN * amount, AHEAD_OF_PLANNED * planned));
  return -deficit > most + AHEAD_ADS * unitsPerAd;
}

/** Whether a goal is further ahead than any pacing leads to: its end or its amount was changed. */
export function isBeyondPlan({
  deficit,
  amount,
  unitsPerAd,
}: Pick<GoalStanding, 'deficit' | 'amount' | 'unitsPerAd'>): boolean {
  return -deficit > 1.5 * AHEAD_MAX * amount + 2 * AHEAD_ADS * unitsPerAd;
}
