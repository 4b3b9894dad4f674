import type { Duplex } from 'node:stream';
import { SQLSTATE, SqlError } from './sql-error.ts';

/** One message of a client after the start of a session. */
export interface ClientMessage {
  /** Its type, one character. */
  readonly type: string;
  readonly body: Buffer;
}

/** Thrown when a client closed its connection, or sent nothing for too long. */
export class InputEnded extends Error {
  readonly reason: 'closed' | 'idle';

  constructor(reason: 'closed' | 'idle') {
    super(reason === 'closed' ? 'The client closed the connection' : 'The client sent nothing for too long');
    this.name = 'InputEnded';
    this.reason = reason;
  }
}

/** Reads whole messages from a connection, on demand: what nobody asked for stays in the socket, so a client cannot fill the memory. */
export class ByteInput {
  readonly #stream: Duplex;
  #ended = false;
  #wake: (() => void) | null = null;
  readonly #onReadable = (): void => this.#wake?.();
  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake?.();
  };

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('readable', this.#onReadable);
    for (const event of ['end', 'close', 'error']) stream.on(event, this.#onEnd);
  }

  /** Stops listening, so that another can read the stream. */
  release(): void {
    this.#stream.off('readable', this.#onReadable);
    for (const event of ['end', 'close']) this.#stream.off(event, this.#onEnd);
  }

  /** Whether bytes have come that nobody has read. */
  get hasMore(): boolean {
    return this.#stream.readableLength > 0;
  }

  /** @throws InputEnded after `waitMs` without enough bytes, and when the client is gone */
  async read(bytes: number, waitMs: number): Promise<Buffer> {
    if (bytes === 0) return Buffer.alloc(0);
    const deadline = Date.now() + waitMs;
    for (;;) {
      const chunk = this.#stream.read(bytes) as Buffer | null;
      if (chunk !== null && chunk.length === bytes) return chunk;
      if (this.#ended || chunk !== null || this.#stream.destroyed) throw new InputEnded('closed');
      await this.#wait(deadline - Date.now());
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#wake = null;
          reject(new InputEnded('idle'));
        },
        Math.max(0, ms),
      );
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }

  /** The first message, which has no type. @throws InputEnded; SqlError when its length is not one of a start */
  async readStart(waitMs: number, bytesMax: number): Promise<Buffer> {
    const length = (await this.read(4, waitMs)).readInt32BE() - 4;
    if (length < 4 || length > bytesMax) throw badLength('startup', bytesMax);
    return this.read(length, waitMs);
  }

  /** @throws InputEnded; SqlError when it is longer than `bytesMax` */
  async readMessage(waitMs: number, bytesMax: number): Promise<ClientMessage> {
    const head = await this.read(5, waitMs);
    const type = String.fromCharCode(head[0] ?? 0);
    const length = head.readInt32BE(1) - 4;
    if (length < 0 || length > bytesMax) throw badLength(JSON.stringify(type), bytesMax);
    return { type, body: await this.read(length, waitMs) };
  }
}

function badLength(what: string, bytesMax: number): SqlError {
  return new SqlError(SQLSTATE.protocolViolation, `The ${what} message must have at most ${bytesMax} bytes.`);
}
