import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { startCluster, type TestCluster } from '../support/stores/redis-servers.ts';

/** The addresses of one PostgreSQL. */
export interface PostgresUrls {
  readonly url: string;
  readonly ownerUrl: string;
}

/** The stores of a cluster test: a PostgreSQL, an analytics process behind a proxy, and a Redis cluster of four servers. */
export interface OwnStores {
  readonly redis: TestCluster;
  /** Nodes reach the analytics process through it. */
  readonly analyticsProxy: FaultProxy;
  /** Without the proxy. */
  readonly analyticsUrl: string;
  /** Through the proxy. */
  readonly analyticsProxyUrl: string;
  /** A proxy of its own to PostgreSQL, for one node. */
  addPostgresProxy(): Promise<{ readonly proxy: FaultProxy } & PostgresUrls>;
  /** Ends PostgreSQL and starts it again. */
  restartPostgres(how: 'stop' | 'kill'): Promise<void>;
  end(): Promise<void>;
}

/** A PostgreSQL of a test behind proxies. */
export interface OwnPostgres {
  /** Its present address, without a proxy. */
  readonly urls: PostgresUrls;
  /** A proxy of its own, for one process. */
  addProxy(): Promise<{ readonly proxy: FaultProxy } & PostgresUrls>;
  /** Ends it and starts it again at another port, with the same data. */
  restart(how: 'stop' | 'kill'): Promise<void>;
  end(): Promise<void>;
}

/** Starts a PostgreSQL in a folder. It ends with this process. */
export async function startOwnPostgres(dir: string): Promise<OwnPostgres> {
  const postgres = startChild('postgres-process.ts', dir);
  let urls = await nextMessage<PostgresUrls>(postgres);
  const proxies: FaultProxy[] = [];
  return {
    get urls() {
      return urls;
    },
    addProxy: async () => {
      const proxy = await startFaultProxy([portOf(urls.url)]);
      proxies.push(proxy);
      return { proxy, url: withPort(urls.url, proxy.port), ownerUrl: withPort(urls.ownerUrl, proxy.port) };
    },
    restart: async (how) => {
      const back = nextMessage<PostgresUrls>(postgres);
      postgres.send(how);
      urls = await back;
      for (const proxy of proxies) proxy.targets = [portOf(urls.url)];
    },
    end: async () => {
      for (const proxy of proxies) await proxy.end();
      await endChild(postgres);
    },
  };
}

/** Starts an analytics process in a folder. It ends with this process. */
export async function startOwnAnalytics(dir: string): Promise<{ readonly url: string; end(): Promise<void> }> {
  const analytics = startChild('../support/stores/analytics-child.ts', dir);
  const { url } = await nextMessage<{ url: string }>(analytics);
  return { url, end: () => endChild(analytics) };
}

/** Starts all stores in a folder. They end with this process. */
export async function startOwnStores(dir: string, redisBinary: string): Promise<OwnStores> {
  const started = [startOwnPostgres(join(dir, 'postgres')), startOwnAnalytics(join(dir, 'analytics'))] as const;
  const [postgres, analytics] = await Promise.all(started);
  const redis = await startCluster(redisBinary);
  const analyticsProxy = await startFaultProxy([portOf(analytics.url)]);
  return {
    redis,
    analyticsProxy,
    analyticsUrl: analytics.url,
    analyticsProxyUrl: withPort(analytics.url, analyticsProxy.port),
    addPostgresProxy: () => postgres.addProxy(),
    restartPostgres: (how) => postgres.restart(how),
    end: async () => {
      await analyticsProxy.end();
      await Promise.all([postgres.end(), analytics.end()]);
      await redis.end();
    },
  };
}

function startChild(file: string, dir: string): ChildProcess {
  // PostgreSQL's account needs access.
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [dir], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (child.connected) child.disconnect();
  await ended;
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const failed = (code: number | null): void => reject(new Error(`A store of the test ended with ${code}`));
    child.once('exit', failed);
    child.once('message', (message) => {
      child.off('exit', failed);
      resolve(message as T);
    });
  });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function withPort(url: string, port: number): string {
  return Object.assign(new URL(url), { port: String(port) }).href;
}
