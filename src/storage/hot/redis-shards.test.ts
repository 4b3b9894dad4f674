import { describe, expect, test } from 'vitest';
import { locationOf, SET_MEMBERS, ulidTimeOf } from './event-location.ts';
import { ownerOf, ShardedNames } from './redis-shards.ts';

describe('the owner of a key', () => {
  test.each([
    ['f/3/00ff/li/9/imp/1D', 'u/3/00ff'],
    ['tc/3/00ff', 'u/3/00ff'],
    ['tv/3/00ff/12', 'u/3/00ff'],
    ['g/3/00ff', 'u/3/00ff'],
    ['gm/3/00ff/5.0', 'u/3/00ff'],
    ['gp/3/00ff/5.0/29000', 'u/3/00ff'],
    ['gd/3/5.0/19000', 'gd/3/5.0'],
    ['d/3/li/9/imp/all', 'b/3/li/9'],
    ['r/3/li/9/imp/77', 'b/3/li/9'],
    ['x/3/li/9/clk/77', 'b/3/li/9'],
    ['q/3/bids/2026-01-01/used', 'q/3/bids'],
    ['add/q/3/bids/Zx8/4', 'q/3/bids'],
    ['add/reset/q/3/bids/2026-01-01', 'q/3/bids'],
    ['reset/q/3/bids/2026-01-01', 'q/3/bids'],
    ['add/Zx8/4', 'Zx8/4'],
    ['ti/3/01J8', 'ti/3/01J8'],
    ['rc/01J8', 'rc/01J8'],
    ['unknown/3/00ff', 'unknown/3/00ff'],
    ['f', 'f'],
    ['f/3', 'u/3'],
    ['', ''],
  ])('the owner of %s is %s', (key, owner) => {
    expect(ownerOf(key)).toBe(owner);
  });

  test('keys of many users and line items spread evenly over the shards', () => {
    const names = new ShardedNames('p', 64);
    const loads = Array.from({ length: 64 }, () => 0);
    for (let at = 0; at < 64_000; at += 1) {
      const key = at % 2 === 0 ? `f/1/${at.toString(16).padStart(16, '0')}/li/1/imp/1D` : `d/1/li/${at}/imp/all`;
      const shard = names.shardOf(key);
      loads[shard] = (loads[shard] ?? 0) + 1;
    }
    expect(Math.min(...loads)).toBeGreaterThan(800);
    expect(Math.max(...loads)).toBeLessThan(1_200);
  });
});

test('ids that one process made one after the other share a set, and their events lie in one shard', () => {
  const keys = Array.from(
    { length: 32 },
    (_none, at) => `e/01J8ZQ0000ABCDEFGHJK0000${at.toString(16).padStart(2, '0').toUpperCase()}:imp`,
  );
  const locations = keys.map(locationOf);
  expect(new Set(locations.map(({ set }) => set)).size).toBe(1);
  expect(new Set(locations.map(({ member }) => member)).size).toBe(32);
  expect(locations.every(({ member }) => member < SET_MEMBERS)).toBe(true);
  expect(ulidTimeOf(keys[0] ?? '')).toBe(ulidTimeOf(keys[31] ?? ''));
});
