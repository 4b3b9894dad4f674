import { createHash } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { withJitter } from '../../domain/time/jitter.ts';

/** Longest an operation may take before it fails, in milliseconds. */
const COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_MS_MAX = 2_000;
/** After a node of a cluster moved: tries of one command, and the pause between them. */
const REDIRECTIONS_MAX = 8;
const RETRY_MS = 100;

/** A script that Redis keeps by the hash of its text. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

/** A script, to be defined once. */
export function defineScript(lua: string): RedisScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** Keys and arguments of a script. All keys have one hash tag. */
export interface ScriptCall {
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** The addresses of a setting: one server, or nodes of a cluster separated by commas. */
export function listRedisUrls(setting: string): string[] {
  return setting.split(',').map((url) => url.trim());
}

/** A connection to one Redis server or to a cluster of them. Connects by itself, again and again. */
export class RedisConnection {
  readonly client: Redis | Cluster;

  constructor(url: string, onError: (error: unknown) => void) {
    const urls = listRedisUrls(url);
    this.client = urls.length === 1 ? connectServer(urls[0] ?? '') : connectCluster(urls);
    this.client.on('error', onError);
  }

  get isCluster(): boolean {
    return this.client instanceof Cluster;
  }

  /** Connections to every server that holds keys. */
  masters(): Redis[] {
    return this.client instanceof Cluster ? this.client.nodes('master') : [this.client];
  }

  /** Runs a script by its hash, and by its text where the server does not have it: it has not run then. */
  async run(script: RedisScript, { keys, args }: ScriptCall): Promise<unknown> {
    try {
      return await this.client.evalsha(script.sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await this.client.eval(script.lua, keys.length, ...keys, ...args);
    }
  }

  async ping(): Promise<void> {
    await Promise.all(this.masters().map((master) => master.ping()));
    if (this.masters().length === 0) await this.client.ping();
  }

  /** Ends at once; what waits fails. */
  disconnect(): void {
    this.client.disconnect();
  }

  async close(): Promise<void> {
    await this.client.quit().catch(() => this.client.disconnect());
  }
}

/** A command that was sent when the connection broke may have run: it fails and is not sent again. */
const COMMON = {
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: CONNECT_TIMEOUT_MS,
  autoResendUnfulfilledCommands: false,
} as const satisfies RedisOptions;

function connectServer(url: string): Redis {
  return new Redis(url, {
    ...COMMON,
    maxRetriesPerRequest: 2,
    enableAutoPipelining: true,
    retryStrategy: reconnectMs,
  });
}

function connectCluster(urls: readonly string[]): Cluster {
  const nodes = urls.map((text) => new URL(text));
  const [first] = nodes;
  if (first === undefined) throw new RangeError('A cluster needs an address');
  return new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port === '' ? 6_379 : port) })),
    {
      redisOptions: {
        ...COMMON,
        username: decodeURIComponent(first.username),
        password: decodeURIComponent(first.password),
        ...(first.protocol === 'rediss:' ? { tls: {} } : {}),
      },
      clusterRetryStrategy: reconnectMs,
      maxRedirections: REDIRECTIONS_MAX,
      retryDelayOnClusterDown: RETRY_MS,
      retryDelayOnTryAgain: RETRY_MS,
      // A command whose connection broke may have run.
      retryDelayOnFailover: 0,
      slotsRefreshInterval: RECONNECT_MS_MAX,
    },
  );
}

function reconnectMs(attempt: number): number {
  return Math.round(withJitter(Math.min(RECONNECT_MS_MAX, 50 * 2 ** Math.min(attempt, 10))));
}
