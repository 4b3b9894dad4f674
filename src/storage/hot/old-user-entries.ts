import type { RootDatabase } from 'lmdb';
import { COUNTER, LIST, storedKey } from './lmdb-entries.ts';
import { MEMBER_PREFIXES } from './user-key.ts';

/** How long a check stays valid. An older program that runs meanwhile may write such entries. */
const BELIEVED_MS = 60_000;

/** The ranges of keys of users' entries that stand by themselves. */
const RANGES = MEMBER_PREFIXES.map(({ prefix, kind }) => {
  const start = storedKey(kind === 'counter' ? COUNTER : LIST, prefix);
  return { start, end: Buffer.concat([start, Buffer.from([0xff])]) };
});

/** Knows whether entries of users stand by themselves in a store, as older programs wrote them, so that they must be looked for. */
export class OldUserEntries {
  readonly #env: Pick<RootDatabase<Buffer, Buffer>, 'getKeys'>;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #stand = true;

  constructor(env: Pick<RootDatabase<Buffer, Buffer>, 'getKeys'>) {
    this.#env = env;
  }

  /** Whether there may be any. */
  mayStand(nowMs: number): boolean {
    if (Math.abs(nowMs - this.#lookedAtMs) < BELIEVED_MS) return this.#stand;
    this.#lookedAtMs = nowMs;
    this.#stand = RANGES.some(({ start, end }) => [...this.#env.getKeys({ start, end, limit: 1 })].length > 0);
    return this.#stand;
  }
}
