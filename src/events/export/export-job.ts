import { Counter, Gauge, type Registry } from 'prom-client';
import type { Log } from '../../domain/log/log.ts';
import { type JobTerms, RecurringJob } from '../../domain/time/recurring-job.ts';
import { BusyError, type EventExport } from './event-export.ts';
import { HOUR_MS } from './export-layout.ts';

/** Dependencies of the job. */
export interface ExportJobDeps {
  readonly exports: EventExport;
  readonly nowMs: () => number;
  readonly log: Log;
  readonly registry: Registry;
}

const DAY_MS = 24 * HOUR_MS;
/** Hours that every run looks at: late events of a machine that was down for a while. */
const RECENT_MS = 2 * DAY_MS;
/** Hours that a run looks at once a day, and the first of a process. */
const AUDITED_MS = 35 * DAY_MS;
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 300_000;

/** Exports hours as they become complete, and late events of those that were. One process at a time exports. */
export class ExportJob extends RecurringJob {
  readonly #deps: ExportJobDeps;
  #stopping = new AbortController();
  readonly #failures: Counter;
  readonly #rows: Counter;
  readonly #bytes: Counter;
  #exportedUntilMs: number | null = null;
  #auditedAtMs = Number.NEGATIVE_INFINITY;
  #failure: string | null = null;

  constructor(deps: ExportJobDeps) {
    super({ firstMs: FIRST_AFTER_MS, everyMs: EVERY_MS });
    this.#deps = deps;
    const registers = [deps.registry];
    new Gauge({
      name: 'placard_export_lag_seconds',
      help: 'Time since the end of the last hour up to which all events are exported; NaN before the first run.',
      registers,
      collect: gaugeOf(() => this.#lagSeconds()),
    });
    this.#failures = new Counter({
      name: 'placard_export_failures_total',
      help: 'Runs of the export that failed.',
      registers,
    });
    this.#rows = new Counter({ name: 'placard_export_rows_total', help: 'Events that were exported.', registers });
    this.#bytes = new Counter({ name: 'placard_export_bytes_total', help: 'Bytes of exported files.', registers });
  }

  /** For `/readyz`: an export that fails takes nothing out of service. */
  get state(): { readonly isFailing: boolean; readonly text: string } {
    const untilMs = this.#exportedUntilMs;
    const text = untilMs === null ? 'the first run has not ended' : `exported until ${new Date(untilMs).toISOString()}`;
    return { isFailing: this.#failure !== null, text: this.#failure ?? text };
  }

  override start(terms?: JobTerms): void {
    if (this.#stopping.signal.aborted) this.#stopping = new AbortController();
    super.start(terms);
  }

  override async stop(): Promise<void> {
    this.#stopping.abort(new BusyError('The process stops.'));
    await super.stop();
  }

  async run(): Promise<void> {
    const { exports, nowMs, log } = this.#deps;
    const untilMs = await exports.completeUntil();
    const isAudit = nowMs() - this.#auditedAtMs >= DAY_MS;
    // Not known: no worker reports, and the lag tells for how long.
    if (untilMs === null || (untilMs === this.#exportedUntilMs && !isAudit)) return;
    const outcome = await exports.run({
      fromMs: untilMs - (isAudit ? AUDITED_MS : RECENT_MS),
      untilMs,
      signal: this.#stopping.signal,
      onHour: ({ workspace, hourMs, rows, added, files, bytes }) => {
        if (files === 0) return;
        this.#rows.inc(added);
        this.#bytes.inc(bytes);
        const { networkId, environment } = workspace;
        log.event('export.hour_written', { networkId, environment, hour: new Date(hourMs).toISOString(), rows, files });
      },
    });
    this.#exportedUntilMs = outcome.untilMs;
    if (isAudit) this.#auditedAtMs = nowMs();
    this.#failure = null;
  }

  protected logFailure(error: unknown): void {
    if (error instanceof BusyError) return;
    this.#failures.inc();
    this.#failure = error instanceof Error ? error.message : String(error);
    this.#deps.log.event('export.failed', { err: error, target: this.#deps.exports.target.title });
  }

  #lagSeconds(): number {
    return this.#exportedUntilMs === null ? Number.NaN : (this.#deps.nowMs() - this.#exportedUntilMs) / 1_000;
  }
}

function gaugeOf(read: () => number): (this: Gauge) => void {
  return function collect(this: Gauge) {
    this.set(read());
  };
}
