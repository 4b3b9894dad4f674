import { describe, expect, test } from 'vitest';
import { OlapError } from '../../storage/olap/olap.ts';
import { AllRefusedError, insertReadable, isRefusal } from './refused-rows.ts';

function refusal(serverCode = 25): OlapError {
  return new OlapError('failed', 'cannot parse', { retryable: false, serverCode });
}

/** A store that refuses every insert with a row that begins with "bad"; a token counts once. */
function storeOf(): { insert: (rows: readonly string[], token: string) => Promise<void>; rows: () => string[] } {
  const taken = new Map<string, readonly string[]>();
  return {
    insert: async (rows, token) => {
      if (rows.some((row) => row.startsWith('bad'))) throw refusal();
      taken.set(token, rows);
    },
    rows: () => [...taken.values()].flat().sort(),
  };
}

describe('inserting what can be read', () => {
  test('only the refused rows are left out, for any number of them', async () => {
    const rows = Array.from({ length: 2_000 }, (_none, at) => `${at % 3 === 1 ? 'bad' : 'row'}${at}`);
    const store = storeOf();
    const refused = await insertReadable(store.insert, rows, 't');
    expect(refused).toEqual(rows.filter((row) => row.startsWith('bad')));
    expect(store.rows()).toEqual(rows.filter((row) => row.startsWith('row')).sort());
  });

  test('a second run inserts nothing twice, since parts keep their tokens', async () => {
    const rows = ['a', 'bad', 'c', 'd', 'e'];
    const store = storeOf();
    await insertReadable(store.insert, rows, 't');
    await insertReadable(store.insert, rows, 't');
    expect(store.rows()).toEqual(['a', 'c', 'd', 'e']);
  });

  test('no row is left out when the store refuses every row', async () => {
    const rows = Array.from({ length: 500 }, (_none, at) => `row${at}`);
    let inserts = 0;
    const insert = async (): Promise<void> => {
      inserts += 1;
      throw refusal(117);
    };
    await expect(insertReadable(insert, rows, 't')).rejects.toThrow(AllRefusedError);
    expect(inserts).toBeLessThan(400);
  });

  test('a store that goes down in between leaves the remaining rows for a later try', async () => {
    const gone = new OlapError('unreachable', 'away', { retryable: true });
    const insert = async (rows: readonly string[]): Promise<void> => {
      throw rows.length > 1 ? refusal() : gone;
    };
    await expect(insertReadable(insert, ['a', 'b'], 't')).rejects.toBe(gone);
  });
});

describe('a refusal', () => {
  test.each([
    ['text that cannot be read', refusal(25), true],
    ['an insert that is too large', new OlapError('too_large', '', { retryable: false }), true],
    ['memory that ran out', new OlapError('too_large', '', { retryable: true, serverCode: 241 }), false],
    ['a table that is missing', new OlapError('unknown_table', '', { retryable: false, serverCode: 60 }), false],
    ['a failure that may have stored a part', refusal(49), false],
    ['a failure of our own', new Error('bug'), false],
  ])('%s', (_name, error, expected) => {
    expect(isRefusal(error)).toBe(expected);
  });
});
