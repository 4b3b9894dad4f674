import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../domain/log/log.ts';
import { RecurringJob } from '../domain/time/recurring-job.ts';
import { listUncreditedFiles } from '../events/activities/uncredited-events.ts';
import { BATCHES_FOLDER } from '../events/shipping/batch-folders.ts';
import { listSpoolFiles, listWorkerIndexes } from '../events/spool/spool-files.ts';
import type { CutStep } from '../storage/sql/cluster-schema.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/sql/schema.ts';
import { type NodeCut, readNodeCut, reportNodeCut } from './cluster-cut.sql.ts';
import { acquireHold, hasBatches, type ShippingHold } from './hold-shipping.ts';

const EVERY_MS = 2_000;
const RETRY_MS = 10_000;
const BUSY_EVERY_MS = 300;

/** Dependencies of {@link CutFollower}. */
export interface CutFollowerDeps {
  readonly sql: Kysely<Database>;
  readonly nodeId: string;
  readonly dataDir: string;
  readonly log: Log;
  /** How often it looks for a cut, and how often while there is one, in milliseconds. */
  readonly everyMs?: number;
  readonly busyEveryMs?: number;
}

/**
 * The part of a node in the cut of a backup that runs on another one. `drain`: everything that this node had acknowledged when it heard
 * of the cut reaches the analytics store. `hold`: it ships nothing while the backup copies that store. `release`: it says whether it
 * shipped nothing. Events are acknowledged and counted all the time. A backup that is silent for longer than it said is given up.
 */
export class CutFollower extends RecurringJob {
  readonly #deps: CutFollowerDeps;
  #isFailureLogged = false;

  constructor(deps: CutFollowerDeps) {
    const everyMs = deps.everyMs ?? EVERY_MS;
    super({ firstMs: everyMs, everyMs, retryMs: Math.max(everyMs, RETRY_MS) });
    this.#deps = deps;
  }

