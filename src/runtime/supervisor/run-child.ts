import type { Log } from '../../domain/log/log.ts';
import { createLog } from './log.ts';
import { type ChildMessage, parseParentMessage } from './messages.ts';
import { PART_ROLES, type PartRole, type PartRunners, type RunningPart } from './part.ts';
import { isStrayError } from './stray-error.ts';
import { LEVELS_BEHIND_ADS, lowerPriority } from './process-priority.ts';

/** How long a child whose supervisor died may take to stop in order, in milliseconds. */
const orphanStopTimeoutMs = 20_000;
/** How long requests in hand may take to end after an error that nothing caught, in milliseconds. */
const doubtfulStopTimeoutMs = 5_000;
/** How long a child waits to be told what to do, in milliseconds. */
const startTimeoutMs = 30_000;

/** The role and slot in the arguments `child --role <role> --slot <n>`; throws for anything else. */
export function parseChildArguments(args: readonly string[]): { role: PartRole; slot: number } {
  const [command, roleFlag, roleText, slotFlag, slotText] = args;
  const role = PART_ROLES.find((one) => one === roleText);
  const slot = Number(slotText);
  const valid = command === 'child' && roleFlag === '--role' && slotFlag === '--slot' && Number.isSafeInteger(slot);
  if (!valid || role === undefined) {
    throw new Error(`These are no arguments of a child: ${args.join(' ')}`);
  }
  return { role, slot };
}

/**
 * The life of a forked child: waits for its start message, runs its part, reports readiness, and stops on request or at
 * once when its supervisor is gone. Signals of the terminal are left to the supervisor, which stops its children in order.
 */
export function runChild(role: PartRole, slot: number, runners: PartRunners): void {
  const name = role === 'delivery' ? `delivery ${slot}` : role;
  process.title = `placard ${name}`;
  const life = new ChildLife(createLog({ logLevel: 'info', logFormat: 'json' }, name));
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => {
    if (!process.connected) life.stop(orphanStopTimeoutMs);
  });
  process.on('uncaughtException', (error) => life.uncaught(error));
  process.on('unhandledRejection', (error) => life.uncaught(error));
  process.once('disconnect', () => {
    if (life.isStopping) return;
    life.log.event('process.orphaned');
    life.stop(orphanStopTimeoutMs);
  });
  const startTimer = setTimeout(() => life.fail(new Error('no start message came')), startTimeoutMs);
  const serviceReady = Promise.withResolvers<void>();
  process.on('message', (value) => {
    const message = parseParentMessage(value);
    if (message?.type === 'ping') send({ type: 'pong' });
    if (message?.type === 'serviceReady') serviceReady.resolve();
    if (message?.type === 'stop') life.stop(message.timeoutMs);
    if (message?.type !== 'start') return;
    clearTimeout(startTimer);
    const { settings, endpoints } = message;
    life.log = createLog(settings, name);
    // Before the part starts threads of its own: they inherit it.
    lowerPriority(LEVELS_BEHIND_ADS[role], life.log);
    const stillStarting = (): void => send({ type: 'starting' });
    const context = { role, slot, settings, endpoints, stillStarting, serviceReady: serviceReady.promise };
    life.run(() => runners[role]({ ...context, log: life.log }));
  });
}

class ChildLife {
  /** Replaced when the settings are known. */
  log: Log;
  #part: Promise<RunningPart> | null = null;
  #stopping = false;
  #isUp = false;

  constructor(log: Log) {
    this.log = log;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  run(start: () => Promise<RunningPart>): void {
    if (this.#part !== null || this.#stopping) return;
    this.#part = Promise.resolve().then(start);
    this.#part.then(
      (part) => {
        this.#isUp = true;
        send({ type: 'ready', readyLines: part.readyLines ?? [] });
      },
      (error: unknown) => this.fail(error),
    );
  }

  /** Stops the part and ends the process: exit code 0, or 1 when that failed or took longer than `timeoutMs`. */
  stop(timeoutMs: number): void {
    if (this.#stopping) return;
    this.#stopping = true;
    const end = (code: number) => process.exit(code);
    setTimeout(() => {
      this.log.event('process.stop_timeout', { timeoutMs });
      end(1);
    }, timeoutMs);
    Promise.resolve(this.#part)
      .then((part) => part?.stop(timeoutMs))
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
    if (this.#isUp && isStrayError(error)) {
      this.log.event('process.stray_error', { err: error });
      return;
    }
    if (!this.#isUp || this.#stopping) return this.fail(error);
    this.#stopping = true;
    this.log.event('process.uncaught_error', { err: error });
    const end = (): void => this.fail(error);
    setTimeout(end, doubtfulStopTimeoutMs);
    Promise.resolve(this.#part)
      .then((part) => part?.stop(doubtfulStopTimeoutMs))
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
