import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/support/stores.ts';
import type { TestDatabase } from '../../../test/support/stores.ts';
import { seedLineItem, seedNetwork } from '../../../test/worlds/seed.sql.ts';
import { readSnapshotInPages } from './snapshot-pages.sql.ts';
import { readSnapshots } from './snapshot.sql.ts';

const content = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await seedNetwork(database.db);
  for (let id = 1n; id <= 6n; id += 1n) await seedLineItem(database.db, { id, cpm: id, content });
});
afterAll(() => database.close());

test.each([1, 4, 6, 7])(
  'a workspace in pages of %i records is the one that is read as a whole',
  async (pageRecords) => {
    const nowMs = Date.now();
    const [whole] = await readSnapshots(database.db, nowMs, [1]);
    const lineItems: unknown[] = [];
    const creatives: unknown[] = [];
    const add = (list: unknown[]) => (page: readonly unknown[]) => {
      expect(page.length).toBeLessThanOrEqual(pageRecords);
      list.push(...page);
      return Promise.resolve();
    };
    const pages = { lineItems: add(lineItems), creatives: add(creatives) };
    const short = await readSnapshotInPages(database.db, { workspaceId: 1, nowMs, pageRecords }, pages);
    expect({ ...short, lineItems, creatives }).toEqual(whole);
    expect(lineItems).toHaveLength(6);
  },
);

test('a workspace that is gone has no pages', async () => {
  const add = () => Promise.reject(new Error('There is a page'));
  const workspace = { workspaceId: 999, nowMs: Date.now() };
  expect(await readSnapshotInPages(database.db, workspace, { lineItems: add, creatives: add })).toBeNull();
});
