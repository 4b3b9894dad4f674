import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import type { Log } from '../../domain/log/log.ts';
import { guardedNowMs, readGuardedClock } from '../../storage/guarded-clock.ts';
import type { Settings } from '../../config/settings.ts';
import type { WorkerLoad } from '../../domain/reporting/report-share.ts';
import { forkPart } from './fork-part.ts';
import { DEFAULT_LIVENESS, Liveness, OwnTimeLimit } from './liveness.ts';
import { parseChildMessage, type ParentMessage } from './messages.ts';
import type { Endpoints, PartRole, StopTimes } from './part.ts';
import { readMainThreadMs, readWaitedMs } from './process-identity.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { type RestartLimits, RestartPolicy } from './restart-policy.ts';
import type { WorkerSocket } from './worker-socket.ts';

/** Options of a managed child. */
export interface ManagedChildOptions {
  readonly role: PartRole;
  readonly workerIndex: number;
  /** The program that is forked, with the arguments `child --role <role>`. */
  readonly modulePath: string;
  /** Read again at each start. */
  readonly settings: Settings;
  readonly endpoints: Endpoints;
  /** Of a delivery worker. */
  readonly socket?: WorkerSocket;
  /** Other workers serve while this one is down. Default false. */
  readonly hasPeers?: boolean;
  readonly limits: RestartLimits;
  /** A child that neither is ready nor reports progress for this many milliseconds, without those in which it waits for a processor, is killed: a crash. */
  readonly readyTimeoutMs: number;
  readonly log: Log;
  /** Its files on disk are enough for its first start, too. Default false. */
  readonly startsFromDisk?: boolean;
  /** It cannot start from the disk. */
  readonly onNeedsCore?: () => void;
  readonly onProcessesChanged: () => void;
  /** What this delivery worker measured. */
  readonly onLoad?: (load: WorkerLoad) => void;
  readonly onGaveUp: (reason: string) => void;
}

/** The child's own deadline ends this many milliseconds before the kill. */
const killMarginMs = 500;
/** How long a process that is replaced waits for the code of its successor. */
const LOAD_TIMEOUT_MS = 20_000;
/** How long a process may take to hand over its metrics. Scrapers wait ten seconds. */
const METRICS_TIMEOUT_MS = 3_000;

/** One forked part. It is restarted when it dies, until it is stopped. One that was never ready is given up after a few crashes. */
export class ManagedChild {
  readonly name: string;
  readonly role: PartRole;
  readonly workerIndex: number;
  readonly #options: ManagedChildOptions;
  readonly #policy: RestartPolicy;
  readonly #firstReady = Promise.withResolvers<readonly string[]>();
  #endpoints: Endpoints;
  #process: ChildProcess | null = null;
  /** The successor of a process that is being replaced: it loads its code while the process still serves. */
  #next: ChildProcess | null = null;
  #nextLoaded: Promise<void> | null = null;
  #loop: Promise<void> | null = null;
  #wake: (() => void) | null = null;
  #killTimer: NodeJS.Timeout | undefined;
  #killAtMs = Number.POSITIVE_INFINITY;
  #wasEverReady = false;
  /** The process that runs, or ran last, was ready. */
  #isReady = false;
  #starts = 0;
  #metricsNumber = 0;
  readonly #metricsWaiting = new Map<number, (metrics: ProcessMetrics) => void>();
  #isCoreUp = false;
  #isServiceReady = false;
  #stopping = false;
  #recycling = false;
  #recycled: PromiseWithResolvers<void> | null = null;
  #failure = '';

  constructor(options: ManagedChildOptions) {
    this.#options = options;
    this.#endpoints = options.endpoints;
    this.#policy = new RestartPolicy(options.limits);
    this.role = options.role;
    this.workerIndex = options.workerIndex;
    this.name = options.role === 'delivery' ? `delivery ${options.workerIndex}` : options.role;
    // A rejection that nobody awaits must not end the supervisor.
    this.#firstReady.promise.catch(() => undefined);
  }

  /** The pid of the running process; null between two processes. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** Sets the endpoints of the next process; the running one keeps its own. */
  setEndpoints(endpoints: Endpoints): void {
    this.#endpoints = endpoints;
  }

  /** Starts the child; resolves with its ready lines the first time it is ready, rejects when it gives up or is stopped before. */
  start(): Promise<readonly string[]> {
    this.#loop ??= this.#superviseProcess();
    return this.#firstReady.promise;
  }

  /** Tells this process that the core is up, and each later one when it starts. */
  announceCoreUp(): void {
    this.#isCoreUp = true;
    this.#send({ type: 'coreUp' });
  }

  /** Tells this process that the whole service is ready, and each later one once it is ready itself. */
  announceServiceReady(): void {
    this.#isServiceReady = true;
    this.#send({ type: 'serviceReady' });
  }

