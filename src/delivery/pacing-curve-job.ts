import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../storage/sql/schema.ts';
import { buildCurve, CURVE_DAYS } from './pacing-curve.ts';
import type { HourlyRequests } from './pacing-curve.ts';
import type { StoredCurve } from './pacing-curve.sql.ts';
import { readWorkspaceTimezones, writeCurves } from './pacing-curve.sql.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = HOUR_MS;
/** After a failure, such as an analytics store that is still starting. */
const RETRY_MS = 60_000;
/** What has fewer hours of history stays on a flat curve (a network) or on the network's (a site). */
const HOURS_MIN = 24;
/** Sites of a network with curves of their own: those with the most requests. */
const SITES_MAX = 50;

/** Requests of a site in one hour. */
export interface RequestHour extends HourlyRequests {
  readonly workspaceId: number;
  readonly siteId: string;
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
    const curves: StoredCurve[] = [];
    for (const [workspaceId, observed] of Map.groupBy(hours, (hour) => hour.workspaceId)) {
      const timezone = timezones.get(workspaceId);
      if (timezone !== undefined) curves.push(...curvesOf(workspaceId, observed, { timezone, untilMs }));
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

/** The network's curve, and those of its busiest sites. */
function curvesOf(
  workspaceId: number,
  observed: readonly RequestHour[],
  { timezone, untilMs }: { timezone: string; untilMs: number },
): StoredCurve[] {
  const sites = [...Map.groupBy(observed, (hour) => hour.siteId)]
    .filter(([siteId]) => siteId !== '0')
    .map(([siteId, hours]) => ({ siteId, hours, requests: sumRequests(hours) }))
    .sort((left, right) => right.requests - left.requests)
    .slice(0, SITES_MAX);
  const whole = [...Map.groupBy(observed, (hour) => hour.startMs)].map(([startMs, hours]) => ({
    startMs,
    requests: sumRequests(hours),
  }));
  return [{ siteId: '0', hours: whole, requests: sumRequests(whole) }, ...sites]
    .filter(({ hours }) => hours.length >= HOURS_MIN)
    .map(({ siteId, hours, requests }) => {
      const firstMs = Math.min(...hours.map(({ startMs }) => startMs));
      const requestsPerHour = requests / Math.max(1, (untilMs - firstMs) / HOUR_MS);
      return { workspaceId, siteId, requestsPerHour, ...buildCurve(hours, timezone, untilMs) };
    });
}

function sumRequests(hours: readonly HourlyRequests[]): number {
  return hours.reduce((sum, { requests }) => sum + requests, 0);
}
