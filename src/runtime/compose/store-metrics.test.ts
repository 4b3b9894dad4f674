import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { measureHotStore, registerPoolMetrics } from './store-metrics.ts';

const folder = createTestFolder();
const { hot, register } = measureHotStore(openLedger({ dir: folder.dir, nowMs: Date.now, log: silentLog }));

afterAll(async () => {
  await hot.close();
  folder.remove();
});

test('a measured hot store counts its calls, also those that fail, and gives the same results', async () => {
  const registry = new Registry();
  register(registry);
  await hot.set('a', 'one', 60_000);
  expect(await hot.get('a')).toBe('one');
  expect(hot.readCountersNow(['none'])).toEqual([0n]);
  await expect(hot.get('')).rejects.toThrow(RangeError);
  const text = await registry.metrics();
  expect(text).toContain('placard_hot_store_seconds_count{operation="set"} 1');
  expect(text).toContain('placard_hot_store_seconds_count{operation="get"} 2');
});

test('a pool shows its connections and who waits for one', async () => {
  const database = await createTestDatabase();
  const registry = new Registry();
  registerPoolMetrics(registry, database);
  await database.db.selectFrom('networks').select('id').execute();
  const text = await registry.metrics();
  expect(text).toContain('placard_postgres_connections{state="idle"} 1');
  expect(text).toContain('placard_postgres_waiting 0');
  await database.close();
});
