import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endProcesses } from './leftovers.ts';

test('a process that has the pid of an ended one gets no signal', async () => {
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  const ended = { name: 'delivery 0', pid: stranger.pid ?? 0, identity: 'another-boot:1' };
  const exited = once(stranger, 'exit');
  await endProcesses([ended], 'SIGTERM', 10);
  stranger.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
});
