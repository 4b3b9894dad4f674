import { describe, expect, test } from 'vitest';
import { checkAllowlist, compileAllowlist } from './ip-allowlist.ts';

describe('an allowlist', () => {
  test.each([
    [[], '203.0.113.1', true],
    [['192.0.2.0/24'], '192.0.2.255', true],
    [['192.0.2.0/24'], '192.0.3.0', false],
    [['192.0.2.0/24'], '::ffff:192.0.2.9', true],
    [['::ffff:192.0.2.0/120'], '192.0.2.9', true],
    [['::ffff:192.0.2.0/120'], '192.0.3.9', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['0.0.0.0/0'], '203.0.113.1', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '192.0.2.1', false],
    [['nonsense'], '192.0.2.1', false],
    [['192.0.2.1'], '', false],
    [['192.0.2.1'], 'unknown', false],
  ])('an allowlist of %j, for %s, admits: %s', (entries, address, admitted) => {
    expect(compileAllowlist(entries)(address)).toBe(admitted);
  });

  test.each(['10.1', '127', '192.0.2.0/33', '192.0.2.256', '2001:db8::/129', 'example.com', '', ' ', '1.2.3.4/'])(
    'an allowlist with the entry %j is refused, as it is ambiguous',
    (entry) => {
      expect(() => checkAllowlist([entry], 'ipAllowlist')).toThrow('ipAllowlist[0]');
    },
  );

  test('an allowlist holds at most 100 entries', () => {
    expect(() =>
      checkAllowlist(
        Array.from({ length: 101 }, () => '192.0.2.1'),
        'list',
      ),
    ).toThrow('at most 100');
  });
});
