import { type LoadResult, runLoad } from './load.ts';
import { type OpenLoopResult, runOpenLoop } from './open-loop.ts';
import { BID_HEADERS, bidBodies } from './bid-traffic.ts';
import { FillWatch } from './fill-watch.ts';

/** A heavy load beside the bids: starts it, and returns a function that ends it and resolves with its megabytes. */
export type Heavy = () => () => Promise<number>;

/** How long and how often bids are measured. */
export interface BesidePlan {
  /** Of the bid endpoint. */
  readonly url: string;
  readonly heavies: Readonly<Record<string, Heavy>>;
  readonly rounds: number;
  readonly seconds: number;
}

/** The middle of all rounds, in milliseconds; `shift` is how much later the 99th percentile is than alone, 0.2 = a fifth. */
export interface BesideFigure {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly shift: number;
}

/** Bids beside heavy work: at a fixed rate, as in production, and over four connections without a pause. */
export interface BesideResult {
  readonly perSecond: number;
  readonly paced: readonly BesideFigure[];
  readonly saturated: readonly BesideFigure[];
}

const ALONE = 'alone';
const SHIFT_LIMIT = 0.2;
const WARM_UP_SECONDS = 4;
const SATURATING_CONNECTIONS = 4;
const PACED_CONNECTIONS = 32;

/**
 * Measures in turn without and with each kind of heavy work, so that changes of the machine's own speed affect all of them. The fixed
 * rate is half the worker's capacity. @throws Error when requests fail, or are not filled as before
 */
export async function measureBidsBeside(plan: BesidePlan): Promise<BesideResult> {
  const load = { url: plan.url, bodies: bidBodies(), headers: BID_HEADERS, seconds: plan.seconds };
  const fill = new FillWatch(plan.url, null);
  const saturate = (): Promise<LoadResult> =>
    fill.during(() => runLoad({ ...load, connections: SATURATING_CONNECTIONS }));
  await runLoad({ ...load, connections: PACED_CONNECTIONS, seconds: WARM_UP_SECONDS });
  const highest = await fill.during(() =>
    runLoad({ ...load, connections: PACED_CONNECTIONS, seconds: WARM_UP_SECONDS }),
  );
  const perSecond = Math.round(highest.requestsPerSecond / 2);
  const pace = (): Promise<OpenLoopResult> =>
    fill.during(() => runOpenLoop({ ...load, connections: PACED_CONNECTIONS, perSecond }));
  const paced = await byTurns(plan, pace);
  const saturated = await byTurns({ ...plan, rounds: Math.ceil(plan.rounds / 2) }, saturate);
  const result = { perSecond, paced, saturated };
  console.log(`bids at ${perSecond}/s (half of the highest rate): ${paced.map(describe).join('; ')}`);
  console.log(
    `bids over ${SATURATING_CONNECTIONS} connections that never pause: ${saturated.map(describe).join('; ')}`,
  );
  return result;
}

interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
}

async function byTurns(plan: BesidePlan, measure: () => Promise<Measured>): Promise<BesideFigure[]> {
  const runs = new Map<string, Measured[]>();
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [name, heavy] of [[ALONE, null] as const, ...Object.entries(plan.heavies)]) {
      const end = heavy?.();
      const run = await measure();
      const done = await end?.();
      if (run.errors > 0) throw new Error(`${run.errors} bid requests failed ${name}`);
      const beside = done === undefined ? '' : `, ${done.toFixed(2)} MB given`;
      console.log(`  ${name}: p50 ${run.p50Ms.toFixed(2)} ms, p99 ${run.p99Ms.toFixed(2)} ms${beside}`);
      runs.set(name, [...(runs.get(name) ?? []), run]);
    }
  }
  const alone = middle(runs.get(ALONE) ?? [], 'p99Ms');
  return Array.from(runs, ([name, all]) => ({
    name,
    p50Ms: middle(all, 'p50Ms'),
    p99Ms: middle(all, 'p99Ms'),
    shift: middle(all, 'p99Ms') / alone - 1,
  }));
}

function middle(runs: readonly Measured[], key: 'p50Ms' | 'p99Ms'): number {
  const sorted = runs.map((run) => run[key]).toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function describe({ name, p50Ms, p99Ms, shift }: BesideFigure): string {
  const moved = name === ALONE ? '' : ` (${(shift * 100).toFixed(0)} %, limit ${SHIFT_LIMIT * 100} %)`;
  return `${name} p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms${moved}`;
}
