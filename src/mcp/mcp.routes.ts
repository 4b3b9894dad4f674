import { createHash } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../domain/tenancy/workspace.ts';
import { agentText, type ApiRequest, type ApiResponse, type CallApi, parseJson, ToolError } from './call-api.ts';
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
        const { signal } = closingOf(reply);
        const context = (agent: string | null): ToolContext => ({
          call: callerOf(app, { request, environment, agent, signal }),
          confirmations,
          caller: fingerprint(request, caller),
          networkId: async () => caller.networkId,
        });
        const createServer = (): Promise<McpServer> => openServer(request, context, version);
        const response = await respond(request, { url, signal, createServer });
        return reply
          .code(response.status)
          .headers({ ...Object.fromEntries(response.headers), 'cache-control': 'no-store' })
          .send(await response.text());
      },
    });
  }
}

/** Aborts when the client closes its connection before the response is written. */
function closingOf(reply: FastifyReply): AbortController {
  const closing = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) closing.abort();
  });
  return closing;
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

interface Exchange {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly createServer: () => Promise<McpServer>;
}

/** Handles one body; nothing is kept between them. */
async function respond(request: FastifyRequest, { url, signal, createServer }: Exchange): Promise<Response> {
  // Loaded when the first agent calls: most cores never need it.
  const { createMcpHandler } = await import('./mcp-server.ts');
  // The library sends server-sent events only where a tool notifies before its result. No tool does.
  const handler = createMcpHandler(createServer, {
    // Nothing is announced, so nobody needs to listen.
    maxSubscriptions: 0,
    maxRequestBodySize: BODY_BYTES_MAX,
  });
  try {
    const parsedBody = withoutCancellations(request.body);
    // A URL refuses some Host headers that HTTP allows, and nothing looks at this one.
    const asked = new Request(`http://localhost${url}`, {
      method: 'POST',
      headers: headersOf(request),
      body: JSON.stringify(parsedBody),
      signal,
    });
    return await handler.fetch(asked, { parsedBody });
  } finally {
    await handler.close();
  }
}

/** A list without its cancellations: a canceled call gets no response, and the response to the list would wait for it. */
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const others = body.filter((message: unknown) => !isCancellation(message));
  // A list of nothing else has no call that it could cancel.
  return others.length === 0 ? body : others;
}

function isCancellation(message: unknown): boolean {
  return (message as { readonly method?: unknown } | null)?.method === 'notifications/cancelled';
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
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** Calls an API of this process as the caller of the tool: the same checks, limits and audit log as from outside. */
function callerOf(app: FastifyInstance, { request, environment, agent, signal }: Origin): CallApi {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return async ({ method, path, headers, body }: ApiRequest): Promise<ApiResponse> => {
    // A request that runs goes on to its end; the next one of the same tool has nobody to work for.
    if (signal.aborted) throw new ToolError('The client closed the connection.');
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
