import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QUERY_LIMITS } from '../kernel/query-limits.ts';
import { writeJson } from './sliced-json.ts';

const noPause = (): undefined => undefined;

describe('the JSON of a result', () => {
  test('any result has the text that the engine itself writes', async () => {
    const anyValue = fc.anything({ maxDepth: 6, maxKeys: 60, withDate: true, withNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        expect(await writeJson({ data: value }, noPause)).toBe(JSON.stringify({ data: value }));
      }),
    );
  });

  test('a long list of large objects, with absent and empty members, has the same text', async () => {
    const item = (id: number) => ({
      id,
      absent: undefined,
      empty: {},
      none: [],
      texts: Array.from({ length: id % 150 }, (_, at) => (at % 7 === 0 ? undefined : `"${at}`)),
    });
    const value = { data: { items: Array.from({ length: 400 }, (_, id) => item(id)) }, errors: undefined };
    expect(await writeJson(value, noPause)).toBe(JSON.stringify(value));
  });

  test('a large result lets other work run in between, and a small one does not wait', async () => {
    let turns = 0;
    const pause = async (): Promise<void> => {
      turns += 1;
    };
    await writeJson({ data: { id: '1' } }, pause);
    expect(turns).toBe(0);
    const items = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `n${id}` }));
    const text = await writeJson({ items }, pause);
    expect(JSON.parse(text)).toEqual({ items });
    expect(turns).toBeGreaterThan(20);
  });

  test('a result over the limit is refused', async () => {
    const long = 'x'.repeat(QUERY_LIMITS.responseCharactersMax);
    await expect(writeJson({ long }, noPause)).rejects.toMatchObject({ code: 'query_too_complex' });
  });
});
