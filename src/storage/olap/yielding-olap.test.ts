import { describe, expect, test } from 'vitest';
import { FULL_SHARE, type ShareSource } from '../../domain/reporting/report-share.ts';
import type { Olap, OlapQuery, OlapStreamQuery } from './olap.ts';
import { yieldToAds } from './yielding-olap.ts';

const FLOOR: ShareSource = { value: 1 / 16, watch: () => undefined };

/** A store whose every statement and piece takes `tookMs`, and the rests between them. */
function bench(share: ShareSource, tookMs: number) {
  let nowMs = 0;
  const asked: OlapQuery[] = [];
  const rests: number[] = [];
  const record = (query: OlapQuery): void => {
    asked.push(query);
    nowMs += tookMs;
  };
  const store: Partial<Olap> = {
    query: async <T>(query: OlapQuery) => {
      record(query);
      return [] as T[];
    },
    stream: async function* (query: OlapStreamQuery) {
      asked.push(query);
      for (const text of ['a', 'b', 'c', 'd']) {
        nowMs += tookMs;
        yield Buffer.from(text);
      }
    },
    insertRaw: async () => undefined,
  };
  const rest = async (ms: number): Promise<void> => {
    rests.push(ms);
    nowMs += ms;
  };
  const olap = yieldToAds({ olap: store as Olap, share, nowMs: () => nowMs, rest });
  const readAll = async (query: OlapStreamQuery): Promise<string> => {
    let text = '';
    for await (const chunk of olap.stream(query)) text += chunk.toString();
    return text;
  };
  return { olap, asked, rests, readAll };
}

describe('the yielding store', () => {
  test('statements are unchanged at full speed', async () => {
    const { olap, asked, rests, readAll } = bench(FULL_SHARE, 100);
    const query = { sql: 'SELECT 1', settings: { max_threads: 2 } };
    await olap.query(query);
    expect(await readAll({ ...query, format: 'CSV' })).toBe('abcd');
    expect(asked).toEqual([query, { ...query, format: 'CSV' }]);
    expect(rests).toEqual([]);
  });

  test('statements take one thread and rest while reports yield', async () => {
    const { olap, asked, rests } = bench(FLOOR, 100);
    await olap.query({ sql: 'SELECT 1', settings: { max_threads: 2, max_memory_usage: 5 } });
    expect(asked[0]?.settings).toEqual({ max_threads: 1, max_memory_usage: 5 });
    expect(rests).toEqual([300]);
  });

  test('a streamed result rests between its pieces, for half of its time limit at most', async () => {
    const { rests, readAll } = bench(FLOOR, 100);
    expect(await readAll({ sql: 'SELECT 1', format: 'CSV', timeoutMs: 1_400 })).toBe('abcd');
    expect(rests).toEqual([300, 300, 100]);
  });

  test('the yielding store never rests after an insert', async () => {
    const { olap, rests } = bench(FLOOR, 100);
    await olap.insertRaw({ table: 'events', body: Buffer.alloc(0), token: 't' });
    expect(rests).toEqual([]);
  });
});
