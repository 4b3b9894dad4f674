import { type Kysely, sql } from 'kysely';

/** Workspaces with a number below this one share the residues of 1,000; the others those of 1,000,000 that are left. */
const SHORT = 900;
/** The highest number of a workspace that has residues of its own. */
const WORKSPACES_MAX = SHORT + 99_999;
const SAFE_INTEGER_MAX = 2 ** 53 - 1;
/** The highest id that older programs handed out, of all tenants together: the value of a sequence, so that a restore brings it back. */
const IDS_BEFORE = 'ids_before';
const TASK_IDS_BEFORE = 'report_task_ids_before';
/** The beginning of the time that ids of people count from: they have 14 digits until 2028, and stay below 2^53 until 2310. */
const TIME_IDS_SINCE = '2025-01-01 00:00:00+00';
/** With the pauses between them, three minutes and more. */
const LOCK_TRIES = 1_000;

/**
 * The sequences of a workspace: `ids_of_<workspace>` counts in steps, each workspace in residues of its own, so that no two tenants have
 * the same id. `report_task_ids_of_<workspace>` counts in ones, because the ids of report tasks end at 2^31: two tenants may have the same,
 * but not soon, because older programs find a task by its id alone.
 */
const MAKE_IDS = `CREATE FUNCTION placard_make_ids(workspace int) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    others int := workspace - ${SHORT};
    step bigint := CASE WHEN others < 0 THEN 1000 ELSE 1000000 END;
    residue bigint := CASE WHEN others < 0 THEN workspace ELSE ${SHORT} + others % 100 + 1000 * (others / 100) END;
    before bigint;
    tasks_before bigint;
  BEGIN
    IF workspace NOT BETWEEN 1 AND ${WORKSPACES_MAX} THEN
      RAISE EXCEPTION 'there are no ids for the workspace %', workspace USING ERRCODE = 'program_limit_exceeded';
    END IF;
    SELECT last_value INTO before FROM ${IDS_BEFORE};
    SELECT last_value INTO tasks_before FROM ${TASK_IDS_BEFORE};
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS ids_of_%s INCREMENT %s START %s MAXVALUE ${SAFE_INTEGER_MAX}',
      workspace, step, residue + step * greatest(0, (before - residue + step) / step));
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS report_task_ids_of_%s AS int START %s',
      workspace, tasks_before + 1000 * workspace + 1);
  END $$`;

const FUNCTIONS = [
  MAKE_IDS,
  `CREATE FUNCTION placard_make_ids_of_new() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM placard_make_missing_ids(NEW.id);
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION placard_set_id() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE own regclass;
    BEGIN
      IF NEW.id = 0 THEN
        own := to_regclass(TG_ARGV[0] || NEW.workspace_id);
        IF own IS NULL THEN
          PERFORM placard_make_missing_ids(NEW.workspace_id);
          own := to_regclass(TG_ARGV[0] || NEW.workspace_id);
        END IF;
        NEW.id := nextval(own);
      END IF;
      RETURN NEW;
    END $$`,
  // The microsecond of the insert. A lock until the end of the transaction keeps others from one that they do not see yet.
  `CREATE FUNCTION placard_set_time_id() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE is_taken boolean := true;
    BEGIN
      IF NEW.id <> 0 THEN
        RETURN NEW;
      END IF;
      WHILE is_taken LOOP
        NEW.id := extract(epoch FROM clock_timestamp() - timestamptz '${TIME_IDS_SINCE}') * 1000000;
        CONTINUE WHEN NOT pg_try_advisory_xact_lock(TG_RELID::int, (NEW.id % 2147483647)::int);
        EXECUTE format('SELECT EXISTS (SELECT FROM %I.%I WHERE id = $1)', TG_TABLE_SCHEMA, TG_TABLE_NAME) USING NEW.id INTO is_taken;
      END LOOP;
      RETURN NEW;
    END $$`,
];

/** The tables of people, who belong to several networks or to none. */
const TABLES_OF_PEOPLE = ['users', 'sessions', 'invitations', 'passkeys', 'identities'];

