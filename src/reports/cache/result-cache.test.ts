import { describe, expect, test } from 'vitest';
import { ResultCache, type CachedRows } from './result-cache.ts';

const KB = 1_024;
const limits = { bytesMax: 100 * KB, bytesPerWorkspaceMax: 40 * KB };

function rows(kilobytes: number): CachedRows {
  return {
    dataJson: Buffer.alloc(kilobytes * KB),
    total: null,
    version: '',
    computedAtMs: 0,
    tookMs: 0,
    verifiedAtMs: 0,
    writtenAtMs: null,
  };
}

describe('ResultCache', () => {
  test('the cache never exceeds its bound and drops the least recently used result', () => {
    const cache = new ResultCache(limits);
    for (let workspace = 1; workspace <= 50; workspace += 1) {
      cache.put(workspace, 'q', rows(8));
      cache.get(1, 'q');
      expect(cache.bytes).toBeLessThanOrEqual(limits.bytesMax);
    }
    expect(cache.get(1, 'q')).toBeDefined();
    expect(cache.get(2, 'q')).toBeUndefined();
    expect(cache.get(50, 'q')).toBeDefined();
  });

  test('a network with many queries pushes out its own results and not those of others', () => {
    const cache = new ResultCache(limits);
    cache.put(1, 'quiet', rows(8));
    for (let query = 0; query < 100; query += 1) cache.put(2, `q${query}`, rows(8));
    expect(cache.get(1, 'quiet')).toBeDefined();
    expect(cache.get(2, 'q99')).toBeDefined();
    expect(cache.get(2, 'q0')).toBeUndefined();
    expect(cache.bytes).toBeLessThanOrEqual(limits.bytesPerWorkspaceMax + 11 * KB);
  });

  test('the cache does not store a result that is larger than a share, and drops the one that it replaces', () => {
    const cache = new ResultCache(limits);
    expect(cache.put(1, 'q', rows(8))).toBe(true);
    expect(cache.put(1, 'q', rows(50))).toBe(false);
    expect(cache.get(1, 'q')).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });

  test('the cache counts a replaced result once', () => {
    const cache = new ResultCache(limits);
    for (let time = 0; time < 100; time += 1) cache.put(1, 'q', rows(8));
    expect(cache.bytes).toBeLessThan(11 * KB);
  });
});
