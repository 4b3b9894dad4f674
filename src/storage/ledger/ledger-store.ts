import { mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import { type CreateDiskFile, createDiskFile } from '../disk-file.ts';
import { type EventLine, type LineBatch, stepsOf } from '../hot/event-counts.ts';
import {
  checkApplyOnce,
  checkBatch,
  checkEntry,
  checkEventLine,
  checkIncrement,
  checkKey,
  checkNumbered,
  checkValue,
  formatNumbered,
  numberedKey,
  readNumbered,
} from '../hot/hot-bounds.ts';
import type {
  ApplyOnce,
  ApplyOnceResult,
  CounterIncrement,
  HotStore,
  NumberedAddition,
  SweepStep,
} from '../hot/hot-store.ts';
import { deletePrefixes } from './delete-prefixes.ts';
import { loadLedger, type LoadedLedger } from './ledger-files.ts';
import { type CheckpointStats, LedgerLog } from './ledger-log.ts';
import { LedgerState } from './ledger-state.ts';

/** Of the memory of the machine, what entries take at most before users are forgotten. */
const MEMORY_PART = 4;
/** Logs that a start replays without a checkpoint after them: each start begins another log. */
const LOGS_MAX = 32;
const CHECKPOINT_BYTES = 64 * 1_024 * 1_024;

/** Options of a ledger. */
export interface LedgerOptions {
  readonly dir: string;
  /** The clock that expiry goes by. */
  readonly nowMs: () => number;
  readonly log: Log;
  /** For tests: files that fail. */
  readonly createFile?: CreateDiskFile;
  /** A checkpoint is made when the log behind the last has so many bytes; default 64 MiB. */
  readonly checkpointBytes?: number;
  /** Memory of entries, beyond which frequencies and touches of users are forgotten; default: a quarter of the machine's memory. */
  readonly bytesMax?: number;
}

/** Figures of a ledger, for metrics. */
export interface LedgerStats {
  readonly entries: number;
  /** Memory of entries, without the index of 12 to 24 bytes each. */
  readonly bytes: number;
  /** Entries of users that were forgotten for want of memory, since the start. */
  readonly forgotten: number;
  /** Of the log behind the newest checkpoint. */
  readonly logBytes: number;
  readonly isFailing: boolean;
  readonly checkpoint: CheckpointStats | null;
}

/**
 * Opens the ledger of a folder, which no other process may have open.
 * @throws LedgerDamagedError when its files do not give its state; what the disk throws
 */
export function openLedger(options: LedgerOptions): LedgerStore {
  const { dir, log, createFile = createDiskFile, checkpointBytes = CHECKPOINT_BYTES } = options;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { table, loaded } = loadLedger(dir);
  if (loaded.unreadable !== null) log.event('ledger.checkpoint_unreadable', { reason: loaded.unreadable });
  const ledgerLog = new LedgerLog({ dir, table, log, createFile, checkpointBytes }, loaded.nextLog);
  const { nowMs, bytesMax = memoryOfMachine() / MEMORY_PART } = options;
  const store = new LedgerStore(new LedgerState(table, { nowMs, bytesMax }), ledgerLog, loaded.mayLackEnd);
  if (isCheckpointDue(loaded, checkpointBytes))
    store.checkpoint().catch((error: unknown) => log.event('ledger.checkpoint_failed', { err: error }));
  return store;
}

/** In a container, what the container may use. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

function isCheckpointDue({ unreadable, replayedBytes, replayedLogs }: LoadedLedger, checkpointBytes: number): boolean {
  return unreadable !== null || replayedBytes >= checkpointBytes || replayedLogs > LOGS_MAX;
}

/** A hot store in the memory of one process, whose log and checkpoints are on the disk. */
export class LedgerStore implements HotStore {
  /** A power cut may have taken what was written last: lines that were counted are counted again from the spool. */
  readonly mayLackEnd: boolean;
  readonly #state: LedgerState;
  readonly #log: LedgerLog;

  constructor(state: LedgerState, log: LedgerLog, mayLackEnd: boolean) {
    this.#state = state;
    this.#log = log;
    this.mayLackEnd = mayLackEnd;
  }

  get stats(): LedgerStats {
    const { table } = this.#state;
    return {
      entries: table.entries,
      bytes: table.usedBytes,
      forgotten: this.#state.forgotten,
      logBytes: this.#log.bytes,
      isFailing: this.#log.isFailing,
      checkpoint: this.#log.checkpointStats,
    };
  }

  async countLines(batch: LineBatch): Promise<readonly boolean[]> {
    checkBatch(batch.lines.length);
    checkKey(batch.file);
    batch.lines.forEach(checkEventLine);
    const results: boolean[] = [];
    let isFirst = true;
    for (const step of stepsOf(batch)) {
      if (!isFirst) await nextTurn();
      isFirst = false;
      results.push(...this.#state.countLines(step));
    }
    await this.#log.written();
    return results;
  }

  async countRest(
    { file, to }: { readonly file: string; readonly to: number },
    readLines: (from: number) => readonly EventLine[],
  ): Promise<ReadonlySet<number>> {
    checkKey(file);
    const { watermark } = this.#state.progressOf(file);
    if (watermark < to) {
      const batch = { file, from: watermark, to, lines: readLines(watermark) };
      batch.lines.forEach(checkEventLine);
      for (const step of stepsOf(batch)) {
        this.#state.countLines(step);
        await nextTurn();
      }
      await this.#log.written();
    }
    return new Set(this.#state.progressOf(file).duplicates);
  }

  async forgetFile(file: string): Promise<void> {
    checkKey(file);
    this.#state.forgetFile(file);
    await this.#log.written();
  }

  async isCounted(key: string): Promise<boolean> {
    checkKey(key);
    return this.#state.hasEvent(key);
  }

  async applyOnce(op: ApplyOnce): Promise<ApplyOnceResult> {
    checkApplyOnce(op);
    const result = this.#state.applyOnce(op);
    await this.#log.written();
    return result;
  }

  async applyOnceAll(ops: readonly ApplyOnce[]): Promise<readonly ApplyOnceResult[]> {
    checkBatch(ops.length);
    ops.forEach(checkApplyOnce);
    const results = ops.map((op) => this.#state.applyOnce(op));
    await this.#log.written();
    return results;
  }

  async get(key: string): Promise<string | null> {
    checkKey(key);
    return this.#state.valueOf(key);
  }

  async readValues(keys: readonly string[]): Promise<readonly (string | null)[]> {
    checkBatch(keys.length);
    keys.forEach(checkKey);
    return keys.map((key) => this.#state.valueOf(key));
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    checkEntry(key, ttlMs);
    checkValue(value);
    this.#state.setValue(key, value, ttlMs);
    await this.#log.written();
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    this.#state.delete(key);
    await this.#log.written();
  }

  async deletePrefixes(prefixes: readonly string[]): Promise<readonly number[]> {
    prefixes.forEach(checkKey);
    const deleted = await deletePrefixes(this.#state.table, prefixes, () => this.#log.written());
    // Logs and checkpoints from before name what was deleted.
    if (deleted.some((count) => count > 0)) await this.#log.forget();
    return deleted;
  }

  async readCounters(keys: readonly string[]): Promise<readonly bigint[]> {
    return this.readCountersNow(keys);
  }

  readCountersNow(keys: readonly string[]): readonly bigint[] {
    checkBatch(keys.length);
    return keys.map((key) => {
      checkKey(key);
      return this.#state.counterOf(key);
    });
  }

  async addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]> {
    checkBatch(increments.length);
    increments.forEach(checkIncrement);
    const values = increments.map((increment) => this.#state.increment(increment));
    await this.#log.written();
    return values;
  }

  async addNumbered(addition: NumberedAddition): Promise<readonly bigint[] | null> {
    checkNumbered(addition);
    const { writer, number, ttlMs, increments } = addition;
    const key = numberedKey(writer);
    let values = readNumbered(this.#state.valueOf(key), number);
    if (values === undefined) {
      values = increments.map((increment) => this.#state.increment(increment));
      this.#state.setValue(key, formatNumbered(number, values), ttlMs);
    }
    await this.#log.written();
    return values;
  }

  async readList(key: string): Promise<readonly string[]> {
    return this.readListNow(key);
  }

  readListNow(key: string): readonly string[] {
    checkKey(key);
    return this.#state.listOf(key);
  }

  async sweep(nowMs: number, entriesMax: number): Promise<SweepStep> {
    return { seen: this.#state.sweep(nowMs, entriesMax), entries: this.#state.table.entries };
  }

  async flushed(): Promise<void> {
    await this.#log.synced();
  }

  async ping(): Promise<void> {
    // It is in this process.
  }

  /** Writes a checkpoint now. @throws what the disk throws */
  async checkpoint(): Promise<void> {
    await this.#log.checkpoint();
  }

  async close(): Promise<void> {
    await this.#log.close();
  }
}
