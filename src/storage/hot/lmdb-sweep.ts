import type { SweepStep } from './hot-store.ts';
import type { JointTransactions } from './joint-transactions.ts';
import type { LmdbChanges, LmdbEnv } from './lmdb-changes.ts';
import { COUNTER, expiryBytes, LIST, OLD_INDEX, readExpiry } from './lmdb-entries.ts';
import { userKeyOf } from './user-key.ts';
import type { MemberKind } from './user-key.ts';

const BEFORE_ALL = Buffer.from([OLD_INDEX]);
/** Behind a key there is no other before this one. */
const NEXT = Buffer.from([0]);

/**
 * Walks over all entries of a store, a step at a time, and deletes what has expired: no index by time has to be written with each entry.
 * The index that older programs left is deleted on the way, and entries of users that stand by themselves move into the records of users.
 */
export class LmdbSweep {
  readonly #env: LmdbEnv;
  readonly #joint: JointTransactions<LmdbChanges>;
  #from: Buffer = BEFORE_ALL;

  constructor(env: LmdbEnv, joint: JointTransactions<LmdbChanges>) {
    this.#env = env;
    this.#joint = joint;
  }

  /** Looks at up to `entriesMax` entries. They are read beside the writers, and only what has expired is deleted, in one transaction. */
  async step(nowMs: number, entriesMax: number): Promise<SweepStep> {
    if (this.#from === BEFORE_ALL) this.#env.readerCheck();
    const due: Buffer[] = [];
    const single: SingleEntry[] = [];
    let seen = 0;
    let last: Buffer = this.#from;
    for (const { key, value } of this.#env.getRange({ start: this.#from, limit: entriesMax })) {
      seen += 1;
      last = key;
      if (isDue(key, value, nowMs)) due.push(key);
      else pushSingle(single, key);
    }
    this.#from = seen < entriesMax ? BEFORE_ALL : Buffer.concat([last, NEXT]);
    if (due.length > 0) await this.#env.transaction(() => this.#delete(due, nowMs));
    if (single.length > 0)
      await this.#joint.change(single.length, (changes) => {
        for (const { kind, key } of single) changes.moveIntoRecord(kind, key);
      });
    const { entryCount = 0 } = this.#env.getStats() as { readonly entryCount?: number };
    return { seen, entries: entryCount };
  }

  /** Others may have written an entry again since it was read. */
  #delete(keys: readonly Buffer[], nowMs: number): void {
    for (const key of keys) {
      const entry = this.#env.getBinaryFast(key);
      if (entry !== undefined && isDue(key, entry, nowMs)) this.#env.removeSync(key);
    }
  }
}

/** An entry of a user that stands by itself. */
interface SingleEntry {
  readonly kind: MemberKind;
  readonly key: string;
}

function pushSingle(found: SingleEntry[], stored: Buffer): void {
  const kind = stored[0] === COUNTER ? 'counter' : stored[0] === LIST ? 'list' : null;
  if (kind === null) return;
  const key = stored.toString('utf8', 1, stored.length);
  if (userKeyOf(kind, key) !== null) found.push({ kind, key });
}

/** A damaged entry stays for the check of the store. */
function isDue(key: Buffer, entry: Buffer, nowMs: number): boolean {
  return key[0] === OLD_INDEX || (entry.length >= expiryBytes && readExpiry(entry) <= nowMs);
}
