import { EventEmitter } from 'node:events';
import { flushCompileCache } from 'node:module';
import { reloadSettings } from '../../config/reload-settings.ts';
import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../domain/log/log.ts';
import { continueGuardedClock } from '../../storage/guarded-clock.ts';
import { CoreUpSignal } from './core-up.ts';
import { createLog } from '../log/log.ts';
import { type ChildMessage, parseParentMessage } from './messages.ts';
import {
  PART_ROLES,
  type PartLoaders,
  type PartRole,
  type RunningPart,
  type WorkerLoadListener,
  type StopTimes,
} from './part.ts';
import { isStrayError } from './stray-error.ts';
import { WorkerLoadWatch } from './worker-load.ts';
import { LEVELS_AHEAD_AT_RESTART, LEVELS_BEHIND_ADS, lowerPriority, raisePriority } from './process-priority.ts';

/** How a child whose supervisor died stops: a new supervisor starts another process at its address. */
const ORPHAN_STOP: StopTimes = { timeoutMs: 20_000, lingerMs: 1_000, isReplaced: false };
/** After an error that nothing caught only requests in hand may end. */
const DOUBTFUL_STOP: StopTimes = { timeoutMs: 5_000, lingerMs: 0, isReplaced: false };
/** How long a restarted worker has a higher priority, including its first responses, in milliseconds. */
const AHEAD_MAX_MS = 3_000;

/** Reads the arguments `child --role <role>` and returns the role; throws for anything else. */
export function parseChildArguments(args: readonly string[]): PartRole {
  const [command, roleFlag, roleText] = args;
  const role = PART_ROLES.find((one) => one === roleText);
  if (command !== 'child' || roleFlag !== '--role' || role === undefined || args.length > 3) {
    throw new Error(`These arguments are not those of a child: ${args.join(' ')}`);
  }
  return role;
}

/**
 * The life of a forked child: waits for its start message, runs its part, reports readiness, and stops on request, or when its supervisor
 * is gone. Signals of the terminal are left to the supervisor, which stops its children in order.
 */
export function runChild(role: PartRole, loaders: PartLoaders): void {
  process.title = `placard ${role}`;
  const life = new ChildLife(createLog({ logLevel: 'info', logFormat: 'json' }, role));
  watchProcess(life);
  const loading = loaders[role]();
  void loading.then(
    () => {
      send({ type: 'loaded' });
      // A killed process never stores what node compiled. 0.6 s after the first load of a program, then 2 ms: before it serves.
      flushCompileCache();
    },
    () => undefined,
  );
  const serviceReady = Promise.withResolvers<void>();
  const live: { settings: Settings | null } = { settings: null };
  const workerLoads = new EventEmitter<{ load: Parameters<WorkerLoadListener> }>();
  const coreUp = new CoreUpSignal(
    () => {
      if (life.isStopping) endWaiting();
      send({ type: 'needsCore' });
    },
    () => send({ type: 'starting' }),
  );
  process.on('message', (value) => {
    const message = parseParentMessage(value);
    if (message?.type === 'ping') send({ type: 'pong' });
    if (message?.type === 'coreUp') coreUp.announce();
    if (message?.type === 'serviceReady') serviceReady.resolve();
    if (message?.type === 'workerLoad') workerLoads.emit('load', message.workerIndex, message.load);
    if (message?.type === 'settings' && live.settings !== null) {
      reloadSettings(live.settings, message.settings);
      life.reload();
    }
    if (message?.type === 'drain') life.drain();
    if (message?.type === 'readMetrics') life.sendMetrics(message.number);
    if (message?.type === 'stop' && coreUp.isAwaited) endWaiting();
    if (message?.type === 'stop') life.stop(message);
    if (message?.type !== 'start') return;
    const { workerIndex, isRestart, isCoreUp, settings, endpoints } = message;
    live.settings = settings;
    continueGuardedClock(message.clock);
    if (isCoreUp) coreUp.announce();
    const name = role === 'delivery' ? `delivery ${workerIndex}` : role;
    process.title = `placard ${name}`;
    life.log = createLog(settings, name);
    // Before the part starts threads of its own: they inherit it.
    lowerPriority(LEVELS_BEHIND_ADS[role], life.log);
    const stillStarting = (): void => send({ type: 'starting' });
    const context = {
      role,
      workerIndex,
      isRestart,
      settings,
      endpoints,
      stillStarting,
      coreUp,
      watchWorkerLoads: (listener: WorkerLoadListener) => void workerLoads.on('load', listener),
      serviceReady: serviceReady.promise,
    };
    if (role === 'delivery' && isRestart) startAhead();
    life.run(async () => {
      const part = await (await loading).run({ ...context, log: life.log });
      if (role === 'delivery' && settings.reportsYield === 'on') watchOwnLoad(workerIndex);
      return part;
    });
  });
}

