import { isFirmReservation } from '../../domain/money/reservation.ts';
import type { CounterIncrement } from './counter-effects.ts';
import { LINES_PER_STEP, MissingLinesError, stepsOf } from './event-counts.ts';
import type { EventCounts, EventLine, LineBatch } from './event-counts.ts';
import { locationOf } from './event-location.ts';
import { hasMember } from './event-set.ts';
import { checkBatch, checkEventLine, checkKey } from './hot-bounds.ts';
import type { JointTransactions } from './joint-transactions.ts';
import type { LmdbChanges, LmdbEnv } from './lmdb-changes.ts';
import { decodeEvents, decodeProgress, EVENTS, PROGRESS, readExpiry, storedKey } from './lmdb-entries.ts';
import { OldClaims } from './old-claims.ts';

/** How long the progress of a spool file is kept after its last change, and after it may be forgotten. */
const PROGRESS_TTL_MS = 60 * 86_400_000;
const FORGOTTEN_TTL_MS = 600_000;
/** Counts events in LMDB: sets, progress, counters and lists change in one transaction. */
export class LmdbEventCounts implements EventCounts {
  readonly #env: LmdbEnv;
  readonly #nowMs: () => number;
  readonly #joint: JointTransactions<LmdbChanges>;
  readonly #old: OldClaims;

  constructor(deps: {
    readonly env: LmdbEnv;
    readonly nowMs: () => number;
    readonly joint: JointTransactions<LmdbChanges>;
  }) {
    this.#env = deps.env;
    this.#nowMs = deps.nowMs;
    this.#joint = deps.joint;
    this.#old = new OldClaims(deps.env);
  }

  async countLines(batch: LineBatch): Promise<readonly boolean[]> {
    checkBatch(batch.lines.length);
    checkKey(batch.file);
    batch.lines.forEach(checkEventLine);
    if (batch.lines.length <= LINES_PER_STEP) return this.#countStep(batch);
    const results: boolean[] = [];
    for (const step of stepsOf(batch)) results.push(...(await this.#countStep(step)));
    return results;
  }

  #countStep(step: LineBatch): Promise<readonly boolean[]> {
    return this.#joint.change(step.lines.length, (changes) => this.#countIn(changes, step));
  }

  async countRest(
    { file, to }: { readonly file: string; readonly to: number },
    readLines: (from: number) => readonly EventLine[],
  ): Promise<ReadonlySet<number>> {
    checkKey(file);
    const { watermark, duplicates } = this.#progressOf(file);
    if (watermark >= to) return new Set(duplicates);
    for (const step of stepsOf({ file, from: watermark, to, lines: readLines(watermark) })) await this.countLines(step);
    return new Set(this.#progressOf(file).duplicates);
  }

  async forgetFile(file: string): Promise<void> {
    checkKey(file);
    await this.#joint.change(1, (changes) => {
      const progress = changes.progressOf(file);
      if (progress.watermark > 0) changes.setProgress(file, progress, FORGOTTEN_TTL_MS);
    });
  }

  async isCounted(key: string): Promise<boolean> {
    checkKey(key);
    this.#env.resetReadTxn();
    const { set, member } = locationOf(key);
    const entry = this.#env.getBinaryFast(storedKey(EVENTS, set));
    if (entry !== undefined && readExpiry(entry) > this.#nowMs() && hasMember(decodeEvents(entry), member)) return true;
    return this.#old.isClaimed(key, this.#nowMs());
  }

  #countIn(changes: LmdbChanges, { file, from, to, lines }: LineBatch): readonly boolean[] {
    const { watermark, duplicates } = changes.progressOf(file);
    if (watermark < from)
      throw new MissingLinesError(`Lines of ${file} before ${from} are counted to ${watermark} only`);
    const old = this.#old.ofFile(changes, file);
    const found: number[] = [];
    const results = lines.map((line) => {
      if (line.offset < watermark) return !duplicates.includes(line.offset);
      const isFirst = countLine(changes, line, old(line));
      if (!isFirst) found.push(line.offset);
      return isFirst;
    });
    if (to > watermark) {
      const all = found.length === 0 ? duplicates : [...duplicates, ...found];
      changes.setProgress(file, { watermark: to, duplicates: all }, PROGRESS_TTL_MS);
    }
    return results;
  }

  #progressOf(file: string): { readonly watermark: number; readonly duplicates: readonly number[] } {
    this.#env.resetReadTxn();
    const entry = this.#env.getBinaryFast(storedKey(PROGRESS, file));
    if (entry === undefined || readExpiry(entry) <= this.#nowMs()) return { watermark: 0, duplicates: [] };
    return decodeProgress(entry);
  }
}

/**
 * Firm reservations stay at 0: an event whose reservation was lost with an earlier store does not reduce the reservations of later ads.
 */
function countIncrement(changes: LmdbChanges, increment: CounterIncrement): void {
  const value = changes.increment(increment);
  if (value < 0n && isFirmReservation(increment.key)) changes.increment({ ...increment, by: -value });
}

/** @returns whether the line is the first of its event */
function countLine(changes: LmdbChanges, line: EventLine, old: ReturnType<ReturnType<OldClaims['ofFile']>>): boolean {
  if (old === 'duplicate') return false;
  const location = locationOf(line.key);
  if (changes.hasEvent(location)) return false;
  changes.addEvent(location, line.ttlMs);
  if (old === 'counted') return true;
  for (const increment of line.increments) countIncrement(changes, increment);
  for (const push of line.pushes) changes.push(push);
  return true;
}
