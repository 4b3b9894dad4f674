import { type Kysely, sql } from 'kysely';

/** Who changed a row last, indexes behind the management lists, and stored responses for repeated idempotency keys. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const RESOURCE_TABLES = [
  'advertisers',
  'campaigns',
  'advertising_products',
  'deals',
  'line_items',
  'creatives',
  'sites',
  'areas',
  'ad_units',
  'activities',
];
/** Tables that grow large enough for lists to need an index for each order. */
const LONG_TABLES = ['campaigns', 'line_items', 'creatives', 'ad_units'];

const STATEMENTS: readonly string[] = [
  ...RESOURCE_TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN updated_by text NOT NULL DEFAULT ''`),
  ...LONG_TABLES.flatMap((table) =>
    ['name', 'created_at', 'updated_at', 'status'].map(
      (column) => `CREATE INDEX ${table}_by_${column} ON ${table} (workspace_id, ${column}, id)`,
    ),
  ),
  'CREATE INDEX line_items_by_deal ON line_items (workspace_id, deal_id) WHERE deal_id IS NOT NULL',
  'CREATE INDEX line_items_by_product ON line_items (workspace_id, advertising_product_id) WHERE advertising_product_id IS NOT NULL',
  'CREATE INDEX ad_units_by_area ON ad_units (workspace_id, area_id) WHERE area_id IS NOT NULL',
  `CREATE TABLE idempotent_answers (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    key text NOT NULL,
    request_hash bytea NOT NULL,
    answer jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, key))`,
  'CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at)',
];
