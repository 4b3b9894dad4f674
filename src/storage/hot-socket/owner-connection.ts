import { connect, type Socket } from 'node:net';
import type { Log } from '../../domain/log/log.ts';
import { withJitter } from '../../domain/time/jitter.ts';
import { type CallMessage, type ResultMessage, type ServedCall } from './calls.ts';
import { encodeFrame, FrameParser, FrameWriter } from './frames.ts';
import { unpackError } from './sent-values.ts';
import { shortSocketPath } from './socket-path.ts';

/** Longest that a call takes, with its wait for a connection, in milliseconds. */
const CALL_MS = 10_000;
/** As long may a call take that looks at every entry. */
const WALK_MS = 600_000;
/** Calls that wait for their results, and their bytes. */
const CALLS_MAX = 10_000;
const BYTES_MAX = 64 * 1_048_576;
/** The first and the longest pause between two attempts to connect. The owner starts again in about a second. */
const AGAIN_MS = 20;
const AGAIN_MS_MAX = 500;

/** The owner of the hot store is down or late, or too many calls wait for it. A call that was sent may have been done. */
export class HotOwnerUnavailableError extends Error {
  override readonly name = 'HotOwnerUnavailableError';
}

/** Where the owner listens. */
export interface OwnerAddress {
  /** Of the socket. */
  readonly path: string;
  readonly log: Log;
  /** Default: ten seconds. */
  readonly callMs?: number;
}

interface PendingCall {
  readonly frame: Buffer;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  isSent: boolean;
}

/** A connection to the process that has the hot store open. It connects again by itself until it is closed. */
export class OwnerConnection {
  readonly #address: OwnerAddress;
  readonly #calls = new Map<number, PendingCall>();
  #socket: Socket | null = null;
  #writer: FrameWriter | null = null;
  #again: NodeJS.Timeout | undefined;
  #pauseMs = AGAIN_MS;
  #number = 0;
  #bytes = 0;
  #isLost = false;
  #closed: PromiseWithResolvers<void> | null = null;

  constructor(address: OwnerAddress) {
    this.#address = address;
    this.#connect();
  }

  get isConnected(): boolean {
    return this.#writer !== null;
  }

  /** @throws what the store throws; HotOwnerUnavailableError */
  async call(name: ServedCall, args: readonly unknown[]): Promise<unknown> {
    const number = (this.#number += 1);
    const frame = encodeFrame([number, name, args] satisfies CallMessage);
    const why = this.#whyNot(frame);
    if (why !== null) throw new HotOwnerUnavailableError(why);
    return await new Promise((resolve, reject) => {
      const { callMs = name === 'deletePrefixes' ? WALK_MS : CALL_MS } = this.#address;
      const late = (): void => this.#fail(number, `The owner of the hot store did not respond in ${callMs} ms`);
      const call = { frame, timer: setTimeout(late, callMs), resolve, reject, isSent: false };
      this.#calls.set(number, call);
      this.#bytes += frame.length;
      this.#send(call);
    });
  }

  /** Waits for the results of calls that were sent; the others fail. */
  async close(): Promise<void> {
    if (this.#closed === null) {
      this.#closed = Promise.withResolvers();
      clearTimeout(this.#again);
      this.#failAll(({ isSent }) => !isSent, 'The connection to the owner of the hot store is closed');
      this.#endIfDone();
    }
    await this.#closed.promise;
  }

  #whyNot(frame: Buffer): string | null {
    if (this.#closed !== null) return 'The connection to the owner of the hot store is closed';
    if (this.#calls.size < CALLS_MAX && this.#bytes + frame.length <= BYTES_MAX) return null;
    return 'Too many calls wait for the owner of the hot store';
  }

  #send(call: PendingCall): void {
    if (this.#writer === null) return;
    call.isSent = true;
    this.#writer.push(call.frame);
  }

  #connect(): void {
    const parser = new FrameParser();
    try {
      const short = shortSocketPath(this.#address.path);
      const socket = connect(short.path);
      this.#socket = socket;
      socket.once('connect', () => this.#begin(socket));
      socket.on('data', (chunk: Buffer) => this.#read(parser, chunk));
      // 'close' follows.
      socket.on('error', () => undefined);
      socket.once('close', () => {
        short.release();
        this.#end();
      });
    } catch {
      // There is no folder yet.
      this.#end();
    }
  }

  #begin(socket: Socket): void {
    this.#writer = new FrameWriter(socket);
    this.#pauseMs = AGAIN_MS;
    if (this.#isLost) this.#address.log.event('hot_store.owner_back');
    this.#isLost = false;
    for (const call of this.#calls.values()) this.#send(call);
    this.#endIfDone();
  }

  #end(): void {
    if (this.#writer !== null && this.#closed === null) {
      this.#isLost = true;
      this.#address.log.event('hot_store.owner_lost');
    }
    this.#writer = null;
    this.#socket = null;
    this.#failAll(({ isSent }) => isSent, 'The owner of the hot store has gone; the call may have been done');
    if (this.#closed !== null) return this.#closed.resolve();
    this.#again = setTimeout(() => this.#connect(), withJitter(this.#pauseMs));
    this.#pauseMs = Math.min(this.#pauseMs * 2, AGAIN_MS_MAX);
  }

  #read(parser: FrameParser, chunk: Buffer): void {
    try {
      for (const message of parser.parse(chunk)) this.#finish(message as ResultMessage);
    } catch {
      this.#socket?.destroy();
    }
  }

  #finish([number, isDone, result]: ResultMessage): void {
    const call = this.#remove(number);
    if (isDone) call?.resolve(result);
    else call?.reject(unpackError(result));
    this.#endIfDone();
  }

  /** Undefined: its time was over. */
  #remove(number: number): PendingCall | undefined {
    const call = this.#calls.get(number);
    if (call === undefined) return undefined;
    clearTimeout(call.timer);
    this.#calls.delete(number);
    this.#bytes -= call.frame.length;
    return call;
  }

  #fail(number: number, why: string): void {
    this.#remove(number)?.reject(new HotOwnerUnavailableError(why));
    this.#endIfDone();
  }

  #failAll(isMeant: (call: PendingCall) => boolean, why: string): void {
    for (const [number, call] of this.#calls)
      if (isMeant(call)) this.#remove(number)?.reject(new HotOwnerUnavailableError(why));
  }

  #endIfDone(): void {
    if (this.#closed === null || this.#calls.size > 0) return;
    if (this.#socket === null) this.#closed.resolve();
    else this.#socket.destroy();
  }
}
