import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type AuditEntry, recordAudit } from '../../../access/audit/audit.sql.ts';
import { recordAttempts } from '../../../access/sign-in/attempt-calls.ts';
import { bindToNetworks } from '../../../access/sign-in/attempt-networks.sql.ts';
import { lockCluster, readCluster } from '../../../cluster/cluster.sql.ts';
import { redeemPresentKey } from '../../../cluster/join-cluster.ts';
import { JoinTokenError } from '../../../cluster/join-tokens.sql.ts';
import { issueNodeToken } from '../../../cluster/node-tokens.sql.ts';
import { CLUSTER_SECRETS } from '../../../cluster/secret-table.ts';
import { fieldError, PlacardError } from '../../../domain/errors.ts';
import { fromWire, toWire } from '../../../domain/wire-json.ts';
import type { AssetStore } from '../../../storage/assets.ts';
import { INSERT_BYTES_MAX, INSERT_FORMATS, type Olap, OlapError } from '../../../storage/olap/olap.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import type { ChangeHub } from '../../../storage/sql/change-hub.ts';
import { ChangeStreams } from './change-stream.ts';
import {
  type AnyCall,
  CALL_BYTES_MAX,
  KEPT_RESULTS,
  NODE_OF_CALL,
  NODE_PATH,
  OLAP_CALLS,
  OLAP_HEADER,
  ROW_TABLES,
  SQL_CALLS,
  tagOf,
} from './core-calls.ts';
import { NodeGuard } from './node-guard.ts';

const unzip = promisify(gunzip);

/** Inserts in hand at once: each holds its rows in memory. */
const INSERTS_MAX = 4;
const JOIN_BYTES_MAX = 4_096;

const JOIN_WISH = z.strictObject({
  nodeId: z.string().regex(/^[0-9a-z]{8,20}$/, 'write the id of a node'),
  joinToken: z.string().max(200),
});
const NAME = z.string().regex(/^\w{1,100}$/);
const INSERT = z.strictObject({
  table: z.enum(ROW_TABLES),
  token: z.string().regex(/^[\w./:-]{1,300}$/),
  format: z.enum(INSERT_FORMATS).optional(),
  encoding: z.literal('gzip').optional(),
  columns: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(NAME).max(200))
    .optional(),
});

/** Dependencies of the endpoints for nodes. */
export interface NodeRouteDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly changes: ChangeHub;
  readonly assets: AssetStore;
  /** Whether files are in PostgreSQL, which alone knows those that were deleted. */
  readonly areAssetsInSql: boolean;
  readonly nowMs: () => number;
}

/** Adds the endpoints for nodes that reach only a core. `end` ends the streams of changes. */
export async function registerNodeRoutes(app: FastifyInstance, deps: NodeRouteDeps): Promise<{ end(): void }> {
  const guard = new NodeGuard(deps.sql, deps.nowMs);
  const streams = new ChangeStreams(deps.changes);
  const nodes = new WeakMap<FastifyRequest, string>();
  const calls = callTable(deps, guard);
  const admit = async (request: FastifyRequest, { raw }: FastifyReply): Promise<void> => {
    nodes.set(request, await guard.admit(request));
    // The event that ends what a request holds is over.
    if (raw.destroyed) throw new PlacardError('invalid_request', 'The connection ended before the request was read.');
  };
  let inserts = 0;
  const admitInsert = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await admit(request, reply);
    if (inserts >= INSERTS_MAX)
      throw new PlacardError('overloaded', 'Too many inserts at once.', { details: { retryAfterSeconds: 1 } });
    inserts += 1;
    reply.raw.once('close', () => (inserts -= 1));
  };
  await app.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(`${NODE_PATH}/join`, { bodyLimit: JOIN_BYTES_MAX }, (request) => join(request, deps, guard));
    scope.post<{ Params: { name: string } }>(
      `${NODE_PATH}/calls/:name`,
      { bodyLimit: CALL_BYTES_MAX, onRequest: admit },
      async (request, reply) => {
        const call = calls.get(request.params.name);
        if (call === undefined)
          throw new PlacardError(
            'not_found',
            'This core has no such call: it is older than the node. Upgrade cores first.',
          );
        const args = readArguments(call, request.body);
        const about = NODE_OF_CALL.get(call.callName);
        const nodeId = nodes.get(request) ?? '';
        if (about !== undefined && about(args) !== nodeId)
          throw new PlacardError('insufficient_permissions', 'This token belongs to another node.');
        return respond(request, reply, call.callName, await withAnalyticsError(reply, () => call.run(args, nodeId)));
      },
    );
    scope.post(
      `${NODE_PATH}/rows`,
      { bodyLimit: INSERT_BYTES_MAX, onRequest: admitInsert, config: { slowBodyAllowed: true } },
      async (request, reply) => {
        const { columns, format, encoding, ...insert } = check(INSERT, request.query);
        const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const body = encoding === undefined ? sent : await unzipRows(sent);
        const form = { ...(columns === undefined ? {} : { columns }), ...(format === undefined ? {} : { format }) };
        await withAnalyticsError(reply, () => deps.olap.insertRaw({ ...insert, ...form, body }));
        return reply.code(204).send();
      },
    );
    scope.get(`${NODE_PATH}/changes`, { onRequest: admit }, async (request, reply) => {
      if (streams.isFull) throw new PlacardError('overloaded', undefined, { details: { retryAfterSeconds: 5 } });
      streams.open(reply, () => guard.isStillValid(request));
    });
  });
  return streams;
}

