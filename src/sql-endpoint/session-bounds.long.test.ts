/** What one session can make the endpoint hold: bytes, rows, messages and names. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bindMessage, converse, describeMessage, executeMessage, parseMessage, SYNC } from './fixtures/raw-client.ts';
import { openTestEndpoint } from './fixtures/test-endpoint.ts';
import { resultOf } from './session/report-rows.ts';
import type { SqlEndpoint } from './sql-endpoint.ts';

let endpoint: SqlEndpoint | null = null;
afterEach(async () => {
  await endpoint?.stop();
  endpoint = null;
});

/** The types of messages that come back, with codes in place of errors. */
async function say(...messages: readonly Buffer[]): Promise<string> {
  endpoint ??= await openTestEndpoint();
  return (await converse(endpoint.port, messages)).join(' ');
}

describe('parameters', () => {
  const bind = (values: readonly string[]): Promise<string> =>
    say(parseMessage('', 'SELECT $1::text'), bindMessage('', '', values), SYNC);

  test('a parameter of 64 KiB is taken, and one byte more is refused', async () => {
    expect(await bind(['x'.repeat(65_536)])).toBe('1 2 Z');
    expect(await bind(['x'.repeat(65_537)])).toBe('1 54000 Z');
  });

  test('the parameters of a Bind message have a bound together', async () => {
    expect(await bind(Array.from({ length: 3 }, () => 'x'.repeat(65_536)))).toBe('1 2 Z');
    expect(await bind(Array.from({ length: 4 }, () => 'x'.repeat(65_536)))).toBe('1 54000 Z');
  });
});

describe('types of parameters', () => {
  test('a Parse message with more than 1,000 types is refused with a code of its own', async () => {
    const parse = (count: number): Promise<string> =>
      say(
        parseMessage(
          '',
          'SELECT 1',
          Array.from({ length: count }, () => 25),
        ),
        describeMessage('S', ''),
        SYNC,
      );
    expect(await parse(1_000)).toBe('1 t T Z');
    expect(await parse(1_001)).toBe('54000 Z');
    expect(await parse(32_768)).toBe('54000 Z');
  });

  test('a Bind message has at most 1,000 values', async () => {
    const values = Array.from({ length: 1_001 }, () => '1');
    expect(await say(parseMessage('', 'SELECT 1'), bindMessage('', '', values), SYNC)).toBe('1 54000 Z');
  });
});

describe('results', () => {
  const columns = (count: number): string => `SELECT ${Array.from({ length: count }, () => '$1').join()}`;
  const run = (sql: string, value: string): Promise<string> =>
    say(parseMessage('', sql), bindMessage('', '', [value]), executeMessage(''), SYNC);

  test.each(['', " FROM delivery WHERE time >= '2026-03-30'"])('a result%s has at most 1,664 columns', async (from) => {
    expect(await run(`${columns(1_664)}, country${from}`.replace(from === '' ? ', country' : '$1,', ''), 'x')).toMatch(
      /^1 2 (?:D )?C Z$/,
    );
    expect(await run(`${columns(1_665)}${from}`, 'x')).toBe('1 2 54011 Z');
  });

  test('stars have at most 1,664 columns together', async () => {
    const stars = (count: number): string => Array.from({ length: count }, () => '*').join();
    const from = "FROM delivery WHERE time >= '2026-03-30'";
    expect(await run(`SELECT ${stars(277)} ${from}`, '')).toBe('1 2 C Z');
    expect(await run(`SELECT ${stars(278)} ${from}`, '')).toBe('1 2 54011 Z');
  });

  test('a row of constants has at most 32 MiB', async () => {
    expect(await run(columns(500), 'x'.repeat(65_536))).toBe('1 2 D C Z');
    expect(await run(columns(512), 'x'.repeat(65_536))).toBe('1 2 54000 Z');
  });

  test('constants beside columns have at most 1,000,000 characters together', async () => {
    const text = (count: number): string =>
      `SELECT country, ${Array.from({ length: count }, () => 'lower($1)').join()} FROM delivery WHERE time >= '2026-03-30'`;
    expect(await run(text(20), 'x'.repeat(50_000))).toBe('1 2 C Z');
    expect(await run(text(21), 'x'.repeat(50_000))).toBe('1 2 54000 Z');
  });

  test('rows of a report have at most 32 MiB together', async () => {
    const data = Array.from({ length: 1_000 }, () => ({ 'campaign_overview.country': 'PL' }));
    endpoint = await openTestEndpoint(() => ({ data }));
    const text = "SELECT country, $1 FROM delivery WHERE time >= '2026-03-30'";
    expect(await run(text, 'x'.repeat(60_000))).toBe('1 2 54000 Z');
  });

  test('a constant is encoded once for all its cells and rows', async () => {
    const columnsOfText = Array.from({ length: 3 }, () => ({
      name: 'c',
      type: 'text' as const,
      expression: null,
      constant: 'constant',
    }));
    const encoded = vi.spyOn(Buffer, 'from');
    const pace = { turn: () => undefined, signal: new AbortController().signal };
    const { rows } = await resultOf({ columns: columnsOfText, mustFit: false }, [{}, {}, {}, {}], [], pace);
    const times = encoded.mock.calls.filter(([value]) => (value as unknown) === 'constant').length;
    encoded.mockRestore();
    expect([rows.length, times]).toEqual([4, 1]);
  });
});

