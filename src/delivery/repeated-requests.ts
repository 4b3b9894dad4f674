import { RecentCache } from './recent-cache.ts';

/** How long a request id is remembered (checklist B14), and how many of them. */
const REMEMBERED_MS = 300_000;
const REMEMBERED_MAX = 100_000;

/**
 * The request ids of the last five minutes in this process, so that a request that is sent again is answered but not counted
 * again. What is billed hangs on impression ids and never depends on this.
 */
export class RepeatedRequests {
  readonly #seen = new RecentCache<string, number>(REMEMBERED_MAX);

  /** Remembers the id; true when it stood here within the last five minutes. */
  note(workspaceId: number, requestId: string, nowMs: number): boolean {
    const key = `${workspaceId}/${requestId.slice(0, 256)}`;
    const before = this.#seen.get(key);
    if (before !== undefined && nowMs - before < REMEMBERED_MS) return true;
    this.#seen.set(key, nowMs);
    return false;
  }
}
