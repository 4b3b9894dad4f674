import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import type { DemoFile } from '../../../src/demo/demo-file.ts';
import { makeDataDir, removeDataDir, startPlacard } from '../../support/placard-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server under conformance test. */
    conformance: ConformanceServer;
  }
}

/** Where the server under test is, and what its demo file says. */
export interface ConformanceServer {
  readonly coreUrl: string;
  readonly deliveryUrl: string;
  readonly ca: string | null;
  readonly demo: DemoFile;
}

/**
 * Starts one real server from an empty data folder for all conformance files; or, with PLACARD_CORE_URL,
 * PLACARD_DELIVERY_URL and PLACARD_DEMO_FILE set, points them at a server that already runs.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = readRunning(process.env);
  if (running !== null) {
    project.provide('conformance', running);
    return async () => {};
  }
  const dataDir = makeDataDir();
  const server = await startPlacard({ dataDir, env: { PLACARD_WORKERS: '2' } });
  project.provide('conformance', {
    coreUrl: server.coreUrl,
    deliveryUrl: server.deliveryUrl,
    ca: server.ca,
    demo: server.demo,
  });
  return async () => {
    const code = await server.stop();
    if (code !== 0) throw new Error(`placard serve ended with ${code}:\n${server.output()}`);
    await removeDataDir(dataDir);
  };
}

function readRunning(env: NodeJS.ProcessEnv): ConformanceServer | null {
  const { PLACARD_CORE_URL: coreUrl, PLACARD_DELIVERY_URL: deliveryUrl, PLACARD_DEMO_FILE: demoFile } = env;
  if (coreUrl === undefined || deliveryUrl === undefined || demoFile === undefined) return null;
  const demo = JSON.parse(readFileSync(demoFile, 'utf8')) as DemoFile;
  return { coreUrl, deliveryUrl, ca: demo.caFile === null ? null : readFileSync(demo.caFile, 'utf8'), demo };
}
