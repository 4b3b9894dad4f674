import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { type ComparedRange, compareRollUps, type RollUpDifference } from './compare-rollups.olap.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_AFTER_MS = 20 * 60_000;
/** Most differences that a log line names. */
const NAMED_MAX = 5;

/** Dependencies of the job. */
export interface CountCheckDeps {
  readonly olap: Olap;
  readonly nowMs: () => number;
  readonly log: Log;
  readonly registry: Registry;
}

/** Compares the events of the last whole UTC day with every roll-up, once a day: a report that does not say what was counted shows here. */
export class CountCheckJob extends RecurringJob {
  readonly #deps: CountCheckDeps;
  readonly #differences: Gauge;

  constructor(deps: CountCheckDeps) {
    super({ firstMs: FIRST_AFTER_MS, everyMs: DAY_MS, retryMs: HOUR_MS });
    this.#deps = deps;
    this.#differences = new Gauge({
      name: 'placard_count_differences',
      help: 'Figures of roll-ups that differ from the events of the last whole UTC day, at the last check of this process.',
      registers: [deps.registry],
    });
  }

  /** What another process checks is its to show. */
  override async stop(): Promise<void> {
    await super.stop();
    this.#differences.set(0);
  }

  /** Checks now. @returns the differences that stay. @throws OlapError */
  async run(): Promise<readonly RollUpDifference[]> {
    const { olap, nowMs, log } = this.#deps;
    const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
    const range = { from: day(nowMs() - DAY_MS), to: day(nowMs()) };
    const differences = await findLasting(olap, range);
    this.#differences.set(differences.length);
    if (differences.length > 0)
      log.event('counts.differ', {
        day: range.from,
        differences: differences.length,
        examples: differences
          .slice(0, NAMED_MAX)
          .map((one) => `${nameOf(one)}: ${one.events} events, ${one.rollUp} in the roll-up`),
      });
    return differences;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('counts.not_checked', { err: error });
  }
}

/** Late events that arrive between two reads differ in the first comparison alone. */
async function findLasting(olap: Olap, range: ComparedRange): Promise<readonly RollUpDifference[]> {
  const first = await compareRollUps(olap, range);
  if (first.length === 0) return first;
  const before = new Set(first.map(nameOf));
  return (await compareRollUps(olap, range)).filter((one) => before.has(nameOf(one)));
}

function nameOf({ table, workspaceId, bucket, column }: RollUpDifference): string {
  return `${table} ${workspaceId} ${bucket} ${column}`;
}
