import { isFirmReservation } from '../../domain/money/reservation.ts';
import { addMember, EMPTY_SET, hasMember } from '../hot/event-set.ts';
import { MissingLinesError } from '../hot/event-counts.ts';
import type { EventLine, LineBatch } from '../hot/event-counts.ts';
import { locationOf } from '../hot/event-location.ts';
import type { ApplyOnce, ApplyOnceResult, CounterIncrement, ListPush } from '../hot/hot-store.ts';
import { type ByteTable, TABLE_PARTS } from './byte-table.ts';
import {
  COUNTER,
  decodeList,
  decodeProgress,
  encodeProgress,
  EVENTS,
  type FileProgress,
  LIST,
  PROGRESS,
  pushToList,
  VALUE,
  within64Bits,
} from './entries.ts';
import { UserBound } from './user-bound.ts';

const COUNTER_BYTES = 8;
const NO_LIST = Buffer.alloc(0);
const NO_PROGRESS: FileProgress = { watermark: 0, duplicates: [] };
/** How long the progress of a spool file is kept after its last change, and after it may be forgotten. */
const PROGRESS_TTL_MS = 60 * 86_400_000;
const FORGOTTEN_TTL_MS = 600_000;
/** Kinds of entries that stand under a key of the caller. */
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
    const place = this.#standing(VALUE, key);
    return place === 0 ? null : this.table.valueOf(place).toString();
  }

  setValue(key: string, value: string, ttlMs: number): void {
    this.#put(VALUE, key, { bytes: Buffer.from(value), expiresAtMs: this.#nowMs() + ttlMs });
  }

  counterOf(key: string): bigint {
    const place = this.#standing(COUNTER, key);
    return place === 0 ? 0n : this.table.readInt64(place);
  }

  /** @returns the value after it */
  increment({ key, by, ttlMs }: CounterIncrement): bigint {
    const { table } = this;
    const nowMs = this.#nowMs();
    let place = table.find(COUNTER, key);
    let before = 0n;
    if (place === 0) {
      this.#users.makeSpace();
      place = table.insert(COUNTER, key, { valueBytes: COUNTER_BYTES, expiresAtMs: nowMs + ttlMs });
    } else if (table.expiryOf(place) <= nowMs) table.setExpiry(place, nowMs + ttlMs);
    else before = table.readInt64(place);
    const value = within64Bits(before + by);
    table.writeInt64(place, value);
    table.change(place);
    return value;
  }

  listOf(key: string): string[] {
    const place = this.#standing(LIST, key);
    return place === 0 ? [] : decodeList(this.table.valueOf(place));
  }

  push({ key, value, max, ttlMs }: ListPush): void {
    const place = this.#standing(LIST, key);
    const list = place === 0 ? NO_LIST : this.table.valueOf(place);
    const renewedMs = this.#nowMs() + ttlMs;
    const expiresAtMs = place === 0 ? renewedMs : Math.max(renewedMs, this.table.expiryOf(place));
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
      const place = this.table.find(kind, key);
      if (place !== 0) this.table.remove(place, false);
    }
  }

  hasEvent(key: string): boolean {
    const { set, member } = locationOf(key);
    const place = this.#standing(EVENTS, set);
    return place !== 0 && hasMember(this.table.valueOf(place), member);
  }

  progressOf(file: string): FileProgress {
    const place = this.#standing(PROGRESS, file);
    return place === 0 ? NO_PROGRESS : decodeProgress(this.table.valueOf(place));
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
      seen += this.table.visitPart(this.#sweepPart, (place) => {
        if (this.table.expiryOf(place) <= nowMs) this.table.remove(place, true);
      });
      this.#sweepPart = (this.#sweepPart + 1) % TABLE_PARTS;
    }
    return seen;
  }

  #countLine(line: EventLine): boolean {
    const { set, member } = locationOf(line.key);
    const nowMs = this.#nowMs();
    const place = this.#standing(EVENTS, set);
    const members = place === 0 ? EMPTY_SET : this.table.valueOf(place);
    if (hasMember(members, member)) return false;
    const expiresAtMs = Math.max(nowMs + line.ttlMs, place === 0 ? 0 : this.table.expiryOf(place));
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

  /** The place of an entry that has not expired; 0 for none. */
  #standing(kind: number, key: string): number {
    const place = this.table.find(kind, key);
    return place === 0 || this.table.expiryOf(place) <= this.#nowMs() ? 0 : place;
  }

  /** @param of.bytes may be the present value, in the memory of the table */
  #put(kind: number, key: string, of: { readonly bytes: Buffer; readonly expiresAtMs: number }): void {
    const { table } = this;
    const { bytes, expiresAtMs } = of;
    const found = table.find(kind, key);
    // What is to be stored may be memory of the table, where nothing may move then.
    if (found === 0) this.#users.makeSpace();
    const place =
      found === 0
        ? table.insert(kind, key, { valueBytes: bytes.length, expiresAtMs })
        : table.resize(found, bytes.length);
    table.setExpiry(place, expiresAtMs);
    const value = table.valueOf(place);
    if (value.byteOffset !== bytes.byteOffset || value.buffer !== bytes.buffer) bytes.copy(value);
    table.change(place);
  }
}
