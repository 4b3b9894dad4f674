import type { Server, Socket } from 'node:net';

/** A socket as Node makes it; its handle says how many bytes the kernel has not taken yet. */
type WritingSocket = Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null };

interface Unread {
  bytes: number;
  sinceMs: number;
}

/** Closes connections whose client reads nothing of its response: what it does not read stays in our memory. */
export class UnreadResponses {
  readonly #open = new Map<WritingSocket, Unread>();
  readonly #msMax: number;
  readonly #nowMs: () => number;

  /** @param msMax how long a client may read nothing while bytes wait for it; `nowMs` is a monotonic clock */
  constructor(msMax: number, nowMs: () => number = () => performance.now()) {
    this.#msMax = msMax;
    this.#nowMs = nowMs;
  }

  watch(socket: Socket): void {
    this.#open.set(socket, { bytes: 0, sinceMs: this.#nowMs() });
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Looks at all connections. Returns how many it closed. */
  check(): number {
    const nowMs = this.#nowMs();
    let closed = 0;
    for (const [socket, unread] of this.#open) {
      const bytes = socket._handle?.writeQueueSize ?? 0;
      if (bytes === 0 || bytes !== unread.bytes) Object.assign(unread, { bytes, sinceMs: nowMs });
      else if (nowMs - unread.sinceMs >= this.#msMax) {
        socket.destroy();
        closed += 1;
      }
    }
    return closed;
  }
}

/** Watches all connections of a server. @param event `secureConnection` where TLS is on the way */
export function endUnreadResponses(
  server: Server,
  event: 'connection' | 'secureConnection',
  { unreadTimeoutMs, timeoutCheckIntervalMs }: { unreadTimeoutMs: number; timeoutCheckIntervalMs: number },
): void {
  const unread = new UnreadResponses(unreadTimeoutMs);
  server.on(event, (socket: Socket) => unread.watch(socket));
  const timer = setInterval(() => unread.check(), timeoutCheckIntervalMs).unref();
  server.once('close', () => clearInterval(timer));
}
