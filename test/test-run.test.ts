import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { listRunProcesses } from './support/test-run.ts';

const leash = new URL('support/leash.ts', import.meta.url).href;
const program = "process.stdout.write('up'); setInterval(() => undefined, 1_000);";

test('a program that a test starts ends when the test process is gone, and the run finds it until then', async () => {
  const child = spawn(process.execPath, ['--import', leash, '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const isListed = (): boolean => listRunProcesses(tmpdir()).some(({ pid }) => pid === child.pid);
  expect(isListed()).toBe(true);
  const ended = once(child, 'exit');
  child.stdin.destroy();
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(isListed()).toBe(false);
});