/** A restarted worker starts, and sends its first responses, ahead of other processes. */
function startAhead(): void {
  const stepBack = raisePriority(LEVELS_AHEAD_AT_RESTART);
  if (stepBack !== null) setTimeout(stepBack, AHEAD_MAX_MS);
}

/** Reports yield to a worker that is late. The watch ends with the process. */
function watchOwnLoad(workerIndex: number): void {
  new WorkerLoadWatch((load) => send({ type: 'workerLoad', workerIndex, load }));
}

/** Signals, uncaught errors, and the end of the supervisor. */
function watchProcess(life: ChildLife): void {
  // The supervisor stops its children in order.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  process.on('uncaughtException', (error) => life.uncaught(error));
  process.on('unhandledRejection', (error) => life.uncaught(error));
  process.once('disconnect', () => {
    if (life.isStopping) return;
    life.log.event('process.orphaned');
    life.stop(ORPHAN_STOP);
  });
}

/** A part that waits for the core has nothing to stop in order, and the core may never come up. */
function endWaiting(): never {
  process.exit(0);
}

class ChildLife {
  /** Replaced when the settings are known. */
  log: Log;
  #part: Promise<RunningPart> | null = null;
  #stopping = false;
  /** The part, once it is up. */
  #running: RunningPart | null = null;

  constructor(log: Log) {
    this.log = log;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** The part has started. */
  get isUp(): boolean {
    return this.#running !== null;
  }

  run(start: () => Promise<RunningPart>): void {
    if (this.#part !== null || this.#stopping) return;
    this.#part = Promise.resolve().then(start);
    this.#part.then(
      (part) => {
        this.#running = part;
        send({ type: 'ready', readyLines: part.readyLines ?? [] });
      },
      (error: unknown) => this.fail(error),
    );
  }

  /** Does nothing before the part is up. */
  drain(): void {
    this.#running?.drain?.();
  }

  /** Does nothing before the part is up: it has just read everything. */
  reload(): void {
    this.#running?.reload?.();
  }

  /** An empty list before the part is up, and when it has none. */
  sendMetrics(number: number): void {
    const metrics = this.#running?.metrics?.() ?? Promise.resolve([]);
    metrics.then(
      (all) => send({ type: 'metrics', number, metrics: all }),
      (error: unknown) => this.log.event('process.metrics_failed', { err: error }),
    );
  }

  /** Stops the part and ends the process: exit code 0, or 1 when that failed or took longer than `timeoutMs`. */
  stop(times: StopTimes): void {
    if (this.#stopping) return;
    this.#stopping = true;
    const end = (code: number) => process.exit(code);
    const { timeoutMs } = times;
    setTimeout(() => {
      this.log.event('process.stop_timeout', { timeoutMs });
      end(1);
    }, timeoutMs);
    Promise.resolve(this.#part)
      .then((part) => part?.stop(times))
      .then(
        () => end(0),
        (error: unknown) => {
          this.log.event('process.stop_failed', { err: error });
          end(1);
        },
      );
  }

  /** An error that nothing caught. See docs/adr/0016-uncaught-errors.md. */
  uncaught(error: unknown): void {
    if (this.isUp && isStrayError(error)) {
      this.log.event('process.stray_error', { err: error });
      return;
    }
    if (!this.isUp || this.#stopping) return this.fail(error);
    this.#stopping = true;
    this.log.event('process.uncaught_error', { err: error });
    const end = (): void => this.fail(error);
    setTimeout(end, DOUBTFUL_STOP.timeoutMs);
    Promise.resolve(this.#part)
      .then((part) => part?.stop(DOUBTFUL_STOP))
      .then(end, end);
  }

  /** Ends the process at once; a new one is started. */
  fail(error: unknown): void {
    this.log.event('process.failed', { err: error });
    const message = error instanceof Error ? error.message : String(error);
    send({ type: 'failed', message }, endAtOnce);
    setTimeout(endAtOnce, 1_000);
  }
}

/** Not `process.exit`: exit hooks of native libraries may wait for a lock that the failure left behind. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

function send(message: ChildMessage, sent: () => void = () => undefined): void {
  if (process.connected && process.send !== undefined) process.send(message, undefined, undefined, sent);
  else sent();
}
