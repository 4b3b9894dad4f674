import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Counter, Gauge, type Registry } from 'prom-client';
import { loadNodeId, readSecretFile } from '../../../cluster/secret-files.ts';
import type { Settings } from '../../../config/settings.ts';
import { fromWire, toWire } from '../../../domain/wire-json.ts';
import type { ViaCore } from '../../../storage/sql/node-call.ts';
import { OlapError, type OlapErrorCode, type OlapInsert } from '../../../storage/olap/olap.ts';
import { KEPT_RESULTS, NODE_HEADER, NODE_PATH, OLAP_HEADER } from './core-calls.ts';
import { CoreConnections, type CoreResponse, CoreUnreachableError } from './core-request.ts';
import { KeptResults } from './kept-results.ts';

const zip = promisify(gzip);

/** The file of a node's token, among its secrets. */
export const NODE_TOKEN_FILE = 'node-token';
const INSERT_MS = 120_000;
/** Fewer bytes of rows are sent as they are. */
const ZIPPED_BYTES_MIN = 4_096;
/** Analytics of a large store. */
const CALL_MS = 600_000;
/** A core that does not know a call, or its arguments, is older than this node; after this time without a refusal it counts as upgraded. */
const OLDER_MS = 300_000;
const UNKNOWN_TO_CORE: readonly number[] = [400, 404];

/** Thrown when a core refuses a call: its message says why. */
export class CoreRefusedError extends Error {
  readonly status: number;

  constructor(what: string, { status, body }: CoreResponse) {
    super(`The core refused ${what} with ${status}: ${messageOf(body)}`);
    this.name = 'CoreRefusedError';
    this.status = status;
  }
}

/** The way of a node to PostgreSQL, the analytics store and the files: a core, or any of several behind a balancer. */
export class CoreLink implements ViaCore {
  readonly connections: CoreConnections;
  readonly #dataDir: string;
  readonly #nodeId: string;
  readonly #kept: KeptResults;
  #isUp = false;
  #refusals = 0;
  #refusedAtMs = Number.NEGATIVE_INFINITY;

  /** @throws Error when the settings name no core, or a file of CAs that cannot be read */
  constructor({ dataDir, coreUrl, coreCaFile }: Pick<Settings, 'dataDir' | 'coreUrl' | 'coreCaFile'>) {
    if (coreUrl === null) throw new Error('PLACARD_CORE_LINK_URL is not set');
    this.connections = new CoreConnections({ coreUrl, coreCaFile });
    this.#dataDir = dataDir;
    this.#nodeId = loadNodeId(dataDir);
    this.#kept = new KeptResults(dataDir);
  }

  /** Whether the last request got a response. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Whether a core has lately refused a call of this node as one that it does not know. */
  get isCoreOlder(): boolean {
    return performance.now() - this.#refusedAtMs < OLDER_MS;
  }

  /** The headers that let this node in. */
  headers(): Record<string, string> {
    const token = readSecretFile(this.#dataDir, NODE_TOKEN_FILE)?.trim() ?? 'none';
    return { authorization: `Bearer ${token}`, [NODE_HEADER]: this.#nodeId };
  }

  /** @throws CoreUnreachableError, CoreRefusedError, OlapError */
  async viaCore(name: string, args: readonly unknown[]): Promise<unknown> {
    const rule = KEPT_RESULTS.get(name);
    const key = rule?.keyOf(args) ?? '';
    const kept = rule === undefined ? null : await this.#kept.read(name, key);
    const response = await this.#send(name, {
      path: `/calls/${name}`,
      headers: kept === null ? {} : { 'if-none-match': kept.tag },
      body: Buffer.from(toWire(args)),
      timeoutMs: CALL_MS,
    });
    if (response.status === 304 && kept !== null) return fromWire(kept.text.toString('utf8'));
    const { etag } = response.headers;
    if (rule !== undefined && etag !== undefined) await this.#kept.write(name, key, { tag: etag, text: response.body });
    return fromWire(response.body.toString('utf8'));
  }

