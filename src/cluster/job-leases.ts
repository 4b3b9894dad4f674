import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Log } from '../domain/log/log.ts';
import { type JobTerms, RecurringJob } from '../domain/time/recurring-job.ts';
import type { Database } from '../storage/sql/schema.ts';
import {
  claimLeases,
  forgetRunner,
  type HeldLease,
  isPausedByRestore,
  type JobRunner,
  recordRun,
  releaseLeases,
  reportRunner,
} from './job-leases.sql.ts';

/** What starts and stops; it may start again after a stop. */
interface Startable {
  start(): void;
  stop(): Promise<void>;
}

/** A job that one process of the cluster runs. */
export interface LeasedJob {
  readonly name: string;
  /** Its period, where a new holder continues the period of the last one; null: it begins at once. */
  readonly periodMs: number | null;
  readonly job: { start(terms: JobTerms): void; stop(): Promise<void> };
  /** Whether it waits on a restored copy. */
  readonly waitsWhenRestored: boolean;
}

/** Work whose every item is claimed on its own: it runs wherever jobs may run. */
export interface SharedJob {
  readonly job: Startable;
  /** Whether it waits on a restored copy. */
  readonly waitsWhenRestored: boolean;
}

/** Dependencies of the leases of one process. Durations are in milliseconds. */
export interface JobLeasesDeps {
  readonly sql: Kysely<Database>;
  readonly nodeId: string;
  readonly part: JobRunner['part'];
  readonly leased: readonly LeasedJob[];
  readonly shared: readonly SharedJob[];
  /** False while this node differs from its cluster: it runs nothing. */
  readonly isOpen: () => boolean;
  readonly log: Log;
  readonly registry: Registry;
  /** Told after each run: when it began, epoch milliseconds. */
  readonly recordRun?: (name: string, startedMs: number, failed: boolean) => void;
  /** How long a lease lasts; default 20 s. */
  readonly leaseMs?: number;
  /** How often it is renewed, and ended ones are looked for; default 5 s. */
  readonly everyMs?: number;
}

const LEASE_MS = 20_000;
const EVERY_MS = 5_000;
/** The holder ends earlier than PostgreSQL counts: clocks do not run at exactly one speed. */
const OWN_SHARE = 0.95;

/**
 * Runs each job in one process of the cluster: in a process of `--role jobs` while there is one, else in one core. The holder of a lease
 * renews it; when it stops, dies or loses PostgreSQL, another process takes the job.
 */
export class JobLeases extends RecurringJob {
  readonly #deps: JobLeasesDeps;
  readonly #runner: JobRunner;
  readonly #leaseMs: number;
  readonly #runs: Counter<'name' | 'result'>;
  readonly #lastRuns: Gauge<'name'>;
  readonly #jobs: readonly Seat[];
  readonly #shared: readonly Seat[];
  #expiry: NodeJS.Timeout | null = null;
  /** The process ends: it takes nothing more, and renews until its runs have ended. */
  #isEnding = false;
  #isPaused = false;

