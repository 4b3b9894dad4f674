import type { Log } from '../../domain/log/log.ts';

/** What the signals of the supervisor ask for. */
export interface Signals {
  readonly first: Promise<StopSignal>;
  readonly second: Promise<void>;
  /** Sets what SIGHUP does. The SIGHUP of a terminal that closes stops the service. */
  onReload(reload: () => void): void;
}

/** A signal that stops the service. */
export type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Listens to the signals of the supervisor. */
export function watchSignals(log: Log): Signals {
  const first = Promise.withResolvers<StopSignal>();
  const second = Promise.withResolvers<void>();
  let count = 0;
  let reload: (() => void) | null = null;
  const stop = (signal: StopSignal): void => {
    count += 1;
    log.event(count === 1 ? 'service.stopping' : 'service.stopping_at_once', { signal });
    if (count === 1) first.resolve(signal);
    else second.resolve();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  process.on('SIGHUP', () => {
    if (reload === null || count > 0 || process.stdin.isTTY || process.stdout.isTTY) return stop('SIGHUP');
    log.event('service.reloading');
    reload();
  });
  return {
    first: first.promise,
    second: second.promise,
    onReload: (given) => void (reload = given),
  };
}
