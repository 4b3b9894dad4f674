import { describe, expect, test } from 'vitest';
import { createTrafficFilter } from './traffic-filter.ts';
import type { TrafficSample } from './traffic-filter.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const sample: TrafficSample = {
  userAgent: browser,
  remoteAddress: '198.51.100.7',
  kind: 'impression',
  creativeId: '31',
  nowMs: 600_000,
};

describe('the traffic filter', () => {
  test.each([
    ['of a browser is fine', {}, ''],
    ['without a user agent is not billed', { userAgent: undefined }, 'no_user_agent'],
    ['with a blank user agent is not billed', { userAgent: ' ' }, 'no_user_agent'],
    ['of a robot is not billed', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, 'robot'],
    ['of an ignored range is not billed', { remoteAddress: '203.0.113.9' }, 'address'],
    ['of an ignored IPv6 range is not billed', { remoteAddress: '2001:db8::1' }, 'address'],
    ['from no address at all is fine', { remoteAddress: '' }, ''],
  ])('the filter finds that traffic %s', (_title, change, expected) => {
    const filter = createTrafficFilter({ ignoredRanges: ['203.0.113.0/24', '2001:db8::/32'] });
    expect(filter({ ...sample, ...change })).toBe(expected);
  });

  test('traffic above the rate of one address and creative is not billed until it slows down', () => {
    const filter = createTrafficFilter({ clicksPerMinuteMax: 3 });
    const click = { ...sample, kind: 'click' as const };
    expect([1, 2, 3, 4].map(() => filter(click))).toEqual(['', '', '', 'rate']);
    expect(filter({ ...click, creativeId: '32' })).toBe('');
    expect(filter({ ...click, remoteAddress: '198.51.100.8' })).toBe('');
    expect(filter({ ...click, nowMs: click.nowMs + 61_000 })).toBe('rate');
    expect(filter({ ...click, nowMs: click.nowMs + 200_000 })).toBe('');
  });

  test('traffic has no rate limit on loopback or when the limit is off', () => {
    const filter = createTrafficFilter({ impressionsPerMinuteMax: 1, clicksPerMinuteMax: null });
    const reasons = [1, 2, 3].flatMap(() => [
      filter({ ...sample, remoteAddress: '127.0.0.1' }),
      filter({ ...sample, kind: 'click' }),
    ]);
    expect(new Set(reasons)).toEqual(new Set(['']));
  });
});
