import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** The rights of the service on a table that is not in {@link RESTRICTED_TABLES}. Never TRUNCATE, REFERENCES or TRIGGER. */
const TABLE_PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Tables with which the service may do less than with the others. */
const RESTRICTED_TABLES: Readonly<Record<string, readonly string[]>> = {
  audit_log: ['SELECT', 'INSERT'],
  audit_head_lines: ['SELECT', 'INSERT'],
  // The end of each chain moves on; a trigger refuses every other change.
  audit_heads: ['SELECT', 'INSERT', 'UPDATE'],
  schema_level: ['SELECT'],
  kysely_migration: ['SELECT'],
  kysely_migration_lock: ['SELECT'],
};

/**
 * The role of delivery nodes. An administrator of PostgreSQL creates it; each start of a core grants it its rights. Members of the role have
 * them, too.
 */
export const DELIVERY_ROLE = 'placard_delivery';

/** All that {@link DELIVERY_ROLE} may do, by table. It has no right on any other table. */
export const DELIVERY_TABLES: Readonly<Record<string, readonly string[]>> = {
  // The snapshot.
  workspaces: ['SELECT'],
  networks: ['SELECT'],
  sites: ['SELECT'],
  areas: ['SELECT'],
  ad_units: ['SELECT'],
  activities: ['SELECT'],
  advertisers: ['SELECT'],
  campaigns: ['SELECT'],
  line_items: ['SELECT'],
  creatives: ['SELECT'],
  deals: ['SELECT'],
  floors: ['SELECT'],
  key_values: ['SELECT'],
  segments: ['SELECT'],
  experiments: ['SELECT'],
  // What jobs have worked out for decisions.
  traffic_curves: ['SELECT'],
  allocation_plans: ['SELECT'],
  context_models: ['SELECT'],
  asset_files: ['SELECT'],
  // Who calls, and when somebody last did.
  api_keys: ['SELECT', 'UPDATE (last_used_at)'],
  header_credentials: ['SELECT', 'UPDATE (last_used_at)'],
  audit_log: ['INSERT'],
  audit_heads: ['SELECT', 'INSERT', 'UPDATE'],
  // The node in its cluster.
  schema_level: ['SELECT'],
  cluster: ['SELECT'],
  cluster_secrets: ['SELECT'],
  cluster_join_tokens: ['SELECT', 'UPDATE (uses_left, sealed)'],
  cluster_nodes: ['SELECT', 'INSERT', 'UPDATE'],
  // Whether jobs wait since a restore.
  job_leases: ['SELECT'],
  // The cut of a backup, lost counters in Redis, and an analytics store that lacks events.
  backup_cut: ['SELECT'],
  backup_cut_nodes: ['SELECT', 'UPDATE'],
  hot_recovery: ['SELECT', 'INSERT', 'UPDATE'],
  hot_recovery_machines: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  analytics_marks: ['SELECT'],
};

/** The only rows of some of these tables that {@link DELIVERY_ROLE} may read or insert. */
const DELIVERY_ROWS: Readonly<Record<string, { readonly before: string; readonly after: string }>> = {
  cluster_secrets: { before: 'FOR SELECT TO', after: `USING (name IN ('link-keys', 'pepper', 'user-hash'))` },
  audit_log: { before: 'FOR INSERT TO', after: `WITH CHECK (action IN ('auth.success', 'auth.failure'))` },
};

/** The role that an address names. Without one, libpq's default counts, which is not looked up: null. */
export function roleOf(url: string): string | null {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).username) || null : null;
}

/**
 * Grants the service's role what it needs on every table, now and by default on tables made later, and no more. Run it as the owner
 * after each migration; repeatable. Does nothing when the role is the one that is connected.
 * @throws Error when there is no such role
 */
