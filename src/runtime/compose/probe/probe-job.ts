import type { Kysely } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Log } from '../../../domain/log/log.ts';
import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import type { ProbeSend } from './probe-client.ts';
import { findProbeNetwork, renewProbeKey } from './probe-network.sql.ts';
import { bookProbe, probeAd, ProbeError, probeReport, type ProbeTarget, type RunStep } from './probe-round.ts';

const EVERY_MS = 60_000;
/** The probe queries a report once in so many rounds. */
const REPORT_EVERY = 5;
/** Events are in reports so soon after they were acknowledged. */
const FRESH_MS = 3 * 60_000;
/** A key is renewed when it ends so soon. */
const KEY_MARGIN_MS = 3_600_000;

/** The dependencies of the probe. */
export interface ProbeJobDeps {
  readonly sql: Kysely<Database>;
  readonly secrets: { readonly pepper: Buffer };
  readonly send: ProbeSend;
  readonly coreUrl: string;
  readonly deliveryUrl: string;
  readonly registry: Registry;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Once a minute, does over HTTP what customers do, in a network of its own: a bid, its impression, a click, a conversion, and now and then a
 * report that has to know them.
 */
export class ProbeJob extends RecurringJob {
  readonly #deps: ProbeJobDeps;
  readonly #metrics: ReturnType<typeof registerMetrics>;
  #target: ProbeTarget | null = null;
  #keyEndsMs = 0;
  #rounds = 0;
  /** When the first impression of this process was acknowledged. */
  #countedSinceMs: number | null = null;

  constructor(deps: ProbeJobDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
    this.#metrics = registerMetrics(deps.registry);
  }

  /** @throws ProbeError naming the step */
  async run(): Promise<void> {
    const { nowMs } = this.#deps;
    const { rounds, lastGood } = this.#metrics;
    // A probe that has never succeeded is as old as its first try.
    if (this.#rounds === 0) lastGood.set(nowMs() / 1_000);
    this.#rounds += 1;
    try {
      const { target, isNew } = await this.#run('book', () => this.#open());
      // Workers learn of new bookings in a moment: the next round finds them.
      if (isNew) return;
      await probeAd(target, this.#run);
      this.#countedSinceMs ??= nowMs();
      if (this.#rounds % REPORT_EVERY === 0) await this.#checkReport(target);
      rounds.inc({ result: 'good' });
      lastGood.set(nowMs() / 1_000);
    } catch (error) {
      rounds.inc({ result: 'failed' });
      throw error;
    }
  }

  async #checkReport(target: ProbeTarget): Promise<void> {
    const { nowMs } = this.#deps;
    const impressions = await probeReport(target, this.#run, nowMs());
    const sinceMs = this.#countedSinceMs ?? nowMs();
    if (impressions === 0 && nowMs() - sinceMs >= FRESH_MS)
      throw new ProbeError('report', 'it knows no impression of the last minutes');
  }

  readonly #run: RunStep = async (step, work) => {
    const begun = performance.now();
    try {
      const done = await work();
      this.#metrics.seconds.set({ step }, (performance.now() - begun) / 1_000);
      return done;
    } catch (error) {
      this.#metrics.failures.inc({ step });
      throw new ProbeError(step, error instanceof Error ? error.message : String(error), { cause: error });
    }
  };

  async #open(): Promise<{ readonly target: ProbeTarget; readonly isNew: boolean }> {
    const { sql, secrets, send, coreUrl, deliveryUrl, nowMs } = this.#deps;
    if (this.#target !== null && nowMs() < this.#keyEndsMs - KEY_MARGIN_MS)
      return { target: this.#target, isNew: false };
    const networkId = await findProbeNetwork(sql);
    const { value: key, expiresAtMs } = await renewProbeKey(sql, secrets, networkId, new Date(nowMs()));
    const target = { send, coreUrl, deliveryUrl, networkId, key };
    const isNew = await bookProbe(target);
    this.#target = target;
    this.#keyEndsMs = expiresAtMs;
    return { target, isNew };
  }

  protected logFailure(error: unknown): void {
    const step = error instanceof ProbeError ? error.step : 'book';
    this.#deps.log.event('probe.failed', { err: error, step });
  }
}

function registerMetrics(registry: Registry) {
  const registers = [registry];
  return {
    rounds: new Counter({
      name: 'placard_probe_rounds_total',
      help: 'Rounds of the probe by result.',
      labelNames: ['result'],
      registers,
    }),
    failures: new Counter({
      name: 'placard_probe_step_failures_total',
      help: 'Steps of the probe that failed.',
      labelNames: ['step'],
      registers,
    }),
    lastGood: new Gauge({
      name: 'placard_probe_last_good_timestamp_seconds',
      help: 'When the probe last succeeded, Unix seconds; before that, when it began.',
      registers,
    }),
    seconds: new Gauge({
      name: 'placard_probe_step_seconds',
      help: 'How long a step of the probe last took.',
      labelNames: ['step'],
      registers,
    }),
  };
}
