import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compareContracts, readSchemaContract, type SchemaContract } from '../../../test/support/schema-contract.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/stores.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { OlderProgramError, readSchemaLevel, SCHEMA_LEVEL } from './schema-level.sql.ts';

/** Rules that allow more than before, with the reason. */
const LOOSENED: Readonly<Record<string, string>> = {};

const before = JSON.parse(
  readFileSync(new URL('../../../contract/postgres.json', import.meta.url), 'utf8'),
) as SchemaContract;

describe('the version before on the schema of this one', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  const present = (): Promise<SchemaContract> => readSchemaContract(database.owner, SCHEMA_LEVEL.level);

  test('no migration takes, renames or tightens what the version before reads and writes', async () => {
    expect(before.level).toBe(SCHEMA_LEVEL.oldestProgram);
    expect(Object.keys(before.tables).length).toBeGreaterThan(40);
    expect(compareContracts(before, await present(), Object.keys(LOOSENED))).toEqual([]);
  });

  test('each rule that was loosened is one that differs', async () => {
    const differing = compareContracts(before, await present()).join('\n');
    for (const rule of Object.keys(LOOSENED)) expect(differing).toContain(rule);
  });

  test.each([
    ['ALTER TABLE sites RENAME COLUMN name TO title', 'the column sites.name is gone'],
    ['DROP TABLE saved_views', 'the table saved_views is gone'],
    [
      'ALTER TABLE sites ALTER COLUMN name TYPE varchar(20)',
      'the column sites.name was text and is character varying(20)',
    ],
    ['ALTER TABLE sites ADD COLUMN steward text NOT NULL', 'the new column sites.steward is required'],
    [
      'ALTER TABLE api_keys ALTER COLUMN expires_at SET NOT NULL',
      'the column api_keys.expires_at was optional and is required',
    ],
    ['ALTER TABLE sites ALTER COLUMN name DROP NOT NULL', 'the column sites.name was never null and may be null'],
    ['ALTER TABLE sites ADD CONSTRAINT short CHECK (length(name) < 9)', 'the rule sites.short is new or changed'],
    ['CREATE UNIQUE INDEX one_name ON sites (workspace_id, name)', 'the rule sites.one_name is new or changed'],
  ])('%s is found', async (statement, problem) => {
    const undone = new Error('undone');
    const change = database.owner.transaction().execute(async (trx) => {
      await sql.raw(statement).execute(trx);
      const found = compareContracts(before, await readSchemaContract(trx, 1), Object.keys(LOOSENED));
      expect(found.join('\n')).toContain(problem);
      throw undone;
    });
    await expect(change).rejects.toBe(undone);
  });

  test('the version before runs beside a new table and an optional column', async () => {
    const undone = new Error('undone');
    const change = database.owner.transaction().execute(async (trx) => {
      await sql`CREATE TABLE later (id bigint PRIMARY KEY)`.execute(trx);
      await sql`ALTER TABLE sites ADD COLUMN color text, ADD COLUMN rank integer NOT NULL DEFAULT 0`.execute(trx);
      expect(compareContracts(before, await readSchemaContract(trx, 1), Object.keys(LOOSENED))).toEqual([]);
      throw undone;
    });
    await expect(change).rejects.toBe(undone);
  });
});

describe('an older program on newer data', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.close());

  const later = { up: (db: Kysely<never>) => sql`CREATE TABLE later (id integer)`.execute(db).then(() => undefined) };
  const upgrade = (oldestProgram: number): Promise<readonly string[]> =>
    migrate({
      db: database.owner,
      log: silentLog,
      migrations: { ...MIGRATIONS, '9999-later': later },
      level: { level: SCHEMA_LEVEL.level + 1, oldestProgram },
    });
  const startThisProgram = (): Promise<readonly string[]> => migrate({ db: database.owner, log: silentLog });

  test('a program runs on the schema of the next version, and leaves it as it is', async () => {
    expect(await upgrade(SCHEMA_LEVEL.level)).toEqual(['9999-later']);
    expect(await startThisProgram()).toEqual([]);
    expect((await readSchemaLevel(database.db))?.level).toBe(SCHEMA_LEVEL.level + 1);
    expect(await upgrade(SCHEMA_LEVEL.level)).toEqual([]);
  });

  test('a program that is older by more than one version says so, and changes nothing', async () => {
    await upgrade(SCHEMA_LEVEL.level + 1);
    const starting = startThisProgram();
    await expect(starting).rejects.toThrow(OlderProgramError);
    await expect(starting).rejects.toThrow(/This program is older than the data in PostgreSQL/);
  });
});

/** The newest tag that is not this commit, which holds a program with schema levels; null: there is none yet. */
function previousRelease(): string | null {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').trim();
    git('cat-file', '-e', `${tag}:contract/postgres.json`);
    return tag;
  } catch {
    return null;
  }
}

const tag = previousRelease();
test.skipIf(tag === null)('the contract is the one that the last release recorded or extends it', () => {
  const text = execFileSync('git', ['show', `${tag}:src/storage/sql/schema-level.sql.ts`], { encoding: 'utf8' });
  const level = Number(/const LEVEL = (\d+);/.exec(text)?.[1]);
  expect(before.level).toBe(level);
});
