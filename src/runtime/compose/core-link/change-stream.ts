import type { FastifyReply } from 'fastify';
import type { ChangeHub } from '../../../storage/sql/change-hub.ts';

/** How often a stream says that it is alive, and looks whether it may go on. */
export const BEAT_MS = 2_000;
/** A core that hears nothing from PostgreSQL for so long leaves the node to another core. */
const HEARD_WITHIN_MS = 10_000;
/** A node that does not read loses its stream, and reads everything again. */
const UNREAD_BYTES_MAX = 4_000_000;
const STREAMS_MAX = 2_000;

/** The streams of changes that a core sends to nodes: one line of JSON each time. */
export class ChangeStreams {
  readonly #changes: ChangeHub;
  readonly #ends = new Set<() => void>();

  constructor(changes: ChangeHub) {
    this.#changes = changes;
  }

  get isFull(): boolean {
    return this.#ends.size >= STREAMS_MAX;
  }

  /** Sends changes until either side ends. @param mayStay asked at each beat */
  open(reply: FastifyReply, mayStay: () => Promise<boolean>): void {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store, no-transform' });
    raw.flushHeaders();
    const openedMs = performance.now();
    let hasHeard = false;
    const end = (): void => void raw.end();
    const send = (line: object): void => {
      if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
      else if (!raw.writableEnded) raw.write(`${JSON.stringify(line)}\n`);
    };
    const watching = this.#changes.watch({
      onChange: (changes) => send({ changes }),
      onReconnect: () => {
        hasHeard = true;
        send({ reread: true });
      },
      onLost: end,
    });
    const beat = setInterval(() => {
      send({});
      if (!hasHeard && performance.now() - openedMs > HEARD_WITHIN_MS) return end();
      // A core without PostgreSQL cannot tell.
      mayStay().then(
        (may) => {
          if (!may) end();
        },
        () => undefined,
      );
    }, BEAT_MS);
    this.#ends.add(end);
    raw.once('close', () => {
      clearInterval(beat);
      this.#ends.delete(end);
      void watching.close();
    });
  }

  /** Ends all of them: nodes turn to another core. */
  end(): void {
    for (const end of this.#ends) end();
  }
}
