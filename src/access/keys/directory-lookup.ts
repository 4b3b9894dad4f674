import type { DirectoryData } from './directory-data.ts';
import { withinTime } from '../../domain/time/time-limit.ts';

/** Most names in one query; further ones wait for the next, one query at a time. */
const BATCH_MAX = 100;
const QUEUE_MAX = 500;
/** How long an unknown name is remembered as unknown. */
const ABSENT_MS = 1_000;
const ABSENT_MAX = 10_000;
/** Look-ups of one address at a time, and per second. */
const SOURCE_BURST = 10;
const SOURCE_PER_SECOND = 2;
const SOURCES_MAX = 10_000;
const WAIT_MS = 1_000;

/** The names to look up: a key by its digest (hex), a pair by its login, a network's workspaces by its id. */
export interface Wanted {
  readonly digests: readonly string[];
  readonly logins: readonly string[];
  readonly networkIds: readonly string[];
}

/** One name of a kind. */
export interface WantedName {
  readonly kind: keyof Wanted;
  readonly name: string;
}

interface LookupDeps {
  read(wanted: Wanted): Promise<DirectoryData>;
  /** Adds the names that were read, before the callers go on. */
  add(found: DirectoryData): void;
  /** Whether a name is in memory. */
  has(name: WantedName): boolean;
  nowMs(): number;
  /** How long a caller waits, in milliseconds; absent: a second. */
  readonly waitMs?: number;
}

/**
 * Asks PostgreSQL about names that are not in memory, so that a new key works at once. A flood of unknown names causes few queries: one at
 * a time, each for many names, each name once per second, and few unknown names per address. A name that exists does not count against its
 * address.
 */
export class DirectoryLookup {
  readonly #deps: LookupDeps;
  readonly #queue = new Map<
    string,
    {
      readonly wanted: WantedName;
      readonly source: string;
      readonly finished: Promise<void>;
      readonly done: () => void;
    }
  >();
  readonly #absentUntilMs = new Map<string, number>();
  readonly #sources = new Map<string, { left: number; atMs: number }>();
  #isAsking = false;
  #queries = 0;

  constructor(deps: LookupDeps) {
    this.#deps = deps;
  }

  /** Queries so far. */
  get queries(): number {
    return this.#queries;
  }

  /** Resolves when the name was looked up and loaded, or no look-up is needed: afterwards look in memory again. Never rejects. */
  async ask(wanted: WantedName, source: string): Promise<void> {
    const id = `${wanted.kind} ${wanted.name}`;
    const nowMs = this.#deps.nowMs();
    if ((this.#absentUntilMs.get(id) ?? 0) > nowMs) return;
    let entry = this.#queue.get(id);
    if (entry === undefined) {
      if (this.#queue.size >= QUEUE_MAX || !this.#acquireFrom(source, nowMs)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      entry = { wanted, source, finished: promise, done: resolve };
      this.#queue.set(id, entry);
    }
    void this.#askAll();
    await withinTime(entry.finished, this.#deps.waitMs ?? WAIT_MS).catch(() => undefined);
  }

  #acquireFrom(source: string, nowMs: number): boolean {
    if (this.#sources.size >= SOURCES_MAX) this.#sources.clear();
    const known = this.#sources.get(source) ?? { left: SOURCE_BURST, atMs: nowMs };
    const left = Math.min(SOURCE_BURST, known.left + (Math.max(0, nowMs - known.atMs) / 1_000) * SOURCE_PER_SECOND);
    const isAllowed = left >= 1;
    this.#sources.set(source, { left: isAllowed ? left - 1 : left, atMs: nowMs });
    return isAllowed;
  }

  #refund(source: string): void {
    const known = this.#sources.get(source);
    if (known !== undefined) known.left = Math.min(SOURCE_BURST, known.left + 1);
  }

  async #askAll(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#queue.size > 0) await this.#askBatch();
    } finally {
      this.#isAsking = false;
    }
  }

  async #askBatch(): Promise<void> {
    const batch = [...this.#queue].slice(0, BATCH_MAX);
    const named = (kind: keyof Wanted): string[] =>
      batch.filter(([, { wanted }]) => wanted.kind === kind).map(([, { wanted }]) => wanted.name);
    this.#queries += 1;
    try {
      const wanted = { digests: named('digests'), logins: named('logins'), networkIds: named('networkIds') };
      this.#deps.add(await this.#deps.read(wanted));
    } catch {
      // PostgreSQL is unavailable: known names keep working, and unknown ones stay unknown.
    }
    if (this.#absentUntilMs.size + batch.length > ABSENT_MAX) this.#absentUntilMs.clear();
    const untilMs = this.#deps.nowMs() + ABSENT_MS;
    for (const [id, { wanted, source, done }] of batch) {
      if (this.#deps.has(wanted)) this.#refund(source);
      else this.#absentUntilMs.set(id, untilMs);
      this.#queue.delete(id);
      done();
    }
  }
}