export async function grantServiceRole(db: Kysely<Database>, role: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ schema: string; is_own: boolean; is_there: boolean }>`
      SELECT current_schema() AS schema, current_user = ${role} AS is_own,
        EXISTS (SELECT FROM pg_roles WHERE rolname = ${role}) AS is_there`.execute(trx);
    const found = rows[0];
    if (found === undefined || found.is_own) return;
    if (!found.is_there) throw new Error(`PostgreSQL has no role "${role}", which PLACARD_POSTGRES_URL names.`);
    const [schema, grantee] = [sql.id(found.schema), sql.id(role)];
    const all = sql.raw(TABLE_PRIVILEGES.join(', '));
    await sql`GRANT USAGE ON SCHEMA ${schema} TO ${grantee}`.execute(trx);
    await sql`GRANT ${all} ON ALL TABLES IN SCHEMA ${schema} TO ${grantee}`.execute(trx);
    await sql`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${grantee}`.execute(trx);
    await sql`ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ${all} ON TABLES TO ${grantee}`.execute(trx);
    await sql`ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT ON SEQUENCES TO ${grantee}`.execute(trx);
    const tables = await trx.introspection.getTables({ withInternalKyselyTables: true });
    for (const [table, privileges] of Object.entries(RESTRICTED_TABLES)) {
      if (!tables.some((one) => one.name === table && one.schema === found.schema)) continue;
      const name = sql.id(found.schema, table);
      await sql`REVOKE ALL ON ${name} FROM ${grantee}`.execute(trx);
      await sql`GRANT ${sql.raw(privileges.join(', '))} ON ${name} TO ${grantee}`.execute(trx);
    }
  });
}

/**
 * Grants a role of delivery nodes what {@link DELIVERY_TABLES} says, and takes every other right from it. Repeatable. Changes
 * nothing unless the role is there and the connection owns the tables.
 */
export async function grantDeliveryRole(db: Kysely<Database>, role: string = DELIVERY_ROLE): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ schema: string }>`
      SELECT n.nspname AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relname = 'cluster' AND pg_has_role(current_user, c.relowner, 'USAGE')
        AND EXISTS (SELECT FROM pg_roles WHERE rolname = ${role})`.execute(trx);
    const found = rows[0];
    if (found === undefined) return;
    const [schema, grantee] = [sql.id(found.schema), sql.id(role)];
    await sql`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${grantee}`.execute(trx);
    await sql`GRANT USAGE ON SCHEMA ${schema} TO ${grantee}`.execute(trx);
    for (const [table, privileges] of Object.entries(DELIVERY_TABLES))
      await sql`GRANT ${sql.raw(privileges.join(', '))} ON ${sql.id(found.schema, table)} TO ${grantee}`.execute(trx);
    for (const [table, { before, after }] of Object.entries(DELIVERY_ROWS)) {
      const name = sql.id(found.schema, table);
      const { rows: present } = await sql`SELECT FROM pg_policies
        WHERE schemaname = ${found.schema} AND tablename = ${table} AND policyname = ${role}`.execute(trx);
      // The statements below lock the table.
      if (present.length > 0) continue;
      await sql`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`.execute(trx);
      await sql`DROP POLICY IF EXISTS everybody ON ${name}`.execute(trx);
      await sql`CREATE POLICY everybody ON ${name} USING (true)`.execute(trx);
      await sql`CREATE POLICY ${grantee} ON ${name} AS RESTRICTIVE ${sql.raw(before)} ${grantee} ${sql.raw(after)}`.execute(
        trx,
      );
    }
  });
}

interface RolePowers {
  readonly role: string;
  readonly is_superuser: boolean;
  readonly owned_tables: string;
  readonly owns_schema: boolean;
  readonly creates_roles: boolean;
  readonly changes_log: boolean;
}

/** Lists what the connected role could do to the audit log, each as a clause of a sentence; empty: it can only add entries. */
export async function listExcessPowers(db: Kysely<Database>): Promise<{ role: string; powers: string[] }> {
  const { rows } = await sql<RolePowers>`
    SELECT current_user AS role, r.rolsuper AS is_superuser, r.rolcreaterole AS creates_roles,
      (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p')
        AND pg_has_role(current_user, c.relowner, 'USAGE')) AS owned_tables,
      pg_has_role(current_user, n.nspowner, 'USAGE') AS owns_schema,
      coalesce((SELECT has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER') FROM pg_class c
        WHERE c.relnamespace = n.oid AND c.relname = 'audit_log'), false) AS changes_log
    FROM pg_roles r, pg_namespace n WHERE r.rolname = current_user AND n.nspname = current_schema()`.execute(db);
  const found = rows[0];
  if (found === undefined) return { role: '', powers: [] };
  const powers: [boolean, string][] = [
    [found.is_superuser, 'is a superuser'],
    [found.creates_roles && !found.is_superuser, 'may make roles'],
    [Number(found.owned_tables) > 0, `owns ${found.owned_tables} tables`],
    [found.owns_schema, 'owns the schema'],
    [found.changes_log, 'may change the audit log'],
  ];
  return { role: found.role, powers: powers.filter(([holds]) => holds).map(([, clause]) => clause) };
}
