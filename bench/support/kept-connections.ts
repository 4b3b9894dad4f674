/** Connections of a load generator, kept open between requests as browsers keep theirs. */
import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A request that a server closes after it was sent has failed; so no connection waits for so long that its server might close it. */
const IDLE_MS_MAX = 5_000;
/** A few at a time: a full accept queue drops the others. */
const OPENED_AT_A_TIME = 100;

/** One connection; at most one request is under way. Times in milliseconds of `performance.now()`. */
export interface KeptConnection {
  readonly socket: Socket;
  isBusy: boolean;
  dueAtMs: number;
  sentAtMs: number;
  received: string;
  freeSinceMs: number;
}

/** What the generator does with a response, and with a connection that was closed before its response came. */
export interface KeptConnectionUser {
  readonly onResponse: (connection: KeptConnection, status: number) => void;
  readonly onLost: (connection: KeptConnection) => void;
}

/** The free connections take turns, and others replace the ones that are idle for long. */
export class KeptConnections {
  readonly #url: URL;
  readonly #user: KeptConnectionUser;
  readonly #idleMsMax: number;
  readonly #open = new Set<KeptConnection>();
  readonly #free: KeptConnection[] = [];
  #renewing: NodeJS.Timeout | null = null;

  /** @param idleMsMax how long a connection waits for a request; default 5,000 */
  constructor(url: string, user: KeptConnectionUser, idleMsMax = IDLE_MS_MAX) {
    this.#url = new URL(url);
    this.#user = user;
    this.#idleMsMax = idleMsMax;
  }

  /** Opens connections, all of them free. @throws Error when one is refused */
  async open(count: number): Promise<void> {
    for (let left = count; left > 0; left -= OPENED_AT_A_TIME) {
      const now = Math.min(OPENED_AT_A_TIME, left);
      for (const one of await Promise.all(Array.from({ length: now }, () => this.#connect()))) this.release(one);
    }
    this.#renewing = setInterval(() => this.#renew(), this.#idleMsMax / 10);
  }

  get freeCount(): number {
    return this.#free.length;
  }

  /** The connection that has been free for longest; undefined: all are busy. */
  acquire(): KeptConnection | undefined {
    return this.#free.shift();
  }

  /** Makes a connection free. */
  release(connection: KeptConnection): void {
    if (!this.#open.has(connection)) return;
    connection.freeSinceMs = performance.now();
    this.#free.push(connection);
  }

  /** Sends a request, which became due at some moment. */
  send(connection: KeptConnection, request: Buffer | string, dueAtMs: number): void {
    connection.isBusy = true;
    connection.dueAtMs = dueAtMs;
    connection.sentAtMs = performance.now();
    if (typeof request === 'string') connection.socket.write(request, 'latin1');
    else connection.socket.write(request);
  }

  /** Closes all connections. */
  close(): void {
    if (this.#renewing !== null) clearInterval(this.#renewing);
    this.#renewing = null;
    const all = [...this.#open];
    this.#open.clear();
    for (const { socket } of all) socket.destroy();
  }

  #renew(): void {
    const since = performance.now() - this.#idleMsMax;
    for (let left = OPENED_AT_A_TIME; left > 0 && (this.#free[0]?.freeSinceMs ?? Infinity) < since; left -= 1) {
      this.#free[0]?.socket.destroy();
      this.#replace(this.#free[0] as KeptConnection);
    }
  }

  /** Opens another connection in place of one that was closed while it was free. */
  #replace(closed: KeptConnection): void {
    this.#open.delete(closed);
    const at = this.#free.indexOf(closed);
    if (at !== -1) this.#free.splice(at, 1);
    this.#connect().then(
      (opened) => (this.#renewing === null ? opened.socket.destroy() : this.release(opened)),
      // The load goes over the other connections, and requests that find none of them free are errors.
      () => undefined,
    );
  }

  #connect(): Promise<KeptConnection> {
    const { protocol, hostname, port } = this.#url;
    const target = { host: hostname, port: Number(port) };
    return new Promise((resolve, reject) => {
      const isOpen = (): void => {
        this.#open.add(connection);
        resolve(connection);
      };
      const socket: Socket =
        protocol === 'https:'
          ? connectTls({ ...target, rejectUnauthorized: false }, isOpen)
          : connectPlain(target, isOpen);
      const connection = { socket, isBusy: false, dueAtMs: 0, sentAtMs: 0, received: '', freeSinceMs: 0 };
      socket.setNoDelay(true).on('error', reject);
      socket.on('close', () => this.#onClose(connection));
      socket.on('data', (chunk: Buffer) => this.#onData(connection, chunk));
    });
  }

  #onClose(connection: KeptConnection): void {
    if (!this.#open.has(connection)) return;
    if (connection.isBusy) this.#user.onLost(connection);
    this.#replace(connection);
  }

  #onData(connection: KeptConnection, chunk: Buffer): void {
    // A server says goodbye to an idle connection with a response (408) to no request.
    if (!connection.isBusy) return;
    connection.received += chunk.toString('latin1');
    const status = statusOfWhole(connection.received);
    if (status === null) return;
    connection.received = '';
    connection.isBusy = false;
    this.#user.onResponse(connection, status);
  }
}

/** The status of a complete response; else null. */
function statusOfWhole(text: string): number | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? '0';
  return text.length >= end + 4 + Number(length) ? Number(text.slice(9, 12)) : null;
}
