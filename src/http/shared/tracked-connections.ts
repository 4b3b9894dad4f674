import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

const SWEEP_MS = 50;
/**
 * Resolves when what has arrived is read. A process that had no processor for a while finds its timers over and requests unread: nothing may be
 * closed as idle before.
 */
const afterPoll = (): Promise<void> => setImmediate();
/** How long a connection that was accepted just before the end may need for its first request, a TLS handshake included. */
const FRESH_MS = 2_000;

/** The open connections of a server, and how they end. */
export interface TrackedConnections {
  /** Raw connections that are open now, handshaking ones included. */
  count(): number;
  /** As `Listener.stop`. */
  stop(drainMs: number, lingerMs?: number): Promise<void>;
}

/** Watches the connections of a server. Call it before anything else listens to its connections. */
export function trackConnections(server: Server, encrypted: boolean): TrackedConnections {
  const open = new OpenConnections(server, encrypted);
  return {
    count: () => open.size,
    stop: async (drainMs, lingerMs = 0) => {
      if (!server.listening) return;
      const before = open.list();
      if (lingerMs > 0) await open.waitWhileOpen(before, lingerMs);
      // An http.Server would close its idle connections as well.
      const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
      if (lingerMs > 0) await open.waitForRequests(before);
      const closeIdle = (): void => void afterPoll().then(() => server.closeIdleConnections());
      const sweep = setInterval(closeIdle, SWEEP_MS);
      const cut = setTimeout(() => open.destroy(), drainMs);
      await afterPoll();
      server.closeIdleConnections();
      open.destroy((socket) => !open.hasRequest(socket));
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

class OpenConnections {
  readonly #sockets = new Map<string, Socket>();
  readonly #encrypted: boolean;
  #unnamed = 0;

  constructor(server: Server, encrypted: boolean) {
    this.#encrypted = encrypted;
    server.prependListener('connection', (socket: Socket) => this.#add(socket));
    // The same connection, decrypted.
    if (encrypted) server.prependListener('secureConnection', (socket: Socket) => this.#add(socket));
  }

  get size(): number {
    return this.#sockets.size;
  }

  list(): ReadonlySet<Socket> {
    return new Set(this.#sockets.values());
  }

  /** Bytes of a request have come. */
  hasRequest(socket: Socket): boolean {
    return socket.bytesRead > 0 && (!this.#encrypted || 'encrypted' in socket);
  }

  destroy(which: (socket: Socket) => boolean = () => true): void {
    for (const socket of this.list()) if (which(socket)) socket.destroy();
  }

  async waitWhileOpen(sockets: ReadonlySet<Socket>, forMs: number): Promise<void> {
    await waitUntil(() => [...sockets].every((socket) => socket.destroyed), forMs);
  }

  /** Until each connection that is not one of `before` has sent something. */
  async waitForRequests(before: ReadonlySet<Socket>): Promise<void> {
    const areUsed = (): boolean =>
      [...this.#sockets.values()].every((socket) => before.has(socket) || this.hasRequest(socket));
    await waitUntil(areUsed, FRESH_MS);
  }

  #add(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    const key = remotePort === undefined ? `unnamed ${(this.#unnamed += 1)}` : `${remoteAddress} ${remotePort}`;
    this.#sockets.set(key, socket);
    socket.once('close', () => {
      if (this.#sockets.get(key) === socket) this.#sockets.delete(key);
    });
  }
}

async function waitUntil(holds: () => boolean, forMs: number): Promise<void> {
  const untilMs = performance.now() + forMs;
  while (!holds() && performance.now() < untilMs) {
    await sleep(SWEEP_MS);
    await afterPoll();
  }
}
