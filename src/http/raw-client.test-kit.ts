import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** An answer as it came over the wire. Header names are lower case; repeated headers are joined with `, `. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  json(): Record<string, unknown>;
}

/** Sends everything before it reads anything, as simple clients do; gives what came back, or nothing when the peer cut it off. */
export async function sendThenRead(port: number, pieces: readonly (string | Buffer)[]): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => received.splice(0)).on('close', () => resolve());
  });
  socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), (error) => {
    if (!error) socket.on('data', (chunk: Buffer) => received.push(chunk)).resume();
  });
  await closed;
  return Buffer.concat(received);
}

/** Sends bytes in pieces and gives everything that came back until the peer closed, or `waitMs` passed. */
export async function sendRaw(
  port: number,
  pieces: readonly (string | Buffer)[],
  { ca, pauseMs = 0, waitMs = 5_000 }: { ca?: string; pauseMs?: number; waitMs?: number } = {},
): Promise<Buffer> {
  const socket: Socket =
    ca === undefined
      ? connect(port, '127.0.0.1')
      : connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca });
  const received: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    const timer = setTimeout(() => socket.destroy(), waitMs);
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await ended;
  return Buffer.concat(received);
}

/** Splits what `sendRaw` gave into answers (Content-Length framing and chunked). `headMethods` marks answers without bodies. */
export function parseAnswers(bytes: Buffer, { head = false }: { head?: boolean } = {}): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) break;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase();
      const value = line.slice(line.indexOf(':') + 1).trim();
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    rest = rest.subarray(end + 4);
    const status = Number(statusLine.split(' ')[1]);
    if (status === 100) continue;
    const chunked = headers['transfer-encoding'] === 'chunked';
    const length = head ? 0 : chunked ? rest.length : Number(headers['content-length'] ?? 0);
    const body = chunked ? unchunk(rest) : rest.subarray(0, length);
    rest = rest.subarray(length);
    answers.push({ status, headers, body, json: () => JSON.parse(body.toString('utf8')) as Record<string, unknown> });
  }
  return answers;
}

/** One request on a connection of its own; `Host` and `Connection: close` are added. */
export async function ask(
  port: number,
  method: string,
  target: string,
  {
    headers = {},
    body,
    ca,
    waitMs,
  }: { headers?: Record<string, string>; body?: string | Buffer; ca?: string; waitMs?: number } = {},
): Promise<RawAnswer> {
  const framed =
    body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const all: Record<string, string> = { host: 'localhost', connection: 'close', ...framed, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const pieces = [`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, ...(body === undefined ? [] : [body])];
  const bytes = await sendRaw(port, pieces, {
    ...(ca === undefined ? {} : { ca }),
    ...(waitMs === undefined ? {} : { waitMs }),
  });
  const [answer] = parseAnswers(bytes, { head: method === 'HEAD' });
  if (answer === undefined) throw new Error(`No answer to ${method} ${target}; got ${bytes.length} bytes`);
  return answer;
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = end === -1 ? 0 : Number.parseInt(rest.subarray(0, end).toString('latin1'), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(rest.subarray(end + 2, end + 2 + size));
    rest = rest.subarray(end + 4 + size);
  }
}
