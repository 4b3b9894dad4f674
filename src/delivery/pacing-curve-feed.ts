import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../storage/sql/schema.ts';
import { flatCurve } from './pacing-curve.ts';
import type { TrafficCurve } from './pacing-curve.ts';
import { readCurves } from './pacing-curve.sql.ts';

const RELOAD_MS = 300_000;

/** The traffic curves as a worker knows them: read at start and every five minutes; the last ones stay in use when that fails. */
export class CurveFeed {
  readonly #sql: Kysely<Database>;
  readonly #log: Logger;
  #curves = new Map<number, TrafficCurve>();
  readonly #flat = new Map<string, TrafficCurve>();
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(sql: Kysely<Database>, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Reads once, without failing, and then every five minutes. */
  async start(): Promise<void> {
    await this.reload();
    this.#timer = setInterval(() => {
      this.#reading = this.reload();
    }, RELOAD_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#reading;
  }

  /** The network's curve; a flat one as long as there is none. */
  find(workspaceId: number, timezone: string): TrafficCurve {
    const known = this.#curves.get(workspaceId);
    if (known !== undefined) return known;
    let flat = this.#flat.get(timezone);
    if (flat === undefined) this.#flat.set(timezone, (flat = flatCurve(timezone)));
    return flat;
  }

  /** Curves that did not change keep their identity, so that nothing is planned anew for nothing. */
  async reload(): Promise<void> {
    try {
      const read = await readCurves(this.#sql);
      this.#curves = new Map(
        read.map(({ workspaceId, timezone, weights }) => {
          const before = this.#curves.get(workspaceId);
          const isSame = before?.timezone === timezone && before.weights.every((weight, at) => weight === weights[at]);
          return [workspaceId, isSame && before !== undefined ? before : { timezone, weights }];
        }),
      );
    } catch (error) {
      this.#log.warn({ err: error }, 'Traffic curves could not be read; the former ones stay in use');
    }
  }
}
