import { PlacardError } from '../../domain/errors.ts';

/** Loads that are remembered at once; past it, new ones are refused. */
const PENDING_MAX = 500;

interface Pending<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiters: number;
  abandoned: NodeJS.Timeout | null;
}

/** How one caller waits for a load. */
export interface LoadWaiting {
  readonly waitMs: number;
  /** Aborted when the caller disconnects. */
  readonly gone: AbortSignal;
  /** How long the load may go on, and its result be retained, when this caller was the last to wait. 0: it ends at once. */
  readonly abandonedMs: number;
}

/**
 * Loads that outlive the request that began them. A client that was told "Continue wait" asks again, and joins the load that
 * already runs; the same question asked twice at once runs once. One that nobody comes back for is ended.
 */
export class PendingLoads<T> {
  readonly #pending = new Map<string, Pending<T>>();
  readonly #isKept: (value: T) => boolean;

  /** `isKept`: whether a finished load is stored elsewhere and can be dropped here. */
  constructor(isKept: (value: T) => boolean = () => false) {
    this.#isKept = isKept;
  }

  /**
   * Waits for the load under `key`, starting it when there is none. Null when it is not done within `waitMs`, or when
   * `gone` is aborted first.
   * @throws what the load throws; PlacardError `overloaded` when too many are pending
   */
  async join(key: string, start: (signal: AbortSignal) => Promise<T>, waiting: LoadWaiting): Promise<T | null> {
    const pending = this.#pending.get(key) ?? this.#start(key, start);
    if (pending.abandoned !== null) clearTimeout(pending.abandoned);
    pending.abandoned = null;
    pending.waiters += 1;
    try {
      const value = await waitWithin(pending.promise, waiting);
      // A result that a caller got is not reused: a later caller needs the state of a later moment.
      if (value !== null) this.#remove(key, pending);
      return value;
    } finally {
      pending.waiters -= 1;
      if (pending.waiters === 0) this.#abandon(key, pending, waiting.abandonedMs);
    }
  }

  /** Ends every load. */
  close(): void {
    for (const [key, pending] of this.#pending) this.#forget(key, pending);
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Pending<T> {
    if (this.#pending.size >= PENDING_MAX) {
      throw new PlacardError('overloaded', 'Too many report queries are running; ask again shortly.', {
        details: { retryAfterSeconds: 2 },
      });
    }
    const controller = new AbortController();
    const pending: Pending<T> = { promise: start(controller.signal), controller, waiters: 0, abandoned: null };
    const finished = (isKept: boolean): void => {
      if (pending.waiters > 0 || isKept) this.#remove(key, pending);
    };
    pending.promise.then(
      (value) => finished(this.#isKept(value)),
      () => finished(false),
    );
    this.#pending.set(key, pending);
    return pending;
  }

  #abandon(key: string, pending: Pending<T>, abandonedMs: number): void {
    if (this.#pending.get(key) !== pending) return;
    if (abandonedMs === 0) {
      this.#forget(key, pending);
      return;
    }
    pending.abandoned = setTimeout(() => this.#forget(key, pending), abandonedMs);
    pending.abandoned.unref();
  }

  #remove(key: string, pending: Pending<T>): void {
    if (pending.abandoned !== null) clearTimeout(pending.abandoned);
    if (this.#pending.get(key) === pending) this.#pending.delete(key);
  }

  #forget(key: string, pending: Pending<T>): void {
    this.#remove(key, pending);
    pending.controller.abort(new Error('No caller waits for this load any more'));
  }
}

async function waitWithin<T>(promise: Promise<T>, { waitMs, gone }: LoadWaiting): Promise<T | null> {
  const { promise: given, resolve } = Promise.withResolvers<null>();
  const stopWaiting = (): void => resolve(null);
  const timer = setTimeout(stopWaiting, waitMs);
  gone.addEventListener('abort', stopWaiting, { once: true });
  if (gone.aborted) stopWaiting();
  try {
    return await Promise.race([promise, given]);
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', stopWaiting);
  }
}
