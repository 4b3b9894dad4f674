import { createSocket, type Socket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { HostLookups, type LookupLimits } from './host-lookups.ts';

let server: Socket | null = null;
afterEach(() => {
  server?.close();
  server = null;
  vi.restoreAllMocks();
});

/** A name server that is silent about names that begin with "silent", and has 192.0.2.7 for others. */
async function openNameServer(limits: Partial<LookupLimits> = {}): Promise<{ lookups: HostLookups; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  server = socket;
  socket.on('message', (question, { port, address }) => {
    const name = question.toString('latin1', 13, 13 + (question[12] ?? 0));
    asked.push(name);
    if (name.startsWith('silent')) return;
    const isIpv4 = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1;
    const response = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5));
    response.writeUInt16BE(0x81_80, 2);
    response.writeUInt16BE(isIpv4 ? 1 : 0, 6);
    response.writeUInt16BE(0, 10);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 192, 0, 2, 7]);
    socket.send(isIpv4 ? Buffer.concat([response, record]) : response, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { lookups: new HostLookups({ servers: [`127.0.0.1:${socket.address().port}`], ...limits }), asked };
}

test('silent name servers of one network delay no other network, and use no thread that all share', async () => {
  const { lookups, asked } = await openNameServer();
  const shared = vi.spyOn(dns, 'lookup');
  const done: string[] = [];
  const silent = Array.from({ length: 30 }, (_none, index) =>
    lookups.find(`silent${index}.example`, '1').then(() => done.push('silent')),
  );
  expect(await lookups.find('hooks.example', '2')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  expect(done).toEqual([]);
  expect(new Set(asked.filter((name) => name.startsWith('silent'))).size).toBeLessThanOrEqual(4);
  expect(shared).not.toHaveBeenCalled();
  server?.close();
  server = null;
  void silent;
});

test('a look-up of a silent name ends, and the next ones of its network get their turn', async () => {
  const { lookups } = await openNameServer({ silenceMs: 50, ofOwnerMax: 1 });
  const found = await Promise.all([lookups.find('silent.example', '1'), lookups.find('hooks.example', '1')]);
  expect(found).toEqual([[], [{ address: '192.0.2.7', family: 4 }]]);
});

test('a network has a bounded number of look-ups that wait', async () => {
  const { lookups } = await openNameServer({ silenceMs: 50, ofOwnerMax: 1, waitingMax: 2 });
  const waiting = [lookups.find('silent1.example', '1'), lookups.find('silent2.example', '1')];
  expect(await lookups.find('hooks.example', '1')).toEqual([]);
  expect(await Promise.all(waiting)).toEqual([[], []]);
  expect(await lookups.find('hooks.example', '1')).toHaveLength(1);
});

test.each(['localhost', 'a.localhost'])('the name %s stands for this machine without asking anybody', async (name) => {
  const { lookups, asked } = await openNameServer();
  expect(await lookups.find(name, '1')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(asked).toEqual([]);
});

test('a name of the hosts file is asked for like any other', async () => {
  const { lookups, asked } = await openNameServer();
  expect(await lookups.find('ip6-loopback', '1')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  expect(asked).toContain('ip6-loopback');
});
