import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import { checkBeforeUse, checkHotStore, isStoreGone } from '../../storage/hot/check-hot-store.ts';

/** A process that has the hot store open. */
export interface HotStoreUser {
  readonly isRunning: () => boolean;
  /** Ends it within this time, and starts it again once the guard is ready. */
  readonly restart: (timeoutMs: number) => void;
}

/** Dependencies of the guard. Times in milliseconds. */
export interface HotStoreGuardOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly users: () => readonly HotStoreUser[];
  /** Longest check after an orderly stop; default 2 s. */
  readonly shortCheckMs?: number;
  /** Longest check after any other end; default 30 s. */
  readonly longCheckMs?: number;
}

/** Exits of a process that a damaged memory map causes, and errors in which LMDB reports the damage. */
const SUSPICIOUS_END = /^SIG(?:SEGV|BUS|ILL|ABRT|FPE)$|MDB_/;
const USER_STOP_MS = 3_000;
const USERS_GONE_MS = 15_000;
const POLL_MS = 50;

/**
 * Keeps processes from working on a damaged LMDB store: it checks the store before the first of them starts, and again when one dies in a
 * way that damage causes, or after the files of the store were deleted. A killed worker starts again without a check.
 */
export class HotStoreGuard {
  readonly #options: HotStoreGuardOptions;
  #checking: Promise<void> = Promise.resolve();
  #isChecking = false;

  constructor(options: HotStoreGuardOptions) {
    this.#options = options;
  }

  /** Begins the check of a start: short after an orderly stop, else as long as it may take. */
  checkAtStart(): void {
    const { dataDir, log, shortCheckMs = 2_000, longCheckMs = 30_000 } = this.#options;
    const isClean = existsSync(this.#cleanPath());
    rmSync(this.#cleanPath(), { force: true });
    const timeLimitMs = isClean ? shortCheckMs : longCheckMs;
    this.#check(async () => void (await checkBeforeUse({ dataDir, log, timeLimitMs, nowMs: Date.now() })));
  }

  /** Resolves when a process may open the store. Never rejects. */
  ready(): Promise<void> {
    return this.#checking;
  }

  /**
   * A process that uses the store died. When damage may be the reason, the store is checked before the next start. Where its files were
   * deleted, the next process would begin an empty one beside those that still have the deleted files open.
   */
  recordDeath(how: string): void {
    if (this.#isChecking || !(SUSPICIOUS_END.test(how) || isStoreGone(this.#options.dataDir))) return;
    this.#options.log.event('hot_store.suspected', { how });
    this.#check(() => this.#checkInUse());
  }

  /** Records that all processes of the store have ended in order. */
  recordCleanStop(): void {
    mkdirSync(join(this.#options.dataDir, 'run'), { recursive: true, mode: 0o700 });
    writeFileSync(this.#cleanPath(), '', { mode: 0o600 });
  }

  #cleanPath(): string {
    return join(this.#options.dataDir, 'run', 'hot-store-clean');
  }

  #check(check: () => Promise<void>): void {
    this.#isChecking = true;
    this.#checking = check()
      .catch((error: unknown) => this.#options.log.event('hot_store.check_failed', { err: error }))
      .finally(() => (this.#isChecking = false));
  }

  /** Others may have the store open: they are ended before it is moved aside. */
  async #checkInUse(): Promise<void> {
    const { dataDir, log, users, longCheckMs = 30_000 } = this.#options;
    const isGone = isStoreGone(dataDir);
    if (!isGone && (await checkHotStore(dataDir, longCheckMs)).state !== 'damaged') return;
    for (const user of users()) user.restart(USER_STOP_MS);
    for (const untilMs = performance.now() + USERS_GONE_MS; users().some((user) => user.isRunning()); ) {
      if (performance.now() > untilMs) throw new Error('Processes that use the damaged hot store do not stop');
      await sleep(POLL_MS);
    }
    await checkBeforeUse({ dataDir, log, timeLimitMs: longCheckMs, nowMs: Date.now() });
  }
}