  constructor(deps: JobLeasesDeps) {
    super({ firstMs: 0, everyMs: deps.everyMs ?? EVERY_MS });
    this.#deps = deps;
    this.#leaseMs = deps.leaseMs ?? LEASE_MS;
    this.#runner = { runnerId: randomUUID(), nodeId: deps.nodeId, part: deps.part };
    this.#jobs = deps.leased.map(
      (one) =>
        new Seat(
          one,
          (terms) => one.job.start(terms),
          () => one.job.stop(),
        ),
    );
    this.#shared = deps.shared.map(
      ({ job, waitsWhenRestored }) =>
        new Seat(
          { name: '', waitsWhenRestored },
          () => job.start(),
          () => job.stop(),
        ),
    );
    this.#runs = registerMetrics(deps.registry, this.#jobs);
    this.#lastRuns = new Gauge({
      name: 'placard_job_last_good_run_timestamp_seconds',
      help: 'When the last run of a job that did not fail began in this process, Unix seconds.',
      labelNames: ['name'],
      registers: [deps.registry],
    });
    this.#registerPaused();
  }

  #registerPaused(): void {
    const paused: Gauge = new Gauge({
      name: 'placard_jobs_paused',
      help: '1 while jobs that tell others of this installation wait since a restore, until "placard release".',
      registers: [this.#deps.registry],
      collect: () => paused.set(this.#isPaused ? 1 : 0),
    });
  }

  /** Whether jobs that tell others of the installation wait, since a restore. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Whether this process runs the job at present. */
  holds(name: string): boolean {
    return this.#jobs.some((job) => job.name === name && job.isHeld());
  }

  /** Ends the runs in hand, then the leases. */
  override async stop(): Promise<void> {
    const { sql } = this.#deps;
    this.#isEnding = true;
    await Promise.all([...this.#jobs, ...this.#shared].map((job) => job.end()));
    await super.stop();
    if (this.#expiry !== null) clearTimeout(this.#expiry);
    const { runnerId } = this.#runner;
    // Without PostgreSQL they end by themselves.
    await releaseLeases(
      sql,
      this.#namesOf(() => true),
      runnerId,
    ).catch(() => undefined);
    await forgetRunner(sql, runnerId).catch(() => undefined);
  }

  async run(): Promise<void> {
    const { sql, isOpen } = this.#deps;
    const askedMs = performance.now();
    const isMyTurn = isOpen() && (await this.#isMyTurn());
    this.#recordPause(await isPausedByRestore(sql));
    // This process may begin to end while PostgreSQL responds.
    const mayTake = (job: Seat): boolean => isMyTurn && !this.#isEnding && !(this.#isPaused && job.waitsWhenRestored);
    for (const job of [...this.#jobs, ...this.#shared]) if (!mayTake(job)) void job.end();
    for (const job of this.#shared)
      if (mayTake(job)) job.begin({ ...this.#countedTerms(job.name), mayRun: () => true, notBeforeMs: 0 });
    // A run that has to end is still ours until it has.
    const wanted = this.#namesOf((job) => mayTake(job) || !job.isIdle());
    const held = await claimLeases(sql, wanted, this.#runner, this.#leaseMs);
    this.#follow(held, askedMs + this.#leaseMs * OWN_SHARE, mayTake);
    await this.#releaseIdle(mayTake);
  }

  #recordPause(isPaused: boolean): void {
    if (isPaused !== this.#isPaused) this.#deps.log.event(isPaused ? 'jobs.paused' : 'jobs.released', {});
    this.#isPaused = isPaused;
  }

  /** Cores leave jobs to processes that do nothing else. */
  async #isMyTurn(): Promise<boolean> {
    const hasJobsProcess = await reportRunner(this.#deps.sql, this.#runner, this.#leaseMs);
    return this.#deps.part === 'jobs' || !hasJobsProcess;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('jobs.leases_not_renewed', { err: error });
  }

  async #releaseIdle(mayTake: (job: Seat) => boolean): Promise<void> {
    const idle = this.#jobs.filter((job) => job.isIdle() && !mayTake(job));
    for (const job of idle) job.heldUntilMs = 0;
    await releaseLeases(
      this.#deps.sql,
      idle.map(({ name }) => name),
      this.#runner.runnerId,
    );
  }

  #namesOf(isOne: (job: Seat) => boolean): string[] {
    return this.#jobs.filter(isOne).map(({ name }) => name);
  }

  #follow(held: readonly HeldLease[], untilMs: number, mayTake: (job: Seat) => boolean): void {
    const { log } = this.#deps;
    const taken: string[] = [];
    for (const job of this.#jobs) {
      const lease = held.find(({ name }) => name === job.name);
      if (lease === undefined) {
        if (job.isHeld()) log.event('jobs.lost', { job: job.name });
        job.heldUntilMs = 0;
        void job.end();
        continue;
      }
      job.heldUntilMs = untilMs;
      if (mayTake(job) && job.begin(this.#termsOf(job, lease))) taken.push(job.name);
    }
    if (taken.length > 0) log.event('jobs.taken', { jobs: taken });
    this.#dropEndedAt(untilMs);
  }

  #dropEndedAt(untilMs: number): void {
    if (this.#expiry !== null) clearTimeout(this.#expiry);
    this.#expiry = setTimeout(
      () => {
        // Timers count whole milliseconds, so they may fire a fraction of one early.
        if (performance.now() < untilMs) this.#dropEndedAt(untilMs);
        else this.#dropEnded();
      },
      Math.max(0, untilMs - performance.now()) + 1,
    ).unref();
  }

  #termsOf(job: Seat, { name, ranAgoMs }: HeldLease): JobTerms {
    const { sql, leased, log } = this.#deps;
    const periodMs = leased.find((one) => one.name === name)?.periodMs ?? null;
    const counted = this.#countedTerms(name);
    return {
      ...counted,
      mayRun: () => job.isHeld(),
      notBeforeMs: periodMs === null || ranAgoMs === null ? 0 : Math.max(0, periodMs - ranAgoMs),
      onRan: (startedMs) => {
        counted.onRan(startedMs);
        if (periodMs === null) return;
        recordRun(sql, name, this.#runner.runnerId).catch((error: unknown) =>
          log.event('jobs.run_not_recorded', { err: error, job: name }),
        );
      },
    };
  }

  #countedTerms(name: string): Pick<JobTerms, 'onRan' | 'onFailed'> {
    return {
      onRan: (startedMs) => this.#countRun(name, startedMs, false),
      onFailed: (startedMs) => this.#countRun(name, startedMs, true),
    };
  }

  #countRun(name: string, startedMs: number, failed: boolean): void {
    this.#runs.inc({ name, result: failed ? 'failed' : 'ok' });
    if (!failed) this.#lastRuns.set({ name }, startedMs / 1_000);
    this.#deps.recordRun?.(name, startedMs, failed);
  }

  /** PostgreSQL is unavailable for longer than the leases last: another process may have them. */
  #dropEnded(): void {
    for (const job of this.#jobs) {
      if (job.isHeld() || job.isIdle()) continue;
      this.#deps.log.event('jobs.lost', { job: job.name });
      void job.end();
    }
  }
}

/** A job in this process: begins and ends in turn, also when it is told so faster than a run ends. */
class Seat {
  readonly name: string;
  readonly waitsWhenRestored: boolean;
  /** As `performance.now()`. */
  heldUntilMs = 0;
  readonly #start: (terms: JobTerms) => void;
  readonly #stop: () => Promise<void>;
  #isWanted = false;
  #isRunning = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(
    { name, waitsWhenRestored }: Pick<LeasedJob, 'name' | 'waitsWhenRestored'>,
    start: (terms: JobTerms) => void,
    stop: () => Promise<void>,
  ) {
    this.name = name;
    this.waitsWhenRestored = waitsWhenRestored;
    this.#start = start;
    this.#stop = stop;
  }

  isHeld(): boolean {
    return performance.now() < this.heldUntilMs;
  }

  isIdle(): boolean {
    return !this.#isRunning && !this.#isWanted;
  }

  /** @returns false when it has begun already */
  begin(terms: JobTerms): boolean {
    if (this.#isWanted) return false;
    this.#isWanted = true;
    this.#turn = this.#turn.then(() => {
      if (!this.#isWanted || this.#isRunning) return;
      this.#isRunning = true;
      this.#start(terms);
    });
    return true;
  }

  /** Resolves when the run in hand has ended. */
  end(): Promise<void> {
    if (!this.#isWanted) return this.#turn;
    this.#isWanted = false;
    this.#turn = this.#turn.then(async () => {
      if (!this.#isRunning) return;
      await this.#stop();
      this.#isRunning = false;
    });
    return this.#turn;
  }
}

/** Returns the counter of runs. */
function registerMetrics(registry: Registry, jobs: readonly Seat[]): Counter<'name' | 'result'> {
  new Gauge({
    name: 'placard_job_held',
    help: '1 for each job on a clock that this process runs at present.',
    // Prometheus gives every scrape a label `job` of its own.
    labelNames: ['name'],
    registers: [registry],
    collect() {
      for (const job of jobs) this.set({ name: job.name }, job.isHeld() ? 1 : 0);
    },
  });
  return new Counter({
    name: 'placard_job_runs_total',
    help: 'Runs of jobs on a clock in this process, by result.',
    labelNames: ['name', 'result'],
    registers: [registry],
  });
}