describe('what a session keeps', () => {
  test('names of statements and portals have at most 63 bytes', async () => {
    const [fits, long] = ['n'.repeat(63), 'n'.repeat(64)];
    expect(await say(parseMessage(fits, 'SELECT 1'), bindMessage(fits, fits), SYNC)).toBe('1 2 Z');
    expect(await say(parseMessage(long, 'SELECT 1'), SYNC)).toBe('42622 Z');
    expect(await say(parseMessage('', 'SELECT 1'), bindMessage(long, ''), SYNC)).toBe('1 42622 Z');
  });

  test('prepared statements have at most 2 MiB together, and the unnamed one is replaced', async () => {
    const text = `SELECT 1 -- ${'x'.repeat(16_000)}`;
    const named = (count: number): Buffer[] =>
      Array.from({ length: count }, (_none, index) => parseMessage(`s${index}`, text));
    expect((await say(...named(130), SYNC)).split(' ')).toEqual([...named(130).map(() => '1'), 'Z']);
    expect(await say(...named(131), SYNC)).toMatch(/^(?:1 ){130}54000 Z$/);
    const unnamed = Array.from({ length: 140 }, () => parseMessage('', text));
    expect(await say(...unnamed, SYNC)).toMatch(/^(?:1 ){140}Z$/);
  });

  const values = Array.from({ length: 3 }, () => 'x'.repeat(65_536));
  test('parameters of portals have at most 2 MiB together', async () => {
    const bound = (count: number): Buffer[] =>
      Array.from({ length: count }, (_none, index) => bindMessage(`p${index}`, '', values));
    expect(await say(parseMessage('', 'SELECT 1'), ...bound(10), SYNC)).toMatch(/^1 (?:2 ){10}Z$/);
    expect(await say(parseMessage('', 'SELECT 1'), ...bound(11), SYNC)).toMatch(/^1 (?:2 ){10}54000 Z$/);
  });

  /** Reports of 300 rows of 60,000 bytes, each in a portal of its own that stays open. */
  async function read(portals: number, rowsMax: number): Promise<string> {
    const data = Array.from({ length: 300 }, () => ({ 'campaign_overview.country': 'x'.repeat(60_000) }));
    endpoint ??= await openTestEndpoint(() => ({ data }));
    const parse = parseMessage('', "SELECT country FROM delivery WHERE time >= '2026-03-30'");
    const executed = Array.from({ length: portals }, (_none, index) => [
      bindMessage(`p${index}`, ''),
      executeMessage(`p${index}`, rowsMax),
    ]);
    return say(parse, ...executed.flat(), SYNC);
  }

  test('portals that are read in portions hold at most 64 MiB together', async () => {
    expect(await read(3, 1)).toBe('1 2 D s 2 D s 2 D s Z');
    expect(await read(4, 1)).toBe('1 2 D s 2 D s 2 D s 2 53000 Z');
  });

  test('portals that are read to their end hold no rows', async () => {
    expect((await read(5, 0)).replaceAll('D ', '')).toBe('1 2 C 2 C 2 C 2 C 2 C Z');
    const rows = [bindMessage('p', ''), executeMessage('p'), executeMessage('p'), SYNC];
    const parse = parseMessage('', "SELECT country FROM delivery WHERE time >= '2026-03-30'");
    expect((await say(parse, ...rows)).replaceAll('D ', '')).toBe('1 2 C C Z');
  });
});

test('the parameters of a catalog query have at most 8 KiB together', async () => {
  const ask = (bytes: number): Promise<string> => {
    const bind = bindMessage('', '', ['x'.repeat(bytes / 2), 'y'.repeat(bytes / 2)]);
    return say(parseMessage('', "SELECT octet_length(replace($1, 'x', $2))"), bind, executeMessage(''), SYNC);
  };
  expect(await ask(8_192)).toBe('1 2 D C Z');
  expect(await ask(8_194)).toBe('1 2 54000 Z');
}, 60_000);
