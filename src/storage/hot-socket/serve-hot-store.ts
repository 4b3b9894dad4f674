import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HotStore } from '../hot/hot-store.ts';
import { HotStoreLostError } from '../hot/lost-shards.ts';
import { type CallMessage, type RestResult, type ResultMessage, SERVED } from './calls.ts';
import { encodeFrame, FrameParser, FrameWriter } from './frames.ts';
import { packError, packResult, unpackArguments } from './sent-values.ts';
import { shortSocketPath } from './socket-path.ts';

/** Processes that use the store at the same time. */
const CONNECTIONS_MAX = 512;
/** Calls of one connection in hand, and unread bytes of results: with more, the next calls are not read. */
const CALLS_MAX = 1_000;
const UNREAD_BYTES_MAX = 16 * 1_048_576;
/** How long a stop waits for calls in hand, and for their results to be read, in milliseconds. */
const STOP_MS = 5_000;

/** A hot store that other processes of this machine use. */
export interface HotStoreServer {
  /** Reads no more calls, does those in hand, sends their results, and ends every connection. */
  stop(): Promise<void>;
}

/** Where a store is served, and whether it has lost what it held: calls then fail with `HotStoreLostError`. */
export interface ServedAt {
  readonly path: string;
  /** Default: never. */
  readonly isLost?: () => boolean;
}

/**
 * Serves a store on a Unix socket, for processes of this user. Only its owner may call this: what stands at the path is replaced.
 * @throws Error when the socket cannot be made
 */
export async function serveHotStore(hot: HotStore, { path, isLost = () => false }: ServedAt): Promise<HotStoreServer> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  const callers = new Set<Caller>();
  const server = createServer((socket) => {
    const caller = new Caller({ hot, isLost }, socket);
    callers.add(caller);
    socket.once('close', () => callers.delete(caller));
  });
  server.maxConnections = CONNECTIONS_MAX;
  const short = shortSocketPath(path);
  server.listen(short.path);
  await once(server, 'listening');
  chmodSync(path, 0o600);
  return {
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      await Promise.all([...callers].map((caller) => caller.stop()));
      await closed;
      short.release();
    },
  };
}

interface ServedStore {
  readonly hot: HotStore;
  readonly isLost: () => boolean;
}

/** The calls of one process. */
class Caller {
  readonly #store: ServedStore;
  readonly #socket: Socket;
  readonly #parser = new FrameParser();
  readonly #writer: FrameWriter;
  readonly #idle = Promise.withResolvers<void>();
  #inHand = 0;
  #isStopping = false;

  constructor(store: ServedStore, socket: Socket) {
    this.#store = store;
    this.#socket = socket;
    this.#writer = new FrameWriter(socket);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('drain', () => this.#readOn());
    // 'close' follows.
    socket.on('error', () => undefined);
  }

  /** Resolves when its calls are done, and their results sent. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#socket.pause();
    if (this.#socket.destroyed) return;
    const closed = once(this.#socket, 'close');
    const late = new AbortController();
    const done = this.#inHand === 0 ? Promise.resolve() : this.#idle.promise;
    const ended = done.then(async () => {
      this.#writer.flush();
      this.#socket.end(() => this.#socket.destroy());
      await closed;
    });
    await Promise.race([ended, closed, sleep(STOP_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      for (const message of this.#parser.parse(chunk)) void this.#respond(parseCall(message));
    } catch {
      // Not one of our processes, or of another version.
      this.#socket.destroy();
    }
    if (this.#isFull) this.#socket.pause();
  }

  get #isFull(): boolean {
    return this.#inHand >= CALLS_MAX || this.#socket.writableLength >= UNREAD_BYTES_MAX;
  }

  #readOn(): void {
    if (!this.#isStopping && !this.#isFull && this.#socket.isPaused()) this.#socket.resume();
  }

  /** Never rejects. */
  async #respond(call: CallMessage): Promise<void> {
    this.#inHand += 1;
    this.#writer.push(await resultOf(this.#store, call));
    this.#inHand -= 1;
    if (this.#inHand === 0 && this.#isStopping) this.#idle.resolve();
    else this.#readOn();
  }
}

/** @throws Error for any other message */
function parseCall(message: unknown): CallMessage {
  const [number, call, args] = Array.isArray(message) ? (message as readonly unknown[]) : [];
  const name = SERVED.find((one) => one === call);
  if (typeof number !== 'number' || name === undefined || !Array.isArray(args))
    throw new Error('A message is either a call or from a stranger');
  return [number, name, unpackArguments(name, args)];
}

async function resultOf({ hot, isLost }: ServedStore, message: CallMessage): Promise<Buffer> {
  const [number, call] = message;
  try {
    if (isLost()) throw new HotStoreLostError();
    return encodeFrame([number, true, packResult(call, await run(hot, message))] satisfies ResultMessage);
  } catch (error) {
    return encodeFrame([number, false, packError(error)] satisfies ResultMessage);
  }
}

async function run(hot: HotStore, [, call, args]: CallMessage): Promise<unknown> {
  if (call === 'countRest') return countRest(hot, args as [{ file: string; to: number }, boolean]);
  return await (hot[call] as (...given: readonly unknown[]) => Promise<unknown>)(...args);
}

/** The store needs lines that only the caller can read. */
class LinesNeeded extends Error {
  readonly from: number;

  constructor(from: number) {
    super(`Lines from ${from} on are needed`);
    this.from = from;
  }
}

async function countRest(
  hot: HotStore,
  [file, isCounted]: [{ file: string; to: number }, boolean],
): Promise<RestResult> {
  try {
    const duplicates = await hot.countRest(file, (from) => {
      if (isCounted) return [];
      throw new LinesNeeded(from);
    });
    return { duplicates: [...duplicates] };
  } catch (error) {
    if (error instanceof LinesNeeded) return { from: error.from };
    throw error;
  }
}
