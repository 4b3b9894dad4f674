import fc from 'fast-check';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';
import type { Database } from './schema.ts';

/** Ids of one sequence for all tenants, with the reason. A new table of tenants has `id bigint NOT NULL DEFAULT 0` and `addIdTrigger`. */
const SHARED: Readonly<Record<string, string>> = {
  'workspaces.id': 'it never changes, and tells once how many workspaces there were',
  'mails.id': 'no tenant sees it',
};

interface Made {
  readonly id: bigint | number;
}

/** Statements that make one object each, as programs do: without an id. */
const CREATIONS = {
  advertisers: (of: number) =>
    sql<Made>`INSERT INTO advertisers (workspace_id, name) VALUES (${of}::int, 'A') RETURNING id`,
  advertising_products: (of: number) =>
    sql<Made>`INSERT INTO advertising_products (workspace_id, name) VALUES (${of}::int, 'P') RETURNING id`,
  segments: (of: number) => sql<Made>`INSERT INTO segments (workspace_id, name) VALUES (${of}::int, 'S') RETURNING id`,
  webhooks: (of: number) =>
    sql<Made>`INSERT INTO webhooks (workspace_id, name, url, types, status, salt, position, created_by)
      VALUES (${of}::int, 'W', '', '{}', 'ACTIVE', '', 0, '') RETURNING id`,
  report_tasks: (of: number) =>
    sql<Made>`INSERT INTO report_tasks (workspace_id, token, definition_name, name, plan, created_by)
      VALUES (${of}::int, gen_random_uuid()::text, 'd', 'n', '{}', '') RETURNING id`,
} as const;
type Table = keyof typeof CREATIONS;
const TABLES = Object.keys(CREATIONS) as Table[];

const run = async (db: Kysely<Database>, statement: RawBuilder<Made>): Promise<number> =>
  Number((await statement.execute(db)).rows[0]?.id);
const create = (db: Kysely<Database>, table: Table, workspaceId: number): Promise<number> =>
  run(db, CREATIONS[table](workspaceId));

