import { type Kysely, sql } from 'kysely';

/** What other ad servers delivered, by hour, and the calls that brought it in. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE history_imports (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    id bigint NOT NULL DEFAULT 0,
    source text NOT NULL,
    hours int NOT NULL,
    first_hour timestamptz NOT NULL,
    last_hour timestamptz NOT NULL,
    requests bigint NOT NULL,
    impressions bigint NOT NULL,
    clicks bigint NOT NULL,
    conversions bigint NOT NULL,
    revenue_nanos numeric(38, 0) NOT NULL,
    created_at timestamptz NOT NULL,
    created_by text NOT NULL,
    booked_at timestamptz,
    sampled_at timestamptz,
    PRIMARY KEY (workspace_id, id))`,
  `CREATE INDEX history_imports_waiting ON history_imports (workspace_id, id) WHERE sampled_at IS NULL`,
  `CREATE TRIGGER history_imports_own_ids BEFORE INSERT ON history_imports
    FOR EACH ROW EXECUTE FUNCTION placard_set_id('ids_of_')`,
  `CREATE TABLE imported_hours (
    workspace_id int NOT NULL,
    source text NOT NULL,
    hour timestamptz NOT NULL,
    line_item_id bigint NOT NULL,
    creative_id bigint NOT NULL,
    ad_unit_id bigint NOT NULL,
    import_id bigint NOT NULL,
    requests bigint NOT NULL,
    impressions bigint NOT NULL,
    clicks bigint NOT NULL,
    conversions bigint NOT NULL,
    revenue_nanos bigint NOT NULL,
    PRIMARY KEY (workspace_id, source, hour, line_item_id, creative_id, ad_unit_id),
    FOREIGN KEY (workspace_id, import_id) REFERENCES history_imports (workspace_id, id))`,
  `CREATE INDEX imported_hours_of_import ON imported_hours (workspace_id, import_id)`,
];
