import { setTimeout as sleep } from 'node:timers/promises';
import { type Olap, OlapError, type OlapQuery, type OlapStreamQuery } from './olap.ts';

/**
 * ClickHouse's numbers (src/Common/ErrorCodes.cpp) for what passes by itself in a moment: another server of the shard, or the same one a
 * little later, can respond.
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  286, // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE: another insert is under way
  289, // REPLICA_IS_NOT_IN_QUORUM: the server lags behind
]);
/** Tries of one statement, the first included, and the pauses between them: 3 s in all. */
const TRIES_MAX = 8;
const PAUSE_FIRST_MS = 25;
const PAUSE_MAX_MS = 1_000;

/** The dependencies that a test replaces. */
export interface ReplicasDeps {
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * The analytics store on a cluster. Inserts of this process run one at a time, as the quorum of the store needs it. An insert that
 * another machine's insert held up, and a final read that met a server which lags behind, are tried again some times.
 */
export function onReplicas(olap: Olap, { pause = sleep }: ReplicasDeps = {}): Olap {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const mine = last.then(run, run);
    last = mine.catch(() => undefined);
    return mine;
  };
  const retried = async <T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await run();
      } catch (error) {
        if (tries >= TRIES_MAX || !isPassing(error) || signal?.aborted === true) throw error;
        await pause(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** (tries - 1)));
      }
    }
  };
  const readAgain = <T>(query: OlapQuery, run: () => Promise<T>): Promise<T> =>
    query.isFinal === true ? retried(run, query.signal) : run();
  return {
    dialect: olap.dialect,
    query: (query) => readAgain(query, () => olap.query(query)),
    queryWithMeta: (query) => readAgain(query, () => olap.queryWithMeta(query)),
    stream: (query) => streamAgain(olap, query, retried),
    command: (sql, params, settings) => retried(() => olap.command(sql, params, settings)),
    insertRaw: (insert) => inTurn(() => retried(() => olap.insertRaw(insert))),
    ping: () => olap.ping(),
    kill: (queryId) => olap.kill(queryId),
    close: () => olap.close(),
  };
}

/** A stream is begun again only before its first bytes. */
async function* streamAgain(
  olap: Olap,
  query: OlapStreamQuery,
  retried: <T>(run: () => Promise<T>, signal?: AbortSignal) => Promise<T>,
): AsyncGenerator<Buffer> {
  if (query.isFinal !== true) {
    yield* olap.stream(query);
    return;
  }
  const [chunks, first] = await retried(async () => {
    const begun = olap.stream(query)[Symbol.asyncIterator]();
    return [begun, await begun.next()] as const;
  }, query.signal);
  if (first.done === true) return;
  try {
    yield first.value;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof OlapError && error.serverCode !== null && PASSING_CODES.has(error.serverCode);
}
