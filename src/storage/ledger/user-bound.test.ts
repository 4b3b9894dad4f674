import { expect, test } from 'vitest';
import { ByteTable } from './byte-table.ts';
import { LedgerState } from './ledger-state.ts';

const NOW_MS = 1_700_000_000_000;

function fill(bytesMax: number): { readonly state: LedgerState; readonly table: ByteTable } {
  const table = new ByteTable();
  const state = new LedgerState(table, { nowMs: () => NOW_MS, bytesMax });
  for (let at = 0; at < 40_000; at += 1) {
    state.increment({ key: `f/1/user${at}/li/5`, by: 1n, ttlMs: 1_000 + at });
    state.increment({ key: `d/1/${at % 500}`, by: 1n, ttlMs: 1 });
    state.push({ key: `tv/1/user${at}`, value: 'touch', max: 5, ttlMs: 1_000 + at });
  }
  return { state, table };
}

test('a ledger beyond its memory forgets the users that would expire first, and no counter of deliveries', () => {
  const bytesMax = 2_000_000;
  const { state, table } = fill(bytesMax);
  expect(table.usedBytes).toBeLessThan(bytesMax * 1.02);
  expect(state.forgotten).toBeGreaterThan(10_000);
  for (let at = 0; at < 500; at += 1) expect(state.counterOf(`d/1/${at}`)).toBe(80n);
  const kept = (from: number): number =>
    Array.from({ length: 5_000 }, (_none, at) => state.counterOf(`f/1/user${from + at}/li/5`)).filter(
      (count) => count > 0n,
    ).length;
  expect(kept(35_000)).toBeGreaterThan(kept(0) * 3);
});

test('a ledger within its memory forgets nobody', () => {
  expect(fill(1_000_000_000).state.forgotten).toBe(0);
});

test('a ledger that only claims and counters fill goes on beyond its memory', () => {
  const state = new LedgerState(new ByteTable(), { nowMs: () => NOW_MS, bytesMax: 1_000 });
  for (let at = 0; at < 5_000; at += 1) state.increment({ key: `d/1/${at}`, by: 1n, ttlMs: 1 });
  expect(state.counterOf('d/1/4999')).toBe(1n);
  expect(state.forgotten).toBe(0);
});
