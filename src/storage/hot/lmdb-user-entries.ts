import type { LmdbEnv } from './lmdb-changes.ts';
import { COUNTER, decodeList, LIST, readCount, readExpiry, storedKey, within64Bits } from './lmdb-entries.ts';
import type { OldUserEntries } from './old-user-entries.ts';
import { MEMBER_PREFIXES, userKeyOf } from './user-key.ts';
import type { MemberKind, MemberPrefix } from './user-key.ts';
import { hasOthers, ownerOf, readRecordCounter, readRecordList, recordKey, UserRecord } from './user-record.ts';

const RECORDS_TOGETHER = 1_000;
const NOTHING = Buffer.alloc(0);
const SLASH = Buffer.from('/');

/** Reads and deletes the entries of users: members of records, and entries that stand by themselves. */
export class LmdbUserEntries {
  readonly #env: LmdbEnv;
  readonly #old: OldUserEntries;

  constructor(env: LmdbEnv, old: OldUserEntries) {
    this.#env = env;
    this.#old = old;
  }

  /** The counter of any key; 0n: there is none. */
  readCounter(key: string, nowMs: number): bigint {
    const position = userKeyOf('counter', key);
    if (position === null) return this.#readOwnCounter(key, nowMs);
    const record = this.#standing(recordKey(position.owner), nowMs);
    const value = record === null ? 0n : (readRecordCounter(record, position.name, nowMs) ?? 0n);
    if (!this.#hasOthers(record, nowMs)) return value;
    return within64Bits(value + this.#readOwnCounter(key, nowMs));
  }

  /** The list of any key, newest first. */
  readList(key: string, nowMs: number): string[] {
    const position = userKeyOf('list', key);
    if (position === null) return this.#readOwnList(key, nowMs);
    const record = this.#standing(recordKey(position.owner), nowMs);
    const list = record === null ? [] : decodeList(readRecordList(record, position.name, nowMs) ?? NOTHING, 0);
    return this.#hasOthers(record, nowMs) ? [...this.#readOwnList(key, nowMs), ...list] : list;
  }

  /** Within a transaction. */
  deleteMember(kind: MemberKind, key: string, nowMs: number): void {
    const position = userKeyOf(kind, key);
    if (position === null) return;
    this.#change(recordKey(position.owner), nowMs, (record) => record.remove(position.name));
  }

  /** Deletes the members of records whose keys begin with a prefix. @returns how many */
  async deleteMembers({ owner, isWhole, name }: MemberPrefix, nowMs: number): Promise<number> {
    let deleted = 0;
    let start = recordKey(owner);
    const end = Buffer.concat([start, isWhole ? Buffer.from([0]) : Buffer.from([0xff])]);
    for (let found = RECORDS_TOGETHER; found === RECORDS_TOGETHER; ) {
      found = await this.#env.transaction(() => {
        const keys = [...this.#env.getKeys({ start, end, limit: RECORDS_TOGETHER })];
        for (const key of keys)
          this.#change(key, nowMs, (record) => {
            deleted += record.removeAll(name);
          });
        start = Buffer.concat([keys.at(-1) ?? start, Buffer.from([0])]);
        return keys.length;
      });
    }
    return deleted;
  }

  #change(stored: Buffer, nowMs: number, change: (record: UserRecord) => void): void {
    const entry = this.#env.getBinaryFast(stored);
    if (entry === undefined) return;
    const record = new UserRecord(stored, entry, nowMs);
    change(record);
    // An empty record still says that entries of its user stand beside it.
    if (record.isEmpty && !(record.hasOthers && this.#hasOwnEntries(stored))) this.#env.removeSync(stored);
    else if (record.isChanged) this.#env.putSync(stored, record.entry);
  }

  /** Whether an entry of a record's user stands by itself. */
  #hasOwnEntries(stored: Buffer): boolean {
    const owner = ownerOf(stored);
    return MEMBER_PREFIXES.some(({ prefix, kind }) => {
      const own = storedKey(kind === 'counter' ? COUNTER : LIST, prefix + owner);
      if (this.#env.getBinaryFast(own) !== undefined) return true;
      const start = Buffer.concat([own, SLASH]);
      return [...this.#env.getKeys({ start, end: Buffer.concat([start, Buffer.from([0xff])]), limit: 1 })].length > 0;
    });
  }

  #hasOthers(record: Buffer | null, nowMs: number): boolean {
    return (record !== null && hasOthers(record)) || this.#old.mayStand(nowMs);
  }

  #standing(stored: Buffer, nowMs: number): Buffer | null {
    const entry = this.#env.getBinaryFast(stored);
    return entry === undefined || readExpiry(entry) <= nowMs ? null : entry;
  }

  #readOwnCounter(key: string, nowMs: number): bigint {
    const entry = this.#standing(storedKey(COUNTER, key), nowMs);
    return entry === null ? 0n : readCount(entry);
  }

  #readOwnList(key: string, nowMs: number): string[] {
    const entry = this.#standing(storedKey(LIST, key), nowMs);
    return entry === null ? [] : decodeList(entry);
  }
}
