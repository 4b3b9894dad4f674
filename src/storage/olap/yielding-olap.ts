import { setTimeout as sleep } from 'node:timers/promises';
import { restMsAt, type ShareSource } from '../../domain/reporting/report-share.ts';
import type { Olap, OlapQuery, OlapStreamQuery } from './olap.ts';

/** Dependencies of a yielding store. */
export interface YieldingDeps {
  readonly olap: Olap;
  readonly share: ShareSource;
  readonly nowMs: () => number;
  /** Default: a timer that keeps no process alive and ends early when the signal is aborted. */
  readonly rest?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Without a limit of its own a statement may run so long, milliseconds. */
const TIMEOUT_MS = 30_000;
/** Rests of one streamed result take at most this part of the statement's time limit. */
const RESTED_PART_MAX = 0.5;

/**
 * The analytics store for background work and exports. While reports yield to ads, its statements run on one thread and rest: after each
 * statement, and between the pieces of a streamed result. Inserts are unchanged.
 */
export function yieldToAds({ olap, share, nowMs, rest = restUnlessAborted }: YieldingDeps): Olap {
  const timed = async <T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const startedAtMs = nowMs();
    const result = await run();
    const restMs = restMsAt(share.value, nowMs() - startedAtMs);
    if (restMs > 0) await rest(restMs, signal);
    return result;
  };
  const narrow = <Q extends OlapQuery>(query: Q): Q =>
    share.value < 1 ? { ...query, settings: { ...query.settings, max_threads: 1 } } : query;
  return {
    dialect: olap.dialect,
    query: (query) => timed(() => olap.query(narrow(query)), query.signal),
    queryWithMeta: (query) => timed(() => olap.queryWithMeta(narrow(query)), query.signal),
    stream: (query) => streamSlowly({ olap, share, nowMs, rest }, narrow(query)),
    command: (sql, params, settings) => timed(() => olap.command(sql, params, settings)),
    insertRaw: (insert) => olap.insertRaw(insert),
    ping: () => olap.ping(),
    kill: (queryId) => olap.kill(queryId),
    close: () => olap.close(),
  };
}

async function* streamSlowly(deps: Required<YieldingDeps>, query: OlapStreamQuery): AsyncGenerator<Buffer> {
  const { olap, share, nowMs, rest } = deps;
  let restLeftMs = (query.timeoutMs ?? TIMEOUT_MS) * RESTED_PART_MAX;
  let sinceMs = nowMs();
  for await (const chunk of olap.stream(query)) {
    yield chunk;
    const restMs = Math.min(restLeftMs, restMsAt(share.value, nowMs() - sinceMs));
    if (restMs > 0) await rest(restMs, query.signal);
    restLeftMs -= restMs;
    sinceMs = nowMs();
  }
}

/** The statement itself reports the abortion. */
async function restUnlessAborted(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => undefined);
}
