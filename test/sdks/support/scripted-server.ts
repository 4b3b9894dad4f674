import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** One request as it came. */
export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server with the responses that the programs of these tests expect; mutations fail once. */
export interface ScriptedServer {
  readonly base: string;
  readonly seen: readonly SeenRequest[];
  /** Forgets what it has seen. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts it on a free port of this machine. `files` are served as they are. @param tls the server's key and certificate; null: plain HTTP */
export async function openScriptedServer(
  files: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {},
  tls: { readonly key: string; readonly cert: string } | null = null,
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { url = '', headers } = request;
      const file = files[url];
      if (file !== undefined) return void response.setHeader('content-type', file.type).end(file.body);
      seen.push({ url, headers, body });
      const reply = respond(seen);
      if (reply === null) return;
      response.writeHead(reply[0], { 'content-type': 'application/json' });
      response.end(reply[1] === undefined ? '' : JSON.stringify(reply[1]));
    });
  };
  const server = tls === null ? createServer(handle) : createTlsServer(tls, handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `${tls === null ? 'http://127.0.0.1' : 'https://localhost'}:${(server.address() as AddressInfo).port}`,
    seen,
    reset: () => void seen.splice(0),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Status and body of the response to the newest request; null: none comes. */
function respond(seen: readonly SeenRequest[]): [number, unknown] | null {
  const { url, body } = seen.at(-1) as SeenRequest;
  if (url === '/1000/bid') return [204, undefined];
  if (body.includes('slow')) return null;
  if (body.includes('unknown')) return [404, { error: 'ad_unit_not_found', message: 'No such ad unit.' }];
  if (url === '/api/v1/ads') return [200, { ads: [{ width: 300 }], noFill: null }];
  if (!body.includes('mutation')) return [200, { data: { campaigns: { nodes: [{ id: '1' }, { id: '2' }] } } }];
  const isFirst = seen.filter((one) => one.body.includes('mutation')).length === 1;
  return isFirst ? [503, { error: 'unavailable' }] : [200, { data: { archiveCampaign: { validatedOnly: false } } }];
}
