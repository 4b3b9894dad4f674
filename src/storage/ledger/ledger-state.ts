import { isFirmReservation } from '../../domain/money/reservation.ts';
import { within64Bits } from '../hot/counter-effects.ts';
import { addMember, EMPTY_SET, hasMember } from '../hot/event-set.ts';
import { MissingLinesError } from '../hot/event-counts.ts';
import type { EventLine, FileProgress, LineBatch } from '../hot/event-counts.ts';
import { locationOf } from '../hot/event-location.ts';
import type { ApplyOnce, ApplyOnceResult, CounterIncrement, ListPush } from '../hot/hot-store.ts';
import { type ByteTable, TABLE_PARTS } from './byte-table.ts';
import {
  COUNTER,
  decodeList,
  decodeProgress,
  encodeProgress,
  EVENTS,
  LIST,
  PROGRESS,
  pushToList,
  VALUE,
} from './entries.ts';
import { UserBound } from './user-bound.ts';

const COUNTER_BYTES = 8;
const NO_LIST = Buffer.alloc(0);
const NO_PROGRESS: FileProgress = { watermark: 0, duplicates: [] };
/** How long the progress of a spool file is kept after its last change, and after it may be forgotten. */
const PROGRESS_TTL_MS = 60 * 86_400_000;
const FORGOTTEN_TTL_MS = 600_000;
/** Kinds of entries whose keys come from callers. */
const KEYED = [VALUE, COUNTER, LIST];

/** What the ledger knows, in memory. Each call is done at once, or throws before it has changed anything. */
export class LedgerState {
  readonly table: ByteTable;
  readonly #nowMs: () => number;
  readonly #users: UserBound;
  /** The part of the table that a sweep looks at next. */
  #sweepPart = 0;

  /** @param bytesMax memory of entries, beyond which users are forgotten */
  constructor(table: ByteTable, deps: { readonly nowMs: () => number; readonly bytesMax: number }) {
    this.table = table;
    this.#nowMs = deps.nowMs;
    this.#users = new UserBound(table, deps.bytesMax);
  }

  /** Entries of users that were forgotten for want of memory. */
  get forgotten(): number {
    return this.#users.forgotten;
  }

  valueOf(key: string): string | null {
    const position = this.#standing(VALUE, key);
    return position === 0 ? null : this.table.valueOf(position).toString();
  }

  setValue(key: string, value: string, ttlMs: number): void {
    this.#put(VALUE, key, { bytes: Buffer.from(value), expiresAtMs: this.#nowMs() + ttlMs });
  }

  counterOf(key: string): bigint {
    const position = this.#standing(COUNTER, key);
    return position === 0 ? 0n : this.table.readInt64(position);
  }

  /** @returns the value after it */
  increment({ key, by, ttlMs }: CounterIncrement): bigint {
    const { table } = this;
    const nowMs = this.#nowMs();
    let position = table.find(COUNTER, key);
    let before = 0n;
    if (position === 0) {
      this.#users.makeSpace();
      position = table.insert(COUNTER, key, { valueBytes: COUNTER_BYTES, expiresAtMs: nowMs + ttlMs });
    } else if (table.expiryOf(position) <= nowMs) table.setExpiry(position, nowMs + ttlMs);
    else before = table.readInt64(position);
    const value = within64Bits(before + by);
    table.writeInt64(position, value);
    table.change(position);
    return value;
  }

  listOf(key: string): string[] {
    const position = this.#standing(LIST, key);
    return position === 0 ? [] : decodeList(this.table.valueOf(position));
  }

  push({ key, value, max, ttlMs }: ListPush): void {
    const position = this.#standing(LIST, key);
    const list = position === 0 ? NO_LIST : this.table.valueOf(position);
    const renewedMs = this.#nowMs() + ttlMs;
    const expiresAtMs = position === 0 ? renewedMs : Math.max(renewedMs, this.table.expiryOf(position));
    this.#put(LIST, key, { bytes: pushToList(list, value, max), expiresAtMs });
  }

  applyOnce(op: ApplyOnce): ApplyOnceResult {
    const before = this.valueOf(op.key);
    if (before !== null) return { first: false, value: before };
    this.setValue(op.key, op.value, op.ttlMs);
    for (const increment of op.increments ?? []) this.increment(increment);
    for (const push of op.pushes ?? []) this.push(push);
    return { first: true, value: op.value };
  }

