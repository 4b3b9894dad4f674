import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';

const BINARIES = ['redis-server', 'valkey-server'] as const;
const START_TIMEOUT_MS = 90_000;

/** The name of a Redis server that can be started here; null: there is none on the PATH. */
export function findRedisBinary(): string | null {
  return BINARIES.find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
}

/** A Redis of the torture's own, which writes every change to its log before it responds. */
export class PrivateRedis {
  readonly #binary: string;
  readonly #dir: string;
  readonly #port: number;
  #process: ChildProcess | null = null;

  /** @param of.dir a folder of its own */
  constructor(of: { readonly binary: string; readonly dir: string; readonly port: number }) {
    this.#binary = of.binary;
    this.#dir = join(of.dir, 'redis');
    this.#port = of.port;
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}/0`;
  }

  get pids(): number[] {
    const { pid, exitCode, signalCode } = this.#process ?? {};
    return pid === undefined || exitCode !== null || signalCode !== null ? [] : [pid];
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    if (this.pids.length > 0) return;
    const persistence = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    const address = ['--bind', '127.0.0.1', '--port', String(this.#port)];
    const args = [...address, '--dir', this.#dir, '--maxmemory-policy', 'noeviction', ...persistence];
    this.#process = spawn(this.#binary, args, { stdio: 'ignore' });
    const client = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => 50,
      maxRetriesPerRequest: null,
    });
    client.on('error', () => undefined);
    try {
      for (const untilMs = performance.now() + START_TIMEOUT_MS; ; ) {
        if (performance.now() > untilMs) throw new Error(`${this.#binary} is not ready on port ${this.#port}`);
        // While it loads its log it responds with an error.
        if (
          await client.ping().then(
            () => true,
            () => false,
          )
        )
          return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    } finally {
      client.disconnect();
    }
  }

  /** Kills it. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running === null || this.pids.length === 0) return;
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
    running.kill('SIGKILL');
    await ended;
  }
}
