import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PUBLIC_TOOLS } from '../../packages/adcp/src/public-tools.ts';
import type { SellerContext } from '../../packages/adcp/src/api/seller-context.ts';
import { PlacardError } from '../domain/errors.ts';
import { isDecimalId } from '../domain/ids/ids.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../domain/tenancy/workspace.ts';
import { renderAdagents, renderBrand, type SoldSite } from './adcp-identity.ts';
import { callerOf, closingOf, respond } from './exchange.ts';

/** Largest message of an agent, in bytes. */
const BODY_BYTES_MAX = 1024 * 1024;
/** Largest message of a caller without a key. */
const PUBLIC_BYTES_MAX = 64 * 1024;
/** Keys of a network change only with the secret of the installation. */
const IDENTITY_CACHE = 'public, max-age=300';
/** Methods that a caller without a key may call: those that tell what the seller is. */
const PUBLIC_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'ping',
  'server/discover',
  'tools/list',
]);

/** Dependencies of the seller's address. */
export interface AdcpDeps {
  readonly authenticate: (
    request: FastifyRequest,
    options: { readonly environment: Environment; readonly operation: string; readonly networkId: string },
  ) => Promise<Principal>;
  /** Under which agents reach this service. */
  readonly publicUrl: string;
  readonly version: string;
  readonly nowMs: () => number;
  /** The public keys that verify the notices of a network, as JSON Web Keys. */
  readonly keysOf: (networkId: string, environment: Environment) => readonly object[];
  /** The sites that a network sells to buyers; empty where it offers nothing. */
  readonly soldSitesOf: (networkId: string) => Promise<readonly SoldSite[]>;
}

interface NetworkParams {
  readonly network: string;
}

/**
 * Adds `/adcp/:network/mcp` and its staging twin: the seller of the network's inventory for buyers' agents (Ad Context Protocol). A tool calls the same APIs as
 * everybody, with the key of its caller. What the seller supports can be read without a key.
 */
export function registerAdcp(app: FastifyInstance, deps: AdcpDeps): void {
  const { authenticate, publicUrl, version, nowMs } = deps;
  const callers = new WeakMap<FastifyRequest, Principal>();
  for (const environment of ENVIRONMENTS) {
    registerIdentity(app, environment, deps);
    app.route<{ Params: NetworkParams }>({
      method: 'POST',
      url: `${pathPrefix(environment)}/adcp/:network/mcp`,
      bodyLimit: BODY_BYTES_MAX,
      // Before the body is read: a caller without a key can make us parse only little.
      onRequest: async (request) => {
        const { network: networkId } = request.params;
        if (request.headers.authorization === undefined && isSmall(request)) return;
        callers.set(request, await authenticate(request, { environment, operation: 'adcp', networkId }));
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined && !isPublic(request.body)) throw new PlacardError('authentication_required');
        const networkId = request.params.network;
        const url = `${pathPrefix(environment)}/adcp/${networkId}/mcp`;
        const { signal } = closingOf(reply);
        const contextOf = (agent: string | null): SellerContext => ({
          call: callerOf(app, { request, environment, agent, signal }),
          networkId,
          environment,
          agentUrl: `${publicUrl}${url}`,
          nowMs,
        });
        const createServer = async () => {
          const { createSellerServer } = await import('../../packages/adcp/src/seller-server.ts');
          const userAgent = request.headers['user-agent'] ?? null;
          return createSellerServer({ version, context: (agent) => contextOf(agent ?? userAgent) });
        };
        const response = await respond(request, { url, signal, createServer, bytesMax: BODY_BYTES_MAX });
        return reply
          .code(response.status)
          .headers({ ...Object.fromEntries(response.headers), 'cache-control': 'no-store' })
          .send(await response.text());
      },
    });
  }
}

/** Adds `brand.json` of the seller, which leads to the keys that sign its notices, these keys, and `adagents.json` of the network's sites. */
function registerIdentity(app: FastifyInstance, environment: Environment, deps: AdcpDeps): void {
  const { publicUrl, keysOf, soldSitesOf } = deps;
  const path = `${pathPrefix(environment)}/adcp/:network`;
  const baseOf = (networkId: string): string => `${publicUrl}${path.replace(':network', networkId)}`;
  app.get<{ Params: NetworkParams }>(`${path}/brand.json`, ({ params }, reply) =>
    reply.header('cache-control', IDENTITY_CACHE).send(renderBrand(baseOf(networkIn(params)))),
  );
  app.get<{ Params: NetworkParams }>(`${path}/jwks.json`, ({ params }, reply) =>
    reply.header('cache-control', IDENTITY_CACHE).send({ keys: keysOf(networkIn(params), environment) }),
  );
  // No site is sold in staging.
  if (environment === 'staging') return;
  app.get<{ Params: NetworkParams }>(`${path}/adagents.json`, async ({ params }, reply) => {
    const networkId = networkIn(params);
    const sites = await soldSitesOf(networkId);
    if (sites.length === 0) throw new PlacardError('not_found', 'This network offers nothing to buyers.');
    return reply.header('cache-control', IDENTITY_CACHE).send(renderAdagents(baseOf(networkId), sites));
  });
}

/** @throws PlacardError `unknown_network` for a text that no network has as its id */
function networkIn({ network }: NetworkParams): string {
  if (!isDecimalId(network)) throw new PlacardError('unknown_network');
  return network;
}

function isSmall({ headers }: FastifyRequest): boolean {
  const length = Number(headers['content-length'] ?? Infinity);
  return length <= PUBLIC_BYTES_MAX;
}

/** Whether every message of a body asks only for what anybody may know. */
function isPublic(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return messages.every((message: unknown) => {
    const { method, params } = (message ?? {}) as { readonly method?: unknown; readonly params?: { name?: unknown } };
    if (method === 'tools/call') return PUBLIC_TOOLS.has(String(params?.name));
    return typeof method === 'string' && PUBLIC_METHODS.has(method);
  });
}
