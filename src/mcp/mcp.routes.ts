import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../domain/tenancy/workspace.ts';
import { agentText, type ApiRequest, type ApiResponse, type CallApi, parseJson } from './call-api.ts';
import { Confirmations } from './confirmations.ts';
import type { ToolContext } from './tools.ts';

/** Largest message of an agent, in bytes. */
const BODY_BYTES_MAX = 1024 * 1024;
/** What a tool's own requests keep of the request that called the tool: who calls, and from where. */
const KEPT_HEADERS = [
  'authorization',
  'host',
  'user-agent',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-real-ip',
];

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
        const context = (agent: string | null): ToolContext => ({
          call: callerOf(app, { request, environment, agent }),
          confirmations,
          caller: fingerprint(request, caller),
          networkId: async () => caller.networkId,
        });
        const response = await respond(request, `http://${request.host}${url}`, (agent) => context(agent), version);
        return reply
          .code(response.status)
          .headers({ ...Object.fromEntries(response.headers), 'cache-control': 'no-store' })
          .send(await response.text());
      },
    });
  }
}

/** Handles one message; nothing is kept between messages. */
async function respond(
  request: FastifyRequest,
  address: string,
  context: (agent: string | null) => ToolContext,
  version: string,
): Promise<Response> {
  // Loaded when the first agent calls: most cores never need it.
  const { createMcpHandler, createMcpServer } = await import('./mcp-server.ts');
  const userAgent = request.headers['user-agent'] ?? null;
  const handler = createMcpHandler(() => createMcpServer((agent) => context(agent ?? userAgent), version), {
    responseMode: 'json',
    // Nothing is announced, so nobody needs to listen.
    maxSubscriptions: 0,
    maxRequestBodySize: BODY_BYTES_MAX,
  });
  try {
    const asked = new Request(address, {
      method: 'POST',
      headers: headersOf(request),
      body: JSON.stringify(request.body),
    });
    return await handler.fetch(asked, { parsedBody: request.body });
  } finally {
    await handler.close();
  }
}

function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  return headers;
}

interface Origin {
  readonly request: FastifyRequest;
  readonly environment: Environment;
  readonly agent: string | null;
}

/** Calls an API of this process as the caller of the tool: the same checks, limits and audit log as from outside. */
function callerOf(app: FastifyInstance, { request, environment, agent }: Origin): CallApi {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return async ({ method, path, headers, body }: ApiRequest): Promise<ApiResponse> => {
    const reply = await app.inject({
      method,
      url: `${pathPrefix(environment)}${path}`,
      remoteAddress: request.socket.remoteAddress ?? '',
      headers: { ...kept, accept: 'application/json', 'placard-agent': agentText(agent), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: reply.statusCode, body: parseJson(reply.body) };
  };
}

/** One text for each credential in each environment. */
function fingerprint(request: FastifyRequest, caller: Principal): string {
  const credential = createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest('base64url');
  return `${caller.networkId} ${caller.environment} ${credential}`;
}
