import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir, startPlacard } from '../../test/support/placard-process.ts';
import { createClient } from '../../test/support/http-client.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from './bench-network.ts';
import { BID_HEADERS, bidBodies } from './bid-traffic.ts';
import { cpuMicros } from './load.ts';

const READY_TIMEOUT_MS = 120_000;
/** A worker is idle when it has used less than this of each of so many seconds. */
const IDLE_CPU_MICROS = 50_000;
const IDLE_SECONDS = 6;

/** A whole server with one delivery worker and the network that is measured. */
export interface BenchServer {
  readonly dataDir: string;
  readonly deliveryUrl: string;
  readonly workerPid: number;
  /** The supervisor, whose descendants all other processes are. */
  readonly pid: number;
  readonly postgresUrl: string;
  /** PEM of its certificate authority; '' without TLS. */
  readonly ca: string;
  /** Bytes of the responses to `bidBodies`, 0 = no bid. */
  readonly responseBytes: readonly number[];
  stop(): Promise<void>;
}

/** Starts it, books the network and waits until it bids. */
export async function startBenchServer(options: {
  lineItems: number;
  tls: boolean;
  /** Statements that change the bench network, with its workspace as $1. */
  bookings?: readonly string[];
  env?: Readonly<Record<string, string>>;
}): Promise<BenchServer> {
  const dataDir = makeDataDir();
  const server = await startPlacard({
    dataDir,
    env: {
      PLACARD_TLS: options.tls ? 'self' : 'loopback',
      PLACARD_WORKERS: '1',
      PLACARD_DEMO: 'false',
      PLACARD_LOG_LEVEL: 'warn',
      ...options.env,
    },
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const endpoints = readRunFile<{ postgresUrl: string }>(dataDir, 'endpoints.json');
    await bookBenchNetwork(endpoints.postgresUrl, options.lineItems, options.bookings);
    const responseBytes = await measureFirstResponses(
      `${server.deliveryUrl}/${BENCH_NETWORK_ID}/bid`,
      server.ca,
      options.lineItems,
    );
    const children = readRunFile<{ name: string; pid: number }[]>(dataDir, 'children.json');
    const workerPid = children.find(({ name }) => name.startsWith('delivery'))?.pid ?? 0;
    await untilIdle(() => cpuMicros(workerPid));
    const { deliveryUrl, ca } = server;
    const { postgresUrl } = endpoints;
    return { dataDir, deliveryUrl, workerPid, pid: server.pid, postgresUrl, ca, responseBytes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until a process has done what a booking brings along, such as writing its snapshot down. */
export async function untilIdle(readCpuMicros: () => number): Promise<void> {
  const giveUpAtMs = Date.now() + READY_TIMEOUT_MS;
  for (let quietSeconds = 0; quietSeconds < IDLE_SECONDS && Date.now() < giveUpAtMs; ) {
    const before = readCpuMicros();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // Where CPU times cannot be read this is just a pause.
    quietSeconds = readCpuMicros() - before >= IDLE_CPU_MICROS ? 0 : quietSeconds + 1;
  }
}

function readRunFile<T>(dataDir: string, name: string): T {
  return JSON.parse(readFileSync(join(dataDir, 'run', name), 'utf8')) as T;
}

/** The sizes of the first responses after the worker has loaded the line items. */
async function measureFirstResponses(url: string, ca: string, lineItems: number): Promise<number[]> {
  const client = createClient(ca === '' ? null : ca);
  const bodies = bidBodies(lineItems);
  const ask = (body: string) => client.send(url, { body, headers: { ...BID_HEADERS } });
  try {
    const giveUpAtMs = Date.now() + READY_TIMEOUT_MS;
    while ((await ask(bodies[0] as string)).status !== 200) {
      if (Date.now() > giveUpAtMs) throw new Error('The worker does not bid');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const sizes: number[] = [];
    for (const body of bodies) {
      const response = await ask(body);
      if (response.status !== 200 && response.status !== 204)
        throw new Error(`The bid endpoint responded with ${response.status}: ${response.text}`);
      sizes.push(response.bytes.length);
    }
    return sizes;
  } finally {
    client.close();
  }
}
