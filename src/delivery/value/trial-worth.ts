/** What a trial teaches is forgotten after about this time (`rate-memory.ts`), so more of a flight adds nothing. */
const USEFUL_MS = 28 * 86_400_000;
/** So many rated line items can be tried at once before trials of all of them cost too much. */
const TRIED_AT_ONCE = 5;
/** With this part of the useful time left, a trial is worth half. */
const HALF = 0.2;
const WORTH_MIN = 0.03;

/**
 * How much a trial of a line item is worth: 1 = all that its doubt allows. Less toward the end of its flight, when little time is left to use what the trial teaches, and
 * less the more line items must be tried. Chosen by simulation, see docs/values.md.
 * @param endsAtMs Infinity = never
 * @param rated line items of PRICE that compete by learned rates
 */
export function trialWorth(endsAtMs: number, nowMs: number, rated: number): number {
  const left = Math.min(1, Math.max(0, endsAtMs - nowMs) / USEFUL_MS);
  return Math.max(WORTH_MIN, left / (left + HALF * Math.max(1, rated / TRIED_AT_ONCE)));
}
