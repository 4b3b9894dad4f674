import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectionsAllowed } from './connection-bounds.ts';

test.each([
  [1_024, 768],
  [200, 100],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('a limit of %d open files leaves %d for connections', (openFiles, connections) => {
  expect(connectionsAllowed(openFiles)).toBe(connections);
});

test('a server with a low limit on open files closes idle connections beyond it, and still opens files', async () => {
  const program = fileURLToPath(new URL('../fixtures/few-files.ts', import.meta.url));
  const child = spawn('sh', ['-c', `ulimit -n 200; exec "${process.execPath}" "${program}"`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const sockets: Socket[] = [];
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    for (let at = 0; at < 400; at += 1)
      sockets.push(connect(Number(port.toString()), '127.0.0.1').on('error', () => undefined));
    await expect
      .poll(() => sockets.filter((socket) => socket.destroyed || socket.readyState !== 'open').length)
      .toBe(300);
    await pause(200);
    child.stdin.write('tell\n');
    const [told] = (await once(child.stdout, 'data')) as [Buffer];
    expect(told.toString()).toBe('100 300\n');
  } finally {
    for (const socket of sockets) socket.destroy();
    child.kill();
  }
});
