import { rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';

/** A reply, or why there is none: `lost` = no worker has it; `slow` = it is not ready in time. */
export type PeerReply = { readonly reply: string } | 'lost' | 'slow';

/** How long a retry waits for the first response, here and at other workers. */
export const REPLY_WAIT_MS = 2_000;
/** Most retries that wait for other workers; further ones get no bid. */
const ASKING_MAX = 256;
const CONNECTIONS_MAX = 1_024;
const QUESTION = /^[0-9a-f]{32}$/;
const QUESTION_CHARS = 33;

/**
 * Gives a worker's kept replies to the other workers of its machine, over a Unix socket that only this installation's user may use. A
 * request is a digest in hex and a line feed; the response is `+` and the reply, or `-` for a lost one, and the end.
 */
export class PeerReplies {
  readonly #dir: string;
  readonly #own: number;
  #server: Server | null = null;
  #asking = 0;

  /** @param dir mode 0700; its path at most some 90 bytes long, as sockets require @param own this worker's number */
  constructor(dir: string, own: number) {
    this.#dir = dir;
    this.#own = own;
  }

  /** Starts to listen. @param find returns a reply once it is known, null for a lost one @throws Error when it cannot listen */
  async listen(find: (digestHex: string) => Promise<string | null> | string | null): Promise<void> {
    const path = this.#path(this.#own);
    rmSync(path, { force: true });
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let question = '';
      socket.setTimeout(REPLY_WAIT_MS, () => socket.destroy());
      socket.on('error', () => socket.destroy());
      socket.setEncoding('latin1');
      socket.on('data', (text: string) => {
        question += text;
        if (question.length > QUESTION_CHARS) socket.destroy();
        if (question.length !== QUESTION_CHARS || !question.endsWith('\n')) return;
        const digest = question.slice(0, -1);
        Promise.resolve(QUESTION.test(digest) ? find(digest) : null).then(
          (reply) => socket.end(reply === null ? '-' : `+${reply}`),
          () => socket.end('-'),
        );
      });
    });
    server.maxConnections = CONNECTIONS_MAX;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    server.on('error', () => undefined);
    server.unref();
    this.#server = server;
  }

  /** Asks a worker for the reply to a request. The reply of a dead worker is lost. Never throws. */
  async ask(owner: number, digestHex: string): Promise<PeerReply> {
    if (this.#asking >= ASKING_MAX) return 'slow';
    this.#asking += 1;
    try {
      return await askAt(this.#path(owner), digestHex);
    } finally {
      this.#asking -= 1;
    }
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #path(worker: number): string {
    return join(this.#dir, `w${worker}.sock`);
  }
}

function askAt(path: string, digestHex: string): Promise<PeerReply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = createConnection({ path });
    const finish = (result: PeerReply): void => {
      resolve(result);
      socket.destroy();
    };
    socket.setTimeout(REPLY_WAIT_MS, () => finish('slow'));
    socket.on('error', () => finish('lost'));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      finish(text.startsWith('+') ? { reply: text.slice(1) } : 'lost');
    });
    socket.write(`${digestHex}\n`);
  });
}
