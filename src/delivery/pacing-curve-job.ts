import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../storage/sql/schema.ts';
import { buildCurve, CURVE_DAYS } from './pacing-curve.ts';
import type { HourlyRequests } from './pacing-curve.ts';
import { readWorkspaceTimezones, writeCurves } from './pacing-curve.sql.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = HOUR_MS;
/** After a failure, such as an analytics store that is still starting. */
const RETRY_MS = 60_000;
/** A network with fewer hours of history stays on a flat curve. */
const HOURS_MIN = 24;

/** Requests of a workspace in one hour. */
export interface RequestHour extends HourlyRequests {
  readonly workspaceId: number;
}

/** What the job works with. */
export interface CurveJobDeps {
  readonly sql: Kysely<Database>;
  /** From the analytics store; both bounds are whole hours of UTC, the end is exclusive. */
  readonly readRequestHours: (fromMs: number, toMs: number) => Promise<readonly RequestHour[]>;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** Works out every network's traffic curve of its last 28 days, once an hour. Runs in the core. */
export class CurveJob {
  readonly #deps: CurveJobDeps;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: CurveJobDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#step();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  /** Works the curves out now. @throws what the stores throw */
  async run(): Promise<void> {
    const { sql, nowMs, readRequestHours } = this.#deps;
    const untilMs = Math.floor(nowMs() / HOUR_MS) * HOUR_MS;
    const hours = await readRequestHours(untilMs - CURVE_DAYS * 24 * HOUR_MS, untilMs);
    const timezones = await readWorkspaceTimezones(sql);
    const curves = [];
    for (const [workspaceId, observed] of Map.groupBy(hours, (hour) => hour.workspaceId)) {
      const timezone = timezones.get(workspaceId);
      if (timezone === undefined || observed.length < HOURS_MIN) continue;
      curves.push({ workspaceId, ...buildCurve(observed, timezone, untilMs) });
    }
    await writeCurves(sql, curves, new Date(nowMs()));
  }

  async #step(): Promise<void> {
    let nextMs = EVERY_MS;
    try {
      await this.run();
    } catch (error) {
      nextMs = RETRY_MS;
      this.#deps.log.warn({ err: error }, 'Traffic curves could not be worked out; pacing goes by the former ones');
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#step();
    }, nextMs).unref();
  }
}
