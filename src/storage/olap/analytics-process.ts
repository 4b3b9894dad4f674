import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import type { Log } from '../../domain/log/log.ts';
import {
  type AnalyticsRequest,
  BodyBudget,
  checkPassword,
  digestPassword,
  readAnalyticsRequest,
} from './analytics-request.ts';
import { ChdbEngine, EngineError } from './chdb-engine.ts';
import { addSettings, bindParams, classifyStatement, readFormat, readInsert, StatementError } from './statement.ts';

export interface AnalyticsServerOptions {
  /** Where the store keeps its files; made when missing. One process at a time. */
  readonly dir: string;
  /** Default: 127.0.0.1 and a free port. */
  readonly listen?: { readonly host: string; readonly port: number };
  readonly password: string;
  /** Whether acknowledged rows survive a power loss; default: they do. Tests save the waits for the disk. */
  readonly isDurable?: boolean;
  readonly log: Log;
}

export interface AnalyticsServer {
  /** `http://placard:<password>@127.0.0.1:<port>`. Holds a secret: do not log. */
  readonly url: string;
  /** Waits up to 10 s for statements that run, then ends them. */
  stop(): Promise<void>;
}

const stopGraceMs = 10_000;
const connectionsMax = 256;
const headerBytesMax = 1_048_576;

/**
 * Serves the embedded ClickHouse of `dir` over the part of ClickHouse's HTTP interface that `@clickhouse/client` uses: `/ping`,
 * statements with bound parameters and settings, inserts of rows with deduplication tokens, results streamed where the format
 * allows, gzip both ways, ClickHouse's error codes. Loads some 200 MB: for a process of its own.
 */
export async function runAnalyticsServer(options: AnalyticsServerOptions): Promise<AnalyticsServer> {
  const { dir, password, log, listen = { host: '127.0.0.1', port: 0 } } = options;
  const engine = await ChdbEngine.open(dir, log, options.isDurable ?? true);
  const budget = new BodyBudget();
  const passwordDigest = digestPassword(password);
  const server = createServer({ keepAliveTimeout: 65_000, maxHeaderSize: headerBytesMax }, (request, response) => {
    respond({ engine, budget, passwordDigest, request, response, log }).catch((error: unknown) => {
      log.event('analytics.request_failed', { err: error });
      response.destroy();
    });
  });
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...listen, exclusive: true }, resolve);
  }).catch(async (error: unknown) => {
    await engine.close(0);
    throw error;
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : listen.port;
  log.event('analytics.ready', { port, dir });
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await engine.close(stopGraceMs);
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://placard:${encodeURIComponent(password)}@${listen.host}:${port}`,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

interface Exchange {
  readonly engine: ChdbEngine;
  readonly budget: BodyBudget;
  readonly passwordDigest: Buffer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly log: Log;
}

async function respond(exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const path = (request.url ?? '/').split('?', 1)[0];
  if (path === '/ping') {
    response.end('Ok.\n');
    return;
  }
  try {
    checkPassword(request, exchange.passwordDigest);
    if (path !== '/' || (request.method !== 'POST' && request.method !== 'GET')) {
      response.writeHead(404).end('There is no handler for this address\n');
      return;
    }
    await run(exchange, await readAnalyticsRequest(request, exchange.budget));
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof StatementError)) throw error;
    refuse(response, error);
  }
}

const readonlyCode = 164;
const badArguments = 36;

async function run(exchange: Exchange, asked: AnalyticsRequest): Promise<void> {
  const sql = bindParams(asked.sql, asked.params);
  const kind = classifyStatement(sql);
  if (asked.isReadOnly && kind !== 'read' && kind !== 'show') {
    throw new EngineError(readonlyCode, 'A GET may only read: use POST. (READONLY)');
  }
  exchange.response.setHeader('X-ClickHouse-Query-Id', asked.queryId);
  if (kind === 'insert') return insert(exchange, asked, sql);
  if (kind === 'read') return read(exchange, asked, addSettings(sql, asked.settings));
  const [unusable] = asked.settings.keys();
  if (unusable !== undefined) {
    throw new EngineError(badArguments, `The setting ${unusable} must be in the statement itself. (BAD_ARGUMENTS)`);
  }
  const killed = kind === 'kill' ? /\bquery_id\s*=\s*'([^']*)'/.exec(sql)?.[1] : undefined;
  if (killed !== undefined) {
    exchange.engine.kill(killed);
    exchange.response.end();
    return;
  }
  return runWhole(exchange, asked, sql);
}

async function insert(exchange: Exchange, asked: AnalyticsRequest, sql: string): Promise<void> {
  const { engine, response } = exchange;
  const rows = asked.rows === null ? null : readInsert(sql);
  if (rows === null || asked.rows === null) {
    const text = asked.rows === null ? sql : `${sql}\n${Buffer.concat(asked.rows).toString('utf8')}`;
    return runWhole(exchange, asked, text);
  }
  const settings = { ...Object.fromEntries(asked.settings), ...rows.settings };
  const written = await engine.insert(asked, { ...rows, settings }, asked.rows);
  response.setHeader('X-ClickHouse-Summary', JSON.stringify({ written_rows: String(written), read_rows: '0' }));
  response.end();
}

