import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import { forkPart } from './fork-part.ts';
import { parseChildMessage } from './messages.ts';

/** Dependencies of spare workers. */
export interface SpareWorkersOptions {
  /** How many spares wait; 0: none. */
  readonly count: () => number;
  readonly modulePath: string;
  readonly dataDir: string;
  readonly log: Log;
  readonly onProcessesChanged: () => void;
  /** Wait after a spare died or did not start, in milliseconds; it doubles with each failure in a row up to the second figure. */
  readonly retryMs?: readonly [first: number, max: number];
}

const DEFAULT_RETRY_MS = [1_000, 300_000] as const;

/** A spare that waits or is loading its code. */
interface Spare {
  readonly process: ChildProcess;
  isLoaded: boolean;
  /** Ends the watch over it: from then on it belongs to its caller. */
  release(): void;
}

/**
 * Processes that have loaded the code of a delivery worker and wait: one of them becomes the worker whose process died, which saves the
 * time that node and the code take to load. A spare opens no store, no file of the data folder and no port before that. Neither
 * the death of a spare nor a failed start ends the service.
 */
export class SpareWorkers {
  readonly #options: SpareWorkersOptions;
  readonly #spares: Spare[] = [];
  readonly #ended = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  readonly #onLoaded = new Set<() => void>();
  #failuresInARow = 0;
  #isKept = false;

  constructor(options: SpareWorkersOptions) {
    this.#options = options;
  }

  /** Processes that wait or load. */
  get pids(): readonly number[] {
    return this.#spares.flatMap(({ process }) => process.pid ?? []);
  }

  /** Forks missing spares and ends surplus ones. Call it when the service is ready, and once a spare that was taken serves. */
  fill(): void {
    this.#isKept = true;
    for (const spare of this.#spares.slice(this.#options.count())) this.#end(spare);
    // After a death or a failed start the timer decides when.
    while (this.#timer === null && this.#spares.length < this.#options.count()) this.#tryFork();
  }

  /** Forks a spare unless there is one; resolves when one has loaded its code, or after `waitMs`. Does nothing when none are kept. */
  async loadOne(waitMs: number): Promise<void> {
    if (this.#options.count() === 0 || this.#spares.some(({ isLoaded }) => isLoaded)) return;
    if (this.#spares.length === 0) this.#tryFork();
    const late = new AbortController();
    const loaded = new Promise<void>((resolve) => this.#onLoaded.add(resolve));
    await Promise.race([loaded, sleep(waitMs, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    this.#onLoaded.clear();
  }

  /** A process for a start message: one that has loaded its code if there is one, else one that is loading it; null when there is none. */
  acquire(): ChildProcess | null {
    const usable = this.#spares.filter(({ process }) => process.connected && process.exitCode === null);
    const spare = usable.find(({ isLoaded }) => isLoaded) ?? usable[0];
    if (spare === undefined) return null;
    this.#remove(spare);
    return spare.process;
  }

  /** Kills all spares, which hold nothing; resolves when they have ended. */
  async stop(): Promise<void> {
    this.#isKept = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const { process } of this.#spares) process.kill('SIGKILL');
    await Promise.all(this.#ended);
  }

  #end(spare: Spare): void {
    this.#remove(spare);
    spare.process.kill('SIGKILL');
    this.#options.onProcessesChanged();
  }

  /** Some failures of a start are thrown (no memory, arguments that are too long), others arrive as events of the process. */
  #tryFork(): void {
    const { modulePath, dataDir, log } = this.#options;
    try {
      this.#watch(forkPart({ role: 'delivery', isSpare: true, modulePath, dataDir }));
    } catch (error) {
      log.event('process.spare_not_started', { err: error, delayMs: this.#scheduleFill() });
    }
  }

  #watch(process: ChildProcess): void {
    const { log } = this.#options;
    const ended = Promise.withResolvers<void>();
    this.#ended.add(ended.promise);
    const onMessage = (value: unknown): void => {
      if (parseChildMessage(value)?.type !== 'loaded') return;
      spare.isLoaded = true;
      for (const resolve of this.#onLoaded) resolve();
      this.#failuresInARow = 0;
      log.event('process.spare_ready', { childPid: process.pid });
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
      this.#recordDeath(spare, signal ?? `exit code ${code}`);
    const onError = (error: Error): void => this.#recordDeath(spare, error.message);
    const spare: Spare = {
      process,
      isLoaded: false,
      release: () => {
        process.off('message', onMessage).off('exit', onExit).off('error', onError);
        ended.resolve();
        this.#ended.delete(ended.promise);
      },
    };
    process.on('message', onMessage).once('exit', onExit).once('error', onError);
    this.#spares.push(spare);
    this.#options.onProcessesChanged();
  }

  #recordDeath(spare: Spare, how: string): void {
    this.#remove(spare);
    this.#options.onProcessesChanged();
    if (this.#isKept) this.#options.log.event('process.spare_died', { how, delayMs: this.#scheduleFill() });
  }

  /** Fills up after a delay, which it returns in milliseconds; it doubles with each failure in a row. */
  #scheduleFill(): number {
    const [firstMs, maxMs] = this.#options.retryMs ?? DEFAULT_RETRY_MS;
    const delayMs = Math.min(maxMs, firstMs * 2 ** Math.min(this.#failuresInARow, 20));
    this.#failuresInARow += 1;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.fill();
    }, delayMs);
    return delayMs;
  }

  #remove(spare: Spare): void {
    const at = this.#spares.indexOf(spare);
    if (at !== -1) this.#spares.splice(at, 1);
    spare.release();
  }
}