  /** @throws CoreUnreachableError, CoreRefusedError, OlapError */
  async insertRows({ table, token, columns, format, body }: OlapInsert): Promise<void> {
    const query = new URLSearchParams({ table, token });
    if (columns !== undefined) query.set('columns', columns.join(','));
    if (format !== undefined) query.set('format', format);
    const send = async (rows: Buffer): Promise<void> => {
      await this.#send('rows', { path: `/rows?${query}`, headers: {}, body: rows, timeoutMs: INSERT_MS });
    };
    if (body.length < ZIPPED_BYTES_MIN) return send(body);
    query.set('encoding', 'gzip');
    try {
      await send(await zip(body, { level: 1 }));
    } catch (error) {
      if (!(error instanceof CoreRefusedError) || error.status !== 400) throw error;
      // A core of the version before takes rows as they are.
      query.delete('encoding');
      await send(body);
    }
  }

  registerMetrics(registry: Registry): void {
    const up: Gauge = new Gauge({
      name: 'placard_core_link_up',
      help: '1 while the core that this node reaches the stores through responds.',
      registers: [registry],
      collect: () => up.set(this.#isUp ? 1 : 0),
    });
    const refused: Counter = new Counter({
      name: 'placard_core_link_refused_total',
      help: 'Calls that a core refused because it does not know them or their arguments: it is older than this node.',
      registers: [registry],
      collect: () => {
        refused.reset();
        refused.inc(this.#refusals);
      },
    });
  }

  close(): void {
    this.connections.close();
  }

  async #send(
    what: string,
    of: {
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      readonly timeoutMs: number;
    },
  ): Promise<CoreResponse> {
    const { path, headers, body, timeoutMs } = of;
    const request = {
      method: 'POST' as const,
      path: `${NODE_PATH}${path}`,
      headers: { ...this.headers(), 'content-type': 'application/octet-stream', ...headers },
      body,
      timeoutMs,
    };
    const response = await this.connections.send(request).catch((error: unknown) => {
      this.#isUp = false;
      throw error;
    });
    this.#isUp = response.status < 500;
    if (response.status < 400) return response;
    if (UNKNOWN_TO_CORE.includes(response.status) && response.headers[OLAP_HEADER] === undefined) {
      this.#refusals += 1;
      this.#refusedAtMs = performance.now();
    }
    throw analyticsErrorOf(response) ?? new CoreRefusedError(what, response);
  }
}

/** What the analytics store said, behind the core. */
function analyticsErrorOf({ headers, body }: CoreResponse): OlapError | null {
  const text = headers[OLAP_HEADER];
  if (typeof text !== 'string') return null;
  const { code, retryable, serverCode } = JSON.parse(text) as {
    code: OlapErrorCode;
    retryable: boolean;
    serverCode: number | null;
  };
  return new OlapError(code, messageOf(body), { retryable, ...(serverCode === null ? {} : { serverCode }) });
}

function messageOf(body: Buffer): string {
  try {
    const problem = JSON.parse(body.toString('utf8')) as { error?: { message?: string }; message?: string };
    return problem.error?.message ?? problem.message ?? 'without a reason';
  } catch {
    return 'without a reason';
  }
}

/** A failure on the way to the analytics store: the same call may work later. */
export function toOlapError(error: unknown): OlapError {
  if (error instanceof OlapError) return error;
  // It works once the core is upgraded.
  if (error instanceof CoreRefusedError && UNKNOWN_TO_CORE.includes(error.status))
    return new OlapError('invalid_query', error.message, { retryable: true, cause: error });
  // A core of the version before takes half as much: the batch is divided.
  if (error instanceof CoreRefusedError && error.status === 413)
    return new OlapError('too_large', error.message, { retryable: false, cause: error });
  const code: OlapErrorCode =
    error instanceof CoreRefusedError && [401, 403].includes(error.status)
      ? 'unauthorized'
      : error instanceof CoreUnreachableError
        ? 'unreachable'
        : 'overloaded';
  return new OlapError(code, error instanceof Error ? error.message : String(error), { retryable: true, cause: error });
}
