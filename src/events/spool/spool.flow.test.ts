import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { decodeSpoolLine } from './spool-line.ts';
import { splitLines } from '../fixtures/split-lines.ts';
import { listSpoolFiles } from './spool-files.ts';
import { openSpool } from './spool.ts';

const appendingProcess = fileURLToPath(new URL('../fixtures/appending-process.ts', import.meta.url));

test('every line that was acknowledged before a kill -9 is on disk exactly once, after any number of kills', async () => {
  const root = mkdtempSync(join(tmpdir(), 'placard-kill-'));
  const dir = join(root, 'w0');
  const acknowledgedPath = join(root, 'acknowledged');
  try {
    for (let round = 0; round < 6; round += 1)
      await appendUntilKilled([dir, acknowledgedPath, String(round * 1_000_000)], 60 + round * 37);
    const acknowledged = readFileSync(acknowledgedPath, 'utf8').split('\n').slice(0, -1);
    await openSpool({ dir, workerIndex: 0, nowMs: Date.now, log: SILENT_LOG }).close();
    const times = new Map<string, number>();
    for (const name of namesIn(dir)) times.set(name, (times.get(name) ?? 0) + 1);
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(acknowledged.filter((name) => times.get(name) !== 1)).toEqual([]);
    expect([...times.values()].every((count) => count === 1)).toBe(true);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

async function appendUntilKilled(args: readonly [string, string, string], afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [appendingProcess, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  const closed = once(child, 'close');
  const sizeBefore = sizeOf(args[1]);
  await expect.poll(() => sizeOf(args[1]), { interval: 10 }).toBeGreaterThan(sizeBefore);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

function namesIn(dir: string): string[] {
  return listSpoolFiles(dir)
    .flatMap((file) => splitLines(readFileSync(file.path).subarray(0, file.bytes)))
    .map((line) => (JSON.parse(decodeSpoolLine(line)?.row ?? '{"name":"unreadable"}') as { name: string }).name);
}
