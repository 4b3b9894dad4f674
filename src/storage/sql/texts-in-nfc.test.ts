import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';
import { inNfc } from '../../domain/text/one-form.ts';
import { up } from './migrations/0098-texts-in-nfc.sql.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.owner.insertInto('networks').values({ id: 1, name: 'N' }).execute();
  await database.owner
    .insertInto('workspaces')
    .values({ id: 1, network_id: 1, environment: 'production' } as never)
    .execute();
});
afterAll(() => database.close());
beforeEach(() => sql`TRUNCATE sites, deals, segments, advertisers CASCADE`.execute(database.owner));

const run = (): Promise<void> => database.owner.transaction().execute((transaction) => up(transaction as never));
/** Letters with two forms, what JSON and arrays escape, and a mark that follows an escaped letter. */
const text = fc.string({
  unit: fc.constantFrom('ó', 'o\u0301', 'Å', '\n', '\u0301', '"', '\\', ',', '{', 'x'),
  minLength: 1,
  maxLength: 8,
});
const texts = fc.uniqueArray(text, { maxLength: 4 });

interface Stored {
  readonly name: string;
  readonly seats: readonly string[];
  readonly labels: readonly string[];
  readonly notes: string;
  readonly rule: object;
}

async function insert(at: number, { name, seats, labels, notes, rule }: Stored): Promise<void> {
  const shared = { workspace_id: 1, id: at, name, notes, labels: [...labels] };
  await database.owner
    .insertInto('deals')
    .values({ ...shared, code: `${at}`, seats: [...seats] } as never)
    .execute();
  await database.owner
    .insertInto('segments')
    .values({ ...shared, rule: JSON.stringify(rule) } as never)
    .execute();
}

/** The rows by id, each with the number of its last writer. */
async function readAll(): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT deals.name, deals.seats, segments.labels, segments.notes, segments.rule, deals.xmin, segments.xmin AS other
    FROM deals JOIN segments USING (workspace_id, id) ORDER BY id`.execute(database.owner);
  return rows;
}

test('names, lists and rules come into NFC, ids of other systems stay, and a second run writes nothing', async () => {
  const stored = fc.record({
    name: text,
    seats: texts,
    labels: texts,
    notes: text,
    rule: fc.record({
      any: fc.array(fc.record({ kind: fc.constant('keyValue'), key: text, values: texts }), { maxLength: 2 }),
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(stored, { minLength: 1, maxLength: 4 }), async (rows) => {
      await sql`TRUNCATE deals, segments CASCADE`.execute(database.owner);
      for (const [at, row] of rows.entries()) await insert(at + 1, row);
      await run();
      const formed = await readAll();
      const wanted = rows.map(({ name, seats, labels, notes, rule }) => ({
        name: inNfc(name),
        seats,
        labels: [...new Set(labels.map(inNfc))],
        notes: inNfc(notes),
        rule: { any: rule.any.map(({ kind, key, values }) => ({ kind, key: inNfc(key), values: values.map(inNfc) })) },
      }));
      expect(formed).toMatchObject(wanted);
      await run();
      expect(await readAll()).toEqual(formed);
    }),
    { numRuns: 25 },
  );
});

test('a row stays as it is where another one has its text, and rows of other networks do not count', async () => {
  const [nfc, nfd] = ['Łódź'.normalize('NFC'), 'Łódź'.normalize('NFD')];
  await sql`INSERT INTO networks (id, name) VALUES (2, ${nfd})`.execute(database.owner);
  await sql`INSERT INTO workspaces (id, network_id, environment) VALUES (2, 2, 'production')`.execute(database.owner);
  for (const [workspace, id, code] of [
    [1, 1, nfd],
    [1, 2, nfc],
    [2, 3, nfd],
  ] as const)
    await sql`INSERT INTO sites (workspace_id, id, code, name, domain)
      VALUES (${workspace}, ${id}, ${code}, ${nfd}, 'a.example')`.execute(database.owner);
  await run();
  const { rows } = await sql`SELECT code, name FROM sites ORDER BY id`.execute(database.owner);
  expect(rows).toEqual([
    { code: nfd, name: nfc },
    { code: nfc, name: nfc },
    { code: nfc, name: nfc },
  ]);
  expect((await sql`SELECT name FROM networks WHERE id = 2`.execute(database.owner)).rows).toEqual([{ name: nfc }]);
});

test('more rows than are read at once come into the form', async () => {
  await sql`INSERT INTO advertisers (workspace_id, id, name) SELECT 1, n, E'o\u0301' || n FROM generate_series(1, 1201) n`.execute(
    database.owner,
  );
  await run();
  const left = await sql`SELECT id FROM advertisers WHERE name IS NOT NFC NORMALIZED`.execute(database.owner);
  expect(left.rows).toEqual([]);
});
