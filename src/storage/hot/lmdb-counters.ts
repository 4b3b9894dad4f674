import {
  COUNTER,
  counterBytes,
  expiryBytes,
  readCount,
  readExpiry,
  rememberedKey,
  within64Bits,
  writeCounter,
} from './lmdb-entries.ts';
import type { LmdbEnv } from './lmdb-entries.ts';
import type { CounterIncrement } from './hot-store.ts';

/** Counters that a process remembers, with their stored keys; then it forgets all. */
const KNOWN_MAX = 20_000;
/** A put within a transaction copies what it is given, so all counters share a buffer. */
const ENTRY = Buffer.alloc(expiryBytes + counterBytes);
const ENTRY_VIEW = new DataView(ENTRY.buffer, ENTRY.byteOffset);

/** A counter that stands by itself. What it holds counts only within the transaction that read it. */
export interface OwnCounter {
  readonly stored: Buffer;
  /** The number of that transaction. */
  readBy: number;
  expiresAtMs: number;
  value: bigint;
}

/** The counters that stand by themselves in LMDB. They are remembered from transaction to transaction: most events change the same ones. */
export class LmdbCounters {
  readonly #env: LmdbEnv;
  readonly #known = new Map<string, OwnCounter>();
  #transactions = 0;

  constructor(env: LmdbEnv) {
    this.#env = env;
  }

  /** The changes of a transaction that has just begun. */
  begin(nowMs: number): CounterChanges {
    // Only here: a transaction must not read again what it has changed.
    if (this.#known.size > KNOWN_MAX) this.#known.clear();
    this.#transactions += 1;
    return new CounterChanges({ env: this.#env, known: this.#known, nowMs, transaction: this.#transactions });
  }
}

/** The counters that a transaction changes. Each is read and written once. */
export class CounterChanges {
  readonly #env: LmdbEnv;
  readonly #known: Map<string, OwnCounter>;
  readonly #nowMs: number;
  readonly #transaction: number;
  readonly #changed: OwnCounter[] = [];

  constructor(parts: {
    readonly env: LmdbEnv;
    readonly known: Map<string, OwnCounter>;
    readonly nowMs: number;
    readonly transaction: number;
  }) {
    this.#env = parts.env;
    this.#known = parts.known;
    this.#nowMs = parts.nowMs;
    this.#transaction = parts.transaction;
  }

  /** Whether this transaction changes a counter. */
  has(key: string): boolean {
    return this.#known.get(key)?.readBy === this.#transaction;
  }

  /** The value after it. */
  add({ key, by, ttlMs }: CounterIncrement): bigint {
    let counter = this.#known.get(key);
    if (counter === undefined) {
      counter = { stored: rememberedKey(COUNTER, key), readBy: 0, expiresAtMs: 0, value: 0n };
      this.#known.set(key, counter);
    }
    if (counter.readBy !== this.#transaction) {
      this.#read(counter, ttlMs);
      this.#changed.push(counter);
    }
    counter.value = within64Bits(counter.value + by);
    return counter.value;
  }

  write(): void {
    for (const { stored, expiresAtMs, value } of this.#changed) {
      writeCounter(ENTRY_VIEW, expiresAtMs, value);
      this.#env.putSync(stored, ENTRY);
    }
  }

  #read(counter: OwnCounter, ttlMs: number): void {
    const entry = this.#env.getBinaryFast(counter.stored);
    const isStanding = entry !== undefined && readExpiry(entry) > this.#nowMs;
    counter.value = isStanding ? readCount(entry) : 0n;
    counter.expiresAtMs = isStanding ? readExpiry(entry) : this.#nowMs + ttlMs;
    // Last: a damaged entry is read again by the next transaction.
    counter.readBy = this.#transaction;
  }
}
