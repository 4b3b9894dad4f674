import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoFile } from '../../src/demo/demo-file.ts';
import { readDemoProgress, writeDemoProgress } from '../../src/demo/demo-progress.ts';
import { createClient } from './http-client.ts';

/** A real `placard serve` on free ports, started by a test. */
export interface PlacardProcess {
  readonly pid: number;
  readonly dataDir: string;
  readonly coreUrl: string;
  readonly deliveryUrl: string;
  /** Of the SQL endpoint; null: it is closed. */
  readonly sqlPort: number | null;
  /** PEM of its own certificate authority. */
  readonly ca: string;
  /** Absent with `PLACARD_DEMO=false`, which starts much faster. */
  readonly demo: DemoFile;
  /** Milliseconds from spawn to ready. */
  readonly readyAfterMs: number;
  /** The output so far. */
  output(): string;
  /** Sends SIGTERM and waits; returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL to the supervisor alone and waits for its end. */
  kill(): Promise<void>;
}

export const MAIN = new URL('../../src/main.ts', import.meta.url).pathname;
/** Ends the program when this process ends. */
const LEASH = new URL('leash.ts', import.meta.url).href;
const READY = 'Placard is ready.';
/** A start that hangs fails after this time; on a busy machine, a healthy start takes minutes. */
const START_TIMEOUT_MS = 240_000;
/** The history of the demo takes half a minute of CPU time after that. */
const HISTORY_TIMEOUT_MS = 480_000;

/** A fresh data folder that PostgreSQL's user can reach. */
export function makeDataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'data-'));
  chmodSync(dir, 0o755);
  return dir;
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** The environment of a test's own program: without the addresses of a server that the conformance suite was pointed at. */
export function ownEnvironment(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PLACARD_CORE_URL: _core, PLACARD_DELIVERY_URL: _delivery, PLACARD_DEMO_FILE: _demo, ...env } = process.env;
  return { ...env, ...changes };
}

/** Hours of history that the tests of reports read. */
const RECENT_HOURS = 16 * 24;

/** How much of the demo's history a test waits for. All of it takes half a minute of CPU time. */
export type DemoHistoryWish = 'none' | 'background' | 'recent' | 'whole';

/**
 * Starts the whole service and waits until both ports are ready. The demo's history is created after that: in the background; before
 * this returns, of the last days ('recent') or 'whole'; or not at all.
 */
export async function startPlacard(options: {
  dataDir: string;
  /** Of `placard serve`. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  demoHistory?: DemoHistoryWish;
  /** The src/main.ts of another program than this tree's. */
  mainPath?: string;
  /** Called with the pid of the supervisor at once. */
  onSpawn?: (pid: number) => void;
  /** Called with each piece of its output. */
  onOutput?: (text: string) => void;
  /** Default 240,000. */
  startTimeoutMs?: number;
}): Promise<PlacardProcess> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', LEASH, options.mainPath ?? MAIN, 'serve', ...(options.args ?? [])],
    {
      env: ownEnvironment({
        PLACARD_DATA: options.dataDir,
        PLACARD_CORE_PORT: '0',
        PLACARD_DELIVERY_PORT: '0',
        PLACARD_LOG_LEVEL: 'info',
        PLACARD_DRAIN_SECONDS: '0',
        // Tests count what they send.
        PLACARD_DEMO_TRAFFIC: 'false',
        ...options.env,
      }),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  options.onSpawn?.(child.pid ?? 0);
  const printed: string[] = [];
  const print = (chunk: Buffer): void => {
    printed.push(chunk.toString());
    options.onOutput?.(chunk.toString());
  };
  child.stdout.on('data', print);
  child.stderr.on('data', print);
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const { dataDir, demoHistory, startTimeoutMs = START_TIMEOUT_MS } = options;
  await waitReady({ child, printed, exited, startTimeoutMs }, () => shortenHistory(dataDir, demoHistory));
  const endpoints = JSON.parse(readFileSync(join(options.dataDir, 'run', 'endpoints.json'), 'utf8')) as {
    readonly corePublicUrl?: string;
    readonly deliveryPublicUrl?: string;
    readonly sqlPort?: number | null;
  };
  const caFile = join(options.dataDir, 'tls', 'ca.pem');
  const ca = existsSync(caFile) ? readFileSync(caFile, 'utf8') : '';
  const readyAfterMs = performance.now() - startedAt;
  if (options.demoHistory === 'whole' || options.demoHistory === 'recent')
    await waitForDemoHistory(endpoints.corePublicUrl ?? '', ca);
  return {
    pid: child.pid ?? 0,
    dataDir: options.dataDir,
    coreUrl: endpoints.corePublicUrl ?? '',
    deliveryUrl: endpoints.deliveryPublicUrl ?? '',
    sqlPort: endpoints.sqlPort ?? null,
    ca,
    get demo() {
      return JSON.parse(readFileSync(join(options.dataDir, 'demo.json'), 'utf8')) as DemoFile;
    },
    readyAfterMs,
    output: () => printed.join(''),
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function waitReady(
  {
    child,
    printed,
    exited,
    startTimeoutMs,
  }: {
    readonly child: ChildProcess;
    readonly printed: readonly string[];
    readonly exited: Promise<number | null>;
    readonly startTimeoutMs: number;
  },
  whileWaiting: () => unknown,
): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  let ended: number | null | undefined;
  void exited.then((code) => {
    ended = code ?? -1;
  });
  while (!printed.join('').includes(READY)) {
    if (ended !== undefined)
      throw new Error(`placard serve ended with ${ended} before it was ready:\n${printed.join('')}`);
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`placard serve was not ready after ${startTimeoutMs} ms:\n${printed.join('')}`);
    }
    whileWaiting();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The demo is booked before the workers start, and its history begins when all are ready: in between, its plans can be cut. */
function shortenHistory(dataDir: string, wish: DemoHistoryWish = 'background'): void {
  if (wish !== 'none' && wish !== 'recent') return;
  const hoursMax = wish === 'none' ? 0 : RECENT_HOURS;
  const progress = readDemoProgress(dataDir);
  if (progress?.step !== 'history' || progress.plans.every(({ hours }) => hours <= hoursMax)) return;
  const plans = progress.plans.map((plan) => ({ ...plan, hours: Math.min(plan.hours, hoursMax) }));
  writeDemoProgress(dataDir, { ...progress, plans: hoursMax === 0 ? [] : plans });
}

/** Until nothing of the demo is left to make: a backup is refused before. */
export async function waitForDemoHistory(coreUrl: string, ca: string): Promise<void> {
  const client = createClient(ca === '' ? null : ca);
  const deadline = performance.now() + HISTORY_TIMEOUT_MS;
  try {
    for (;;) {
      const response = await client.send(`${coreUrl}/readyz`);
      const { checks } = response.json<{ checks: { name: string; detail?: string }[] }>();
      const history = checks.find(({ name }) => name === 'demo history');
      const isWhole = history === undefined || history.detail === 'Demo history: complete';
      if (response.status === 200 && isWhole) return;
      if (performance.now() > deadline) throw new Error(`The demo's history is not whole: ${response.text}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    client.close();
  }
}

/** Runs one command of the program to its end. */
export function runPlacard(
  args: readonly string[],
  changes: Readonly<Record<string, string>>,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: ownEnvironment(changes),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    );
  });
}