async function join(request: FastifyRequest, { sql }: NodeRouteDeps, guard: NodeGuard): Promise<object> {
  guard.requireCalm(request);
  const { nodeId, joinToken } = check(JOIN_WISH, parseJson(request.body));
  try {
    return await lockCluster(sql, async (trx) => {
      const truth = await readCluster(trx, nodeId);
      if (truth === null) throw new PlacardError('unavailable', 'There is no cluster yet.');
      const clusterKey = await redeemPresentKey(trx, truth, joinToken);
      const nodeToken = await issueNodeToken(trx, nodeId);
      const by = { actor: `node:${nodeId}`, remoteAddress: request.clientAddress, networkId: '0', workspaceId: null };
      await recordAudit(trx, { by, action: 'nodeToken.create', objectKind: 'nodeToken', objectId: nodeId });
      return { nodeToken, clusterKey: clusterKey.toString('hex') };
    });
  } catch (error) {
    if (!(error instanceof JoinTokenError)) throw error;
    throw guard.refuse(request, new PlacardError('invalid_credentials', error.message, { cause: error }));
  }
}

/** A call with its store, by name. */
interface BoundCall extends AnyCall {
  readonly run: (args: never, nodeId: string) => Promise<unknown>;
}

function callTable(
  { sql, olap, assets, areAssetsInSql, nowMs }: NodeRouteDeps,
  guard: NodeGuard,
): ReadonlyMap<string, BoundCall> {
  const bind = (all: readonly AnyCall[], store: object) =>
    all.map(
      (call): BoundCall => ({
        ...call,
        callName: call.callName,
        schema: call.schema,
        run: (args: readonly unknown[]) => call.run(store as never, ...(args as never)),
      }),
    );
  const table = new Map([...bind(SQL_CALLS, sql), ...bind(OLAP_CALLS, olap)].map((call) => [call.callName, call]));
  const replace = (name: string, run: BoundCall['run']): void => {
    const call = table.get(name);
    if (call === undefined) throw new Error(`There is no call ${name}`);
    table.set(name, { ...call, run });
  };
  replace('cluster.read', async ([nodeId]: [string]) => {
    const truth = await readCluster(sql, nodeId);
    const isForDelivery = new Set(CLUSTER_SECRETS.filter((one) => one.isForDelivery).map(({ name }) => name));
    const forNode = ({ name }: { readonly name: string }): boolean => isForDelivery.has(name);
    return truth === null ? null : { ...truth, secrets: truth.secrets.filter(forNode) };
  });
  // An entry names the node that sent it, and has the core's time.
  replace(recordAttempts.callName, async ([entries]: [readonly AuditEntry[]], nodeId) => {
    guard.admitEntries(nodeId, entries.length);
    const marked = (await bindToNetworks(sql, entries)).map((entry) => ({
      ...entry,
      more: { ...entry.more, node: nodeId },
    }));
    return recordAttempts.run(sql, marked, new Date(nowMs()));
  });
  replace('assets.read', async ([name]: [string]) => (await assets.get(name))?.bytes ?? null);
  if (!areAssetsInSql) replace('assets.list', ([names]: [string[]]) => Promise.resolve(new Set(names)));
  return table;
}

function readArguments(call: BoundCall, body: unknown): never {
  let args: unknown;
  try {
    args = fromWire(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  } catch (cause) {
    throw new PlacardError('validation_failed', 'The arguments cannot be read.', { cause });
  }
  return check(call.schema, args) as never;
}

/** @throws PlacardError for anything but gzip, and for more than `INSERT_BYTES_MAX` */
async function unzipRows(body: Buffer): Promise<Buffer> {
  try {
    return await unzip(body, { maxOutputLength: INSERT_BYTES_MAX });
  } catch (cause) {
    throw new PlacardError('validation_failed', `Send gzip of at most ${INSERT_BYTES_MAX} bytes of rows.`, { cause });
  }
}

function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return body;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new PlacardError('validation_failed', 'The body is not JSON.', { cause });
  }
}

/** @throws PlacardError that names the bad field */
function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw fieldError(issue?.path.join('.') || 'body', issue?.code ?? 'invalid', issue?.message ?? 'is not valid');
}

/** A kept result is sent only when it differs from what the node has. */
function respond(request: FastifyRequest, reply: FastifyReply, name: string, result: unknown): FastifyReply {
  const kept = KEPT_RESULTS.get(name);
  const text = toWire(result);
  if (kept !== undefined) {
    const content = kept.contentOf(result);
    const tag = tagOf(content === result ? text : toWire(content));
    reply.header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  }
  return reply.header('cache-control', 'no-store').type('application/json').send(text);
}

/** What the analytics store said reaches the node: whether it may try again depends on it. */
async function withAnalyticsError<T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OlapError)) throw error;
    const { code, retryable, serverCode } = error;
    reply.header(OLAP_HEADER, JSON.stringify({ code, retryable, serverCode }));
    throw new PlacardError(retryable ? 'unavailable' : 'validation_failed', error.message, { cause: error });
  }
}
