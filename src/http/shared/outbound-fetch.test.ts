import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { fetchOutbound, isAllowedOutbound, type OutboundPolicy } from './outbound-fetch.ts';

const NOBODY: OutboundPolicy = { allowedRanges: [], allowHttpLoopback: false, owner: '1' };

test.each([
  ['127.0.0.1', false],
  ['::1', false],
  ['::127.0.0.1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:0:127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['fe80::1%eth0', false],
  ['2606:4700::1%eth0', false],
  ['10.0.0.1', false],
  ['169.254.169.254', false],
  ['0.0.0.0', false],
  ['fd00::1', false],
  ['93.184.215.14', true],
  ['2606:4700::1', true],
])('the address %s may be reached: %s', (address, expected) => {
  expect(isAllowedOutbound(address, NOBODY)).toBe(expected);
});

test.each([
  'http://93.184.215.14/',
  'https://localhost/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::127.0.0.1]/',
  'https://user:password@93.184.215.14/',
  'file:///etc/passwd',
])('a request to %s is not made', async (url) => {
  await expect(fetchOutbound(url, {}, NOBODY)).rejects.toThrow(/address/);
});

test('a response is whole and bounded, and a redirect is not followed', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/large') response.end('x'.repeat(1_000_001));
    else response.writeHead(302, { location: 'http://169.254.169.254/' }).end('gone');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const policy: OutboundPolicy = { allowedRanges: ['127.0.0.0/8'], allowHttpLoopback: true, owner: '1' };
  const redirect = await fetchOutbound(`http://127.0.0.1:${port}/`, {}, policy);
  expect([redirect.status, await redirect.text()]).toEqual([302, 'gone']);
  await expect(fetchOutbound(`http://127.0.0.1:${port}/large`, {}, policy)).rejects.toThrow('too large');
  server.close();
});

test.each([
  [205, 'is a response without a body'],
  [101, 'is refused'],
  [600, 'is refused'],
  [999, 'is refused'],
])('a response with the status %i %s, and the process serves on', async (status, outcome) => {
  const server = createServer((request) => {
    request.socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\nhi`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as { port: number };
    const policy: OutboundPolicy = { allowedRanges: ['127.0.0.1'], allowHttpLoopback: true, owner: '1' };
    const response = fetchOutbound(`http://127.0.0.1:${port}/`, {}, policy);
    if (outcome === 'is refused') await expect(response).rejects.toThrow(String(status));
    else expect([(await response).status, await (await response).text()]).toEqual([status, '']);
  } finally {
    server.close();
  }
});

test('a server that switches to another protocol gets no response to wait for', async () => {
  const server = createServer((request) => {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const policy: OutboundPolicy = { allowedRanges: ['127.0.0.0/8'], allowHttpLoopback: true, owner: '1' };
  await expect(fetchOutbound(`http://127.0.0.1:${port}/`, {}, policy)).rejects.toThrow('ended without a response');
  server.close();
});
