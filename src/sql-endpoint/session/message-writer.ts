import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InputEnded } from '../wire/byte-input.ts';

/** Bytes that are collected before they are sent. */
export const CHUNK_BYTES = 65_536;
/** How long a client may read nothing while rows wait for it, milliseconds. */
const DRAIN_MS = 60_000;

/** Sends messages to a client, no faster than it reads them. */
export class MessageWriter {
  readonly #stream: Duplex;
  #waiting: Buffer[] = [];
  #bytes = 0;

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  /** Keeps a message until the next flush. */
  put(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
  }

  /** Many messages; sends on the way, and leaves the event loop to others in between. @throws InputEnded when the client does not read them */
  async putAll(messages: readonly Buffer[]): Promise<void> {
    for (const one of messages) {
      this.put(one);
      if (this.#bytes < CHUNK_BYTES) continue;
      await this.flush();
      await nextTurn();
    }
  }

  /** Sends what waits when it is much. @throws InputEnded when the client does not read it */
  async relieve(): Promise<void> {
    if (this.#bytes >= CHUNK_BYTES) await this.flush();
  }

  /** Sends what waits. @throws InputEnded */
  async flush(): Promise<void> {
    const chunk = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#bytes = 0;
    if (this.#stream.destroyed || !this.#stream.writable) throw new InputEnded('closed');
    if (chunk.length === 0 || this.#stream.write(chunk)) return;
    const closed = new AbortController();
    const onClose = (): void => closed.abort();
    this.#stream.once('close', onClose);
    try {
      const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(DRAIN_MS)]);
      await once(this.#stream, 'drain', { signal });
    } catch {
      this.#stream.destroy();
      throw new InputEnded('closed');
    } finally {
      this.#stream.off('close', onClose);
    }
  }
}
