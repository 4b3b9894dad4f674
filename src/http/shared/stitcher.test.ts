import { expect, test } from 'vitest';
import type { HttpRequest, Route } from './route.ts';
import { behindStitchers } from './stitcher.ts';

/** What the handler of a route gets from a caller. */
function seenFrom(remoteAddress: string, headers: HttpRequest['headers'], name = 'vast'): Partial<HttpRequest> {
  const seen: HttpRequest[] = [];
  const route: Route = {
    method: 'GET',
    pattern: '/x',
    name,
    handler: (request) => {
      seen.push(request);
      return { status: 204 };
    },
  };
  const [wrapped] = behindStitchers([route], ['192.0.2.0/28', '2001:db8::1'], new Set(['vast']));
  const request = { method: 'GET', path: '/x', query: '', body: Buffer.alloc(0), startedMs: 0, requestId: 'r' };
  const rest = { protocolSecure: true, params: {}, hasLeft: () => false };
  void wrapped?.handler({ ...request, ...rest, headers, remoteAddress });
  return { remoteAddress: seen[0]?.remoteAddress ?? 'none', headers: seen[0]?.headers ?? {} };
}

const OF_DEVICE = {
  'x-device-ip': '203.0.113.7',
  'x-device-user-agent': 'ExampleTV/1.0',
  'x-device-accept-language': 'pl',
};
const OWN = { 'user-agent': 'stitcher/1', 'sec-ch-ua-platform': '"Linux"', cookie: 'a=b', ...OF_DEVICE };

test.each(['192.0.2.1', '192.0.2.15', '2001:db8::1'])('%s is a stitcher, and is believed', (address) => {
  const { remoteAddress, headers } = seenFrom(address, OWN);
  expect(remoteAddress).toBe('203.0.113.7');
  expect(headers).toMatchObject({ 'user-agent': 'ExampleTV/1.0', 'accept-language': 'pl' });
  expect(Object.keys(headers ?? {})).not.toContain('cookie');
  expect(Object.keys(headers ?? {})).not.toContain('sec-ch-ua-platform');
});

test.each(['192.0.2.16', '203.0.113.7', '', '::ffff:c000:201x'])('%s is none, and is not believed', (address) => {
  expect(seenFrom(address, OWN)).toEqual({ remoteAddress: address, headers: OWN });
});

test('another route takes the caller as it is', () => {
  expect(seenFrom('192.0.2.1', OWN, 'ads')).toEqual({ remoteAddress: '192.0.2.1', headers: OWN });
});

test.each(['', 'localhost', '999.1.1.1', '203.0.113.7, 203.0.113.8'])(
  'an address that cannot be read, %j, is unknown: it is not that of the stitcher',
  (sent) => {
    const { remoteAddress, headers } = seenFrom('192.0.2.1', { 'user-agent': 'stitcher/1', 'x-device-ip': sent });
    expect(remoteAddress).toBe('');
    expect(headers?.['user-agent']).toBe('');
  },
);
