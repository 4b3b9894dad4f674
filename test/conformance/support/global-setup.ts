import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { DemoFile } from '../../../src/demo/demo-file.ts';
import { serveOnDemand } from '../../support/on-demand.ts';
import { openTestRun } from '../../support/test-run.ts';
import { startTwoNetworks } from './two-networks.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../../support/placard-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket of {@link serveOnDemand}; `server.ts` requests the server under test from it. */
    conformanceSocket: string;
  }
}

/** The addresses of the server under test and the content of its demo file. */
export interface ConformanceServer {
  readonly coreUrl: string;
  readonly deliveryUrl: string;
  readonly ca: string | null;
  /** Of the SQL endpoint; null where it is not known. */
  readonly sqlPort: number | null;
  readonly demo: DemoFile;
}

/**
 * One real server with an empty data folder for all conformance files, started when the first file needs it; or, with PLACARD_CORE_URL,
 * PLACARD_DELIVERY_URL and PLACARD_DEMO_FILE set, one that already runs.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const endRun = await openTestRun('memory');
  const dir = mkdtempSync(join(tmpdir(), 'conformance-'));
  const started: PlacardProcess[] = [];
  const closings: (() => Promise<void>)[] = [];
  const socket = join(dir, 'server.sock');
  const stopListening = await serveOnDemand(socket, {
    '/server': async () => readRunning(process.env) ?? (await startServer(started)),
    '/two-networks': async () => {
      const networks = await startTwoNetworks({ PLACARD_SQL_PORT: '0' });
      closings.push(networks.close);
      return networks.shared;
    },
  });
  project.provide('conformanceSocket', socket);
  return async () => {
    await stopListening();
    rmSync(dir, { recursive: true, force: true });
    for (const close of closings) await close();
    for (const server of started) {
      const code = await server.stop();
      if (code !== 0) throw new Error(`placard serve ended with ${code}:\n${server.output()}`);
      await removeDataDir(server.dataDir);
    }
    await endRun();
  };
}

async function startServer(started: PlacardProcess[]): Promise<ConformanceServer> {
  const server = await startPlacard({
    dataDir: makeDataDir(),
    env: { PLACARD_WORKERS: '2', PLACARD_SQL_PORT: '0' },
    demoHistory: 'recent',
  });
  started.push(server);
  return {
    coreUrl: server.coreUrl,
    deliveryUrl: server.deliveryUrl,
    ca: server.ca,
    sqlPort: server.sqlPort,
    demo: server.demo,
  };
}

function readRunning(env: NodeJS.ProcessEnv): ConformanceServer | null {
  const { PLACARD_CORE_URL: coreUrl, PLACARD_DELIVERY_URL: deliveryUrl, PLACARD_DEMO_FILE: demoFile } = env;
  if (coreUrl === undefined || deliveryUrl === undefined || demoFile === undefined) return null;
  const demo = JSON.parse(readFileSync(demoFile, 'utf8')) as DemoFile;
  const ca = demo.caFile === null ? null : readFileSync(demo.caFile, 'utf8');
  return { coreUrl, deliveryUrl, ca, sqlPort: null, demo };
}
