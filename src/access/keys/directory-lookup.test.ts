import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';
import { readDirectoryPart } from './directory.sql.ts';
import { DirectoryLookup } from './directory-lookup.ts';

const NOON_MS = 20_000 * 86_400_000 + 43_200_000;
const newDigest = (): string => randomBytes(32).toString('hex');
let database: TestDatabase;
let known = '';

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.insertInto('networks').values({ id: 1, name: 'One' }).execute();
  const { id } = await database.db
    .insertInto('workspaces')
    .values({ network_id: 1, environment: 'production' })
    .returning('id')
    .executeTakeFirstOrThrow();
  known = newDigest();
  await database.db
    .insertInto('api_keys')
    .values({
      workspace_id: id,
      name: 'Known',
      digest: Buffer.from(known, 'hex'),
      prefix: 'x',
      last_four: 'abcd',
      permission: 'admin',
      created_by: 'test',
    })
    .execute();
});
afterAll(() => database.close());

/** A look-up over the real store, and the digests of the keys that it has found. */
function open(clock: { nowMs: number }): { lookup: DirectoryLookup; found: Set<string> } {
  const found = new Set<string>();
  const lookup = new DirectoryLookup({
    read: (wanted) => readDirectoryPart(database.db, wanted),
    add: ({ keys }) => {
      for (const { digest } of keys) found.add(digest);
    },
    has: ({ name }) => found.has(name),
    nowMs: () => clock.nowMs,
    waitMs: 120_000,
  });
  return { lookup, found };
}

test('a flood of 3,000 unknown keys from one address causes at most 10 queries, and a new key from another is found meanwhile', async () => {
  const clock = { nowMs: NOON_MS };
  const { lookup, found } = open(clock);
  const flood = Array.from({ length: 3_000 }, () => lookup.ask({ kind: 'digests', name: newDigest() }, '192.0.2.1'));
  const good = lookup.ask({ kind: 'digests', name: known }, '198.51.100.7');
  await Promise.all([...flood, good]);
  expect(found).toEqual(new Set([known]));
  expect(lookup.queries).toBeLessThanOrEqual(10);
  const before = lookup.queries;
  clock.nowMs += 1_000;
  for (let count = 0; count < 100; count += 1) await lookup.ask({ kind: 'digests', name: newDigest() }, '192.0.2.1');
  // Two a second, one after the other.
  expect(lookup.queries - before).toBe(2);
});

test('a flood of 5,000 unknown keys from as many addresses causes at most ten queries at a time and gets responses', async () => {
  const { lookup } = open({ nowMs: NOON_MS });
  const flood = Array.from({ length: 5_000 }, (_, at) =>
    lookup.ask({ kind: 'digests', name: newDigest() }, `2001:db8:${at.toString(16)}::`),
  );
  await Promise.all(flood);
  expect(lookup.queries).toBeLessThanOrEqual(10);
});

test('an unknown key that is sent 1,000 times causes one query per second', async () => {
  const clock = { nowMs: NOON_MS };
  const { lookup } = open(clock);
  const name = newDigest();
  for (let second = 1; second <= 3; second += 1) {
    await Promise.all(Array.from({ length: 1_000 }, () => lookup.ask({ kind: 'digests', name }, '192.0.2.1')));
    await lookup.ask({ kind: 'digests', name }, '192.0.2.1');
    expect(lookup.queries).toBe(second);
    clock.nowMs += 1_001;
  }
});