  /** Forgets the value, the counter and the list of a key. */
  delete(key: string): void {
    for (const kind of KEYED) {
      const position = this.table.find(kind, key);
      if (position !== 0) this.table.remove(position, false);
    }
  }

  hasEvent(key: string): boolean {
    const { set, member } = locationOf(key);
    const position = this.#standing(EVENTS, set);
    return position !== 0 && hasMember(this.table.valueOf(position), member);
  }

  progressOf(file: string): FileProgress {
    const position = this.#standing(PROGRESS, file);
    return position === 0 ? NO_PROGRESS : decodeProgress(this.table.valueOf(position));
  }

  forgetFile(file: string): void {
    const progress = this.progressOf(file);
    if (progress.watermark > 0) this.#putProgress(file, progress, FORGOTTEN_TTL_MS);
  }

  /**
   * Counts the lines of a batch that are not counted yet.
   * @returns for each line whether it is the first of its event
   * @throws MissingLinesError when lines before the batch are not counted
   */
  countLines({ file, from, to, lines }: LineBatch): boolean[] {
    const { watermark, duplicates } = this.progressOf(file);
    if (watermark < from)
      throw new MissingLinesError(`Lines of ${file} before ${from} are counted to ${watermark} only`);
    const found: number[] = [];
    const results = lines.map((line) => {
      if (line.offset < watermark) return !duplicates.includes(line.offset);
      const isFirst = this.#countLine(line);
      if (!isFirst) found.push(line.offset);
      return isFirst;
    });
    if (to > watermark)
      this.#putProgress(file, { watermark: to, duplicates: [...duplicates, ...found] }, PROGRESS_TTL_MS);
    return results;
  }

  /** Looks at parts of the table until it has seen `entriesMax` entries, or all of them, and deletes what has expired. */
  sweep(nowMs: number, entriesMax: number): number {
    let seen = 0;
    for (let parts = 0; parts < TABLE_PARTS && seen < entriesMax; parts += 1) {
      seen += this.table.visitPart(this.#sweepPart, (position) => {
        if (this.table.expiryOf(position) <= nowMs) this.table.remove(position, true);
      });
      this.#sweepPart = (this.#sweepPart + 1) % TABLE_PARTS;
    }
    return seen;
  }

  #countLine(line: EventLine): boolean {
    const { set, member } = locationOf(line.key);
    const nowMs = this.#nowMs();
    const position = this.#standing(EVENTS, set);
    const members = position === 0 ? EMPTY_SET : this.table.valueOf(position);
    if (hasMember(members, member)) return false;
    const expiresAtMs = Math.max(nowMs + line.ttlMs, position === 0 ? 0 : this.table.expiryOf(position));
    this.#put(EVENTS, set, { bytes: addMember(members, member), expiresAtMs });
    for (const increment of line.increments) this.#countIncrement(increment);
    for (const push of line.pushes) this.push(push);
    return true;
  }

  /** Firm reservations stay at 0: an event whose reservation was lost with an earlier store does not reduce the reservations of later ads. */
  #countIncrement(increment: CounterIncrement): void {
    const value = this.increment(increment);
    if (value < 0n && isFirmReservation(increment.key)) this.increment({ ...increment, by: -value });
  }

  #putProgress(file: string, progress: FileProgress, ttlMs: number): void {
    this.#put(PROGRESS, file, { bytes: encodeProgress(progress), expiresAtMs: this.#nowMs() + ttlMs });
  }

  /** The position of an entry that has not expired; 0 for none. */
  #standing(kind: number, key: string): number {
    const position = this.table.find(kind, key);
    return position === 0 || this.table.expiryOf(position) <= this.#nowMs() ? 0 : position;
  }

  /** @param of.bytes may be the present value, in the memory of the table */
  #put(kind: number, key: string, of: { readonly bytes: Buffer; readonly expiresAtMs: number }): void {
    const { table } = this;
    const { bytes, expiresAtMs } = of;
    const found = table.find(kind, key);
    // What is to be stored may be memory of the table, where nothing may move then.
    if (found === 0) this.#users.makeSpace();
    const position =
      found === 0
        ? table.insert(kind, key, { valueBytes: bytes.length, expiresAtMs })
        : table.resize(found, bytes.length);
    table.setExpiry(position, expiresAtMs);
    const value = table.valueOf(position);
    if (value.byteOffset !== bytes.byteOffset || value.buffer !== bytes.buffer) bytes.copy(value);
    table.change(position);
  }
}
