import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hotSocketPath } from '../../src/runtime/hot-store/own-hot-store.ts';
import { loadSecrets } from '../../src/storage/secrets.ts';
import type { Endpoints } from '../../src/runtime/supervisor/part.ts';
import { freePort } from '../support/stores/free-port.ts';
import { type PlacardProcess, startPlacard } from '../support/placard-process.ts';
import type { ComparedStores } from './compared-stores.ts';
import { createManagement, type Management } from './management.ts';
import type { PrivateRedis } from './private-redis.ts';

const BACKLOG_WAIT_MS = 120_000;

/** A whole server that is killed and started again on one data folder and the same ports. */
export class TorturedServer {
  readonly dataDir: string;
  readonly tortureDir: string;
  readonly workers: number;
  /** The hot store; null = the ledger in the data folder. */
  readonly redis: PrivateRedis | null;
  /** How often processes were killed, by the beginning of their name. */
  readonly kills = new Map<string, number>();
  #ports: { core: number; delivery: number } | null = null;
  #process: PlacardProcess | null = null;

  constructor(options: { dataDir: string; tortureDir: string; workers: number; redis: PrivateRedis | null }) {
    this.dataDir = options.dataDir;
    this.tortureDir = options.tortureDir;
    this.workers = options.workers;
    this.redis = options.redis;
  }

  async start(): Promise<void> {
    await this.redis?.start();
    this.saveLog();
    this.#ports ??= { core: await freePort(), delivery: await freePort() };
    const preload = new URL('fault-preload.ts', import.meta.url).href;
    this.#process = await startPlacard({
      dataDir: this.dataDir,
      env: {
        PLACARD_CORE_PORT: String(this.#ports.core),
        PLACARD_DELIVERY_PORT: String(this.#ports.delivery),
        PLACARD_TLS: 'loopback',
        PLACARD_WORKERS: String(this.workers),
        PLACARD_LOG_FORMAT: 'json',
        NODE_OPTIONS: `--import=${preload}`,
        TORTURE_DIR: this.tortureDir,
        ...(this.redis === null ? {} : { PLACARD_REDIS_URL: this.redis.url }),
      },
    });
  }

  /** Adds what the server printed since its start to `server.log`. */
  saveLog(): void {
    if (this.#process !== null) appendFileSync(join(this.tortureDir, 'server.log'), this.#process.output());
  }

  get running(): PlacardProcess {
    if (this.#process === null) throw new Error('The server does not run');
    return this.#process;
  }

  get deliveryUrl(): string {
    return `http://127.0.0.1:${this.#ports?.delivery ?? 0}`;
  }

  get endpoints(): Endpoints {
    return JSON.parse(readFileSync(join(this.dataDir, 'run', 'endpoints.json'), 'utf8')) as Endpoints;
  }

  get linkKeys() {
    return loadSecrets(this.dataDir).linkKeys;
  }

  /** Running processes by the beginning of their name: `delivery`, `core`, `analytics`, `postgres`, `redis`. */
  pids(name: string): number[] {
    if (name === 'redis') return this.redis?.pids ?? [];
    const children = JSON.parse(readFileSync(join(this.dataDir, 'run', 'children.json'), 'utf8')) as {
      name: string;
      pid: number;
    }[];
    return children.filter((one) => one.name.toLowerCase().startsWith(name)).map(({ pid }) => pid);
  }

  /** Kills some processes of a name. */
  kill(name: string, pids: readonly number[]): void {
    for (const pid of pids) signal(pid, 'SIGKILL');
    this.kills.set(name, (this.kills.get(name) ?? 0) + pids.length);
  }

  async killSupervisor(): Promise<void> {
    this.kills.set('supervisor', (this.kills.get('supervisor') ?? 0) + 1);
    await this.running.kill();
  }

  async killRedis(): Promise<void> {
    if (this.redis === null) return;
    this.kills.set('redis', (this.kills.get('redis') ?? 0) + 1);
    await this.redis.kill();
  }

  /** Kills the supervisor, all of its children and Redis, as a power cut does. */
  async killAll(): Promise<void> {
    const children = ['delivery', 'core', 'analytics', 'postgres'].map((name) => [name, this.pids(name)] as const);
    const ended = this.killSupervisor();
    for (const [name, pids] of children) this.kill(name, pids);
    await this.killRedis();
    await ended;
    await pause(300);
  }

  get management(): Management {
    const { networkId, keys } = this.running.demo;
    return createManagement({ coreUrl: () => this.running.coreUrl, networkId, adminKey: keys.admin });
  }

  /** What a comparison reads. */
  get stores(): ComparedStores {
    return {
      spoolDirs: [join(this.dataDir, 'spool')],
      clickhouseUrl: this.endpoints.clickhouseUrl,
      hotSocket: hotSocketPath(this.dataDir),
      redisUrl: this.redis?.url ?? null,
      backlogWaitMs: BACKLOG_WAIT_MS,
    };
  }
}

/** Sends a signal; a process that is gone is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
