import type { FastifyBaseLogger } from 'fastify';
import type { Log } from '../../domain/log/log.ts';

declare module 'fastify' {
  interface FastifyBaseLogger {
    /** Logs an event of the table with the id of the request. Our code uses only this. */
    readonly event: Log['event'];
  }
}

const ignore = (): void => undefined;

/**
 * Fastify's own log lines become `http.framework_warning`; its messages below a warning are dropped. `request.log.event` adds the
 * id of the request.
 */
export function toFrameworkLog(log: Log, bindings: { readonly requestId?: string } = {}): FastifyBaseLogger {
  const warn = (first: unknown, message?: unknown): void => {
    const text = typeof first === 'string' ? first : typeof message === 'string' ? message : '';
    log.event('http.framework_warning', { ...bindings, text, err: errorOf(first) });
  };
  return {
    level: 'warn',
    event: (code, fields) => log.event(code, { ...bindings, ...fields }),
    child: (more: { requestId?: unknown }) =>
      toFrameworkLog(log, typeof more.requestId === 'string' ? { requestId: more.requestId } : bindings),
    fatal: warn,
    error: warn,
    warn,
    info: ignore,
    debug: ignore,
    trace: ignore,
    silent: ignore,
  };
}

function errorOf(first: unknown): unknown {
  if (first instanceof Error) return first;
  return typeof first === 'object' && first !== null ? (first as { err?: unknown }).err : undefined;
}
