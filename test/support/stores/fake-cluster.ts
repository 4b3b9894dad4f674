import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatAs } from '../rewrite-engines.ts';

/** Of the fake cluster: two analytics processes, which play two replicas of one shard. */
export interface FakeCluster {
  /** The address of the cluster, without its name. */
  readonly url: string;
  /** Every statement that the client sent, with the settings beside it. */
  readonly seen: readonly SeenStatement[];
  /** Which replica gets the next statement: it stays so. */
  turnTo(replica: number): void;
  /** While it lags, a replica stores only what it is sent itself. The end of it stores everything that the other one was sent. */
  setLagging(replica: number, isLagging: boolean): Promise<void>;
  /** The next inserts get this error of ClickHouse after a replica has applied them. */
  failAfterInsert(times: number, code: number): void;
  close(): Promise<void>;
}

/** A statement as the client sent it. */
export interface SeenStatement {
  readonly sql: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** An insert that every replica stores in the end, each in the same way. */
interface LoggedInsert {
  readonly path: string;
  readonly body: Buffer;
}

/** Parameters of the interface that the analytics process also knows. */
const PASSED_ON = /^(query|query_id|database|default_format|param_\w+|wait_end_of_query)$/;
const REPLICA_IS_NOT_IN_QUORUM = 289;

/**
 * A ClickHouse cluster as far as the client sees one. Statements run on one of two analytics processes, with the engines of a single server; an
 * insert reaches the other process later, with its token, as replication would. A process that lags refuses reads with sequential
 * consistency, as ClickHouse does, and responds to all others from what it has.
 */
export async function startFakeCluster(name: string, replicas: readonly string[]): Promise<FakeCluster> {
  const seen: SeenStatement[] = [];
  const waiting = replicas.map((): LoggedInsert[] => []);
  const lagging = replicas.map(() => false);
  let turn = 0;
  let failures = { times: 0, code: 0 };

  const send = async (replica: number, { path, body }: LoggedInsert): Promise<Response> => {
    const base = new URL(replicas[replica] ?? '');
    const key = decodeURIComponent(base.password);
    return fetch(new URL(path, base.origin), {
      method: 'POST',
      headers: { 'x-clickhouse-user': base.username, 'x-clickhouse-key': key },
      body: new Uint8Array(body),
    });
  };
  const catchUp = async (replica: number): Promise<void> => {
    for (const insert of waiting[replica]?.splice(0) ?? []) await requireOk(await send(replica, insert));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray());
    const url = new URL(request.url ?? '/', 'http://cluster');
    const { sql, isInQuery } = readStatement(url, body);
    const settings = Object.fromEntries([...url.searchParams].filter(([key]) => !PASSED_ON.test(key)));
    seen.push({ sql, settings });
    const rewritten = formatAs(name, sql);
    for (const key of Object.keys(settings)) url.searchParams.delete(key);
    if (isInQuery) url.searchParams.set('query', rewritten);
    const call = { path: `${url.pathname}${url.search}`, body: isInQuery ? body : Buffer.from(rewritten) };
    const isInsert = /^\s*INSERT/i.test(sql);
    if (/^\s*(CREATE|ALTER|DROP|SYSTEM)/i.test(sql)) {
      for (const replica of replicas.keys()) if (replica !== turn) await requireOk(await send(replica, call));
    } else if (!isInsert && lagging[turn] === true && settings['select_sequential_consistency'] === '1') {
      turn = (turn + 1) % replicas.length;
      fail(response, REPLICA_IS_NOT_IN_QUORUM, 'This replica lags behind. (REPLICA_IS_NOT_IN_QUORUM)');
      return;
    }
    const result = await send(turn, call);
    if (isInsert && result.ok) {
      for (const [replica, log] of waiting.entries()) {
        if (replica === turn) continue;
        log.push(call);
        if (lagging[replica] !== true) await catchUp(replica);
      }
      if (failures.times > 0) {
        failures = { ...failures, times: failures.times - 1 };
        fail(response, failures.code, 'The insert may have been applied. (UNKNOWN_STATUS_OF_INSERT)');
        return;
      }
    }
    const headers = [...result.headers].filter(([key]) => /^(content-type|x-clickhouse)/.test(key));
    response.writeHead(result.status, Object.fromEntries(headers));
    response.end(Buffer.from(await result.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://placard:any@127.0.0.1:${(server.address() as AddressInfo).port}/default`,
    seen,
    turnTo: (replica) => {
      turn = replica;
    },
    setLagging: async (replica, isLagging) => {
      lagging[replica] = isLagging;
      if (!isLagging) await catchUp(replica);
    },
    failAfterInsert: (times, code) => {
      failures = { times, code };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The statement is in the address when the body has rows. */
function readStatement(url: URL, body: Buffer): { readonly sql: string; readonly isInQuery: boolean } {
  const inQuery = url.searchParams.get('query');
  return inQuery === null ? { sql: body.toString('utf8'), isInQuery: false } : { sql: inQuery, isInQuery: true };
}

function fail(response: ServerResponse, code: number, message: string): void {
  response.writeHead(500, { 'x-clickhouse-exception-code': String(code) });
  response.end(`Code: ${code}. DB::Exception: ${message}`);
}

async function requireOk(response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw new Error(text);
}
