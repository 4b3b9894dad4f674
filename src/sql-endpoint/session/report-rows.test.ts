/** A large result leaves the event loop to others while it is encoded. */
import { expect, test } from 'vitest';
import type { OutputColumn } from '../translate/output-column.ts';
import { SqlError } from '../wire/sql-error.ts';
import { BYTES_AT_ONCE, CELLS_AT_ONCE, resultOf } from './report-rows.ts';

const columnsOf = (count: number, constant: string): OutputColumn[] =>
  Array.from({ length: count }, () => ({ name: 'c', type: 'text', expression: null, constant }));

/** The turns that a result waits for. */
async function turnsOf(rows: number, columns: number, constant: string): Promise<number> {
  let turns = 0;
  const turn = async (): Promise<void> => {
    turns += 1;
  };
  const pace = { turn, signal: new AbortController().signal };
  const plan = { columns: columnsOf(columns, constant), mustFit: false };
  const result = await resultOf(
    plan,
    Array.from({ length: rows }, () => ({})),
    [],
    pace,
  );
  expect(result.rows).toHaveLength(rows);
  return turns;
}

test('a result of many cells waits for a turn after each five hundred', async () => {
  expect(await turnsOf(49_000, 5, 'x')).toBe((49_000 * 5) / CELLS_AT_ONCE);
  expect(await turnsOf(10, 5, 'x')).toBe(0);
});

test('a result of large cells waits for a turn after each row of 64 KiB', async () => {
  expect(await turnsOf(40, 1, 'x'.repeat(BYTES_AT_ONCE))).toBe(40);
});

test('encoding ends at the next turn when its client has left', async () => {
  const gone = new AbortController();
  let turns = 0;
  const turn = async (): Promise<void> => {
    turns += 1;
    if (turns === 3) gone.abort(new SqlError('57014', 'The client has left.'));
  };
  const plan = { columns: columnsOf(1, 'x'), mustFit: false };
  const rows = Array.from({ length: 49_000 }, () => ({}));
  await expect(resultOf(plan, rows, [], { turn, signal: gone.signal })).rejects.toThrow('The client has left.');
  expect(turns).toBe(3);
});
