import { type Kysely, sql } from 'kysely';

/** What a campaign says of itself as an order, and targetings that are kept under a name. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `ALTER TABLE campaigns
    ADD COLUMN order_number text,
    ADD COLUMN salesperson text,
    ADD COLUMN contacts text[] NOT NULL DEFAULT '{}'`,
  `CREATE TABLE targeting_presets (
    workspace_id integer NOT NULL REFERENCES workspaces (id),
    id bigint NOT NULL DEFAULT 0,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    targeting jsonb NOT NULL,
    status text NOT NULL DEFAULT 'ACTIVE',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    updated_by text NOT NULL DEFAULT '',
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT targeting_presets_status_check CHECK (status IN ('ACTIVE', 'ARCHIVED')))`,
  `CREATE TRIGGER targeting_presets_own_ids BEFORE INSERT ON targeting_presets
    FOR EACH ROW EXECUTE FUNCTION placard_set_id('ids_of_')`,
];
