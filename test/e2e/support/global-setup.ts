import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { serveOnDemand } from '../../support/on-demand.ts';
import { makeDataDir, startPlacard } from '../../support/placard-process.ts';
import { openTestRun } from '../../support/test-run.ts';

/**
 * Books the demo network and makes its history once a run, when the first file needs it. Each file starts a server of its own on a copy of
 * that data folder.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  requireFreshConsole();
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

/** The service serves the built console as it is. @throws Error when a source is newer */
function requireFreshConsole(): void {
  const folder = fileURLToPath(new URL('../../../console/', import.meta.url));
  const built = statSync(join(folder, 'dist', 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newer = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|css)$/.test(name) && !name.endsWith('.test.ts'))
    .find((name) => statSync(join(folder, 'src', name)).mtimeMs > built);
  if (newer !== undefined)
    throw new Error(`console/src/${newer} is newer than the built console: run "npm run build --workspace console".`);
}

/** Returns the data folder of a whole demo, whose server has stopped. The end of the run deletes it. */
async function makeDemo(): Promise<string> {
  const dataDir = makeDataDir();
  const server = await startPlacard({ dataDir, env: { PLACARD_LOG_LEVEL: 'warn' }, demoHistory: 'whole' });
  const code = await server.stop();
  if (code !== 0) throw new Error(`placard serve ended with ${code}:\n${server.output()}`);
  return dataDir;
}
