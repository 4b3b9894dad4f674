/** Load at half of the highest rate runs this long: shorter runs miss the work that a service does once a minute. */
export const HALF_RATE_SECONDS = 60;
/** Runs before a bench gives up. */
const TRIES = 3;
/** The generator's own lateness (99th percentile) may be this share of the measured p99, or this many milliseconds. */
const LATE_SHARE_MAX = 0.2;
const LATE_MS_MAX = 1;

/** Figures of a run whose requests were due at fixed moments. Times in milliseconds; `p99Ms` counts from the moment that a request was due. */
export interface DueFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How late the generator itself sent the requests, 99th percentile. */
  readonly lateP99Ms: number;
  readonly errors: number;
  /** How many requests failed for which reason, where the generator knows it. */
  readonly causes?: Readonly<Record<string, number>>;
}

/** Whether the times of a run are those of its server. */
export function isPunctual({ p99Ms, lateP99Ms }: DueFigures): boolean {
  return lateP99Ms <= Math.max(LATE_MS_MAX, p99Ms * LATE_SHARE_MAX);
}

/** The times, the generator's lateness, and the errors of a run. */
export function describeDue({ p50Ms, p99Ms, lateP99Ms, errors }: DueFigures): string {
  const times = `p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`;
  return `${times}  (generator late: p99 ${lateP99Ms.toFixed(2)} ms)  ${errors} errors`;
}

/** Reasons for which requests failed, behind a comma each. */
export function textOfCauses(causes: Readonly<Record<string, number>> = {}): string {
  const found = Object.entries(causes).filter(([, count]) => count > 0);
  return found.map(([cause, count]) => `, ${count} ${cause}`).join('');
}

/**
 * Repeats a run whose generator was late, at most three times, and prints each.
 * @throws Error where a run has errors, or the generator was late in all of them: such figures say nothing of the server
 */
export async function measurePunctually<Figures extends DueFigures>(
  name: string,
  run: () => Promise<Figures>,
): Promise<Figures> {
  for (let tried = 1; ; tried += 1) {
    const figures = await run();
    const isGood = isPunctual(figures);
    console.log(`${name}: ${describeDue(figures)}${isGood ? '' : '  VOID: the generator was late'}`);
    if (figures.errors > 0) {
      throw new Error(`${name}: ${figures.errors} requests failed${textOfCauses(figures.causes)}`);
    }
    if (isGood) return figures;
    if (tried === TRIES) throw new Error(`${name}: the generator was late in ${TRIES} runs; use a quiet machine`);
  }
}
