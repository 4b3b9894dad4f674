import { type Kysely, sql } from 'kysely';

/** Workspaces with a number below this one share the residues of 1,000; the others those of 1,000,000 that are left. */
const SHORT = 900;
/** The highest number of a workspace that has residues of its own. */
const WORKSPACES_MAX = SHORT + 99_999;
const SAFE_INTEGER_MAX = 2 ** 53 - 1;
/** The highest id that programs of before handed out, of all tenants together: the value of a sequence, so that a restore brings it back. */
const IDS_BEFORE = 'ids_before';
const TASK_IDS_BEFORE = 'report_task_ids_before';
/** The beginning of the time that ids of people count from: they have 14 digits until 2028, and stay below 2^53 until 2310. */
const TIME_IDS_SINCE = '2025-01-01 00:00:00+00';

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
  `CREATE FUNCTION placard_set_id() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.id = 0 THEN
        NEW.id := nextval(format('%I.%I', TG_TABLE_SCHEMA, TG_ARGV[0] || NEW.workspace_id));
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
 * default 0 stands for "none": programs of before insert without an id, too. A table of a later migration has
 * `id bigint NOT NULL DEFAULT 0`, and the trigger that {@link addIdTrigger} makes.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute i ON i.attrelid = c.oid AND i.attname = 'id' AND i.attidentity <> ''
      JOIN pg_attribute w ON w.attrelid = c.oid AND w.attname = 'workspace_id' AND NOT w.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY 1`.execute(db);
  const tables = rows.map(({ name }) => name);
  // Inserts that run have taken their ids; nobody takes another one until the end.
  const locked = ['workspaces', ...TABLES_OF_PEOPLE, ...tables];
  await sql`LOCK TABLE ${sql.join(locked.map((name) => sql.table(name)))} IN ACCESS EXCLUSIVE MODE`.execute(db);
  await recordHighestId(
    db,
    IDS_BEFORE,
    tables.filter((name) => name !== 'report_tasks'),
  );
  await recordHighestId(db, TASK_IDS_BEFORE, ['report_tasks']);
  for (const name of [...TABLES_OF_PEOPLE, ...tables]) {
    await sql`ALTER TABLE ${sql.table(name)} ALTER COLUMN id DROP IDENTITY`.execute(db);
    await sql`ALTER TABLE ${sql.table(name)} ALTER COLUMN id SET DEFAULT 0`.execute(db);
  }
  await sql`ALTER TABLE report_tasks DROP CONSTRAINT report_tasks_id_key`.execute(db);
  for (const statement of FUNCTIONS) await sql.raw(statement).execute(db);
  await makeIdsOfNewWorkspaces(db);
  for (const name of tables) await addIdTrigger(db, name, name === 'report_tasks' ? 'report_task_ids_of_' : 'ids_of_');
  for (const name of TABLES_OF_PEOPLE)
    await sql`CREATE TRIGGER ${sql.id(`${name}_time_ids`)} BEFORE INSERT ON ${sql.table(name)}
      FOR EACH ROW EXECUTE FUNCTION placard_set_time_id()`.execute(db);
  await sql`SELECT placard_make_ids(id) FROM workspaces`.execute(db);
}

/**
 * The service makes networks, and may make no sequences: the function has the owner's rights. Nobody else may call it by a trigger of
 * theirs, and it looks names up where the migration did.
 */
async function makeIdsOfNewWorkspaces(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`SELECT current_schema() AS schema`.execute(db);
  await sql`CREATE FUNCTION placard_make_ids_of_new() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ${sql.id(rows[0]?.schema ?? '')}, pg_temp AS $$
    BEGIN
      PERFORM placard_make_ids(NEW.id);
      RETURN NULL;
    END $$`.execute(db);
  await sql`REVOKE EXECUTE ON FUNCTION placard_make_ids_of_new() FROM PUBLIC`.execute(db);
  await sql`CREATE TRIGGER workspaces_ids AFTER INSERT ON workspaces
    FOR EACH ROW EXECUTE FUNCTION placard_make_ids_of_new()`.execute(db);
}

/** Gives the rows of a table ids of their workspace's sequence with this prefix, where an INSERT names none. */
export async function addIdTrigger(db: Kysely<never>, table: string, prefix = 'ids_of_'): Promise<void> {
  await sql`CREATE TRIGGER ${sql.id(`${table}_own_ids`)} BEFORE INSERT ON ${sql.table(table)}
    FOR EACH ROW EXECUTE FUNCTION placard_set_id(${sql.lit(prefix)})`.execute(db);
}

async function recordHighestId(db: Kysely<never>, sequence: string, tables: readonly string[]): Promise<void> {
  const highest = tables.map(
    (name) => sql`SELECT greatest((SELECT max(id) FROM ${sql.table(name)}),
      pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')::regclass))`,
  );
  const found = sql`SELECT coalesce(max(id), 0) FROM (${sql.join(highest, sql` UNION ALL `)}) AS highest (id)`;
  await sql`CREATE SEQUENCE ${sql.id(sequence)} MINVALUE 0`.execute(db);
  await sql`SELECT setval(${sequence}, (${found}))`.execute(db);
}
