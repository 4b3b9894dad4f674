import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MissingLinesError } from './event-counts.ts';
import type { EventLine } from './event-counts.ts';
import { checkRun, faultRuns } from './fixtures/event-faults.ts';
import { MemoryEventShards } from './fixtures/memory-event-shards.ts';
import { RedisEventCounts } from './redis-event-counts.ts';

const line = (offset: number, event: string): EventLine => ({
  offset,
  key: `e/${event}`,
  ttlMs: 1_000,
  increments: [{ key: 'd/1/li/7/imp/all', by: 1n, ttlMs: 1_000 }],
  pushes: [],
});

describe('the counting of events over shards', () => {
  test('counts each event once, whatever calls are lost, late, out of order or repeated', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(faultRuns, async (run) => {
        const shards = new MemoryEventShards();
        const standing = {
          counter: async (key: string) => shards.counters.get(key) ?? 0n,
          list: async (key: string) => shards.lists.get(key) ?? [],
        };
        runs += 1;
        await checkRun(run, `run${runs}`, { shards, standing });
      }),
      { numRuns: Number(process.env['EVENT_RUNS'] ?? 300) },
    );
  });

  test('a batch after lines that are not counted is refused, and the file is counted as a whole', async () => {
    const shards = new MemoryEventShards();
    const counts = new RedisEventCounts(async () => shards);
    const lines = [line(0, 'a'), line(10, 'b'), line(20, 'a')];
    expect(await counts.countLines({ file: '0/f', from: 0, to: 10, lines: lines.slice(0, 1) })).toEqual([true]);
    const later = { file: '0/f', from: 20, to: 30, lines: lines.slice(2) };
    await expect(counts.countLines(later)).rejects.toThrow(MissingLinesError);
    expect(
      await counts.countRest({ file: '0/f', to: 30 }, (from) => lines.filter(({ offset }) => offset >= from)),
    ).toEqual(new Set([20]));
    expect(shards.counters.get('d/1/li/7/imp/all')).toBe(2n);
  });

  test('a shard that lost what it confirmed is found, and its lines are counted again', async () => {
    const shards = new MemoryEventShards(4);
    const counts = new RedisEventCounts(async () => shards);
    const lines = [line(0, 'a'), line(10, 'b')];
    await counts.countLines({ file: '0/f', from: 0, to: 10, lines: lines.slice(0, 1) });
    const shard = shards.shardOf('d/1/li/7/imp/all');
    shards.lose(shard);
    const next = { file: '0/f', from: 10, to: 20, lines: lines.slice(1) };
    await expect(counts.countLines(next)).rejects.toThrow(MissingLinesError);
    await counts.countRest({ file: '0/f', to: 20 }, () => lines);
    expect(shards.counters.get('d/1/li/7/imp/all')).toBe(2n);
  });

  test('the rest of a file is read from where its writer counted it, and from its begin when a shard has lost some', async () => {
    const shards = new MemoryEventShards();
    const counts = new RedisEventCounts(async () => shards);
    const lines = [line(0, 'a'), line(10, 'b'), line(20, 'c')];
    await counts.countLines({ file: '0/f', from: 0, to: 20, lines: lines.slice(0, 2) });
    const asked: number[] = [];
    const rest = (to: number): Promise<unknown> =>
      new RedisEventCounts(async () => shards).countRest({ file: '0/f', to }, (from) => {
        asked.push(from);
        return lines.filter(({ offset }) => offset >= from);
      });
    await rest(30);
    shards.lose(shards.shardOf('d/1/li/7/imp/all'));
    await rest(30);
    expect(asked).toEqual([20, 0]);
    expect(shards.counters.get('d/1/li/7/imp/all')).toBe(3n);
  });

  test('a file that was counted as its lines came is not read again', async () => {
    const shards = new MemoryEventShards();
    const counts = new RedisEventCounts(async () => shards);
    const lines = [line(0, 'a'), line(10, 'a')];
    expect(await counts.countLines({ file: '0/f', from: 0, to: 20, lines })).toEqual([true, false]);
    const readLines = (): never => {
      throw new Error('The file was read');
    };
    const other = new RedisEventCounts(async () => shards);
    expect(await other.countRest({ file: '0/f', to: 20 }, readLines)).toEqual(new Set([10]));
    expect([await other.isCounted('e/a'), await other.isCounted('e/b')]).toEqual([true, false]);
  });

  test('a large file is counted in small steps, since Redis serves nobody else during a call', async () => {
    const shards = new MemoryEventShards(1);
    const claimed: number[] = [];
    const claim = shards.claim.bind(shards);
    shards.claim = (shard, step, claims) => {
      claimed.push(claims.length);
      return claim(shard, step, claims);
    };
    const lines = Array.from({ length: 1_201 }, (_none, at) => line(at * 10, `event ${at % 1_200}`));
    const counts = new RedisEventCounts(async () => shards);
    expect(await counts.countRest({ file: '0/f', to: 12_010 }, () => lines)).toEqual(new Set([12_000]));
    expect(claimed).toEqual([500, 500, 201]);
    expect(shards.counters.get('d/1/li/7/imp/all')).toBe(1_200n);
  });
});