/**
 * Ids of a workspace's rows come from a sequence of its own, and those of people from the clock (docs/adr/0086-ids-of-tenants.md). The
 * default 0 stands for "none": older programs insert without an id, too. A table of a later migration has
 * `id bigint NOT NULL DEFAULT 0`, and the trigger that {@link addIdTrigger} makes.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute i ON i.attrelid = c.oid AND i.attname = 'id' AND i.attidentity <> ''
      JOIN pg_attribute w ON w.attrelid = c.oid AND w.attname = 'workspace_id' AND NOT w.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY 1`.execute(db);
  const tables = rows.map(({ name }) => name);
  const booked = tables.filter((name) => name !== 'report_tasks');
  const imported = [await findHighestId(db, booked), await findHighestId(db, ['report_tasks'])];
  // Inserts that run have taken their ids; nobody takes another one until the end.
  await lockTables(db, [...TABLES_OF_PEOPLE, ...tables]);
  await recordHighestId(db, IDS_BEFORE, booked, imported[0] ?? 0n);
  await recordHighestId(db, TASK_IDS_BEFORE, ['report_tasks'], imported[1] ?? 0n);
  for (const name of [...TABLES_OF_PEOPLE, ...tables]) {
    await sql`ALTER TABLE ${sql.table(name)} ALTER COLUMN id DROP IDENTITY`.execute(db);
    await sql`ALTER TABLE ${sql.table(name)} ALTER COLUMN id SET DEFAULT 0`.execute(db);
  }
  await sql`ALTER TABLE report_tasks DROP CONSTRAINT report_tasks_id_key`.execute(db);
  for (const statement of FUNCTIONS) await sql.raw(statement).execute(db);
  await addMakerOfMissing(db);
  for (const name of tables) await addIdTrigger(db, name, name === 'report_tasks' ? 'report_task_ids_of_' : 'ids_of_');
  for (const name of TABLES_OF_PEOPLE)
    await sql`CREATE TRIGGER ${sql.id(`${name}_time_ids`)} BEFORE INSERT ON ${sql.table(name)}
      FOR EACH ROW EXECUTE FUNCTION placard_set_time_id()`.execute(db);
  await sql`CREATE TRIGGER workspaces_ids AFTER INSERT ON workspaces
    FOR EACH ROW EXECUTE FUNCTION placard_make_ids_of_new()`.execute(db);
}

/**
 * The service may make no sequences: the function has the owner's rights, and looks names up where the migration did. An older workspace
 * gets its sequences with its first insert, and not here: one transaction can lock some thousand new sequences and no more.
 */
async function addMakerOfMissing(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`SELECT current_schema() AS schema`.execute(db);
  await sql`CREATE FUNCTION placard_make_missing_ids(workspace int) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ${sql.id(rows[0]?.schema ?? '')}, pg_temp AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM workspaces WHERE id = workspace) THEN
        RAISE EXCEPTION 'there is no workspace %', workspace USING ERRCODE = 'foreign_key_violation';
      END IF;
      PERFORM pg_advisory_xact_lock(hashtextextended('ids of ' || workspace, 0));
      PERFORM placard_make_ids(workspace);
    END $$`.execute(db);
}

/** Gives the rows of a table ids of their workspace's sequence with this prefix, where an INSERT names none. */
export async function addIdTrigger(db: Kysely<never>, table: string, prefix = 'ids_of_'): Promise<void> {
  await sql`CREATE TRIGGER ${sql.id(`${table}_own_ids`)} BEFORE INSERT ON ${sql.table(table)}
    FOR EACH ROW EXECUTE FUNCTION placard_set_id(${sql.lit(prefix)})`.execute(db);
}

/** The highest id of rows, which may be above what sequences have handed out. Read before the tables are locked, because it takes long. */
async function findHighestId(db: Kysely<never>, tables: readonly string[]): Promise<bigint> {
  const highest = tables.map((name) => sql`SELECT max(id) FROM ${sql.table(name)}`);
  const { rows } = await sql<{ id: bigint }>`
    SELECT coalesce(max(id), 0)::bigint AS id FROM (${sql.join(highest, sql` UNION ALL `)}) AS highest (id)`.execute(
    db,
  );
  return rows[0]?.id ?? 0n;
}

/**
 * Locks all tables at once, or none: it waits a moment for each, and lets go of all before it tries again. A transaction that holds one of
 * them and waits for another goes on, instead of ending as a deadlock, which PostgreSQL looks for after a second. Each tenth try takes longer:
 * a vacuum in the background ends when somebody has waited for a second.
 */
async function lockTables(db: Kysely<never>, tables: readonly string[]): Promise<void> {
  await sql
    .raw(
      `DO $$ BEGIN
        FOR try IN 1..${LOCK_TRIES} LOOP
          BEGIN
            PERFORM set_config('lock_timeout', CASE WHEN try % 10 = 0 THEN '1500ms' ELSE '100ms' END, true);
            LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE;
            SET LOCAL lock_timeout = 0;
            RETURN;
          EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2 * random());
          END;
        END LOOP;
        RAISE EXCEPTION 'transactions of others held a table all the time' USING ERRCODE = 'lock_not_available';
      END $$`,
    )
    .execute(db);
}

async function recordHighestId(
  db: Kysely<never>,
  sequence: string,
  tables: readonly string[],
  imported: bigint,
): Promise<void> {
  const last = tables.map((name) => sql`pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')::regclass)`);
  await sql`CREATE SEQUENCE ${sql.id(sequence)} MINVALUE 0`.execute(db);
  await sql`SELECT setval(${sequence}, greatest(${imported}::bigint, ${sql.join(last)}))`.execute(db);
}
