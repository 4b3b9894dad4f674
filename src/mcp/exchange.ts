import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Environment, pathPrefix } from '../domain/tenancy/workspace.ts';
import { agentText, type ApiRequest, type ApiResponse, type CallApi, parseJson, ToolError } from './call-api.ts';

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

/** Aborts when the client closes its connection before the response is written. */
export function closingOf(reply: FastifyReply): AbortController {
  const closing = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) closing.abort();
  });
  return closing;
}

/** One HTTP request that carries messages for a server of tools. */
interface Exchange {
  readonly url: string;
  /** Largest body, in bytes. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  readonly createServer: () => Promise<McpServer | Server>;
}

/** Handles one body; nothing is kept between bodies. */
export async function respond(
  request: FastifyRequest,
  { url, signal, createServer, bytesMax }: Exchange,
): Promise<Response> {
  // Loaded when the first agent calls: most cores never need it.
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  // The library sends server-sent events only where a tool notifies before its result. No tool does.
  const handler = createMcpHandler(createServer, {
    // Nothing is announced, so nobody needs to listen.
    maxSubscriptions: 0,
    maxRequestBodySize: bytesMax,
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

/** Whom a tool works for. */
interface Origin {
  readonly request: FastifyRequest;
  readonly environment: Environment;
  readonly agent: string | null;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** Calls an API of this process as the caller of the tool: the same checks, limits and audit log as from outside. */
export function callerOf(app: FastifyInstance, { request, environment, agent, signal }: Origin): CallApi {
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
