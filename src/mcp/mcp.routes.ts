import { createHash } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../domain/tenancy/workspace.ts';
import { Confirmations } from './confirmations.ts';
import { callerOf, closingOf, respond } from './exchange.ts';
import type { ToolContext } from './tools.ts';

/** Largest message of an agent, in bytes. */
const BODY_BYTES_MAX = 1024 * 1024;
/** Dependencies of the address for agents. */
export interface McpDeps {
  readonly authenticate: (
    request: FastifyRequest,
    options: { readonly environment: Environment; readonly operation: string },
  ) => Promise<Principal>;
  /** Known to every core of the installation, so that each confirms what another one proposed. */
  readonly secret: Buffer;
  readonly version: string;
  readonly nowMs: () => number;
}

/** Adds `/mcp` and `/staging/mcp`: tools for agents. A tool calls the same APIs as everybody, with the key of its caller. */
export function registerMcp(app: FastifyInstance, { authenticate, secret, version, nowMs }: McpDeps): void {
  const confirmations = new Confirmations(secret, nowMs);
  const callers = new WeakMap<FastifyRequest, Principal>();
  for (const environment of ENVIRONMENTS) {
    const url = `${pathPrefix(environment)}/mcp`;
    app.route({
      // Nothing is kept between messages, so there is no stream to open (GET) and no session to end (DELETE).
      method: 'POST',
      url,
      bodyLimit: BODY_BYTES_MAX,
      // Authentication runs before the body is read: unknown callers cannot make us parse anything.
      onRequest: async (request) => {
        callers.set(request, await authenticate(request, { environment, operation: 'mcp' }));
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new PlacardError('authentication_required');
        const { signal } = closingOf(reply);
        const context = (agent: string | null): ToolContext => ({
          call: callerOf(app, { request, environment, agent, signal }),
          confirmations,
          caller: fingerprint(request, caller),
          networkId: async () => caller.networkId,
        });
        const createServer = (): Promise<McpServer> => openServer(request, context, version);
        const response = await respond(request, { url, signal, createServer, bytesMax: BODY_BYTES_MAX });
        return reply
          .code(response.status)
          .headers({ ...Object.fromEntries(response.headers), 'cache-control': 'no-store' })
          .send(await response.text());
      },
    });
  }
}

async function openServer(
  request: FastifyRequest,
  context: (agent: string | null) => ToolContext,
  version: string,
): Promise<McpServer> {
  const { createMcpServer } = await import('./mcp-server.ts');
  const userAgent = request.headers['user-agent'] ?? null;
  return createMcpServer((agent) => context(agent ?? userAgent), version);
}

/** One text for each credential in each environment. */
function fingerprint(request: FastifyRequest, caller: Principal): string {
  const credential = createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest('base64url');
  return `${caller.networkId} ${caller.environment} ${credential}`;
}
