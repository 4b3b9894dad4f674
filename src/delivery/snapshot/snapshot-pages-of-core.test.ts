import { afterAll, beforeAll, expect, test } from 'vitest';
import { BENCH_NETWORK_ID, bookBenchNetwork } from '../../../bench/support/bench-network.ts';
import { createTestDatabase } from '../../../test/support/stores.ts';
import type { TestDatabase } from '../../../test/support/stores.ts';
import type { ViaCore } from '../../storage/sql/node-call.ts';
import { SNAPSHOT_CALLS } from './snapshot-calls.ts';
import { readSnapshotInPagesOfCore } from './snapshot-pages-of-core.ts';
import { readSnapshots, readWorkspaces } from './snapshot.sql.ts';

/** More than a page of line items, and of creatives. */
const LINE_ITEMS = 2_100;
const ignore = () => Promise.resolve();
let database: TestDatabase;
let workspaceId: number;
let called: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await bookBenchNetwork(database.ownerUrl, LINE_ITEMS);
  const workspaces = await readWorkspaces(database.db);
  workspaceId = workspaces.find(({ networkId }) => networkId === BENCH_NETWORK_ID)?.workspaceId ?? 0;
});
afterAll(() => database.close());

/** A core without a network in between. */
function coreWith(meanwhile: (name: string) => Promise<unknown> = ignore): ViaCore {
  called = [];
  return {
    viaCore: async (name, args) => {
      await meanwhile(name);
      called.push(name);
      const { run } = SNAPSHOT_CALLS.find(({ callName }) => callName === name) ?? { run: ignore };
      return (run as (...args: unknown[]) => Promise<unknown>)(database.db, ...args);
    },
  };
}

test('a workspace in pages of a core is the one that is read as a whole, and parents come after their children', async () => {
  const nowMs = Date.now();
  const [whole] = await readSnapshots(database.db, nowMs, [workspaceId]);
  const lineItems: unknown[] = [];
  const creatives: unknown[] = [];
  const add = (list: unknown[]) => (page: readonly unknown[]) => Promise.resolve(void list.push(...page));
  const pages = { lineItems: add(lineItems), creatives: add(creatives) };
  const short = await readSnapshotInPagesOfCore(coreWith(), { workspaceId, nowMs }, pages);
  expect({ ...short, lineItems, creatives }).toEqual(whole);
  expect(lineItems).toHaveLength(LINE_ITEMS);
  expect(called).toEqual([
    'snapshot.workspaces',
    ...Array.from({ length: 4 }, () => 'snapshot.page'),
    'snapshot.short',
  ]);
});

test('a workspace that is gone has no pages, neither does one that goes meanwhile', async () => {
  const pages = { lineItems: ignore, creatives: ignore };
  expect(await readSnapshotInPagesOfCore(coreWith(), { workspaceId: 999, nowMs: 1 }, pages)).toBeNull();
  expect(called).toEqual(['snapshot.workspaces']);
});

test('pages that were read in another time zone than the rest are not used', async () => {
  const nowMs = Date.now();
  const setTimezone = (timezone: string) => database.owner.updateTable('networks').set({ timezone }).execute();
  const core = coreWith((name) => (name === 'snapshot.short' ? setTimezone('Asia/Tokyo') : Promise.resolve()));
  const pages = { lineItems: ignore, creatives: ignore };
  const reading = readSnapshotInPagesOfCore(core, { workspaceId, nowMs }, pages);
  await expect(reading).rejects.toThrow('time zone of workspace');
  await setTimezone('UTC');
});
