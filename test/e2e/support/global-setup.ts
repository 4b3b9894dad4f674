import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { serveOnDemand } from '../../support/on-demand.ts';
import { makeDataDir, startPlacard } from '../../support/placard-process.ts';
import { openTestRun } from '../../support/test-run.ts';

/**
 * Books the demo network and makes its history once a run, when the first file needs it. Each file starts a server of its own on a copy of
 * that data folder.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const endRun = await openTestRun();
  const dir = mkdtempSync(join(tmpdir(), 'e2e-'));
  const socket = join(dir, 'demo.sock');
  const stopListening = await serveOnDemand(socket, { '/demo': makeDemo });
  project.provide('e2eSocket', socket);
  return async () => {
    await stopListening();
    rmSync(dir, { recursive: true, force: true });
    await endRun();
  };
}

/** Returns the data folder of a whole demo, whose server has stopped. The end of the run deletes it. */
async function makeDemo(): Promise<string> {
  const dataDir = makeDataDir();
  const server = await startPlacard({ dataDir, env: { PLACARD_LOG_LEVEL: 'warn' }, demoHistory: 'whole' });
  const code = await server.stop();
  if (code !== 0) throw new Error(`placard serve ended with ${code}:\n${server.output()}`);
  return dataDir;
}
