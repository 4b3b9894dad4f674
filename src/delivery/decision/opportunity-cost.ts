/** The cost of an opportunity that earns the mean of all. With a higher one, goals follow prices more closely, and plans take longer. */
const COST_OF_MEAN = 4;
/** Costs are rounded to so many steps for each doubling, so that opportunities fall into few groups. */
const STEPS = 4;

/** The cost of giving an opportunity to a goal, when PRICE would pay so much for a thousand of them; 0 when it pays nothing. */
export function costOfValue(valueMicros: number, meanMicros: number): number {
  if (valueMicros <= 0 || meanMicros <= 0) return 0;
  const step = Math.round(Math.log2(valueMicros / meanMicros) * STEPS);
  return COST_OF_MEAN * 2 ** (step / STEPS);
}