  async run(): Promise<void> {
    const cut = await readNodeCut(this.#deps.sql, this.#deps.nodeId);
    this.#isFailureLogged = false;
    if (cut === null || cut.step === 'released' || cut.step === 'failed') return;
    const part = new NodePart(this.#deps, cut);
    try {
      await part.begin();
      while (!this.isStopped && !part.isOver()) {
        await sleep(this.#deps.busyEveryMs ?? BUSY_EVERY_MS);
        // A report that is lost is sent again while there is time.
        await part.turn().catch((error: unknown) => this.logFailure(error));
      }
      if (!part.isOver()) await part.abandon();
    } finally {
      part.end();
    }
  }

  protected logFailure(error: unknown): void {
    if (this.#isFailureLogged) return;
    this.#isFailureLogged = true;
    this.#deps.log.event('backup.cut_not_followed', { err: error });
  }
}

/** What one process of a node does in one cut. */
class NodePart {
  readonly #deps: CutFollowerDeps;
  readonly #cutId: string;
  readonly #spoolDir: string;
  /** Files with conversions that were acknowledged before the cut, and wait to be credited: they become lines of the files below. */
  #uncredited: ReadonlySet<string>;
  /** Files with events that were acknowledged before the cut. */
  #files: ReadonlySet<string>;
  #phase: NodeCut['phase'];
  #step: CutStep;
  /** By `performance.now()`. */
  #untilMs = 0;
  #hold: ShippingHold | null = null;
  /** How often in a row none of the files was found: a file that is renamed may be missing in a list. */
  #looksWithoutFiles = 0;
  #looksWithoutBatches = 0;

  constructor(deps: CutFollowerDeps, cut: NodeCut) {
    this.#deps = deps;
    this.#cutId = cut.cutId;
    this.#phase = cut.phase;
    this.#step = cut.step;
    this.#spoolDir = join(deps.dataDir, 'spool');
    this.#uncredited = listUncredited(this.#spoolDir);
    this.#files = listTwice(this.#spoolDir);
    this.#extend(cut.leftMs);
  }

  isOver(): boolean {
    return this.#step === 'released' || this.#step === 'failed' || performance.now() > this.#untilMs;
  }

  /** Only a process that sees the whole of the cut knows whether something was shipped. */
  async begin(): Promise<void> {
    if (this.#phase !== 'drain') return this.#say('failed', 'the node was started during the backup');
    await this.#say('draining', this.#waiting());
  }

  async turn(): Promise<void> {
    await this.#read();
    if (this.isOver()) return;
    if (this.#phase === 'drain') return this.#drain();
    if (this.#phase === 'hold') return this.#holdOn();
    const isIntact = this.#step === 'held' && this.#isIntact();
    await this.#say(isIntact ? 'released' : 'failed', isIntact ? '' : 'a worker shipped events during the backup');
  }

  /** The worker stops, and ships what it can. */
  abandon(): Promise<void> {
    return this.#say('failed', 'the node was stopped during the backup');
  }

  end(): void {
    this.#hold?.release();
    this.#hold = null;
  }

  /** Without PostgreSQL, the node goes on with what it knows until the backup's time is over. */
  async #read(): Promise<void> {
    const { sql, nodeId } = this.#deps;
    const askedMs = performance.now();
    const found = await readNodeCut(sql, nodeId).catch(() => undefined);
    if (found === undefined) return;
    if (found === null || found.cutId !== this.#cutId) this.#untilMs = Number.NEGATIVE_INFINITY;
    else {
      this.#phase = found.phase;
      this.#extend(found.leftMs - (performance.now() - askedMs));
    }
  }

  #extend(leftMs: number): void {
    this.#untilMs = performance.now() + leftMs;
  }

  async #drain(): Promise<void> {
    if (this.#step === 'drained') return;
    if (this.#uncredited.size > 0) {
      const present = listUncredited(this.#spoolDir);
      if ([...this.#uncredited].some((fileId) => present.has(fileId))) return this.#say('draining', this.#waiting());
      this.#uncredited = new Set();
      this.#files = listTwice(this.#spoolDir);
    }
    const left = this.#left();
    this.#looksWithoutFiles = left === 0 ? this.#looksWithoutFiles + 1 : 0;
    await (this.#looksWithoutFiles > 1 ? this.#say('drained', '') : this.#say('draining', this.#waiting()));
  }

  async #holdOn(): Promise<void> {
    if (this.#step === 'held') {
      if (!this.#isIntact()) await this.#say('failed', 'a worker shipped events during the backup');
      return;
    }
    this.#hold ??= await acquireHold(this.#spoolDir);
    if (!this.#hold.isIntact()) {
      this.end();
      return;
    }
    // A worker that looked at the lease before it was taken may begin one more batch.
    this.#looksWithoutBatches = hasBatches(this.#spoolDir) ? 0 : this.#looksWithoutBatches + 1;
    await (this.#looksWithoutBatches > 2 ? this.#say('held', '') : this.#say('drained', 'batches wait'));
  }

  #isIntact(): boolean {
    return this.#hold?.isIntact() === true && !hasBatches(this.#spoolDir);
  }

  #left(): number {
    const present = new Set(listEventFiles(this.#spoolDir));
    return [...this.#files].filter((fileId) => present.has(fileId)).length;
  }

  #waiting(): string {
    const uncredited = this.#uncredited.size === 0 ? '' : ', and conversions wait to be credited';
    return `${this.#left()} spool files wait for the analytics store${uncredited}`;
  }

  async #say(step: Exclude<CutStep, 'none'>, detail: string): Promise<void> {
    const { sql, nodeId } = this.#deps;
    await reportNodeCut(sql, { nodeId, cutId: this.#cutId, step, detail });
    this.#step = step;
  }
}

function listUncredited(spoolDir: string): ReadonlySet<string> {
  return new Set(listUncreditedFiles(spoolDir).flatMap(({ bytes, fileId }) => (bytes > 0 ? [fileId] : [])));
}

/** A file that is renamed may be missing in one list. */
function listTwice(spoolDir: string): ReadonlySet<string> {
  return new Set([...listEventFiles(spoolDir), ...listEventFiles(spoolDir)]);
}

/** Ids of all spool files with lines that the analytics store may not have: first of the workers, then of batches, the way they take. */
function listEventFiles(spoolDir: string): string[] {
  const batchesDir = join(spoolDir, BATCHES_FOLDER);
  const dirs = (parent: string): string[] => listWorkerIndexes(parent).map((worker) => join(parent, `w${worker}`));
  const own = dirs(spoolDir).flatMap(listSpoolFiles);
  const batched = foldersIn(batchesDir).flatMap((name) => dirs(join(batchesDir, name)).flatMap(listSpoolFiles));
  return [...own, ...batched].filter(({ bytes }) => bytes > 0).map(({ fileId }) => fileId);
}

function foldersIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => !name.endsWith('.shipped'));
  } catch {
    return [];
  }
}