/** Lines at the start of every piece of a streamed result that only the first one may have; absent: the format cannot be streamed. */
const STREAMED_HEADER_LINES: Readonly<Record<string, number>> = {
  CSV: 0,
  CSVWithNames: 1,
  CSVWithNamesAndTypes: 2,
  TabSeparated: 0,
  TabSeparatedWithNames: 1,
  TabSeparatedWithNamesAndTypes: 2,
  TSV: 0,
  TSVWithNames: 1,
  TSVWithNamesAndTypes: 2,
  JSONEachRow: 0,
  JSONStringsEachRow: 0,
  JSONCompactEachRow: 0,
  JSONCompactStringsEachRow: 0,
  JSONCompactEachRowWithNames: 1,
  JSONCompactEachRowWithNamesAndTypes: 2,
};

async function read(exchange: Exchange, asked: AnalyticsRequest, sql: string): Promise<void> {
  const format = readFormat(sql) ?? asked.defaultFormat;
  const headerLines = STREAMED_HEADER_LINES[format];
  if (headerLines === undefined) return runWhole(exchange, asked, sql);
  const { engine, response } = exchange;
  const pieces = engine.stream({ ...asked, sql, format });
  const endEarly = killWhenGone(exchange, asked.queryId);
  try {
    const first = await pieces.next();
    if (response.destroyed) return;
    setResultHeaders(response, format);
    await send(response, asked.wantsGzip, joinPieces(first, pieces, headerLines));
  } finally {
    endEarly();
    await pieces.return();
  }
}

/** The client may go away at any time: what it asked for is of no more use. Returns how to stop watching. */
function killWhenGone({ response, engine }: Exchange, queryId: string): () => void {
  const onClose = () => {
    if (!response.writableFinished) engine.kill(queryId);
  };
  response.once('close', onClose);
  return () => response.off('close', onClose);
}

type Pieces = AsyncGenerator<Uint8Array, void, undefined>;

async function* joinPieces(
  first: IteratorResult<Uint8Array, void>,
  rest: Pieces,
  headerLines: number,
): AsyncGenerator<Buffer> {
  let linesToDrop = 0;
  for (let piece = first; piece.done !== true; piece = await rest.next()) {
    const bytes = Buffer.from(piece.value.buffer, piece.value.byteOffset, piece.value.byteLength);
    yield dropLines(bytes, linesToDrop);
    linesToDrop = headerLines;
  }
}

/** Header lines hold names and types of columns, which have no line breaks in them. */
function dropLines(bytes: Buffer, lines: number): Buffer {
  let from = 0;
  for (let dropped = 0; dropped < lines; dropped += 1) from = bytes.indexOf(10, from) + 1;
  return bytes.subarray(from);
}

async function runWhole(exchange: Exchange, asked: AnalyticsRequest, sql: string): Promise<void> {
  const { engine, response } = exchange;
  const format = readFormat(sql) ?? asked.defaultFormat;
  const endEarly = killWhenGone(exchange, asked.queryId);
  try {
    const result = await engine.run({ ...asked, sql, format });
    const summary = { read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) };
    response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
    setResultHeaders(response, format);
    await send(response, asked.wantsGzip, [result.bytes]);
  } finally {
    endEarly();
  }
}

function setResultHeaders(response: ServerResponse, format: string): void {
  response.setHeader('X-ClickHouse-Format', format);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  const isJson = format.startsWith('JSON') && !format.includes('EachRow');
  response.setHeader('Content-Type', isJson ? 'application/json; charset=UTF-8' : 'text/plain; charset=UTF-8');
}

async function send(
  response: ServerResponse,
  gzip: boolean,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const source = Readable.from(pieces, { objectMode: false });
  try {
    if (!gzip) return await pipeline(source, response);
    response.setHeader('Content-Encoding', 'gzip');
    await pipeline(source, createGzip({ level: 1 }), response);
  } catch {
    // The client has gone, or the statement failed half-way: cutting the response is the only signal left.
    response.destroy();
  }
}

const STATUS_BY_CODE: Readonly<Record<number, number>> = {
  516: 403,
  60: 404,
  81: 404,
  62: 400,
  36: 400,
  456: 400,
  159: 408,
  202: 503,
  307: 413,
};

function refuse(response: ServerResponse, error: EngineError | StatementError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader('X-ClickHouse-Exception-Code', String(error.code));
  response.setHeader('Connection', 'close');
  response.writeHead(STATUS_BY_CODE[error.code] ?? 500, { 'Content-Type': 'text/plain; charset=UTF-8' });
  const message = error.message.startsWith('Code: ')
    ? error.message
    : `Code: ${error.code}. DB::Exception: ${error.message}`;
  response.end(`${message}\n`);
}
