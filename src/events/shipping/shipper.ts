import { basename, join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import { guardedNowMs } from '../../storage/guarded-clock.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { SpoolCopies } from '../../storage/copies/spool-copies.ts';
import { type Olap, OlapError } from '../../storage/olap/olap.ts';
import { DEAD_LETTERS_FOLDER, type DeadLetters, openDeadLetters } from '../spool/dead-letters.ts';
import { AllRefusedError, insertReadable, isRefusal } from './refused-rows.ts';
import { insertBatchRows, insertBody, readBatchBody, readBatchRows, refusedLetters } from './batch-rows.ts';
import { countSpoolFile } from '../spool/count-spool-file.ts';
import { dropCopies, ownsFile, requireOwned } from '../spool/owned-files.ts';
import { type Job, type JobList, acquireInTurn } from './ship-jobs.ts';
import { BodyThread } from './body-thread.ts';
import {
  BATCHES_FOLDER,
  completeBatches,
  deleteShipped,
  finishBatch,
  listBatchFolders,
  listBatchNames,
} from './batch-folders.ts';
import type { BatchPace } from './batch-pace.ts';
import { countBatchedFiles, listWaitingFiles, MachineBatches, sumUp } from './machine-batches.ts';
import type { ShipBacklog } from './machine-batches.ts';
import type { ShipBatch } from './ship-batch.ts';
import type { ShipperStats } from './shipper-stats.ts';
import type { ShippingGate } from './shipping-gate.ts';
import { openShippingLease, type ShippingLease } from './shipping-lease.ts';
import { prepareBatch, TOKEN_WINDOW, type TokenWindow } from './stored-rows.ts';
import { type RecordRun, recorded } from './record-run.ts';
import { Waker } from './waker.ts';
import {
  deleteUnfinished,
  listSpoolFiles,
  listWorkerIndexes,
  makeFolder,
  recoverOpenFiles,
} from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';

/** Options of a shipper. */
export interface ShipperOptions {
  /** `<data>/spool`, which holds the folders of the workers. */
  readonly spoolDir: string;
  /** Whose files to count. Worker 0 also counts the files of worker indexes that no longer have a worker. */
  readonly workerIndex: number;
  /** How many workers run: their indexes are 0 … workers − 1. */
  readonly workers: number;
  readonly hot: HotStore;
  readonly olap: Olap;
  readonly log: Log;
  /** Receives dead letters. Default: the folder `dead-letters` of the spool. */
  readonly deadLetters?: DeadLetters;
  /** First and longest wait after a failure. Default 200 and 10_000. */
  readonly backoffMsMin?: number;
  readonly backoffMsMax?: number;
  /** When batches are made. Default: 2 s apart, and larger ones after 5 s. */
  readonly pace?: BatchPace;
  /** Which worker ships. Default: a lease in the spool's folder. */
  readonly lease?: ShippingLease;
  /** While a shared hot store is rebuilt, nothing is counted or shipped. Default: always. */
  readonly gate?: ShippingGate;
  /** Copies of the files elsewhere, whose owner alone counts and ships them. Default: none. */
  readonly copies?: SpoolCopies | undefined;
  /** Is told of each batch, for traces. */
  readonly recordRun?: RecordRun | undefined;
  /** When a token counts as forgotten. Default: {@link TokenWindow} of `stored-rows.ts`. */
  readonly tokenWindow?: TokenWindow;
  /** How often the shipper looks at folders without being woken. Default 250. */
  readonly pollMs?: number;
  /** A monotonic clock, for pauses. Default: `performance.now`. */
  readonly elapsedMs?: () => number;
}

/**
 * Counts the sealed files of a worker. The shipper of one worker of the machine also ships the counted files of all workers to the
 * analytics store, each exactly once, and then deletes them.
 */
export interface Shipper {
  start(): void;
  /** A spool file was sealed: look now. */
  wake(): void;
  /** Ships sealed files for at most this time, then stops; the others wait for the next start. */
  stop(deadlineMs: number): Promise<void>;
  backlog(): ShipBacklog;
  /** Spool files at the last look; costs nothing. */
  files(): number;
  /** Those of them that wait to be counted. */
  filesToCount(): number;
  stats(): ShipperStats;
}

/** After this many failed jobs in a row the shipper assumes that the store is down, and pauses. */
const FAILURES_IN_A_ROW_MAX = 2;
/** Most batches that wait for a store that may be down; while they wait no further one is made, so that batches become large. */
const WAITING_BATCHES_MAX = 3;
/** Most batches that wait for any reason: with more, the fault lies with the store or its account, not with their rows. */
const DEFERRED_BATCHES_MAX = 20;
/** Inserts that run at once: while the store sorts and writes one batch, it reads the next. */
const INSERTS_AT_ONCE = 2;
/** It takes a few hundred inserts to find that a store refuses everything. */
const ALL_REFUSED_WAIT_MS = 600_000;
/** Longest pause between tries while the worker stops. */
const STOPPING_WAIT_MS = 50;

/** When a job that failed is tried again. */
interface Deferral {
  /** By `elapsedMs`. */
  dueMs: number;
  readonly waitMs: number;
  /** The same job may succeed later, unchanged. */
  readonly isStoreDown: boolean;
}

type Stage = 'count' | 'ship';

/** Makes a shipper; nothing happens before `start`. */
export function createShipper(options: ShipperOptions): Shipper {
  return new SpoolShipper(options);
}

class SpoolShipper implements Shipper {
  private readonly options: ShipperOptions;
  private readonly elapsedMs: () => number;
  private deadLetters: DeadLetters | null;
  private readonly lease: ShippingLease;
  private readonly batches: MachineBatches;
  private readonly copies: SpoolCopies | null;
  private tasks: Promise<unknown>[] = [];
  private stopping = false;
  private stopNow = false;
  private readonly waker = new Waker();
  private readonly thread = new BodyThread();
  /** By job id: a failed job waits for its time while the others go on. */
  private readonly deferrals = new Map<string, Deferral>();
  /** Names of batches with rows that the store refuses. Finding those rows takes many inserts, so these batches run separately. */
  private readonly suspects = new Set<string>();
  /** Names of batches that are being inserted. */
  private readonly inserting = new Set<string>();
  private filesSeen = 0;
  private sealedSeen = 0;
  private counts = { shippedRows: 0, shippedBatches: 0, duplicateRows: 0, rejectedRows: 0, failures: 0 };

  constructor(options: ShipperOptions) {
    this.options = options;
    this.elapsedMs = options.elapsedMs ?? (() => performance.now());
    this.deadLetters = options.deadLetters ?? null;
    this.copies = options.copies ?? null;
    const { spoolDir, pace } = options;
    this.batches = new MachineBatches({ spoolDir, elapsedMs: this.elapsedMs, pace });
    this.lease = options.lease ?? openShippingLease({ spoolDir, nowMs: guardedNowMs });
  }

  start(): void {
    const { spoolDir, log } = this.options;
    const deadLetters = (this.deadLetters ??= openDeadLetters(join(spoolDir, DEAD_LETTERS_FOLDER), log));
    makeFolder(join(spoolDir, BATCHES_FOLDER));
    const [, ...orphans] = this.dirs;
    for (const orphan of orphans) recoverOpenFiles(orphan, (found) => deadLetters.recordTornEnd(found));
    for (const dir of this.dirs) deleteUnfinished(dir);
    this.tasks = [
      this.repeat('count', () => this.countingJobs()),
      this.repeat('ship', () => this.shipJobs(), INSERTS_AT_ONCE),
      this.repeat('ship', () => this.suspectJobs()),
    ];
  }

  /** Folders whose files this shipper counts, its own first. Files of other machines may be taken over into further ones at any time. */
  private get dirs(): string[] {
    const { spoolDir, workerIndex, workers } = this.options;
    const orphans = workerIndex === 0 ? listWorkerIndexes(spoolDir).filter((one) => one >= workers) : [];
    return [workerIndex, ...orphans].map((one) => join(spoolDir, `w${one}`));
  }

  wake(): void {
    this.waker.wake();
  }

  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
    // Tried again at once, but still counted: a store that is down gets no further batches.
    for (const deferral of this.deferrals.values()) deferral.dueMs = Number.NEGATIVE_INFINITY;
    this.wake();
    const timer = setTimeout(() => {
      this.stopNow = true;
      this.wake();
    }, deadlineMs);
    await Promise.race([
      Promise.all(this.tasks),
      new Promise((resolve) => setTimeout(resolve, deadlineMs + 500).unref()),
    ]);
    clearTimeout(timer);
    await this.thread.end();
    this.lease.release();
  }

  backlog(): ShipBacklog {
    return sumUp(listWaitingFiles(this.options.spoolDir, this.dirs));
  }

  files(): number {
    return this.filesSeen;
  }

  filesToCount(): number {
    return this.sealedSeen;
  }

  stats(): ShipperStats {
    return { ...this.counts };
  }

  /** Does every job that `list` gives, oldest first, `atOnce` at a time, for ever. */
  private async repeat(stage: Stage, list: () => JobList, atOnce = 1): Promise<void> {
    const { backoffMsMin = 200, backoffMsMax = 10_000, pollMs = 250 } = this.options;
    let backoffMs = 0;
    while (!this.stopNow) {
      const isStoreDown = await this.doAll(list(), atOnce, () => (backoffMs = 0));
      if (this.stopNow || (this.stopping && this.isDone(stage))) return;
      if (isStoreDown) backoffMs = Math.min(backoffMsMax, Math.max(backoffMsMin, backoffMs * 2));
      await this.wait(isStoreDown ? backoffMs : pollMs, isStoreDown);
    }
  }

  /** Runs each job once and defers a failed one, so that it delays no other. True when so many fail that the store must be the cause. */
  private async doAll(jobs: JobList, atOnce: number, onSuccess: () => void): Promise<boolean> {
    const nextJob = acquireInTurn(jobs);
    let failed = 0;
    const work = async (): Promise<void> => {
      for (let next = await nextJob(); next.done !== true; next = await nextJob()) {
        if (this.stopNow || failed >= FAILURES_IN_A_ROW_MAX) return;
        const job = next.value;
        const dueMs = this.deferrals.get(job.id)?.dueMs ?? Number.NEGATIVE_INFINITY;
        if (dueMs > this.elapsedMs()) continue;
        try {
          await job.run();
          this.deferrals.delete(job.id);
          failed = 0;
          onSuccess();
        } catch (error) {
          this.defer(job, error);
          failed += 1;
        }
      }
    };
    const done = await Promise.allSettled(Array.from({ length: atOnce }, work));
    const broken = done.find((one) => one.status === 'rejected');
    if (broken !== undefined) {
      // The folder cannot be read or written: a full or failing disk.
      this.counts.failures += 1;
      this.options.log.event('spool.shipping_failed', { err: broken.reason });
      return true;
    }
    return failed >= FAILURES_IN_A_ROW_MAX;
  }

  /** Each retry doubles the wait. */
  private defer({ id }: Job, error: unknown): void {
    const { backoffMsMin = 200, backoffMsMax = 10_000, log } = this.options;
    const doubledMs = Math.min(backoffMsMax, Math.max(backoffMsMin, (this.deferrals.get(id)?.waitMs ?? 0) * 2));
    const waitMs = error instanceof AllRefusedError ? ALL_REFUSED_WAIT_MS : doubledMs;
    const isStoreDown = !(error instanceof OlapError) || error.retryable;
    const dueMs = this.elapsedMs() + (this.stopping ? STOPPING_WAIT_MS : waitMs);
    this.deferrals.set(id, { dueMs, waitMs, isStoreDown });
    this.counts.failures += 1;
    log.event('spool.waiting', { err: error, retryInMs: waitMs, job: id });
  }

  /** While stopping: this stage has no job that could run now, and none can come. */
  private isDone(stage: Stage): boolean {
    const states = new Set(listWaitingFiles(this.options.spoolDir, this.dirs).map(({ state }) => state));
    return !states.has('sealed') && (stage === 'count' || !states.has('settled'));
  }

  private wait(timeoutMs: number, isBackoff: boolean): Promise<void> {
    const waitMs = this.stopping ? Math.min(timeoutMs, STOPPING_WAIT_MS) : timeoutMs;
    return this.waker.wait(waitMs, () => !isBackoff || this.stopNow);
  }

  private countingJobs(): Job[] {
    const { dirs } = this;
    const files = dirs.flatMap(listSpoolFiles);
    const sealed = files.filter(({ state }) => state === 'sealed');
    this.filesSeen = files.length + countBatchedFiles(this.options.spoolDir, dirs);
    this.sealedSeen = sealed.length;
    if (this.options.gate?.mayCount() === false) return [];
    return sealed.map((file) => ({ id: file.path, run: () => this.countFile(file) }));
  }

  /** Batches that wait, then new ones; each is made when its turn comes, so that it becomes as large as possible. */
  private async *shipJobs(): AsyncGenerator<Job> {
    if (!this.mayShip()) return;
    const { spoolDir } = this.options;
    yield { id: `${BATCHES_FOLDER}/shipped`, run: () => deleteShipped(spoolDir) };
    await completeBatches(spoolDir);
    for (const batch of listBatchFolders(spoolDir)) if (!this.suspects.has(batch.name)) yield this.shipJob(batch);
    for (let batch = await this.nextBatch(); batch !== null; batch = await this.nextBatch()) yield this.shipJob(batch);
  }

  private mayShip(): boolean {
    return (this.options.gate?.mayShip() ?? true) && this.lease.isHeld();
  }

  private shipJob(batch: ShipBatch): Job {
    const run = (): Promise<void> => {
      this.inserting.add(batch.name);
      const sent = recorded(this.options.recordRun, 'ship events', () => this.ship(batch));
      return sent.finally(() => this.inserting.delete(batch.name));
    };
    return { id: batch.name, run };
  }

  private async nextBatch(): Promise<ShipBatch | null> {
    if (this.isWaitingForStore() || !this.mayShip()) return null;
    return this.batches.next({ inserting: this.inserting.size, stopping: this.stopping });
  }

  /** So many batches wait that no further one is made. */
  private isWaitingForStore(): boolean {
    const deferred = listBatchNames(this.options.spoolDir).flatMap((name) => this.deferrals.get(name) ?? []);
    return (
      deferred.length >= DEFERRED_BATCHES_MAX ||
      deferred.filter(({ isStoreDown }) => isStoreDown).length + this.inserting.size >= WAITING_BATCHES_MAX
    );
  }

  private suspectJobs(): Job[] {
    // Usually there are none, and no folder has to be read.
    if (this.suspects.size === 0) return [];
    if (!this.mayShip()) return [];
    return listBatchFolders(this.options.spoolDir)
      .filter(({ name }) => this.suspects.has(name))
      .map((batch) => ({ id: batch.name, run: () => this.shipReadable(batch) }));
  }

  private async countFile(file: SpoolFile): Promise<void> {
    if (!(await ownsFile(this.copies, file))) return;
    const counted = await countSpoolFile(file, this.options.hot, this.keptLetters(), this.copies);
    this.counts.duplicateRows += counted.duplicates;
    this.counts.rejectedRows += counted.unreadable + counted.uncountable;
    this.wake();
  }

  private async ship(found: ShipBatch): Promise<void> {
    const batch = await this.prepare(found);
    const { rows, damaged, ...body } = await readBatchBody(batch, this.keptLetters(), this.thread);
    await requireOwned(this.copies, batch.files);
    try {
      await insertBody(this.options.olap, body, batch.token);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.suspects.add(batch.name);
      this.wake();
      return;
    }
    await this.finish(batch, { shipped: rows, damaged });
  }

  /** Ships a batch except for the rows that the store refuses. */
  private async shipReadable(found: ShipBatch): Promise<void> {
    const batch = await this.prepare(found);
    const { rows, damaged } = await readBatchRows(batch, this.keptLetters());
    const refused = await insertReadable(
      async (part, token) => {
        if (this.stopNow) throw new Error('The worker stops before the refused rows of a batch were found');
        await requireOwned(this.copies, batch.files);
        await insertBatchRows(this.options.olap, part, token);
      },
      rows,
      batch.token,
    );
    const letters = refusedLetters(refused);
    this.keptLetters().record({ file: `${basename(batch.dir)}/${batch.name}`, step: 'ship' }, letters);
    this.counts.rejectedRows += letters.length;
    await this.finish(batch, { shipped: rows.length - damaged - letters.length, damaged });
    this.suspects.delete(found.name);
  }

  private prepare(batch: ShipBatch): Promise<ShipBatch> {
    const { olap, log, tokenWindow = TOKEN_WINDOW } = this.options;
    return prepareBatch(batch, { olap, log, nowMs: Date.now, window: tokenWindow });
  }

  private async finish(batch: ShipBatch, rows: { readonly shipped: number; readonly damaged: number }): Promise<void> {
    await dropCopies(this.copies, batch.files);
    await finishBatch(batch);
    this.counts.shippedRows += rows.shipped;
    this.counts.rejectedRows += rows.damaged;
    this.counts.shippedBatches += 1;
  }

  private keptLetters(): DeadLetters {
    if (this.deadLetters === null) throw new Error('The shipper was not started');
    return this.deadLetters;
  }
}