  /** Tells the core how late a delivery worker is. */
  tellWorkerLoad(workerIndex: number, load: WorkerLoad): void {
    this.#send({ type: 'workerLoad', workerIndex, load });
  }

  /** Tells this process of a reload; each later process starts with the settings. */
  announceSettings(): void {
    this.#send({ type: 'settings', settings: this.#options.settings });
  }

  /** How often a process was started. */
  get starts(): number {
    return this.#starts;
  }

  get isReady(): boolean {
    return this.#process !== null && this.#isReady;
  }

  /** Null when the process does not respond in time. */
  async readMetrics(): Promise<ProcessMetrics | null> {
    if (!this.isReady) return null;
    this.#metricsNumber += 1;
    const number = this.#metricsNumber;
    const response = Promise.withResolvers<ProcessMetrics | null>();
    this.#metricsWaiting.set(number, response.resolve);
    const timer = setTimeout(() => response.resolve(null), METRICS_TIMEOUT_MS);
    this.#send({ type: 'readMetrics', number });
    const metrics = await response.promise;
    clearTimeout(timer);
    this.#metricsWaiting.delete(number);
    return metrics;
  }

  /** Tells it that a stop follows in a moment. */
  drain(): void {
    this.#send({ type: 'drain' });
  }

  /** Asks it to stop, and kills it after `timeoutMs`. Resolves when it has ended. */
  async stop(timeoutMs: number, lingerMs = 0): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    this.#options.socket?.close();
    this.#firstReady.reject(new Error(`${this.name} was stopped before it was ready`));
    this.#requestStop({ timeoutMs, lingerMs, isReplaced: false });
    await this.#loop;
    this.#acquireNext()?.kill('SIGKILL');
    this.#endRecycling();
  }

  /** Moves the kill of a running stop forward to `timeoutMs` from now. */
  hurry(timeoutMs: number): void {
    if (this.#stopping && this.#process !== null) this.#armKill(timeoutMs);
  }

  /**
   * Stops the process in order and restarts it with other endpoints, once its successor has loaded its code. Not a crash. Resolves when the next
   * process is ready or has died.
   */
  async recycle(endpoints: Endpoints, times: Omit<StopTimes, 'isReplaced'>): Promise<void> {
    this.setEndpoints(endpoints);
    const replaced = this.#process;
    if (replaced === null || this.#stopping) return;
    this.#nextLoaded ??= this.#loadNext();
    await this.#nextLoaded;
    if (this.#stopping) this.#acquireNext()?.kill('SIGKILL');
    // It has died meanwhile, and its successor runs.
    if (this.#stopping || this.#process !== replaced) return;
    this.#recycling = true;
    this.#recycled ??= Promise.withResolvers<void>();
    this.#requestStop({ ...times, isReplaced: true });
    await this.#recycled.promise;
  }

  /** Forks the next process, and waits until it has loaded its code. Never rejects: without it, one is forked when it is needed. */
  async #loadNext(): Promise<void> {
    try {
      const next = this.#fork();
      this.#next = next;
      next.on('error', () => undefined);
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), LOAD_TIMEOUT_MS);
      const ended = Promise.race(['exit', 'error'].map((event) => once(next, event, { signal: late.signal })));
      const loaded = (async () => {
        for await (const [value] of on(next, 'message', { signal: late.signal }))
          if (parseChildMessage(value)?.type === 'loaded') return;
      })();
      await Promise.race([loaded, ended]).catch(() => undefined);
      clearTimeout(timer);
      late.abort();
      await Promise.allSettled([loaded, ended]);
    } catch {
      // The start tells why.
    } finally {
      this.#nextLoaded = null;
    }
  }

  #fork(): ChildProcess {
    const { role, modulePath, settings, socket } = this.#options;
    return forkPart({ role, modulePath, dataDir: settings.dataDir, socketFd: socket?.open() ?? null });
  }

  /** The successor, unless it has ended. */
  #acquireNext(): ChildProcess | null {
    const next = this.#next;
    this.#next = null;
    return next?.connected === true && next.exitCode === null ? next : null;
  }

  #requestStop({ timeoutMs, ...times }: StopTimes): void {
    if (this.#process === null) return;
    this.#armKill(timeoutMs);
    this.#send({ type: 'stop', timeoutMs: Math.max(100, timeoutMs - killMarginMs), ...times });
  }

  #endRecycling(): void {
    this.#recycled?.resolve();
    this.#recycled = null;
  }

  #armKill(timeoutMs: number): void {
    const atMs = performance.now() + timeoutMs;
    if (atMs >= this.#killAtMs) return;
    this.#killAtMs = atMs;
    clearTimeout(this.#killTimer);
    this.#killTimer = setTimeout(() => {
      this.#options.log.event('process.killed', { child: this.name, timeoutMs });
      this.#process?.kill('SIGKILL');
    }, timeoutMs);
  }

  #disarmKill(): void {
    clearTimeout(this.#killTimer);
    this.#killAtMs = Number.POSITIVE_INFINITY;
  }

  #send(message: ParentMessage): void {
    // A child that is just ending has no channel; its exit is handled elsewhere.
    if (this.#process?.connected === true) this.#process.send(message, () => undefined);
  }

  async #superviseProcess(): Promise<void> {
    while (!this.#stopping) {
      const startedAtMs = performance.now();
      const how = await this.#runOnce().catch((error: unknown) => String(error));
      if (this.#stopping) return;
      if (this.#recycling) {
        this.#recycling = false;
        continue;
      }
      this.#endRecycling();
      const states = { wasReady: this.#isReady, wasEverReady: this.#wasEverReady };
      const delayMs = this.#policy.recordCrash(startedAtMs, performance.now(), states);
      if (delayMs === null) {
        this.#abandon(how);
        return;
      }
      if (this.#options.hasPeers === true || delayMs > 0) this.#options.socket?.close();
      this.#options.log.event('process.restarted', { child: this.name, how, delayMs });
      await this.#sleep(delayMs);
    }
  }

  #abandon(how: string): void {
    const reason = `${this.name} died too often, the last time: ${how}`;
    this.#firstReady.reject(new Error(reason));
    this.#options.onGaveUp(reason);
  }

  /** Runs one process to its end; resolves with how it ended. */
  async #runOnce(): Promise<string> {
    const { workerIndex, settings, readyTimeoutMs, log } = this.#options;
    this.#failure = '';
    this.#isReady = false;
    const child = this.#acquireNext() ?? this.#fork();
    this.#process = child;
    this.#starts += 1;
    const isRestart = this.#wasEverReady || this.#options.startsFromDisk === true;
    const isCoreUp = this.#isCoreUp;
    const common = { settings, endpoints: this.#endpoints, clock: readGuardedClock() };
    this.#send({ type: 'start', workerIndex, isRestart, isCoreUp, ...common });
    const ended = Promise.withResolvers<string>();
    child.once('error', (error) => ended.resolve(error.message));
    child.once('exit', (code, signal) => ended.resolve(this.#failure || (signal ?? `exit code ${code}`)));
    const readyLimit = new OwnTimeLimit({
      limitMs: readyTimeoutMs,
      waitedMs: () => (child.pid === undefined ? null : readWaitedMs(child.pid)),
      onOver: () => {
        this.#failure = `not ready after ${readyTimeoutMs} ms`;
        child.kill('SIGKILL');
      },
    });
    const watch: { liveness: Liveness | null } = { liveness: null };
    child.on('message', (value) => {
      const message = parseChildMessage(value);
      if (message?.type === 'pong') watch.liveness?.recordPong();
      if (message?.type === 'workerLoad') this.#options.onLoad?.(message.load);
      if (message?.type === 'metrics') this.#metricsWaiting.get(message.number)?.(message.metrics);
      if (message?.type === 'failed') this.#failure = message.message;
      if (message?.type === 'needsCore') this.#options.onNeedsCore?.();
      if (message?.type === 'starting' && watch.liveness === null) readyLimit.refresh();
      if (message?.type !== 'ready') return;
      readyLimit.stop();
      this.#wasEverReady = true;
      this.#isReady = true;
      watch.liveness ??= this.#watchLiveness(child);
      log.event('process.ready', { child: this.name, childPid: child.pid });
      if (this.#isServiceReady) this.#send({ type: 'serviceReady' });
      this.#endRecycling();
      this.#firstReady.resolve(message.readyLines);
    });
    this.#options.onProcessesChanged();
    const how = await ended.promise;
    readyLimit.stop();
    watch.liveness?.stop();
    this.#disarmKill();
    this.#process = null;
    this.#options.onProcessesChanged();
    return how;
  }

  /** Kills a process that no longer responds, which counts as a crash. */
  #watchLiveness(child: ChildProcess): Liveness {
    return new Liveness({
      ...DEFAULT_LIVENESS,
      ping: () => {
        // Read regularly, it knows since when a jump of the wall clock lasts.
        guardedNowMs();
        this.#send({ type: 'ping' });
      },
      usedMs: () => (child.pid === undefined ? null : readMainThreadMs(child.pid)),
      waitedMs: () => (child.pid === undefined ? null : readWaitedMs(child.pid)),
      onHung: () => {
        this.#failure = 'it stopped responding';
        child.kill('SIGKILL');
      },
    });
  }

  #sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