let database: TestDatabase;
/** The last number that a test gave to a network. */
let networks = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A network with one workspace. */
async function makeWorkspace(db: Kysely<Database>): Promise<number> {
  networks += 1;
  await db.insertInto('networks').values({ id: networks, name: 'N' }).execute();
  const row = db.insertInto('workspaces').values({ network_id: networks, environment: 'production' });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

const rising = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((one, other) => one - other);

describe('the catalog', () => {
  test('no id counts over all tenants, but for the listed ones', async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE '%nextval%')`.execute(database.owner);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(SHARED).toSorted());
  });

  test('each table of a workspace with a default id takes it from the workspace', async () => {
    const { rows } = await sql<{ name: string; trigger: string | null }>`
      SELECT c.relname AS name, pg_get_triggerdef(t.oid) AS trigger FROM pg_class c
        JOIN pg_attribute i ON i.attrelid = c.oid AND i.attname = 'id' AND i.atthasdef
        JOIN pg_attribute w ON w.attrelid = c.oid AND w.attname = 'workspace_id'
        LEFT JOIN pg_trigger t ON t.tgrelid = c.oid AND t.tgname = c.relname || '_own_ids' AND t.tgenabled = 'O'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`.execute(database.owner);
    expect(rows.length).toBeGreaterThan(25);
    for (const { name, trigger } of rows) {
      const prefix = name === 'report_tasks' ? 'report_task_ids_of_' : 'ids_of_';
      expect(trigger, name).toContain(`BEFORE INSERT ON public.${name} FOR EACH ROW`);
      expect(trigger, name).toContain(`placard_set_id('${prefix}')`);
    }
  });
});

describe('ids of a workspace', () => {
  test('they rise, are unique among all tenants, and do not depend on what other tenants create', async () => {
    const step = fc.record({
      isOwn: fc.boolean(),
      table: fc.constantFrom(...TABLES),
      times: fc.integer({ min: 1, max: 5 }),
    });
    const follow = async (steps: readonly { isOwn: boolean; table: Table; times: number }[]): Promise<void> => {
      const { db } = database;
      const [own, other, alone] = [await makeWorkspace(db), await makeWorkspace(db), await makeWorkspace(db)];
      const made = new Map([own, other, alone].map((workspace) => [workspace, new Map<Table, number[]>()]));
      const add = async (workspace: number, table: Table): Promise<void> => {
        const lists = made.get(workspace);
        lists?.set(table, [...(lists.get(table) ?? []), await create(db, table, workspace)]);
      };
      for (const { isOwn, table, times } of steps)
        for (let at = 0; at < times; at += 1) {
          await add(isOwn ? own : other, table);
          if (isOwn) await add(alone, table);
        }
      const all = [...made.values()].flatMap((lists) => [...lists]);
      for (const [, ids] of all) expect(ids).toEqual(rising(ids));
      const unique = all.filter(([table]) => table !== 'report_tasks').flatMap(([, ids]) => ids);
      expect(new Set(unique).size).toBe(unique.length);
      // Workspaces are alike apart from their numbers.
      const shape = (workspace: number) =>
        [...(made.get(workspace) ?? [])].map(([table, ids]) => [
          table,
          ids.map((id) => id - (table === 'report_tasks' ? 1_000 * workspace : workspace)),
        ]);
      expect(shape(own)).toEqual(shape(alone));
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => follow(steps)),
      { numRuns: 15 },
    );
  });

  test('no two workspaces ever have the same id, whatever their numbers are', async () => {
    const number = fc.oneof(
      fc.constantFrom(1, 899, 900, 999, 1_000, 1_899, 100_899),
      fc.integer({ min: 1, max: 100_899 }),
    );
    const undone = new Error('undone');
    const pairs = fc.uniqueArray(number, { minLength: 2, maxLength: 12 });
    const check = fc.asyncProperty(pairs, async (workspaces) => {
      const change = database.owner.transaction().execute(async (trx) => {
        const made = sql.join(workspaces.map((one) => sql`(${one}::int)`));
        await sql`DO $$ DECLARE name text; BEGIN FOR name IN SELECT sequencename FROM pg_sequences WHERE sequencename ~ '^ids_of_' LOOP
          EXECUTE 'DROP SEQUENCE ' || name; END LOOP; END $$`.execute(trx);
        await sql`SELECT placard_make_ids(one) FROM (VALUES ${made}) AS them (one)`.execute(trx);
        const { rows } = await sql<{ start: bigint; step: bigint }>`
          SELECT start_value AS start, increment_by AS step FROM pg_sequences WHERE sequencename ~ '^ids_of_'`.execute(
          trx,
        );
        expect(rows.length).toBe(workspaces.length);
        for (const [at, one] of rows.entries()) {
          expect(one.start).toBeGreaterThan(0n);
          expect(one.start).toBeLessThanOrEqual(one.step);
          for (const other of rows.slice(at + 1)) {
            // 1,000 divides both steps: sequences that differ in the remainder of the smaller step never meet.
            const step = one.step < other.step ? one.step : other.step;
            expect((one.start - other.start) % step).not.toBe(0n);
          }
        }
        throw undone;
      });
      await expect(change).rejects.toBe(undone);
    });
    await fc.assert(check, { numRuns: 30 });
    for (const beyond of [0, -1, 100_900])
      await expect(sql`SELECT placard_make_ids(${beyond}::int)`.execute(database.owner)).rejects.toThrow(
        'there are no ids',
      );
  });

  test('a creation does not wait for one that has not ended', async () => {
    const workspace = await makeWorkspace(database.db);
    const first = await database.db.transaction().execute(async (trx) => {
      const id = await create(trx, 'advertisers', workspace);
      const second = await database.db.transaction().execute(async (other) => {
        await sql`SET LOCAL lock_timeout = '5s'`.execute(other);
        return create(other, 'advertisers', workspace);
      });
      expect(second).toBeGreaterThan(id);
      return id;
    });
    expect(await create(database.db, 'advertisers', workspace)).toBeGreaterThan(first + 1);
  });

  test('a workspace without sequences, as after a restore, gets them with its first objects, also when many come at once', async () => {
    const workspace = await makeWorkspace(database.db);
    await sql`DROP SEQUENCE ${sql.id(`ids_of_${workspace}`)}, ${sql.id(`report_task_ids_of_${workspace}`)}`.execute(
      database.owner,
    );
    const made = await Promise.all(Array.from({ length: 8 }, () => create(database.db, 'advertisers', workspace)));
    expect(rising(made)).toEqual(Array.from({ length: 8 }, (_one, at) => workspace + 1_000 * at));
    expect(await create(database.db, 'report_tasks', workspace)).toBe(1_000 * workspace + 1);
    const absent = sql`INSERT INTO advertisers (workspace_id, name) VALUES (99999, 'A')`.execute(database.db);
    await expect(absent).rejects.toMatchObject({ code: '23503' });
  });

  test('an id that is given stays', async () => {
    const workspace = await makeWorkspace(database.db);
    await sql`INSERT INTO advertisers (workspace_id, id, name) VALUES (${workspace}, 123, 'A')`.execute(database.db);
    expect(await create(database.db, 'advertisers', workspace)).not.toBe(123);
    const { rows } = await sql`SELECT FROM advertisers WHERE workspace_id = ${workspace} AND id = 123`.execute(
      database.db,
    );
    expect(rows.length).toBe(1);
  });
});

describe('the role of the service', () => {
  test.each([
    'SELECT placard_make_ids(5)',
    'CREATE SEQUENCE mine',
    'CREATE TABLE mine (id bigint)',
    'CREATE OR REPLACE FUNCTION placard_make_ids(workspace int) RETURNS void LANGUAGE sql AS $$$$',
  ])('the role of the service cannot run %s', async (statements) => {
    const refusal = /permission denied|must be owner/;
    const running = database.db.connection().execute(async (connection) => {
      for (const statement of statements.split('; ')) await sql.raw(statement).execute(connection);
    });
    await expect(running).rejects.toThrow(refusal);
  });
});

/** Statements that make a user and what users have. */
const PEOPLE = {
  users: sql<Made>`INSERT INTO users (email, name) VALUES (gen_random_uuid()::text, 'U') RETURNING id`,
  sessions: sql<Made>`INSERT INTO sessions (digest, user_id, user_agent, remote_address, created_at, last_seen_at, expires_at)
    SELECT gen_random_uuid()::text::bytea, max(id), '', '', now(), now(), now() FROM users RETURNING id`,
  invitations: sql<Made>`INSERT INTO invitations (digest, purpose, email, created_by, created_at, expires_at)
    VALUES (gen_random_uuid()::text::bytea, 'join', gen_random_uuid()::text, '', now(), now()) RETURNING id`,
} as const;

describe('ids of people', () => {
  test.each(Object.entries(PEOPLE))(
    'ids of %s are times, rise, and are unique when many come at once',
    async (_name, statement) => {
      await run(database.db, PEOPLE.users);
      const since = Date.UTC(2025, 0, 1);
      const { rows } = await sql<{
        ms: number;
      }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(database.db);
      const atOnce = await Promise.all(Array.from({ length: 200 }, () => run(database.db, statement)));
      const later = await run(database.db, statement);
      expect(new Set(atOnce).size).toBe(200);
      expect(later).toBeGreaterThan(Math.max(...atOnce));
      expect(Math.min(...atOnce) / 1_000 + since).toBeGreaterThanOrEqual((rows[0]?.ms ?? 0) - 1);
      expect(later).toBeLessThan(Number.MAX_SAFE_INTEGER / 100);
    },
  );

  test('the ids of 3,000 users of one statement are different, and rise, beside another such statement', async () => {
    const insert = sql<Made>`INSERT INTO users (email, name)
      SELECT gen_random_uuid()::text, 'U' FROM generate_series(1, 3000) RETURNING id`;
    const made = await Promise.all(
      [1, 2].map(async () => (await insert.execute(database.db)).rows.map(({ id }) => Number(id))),
    );
    for (const ids of made) expect(ids).toEqual(rising(ids));
    expect(new Set(made.flat()).size).toBe(6_000);
  });
});
