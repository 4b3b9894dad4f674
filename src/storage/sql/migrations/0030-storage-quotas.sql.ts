import { type Kysely, sql } from 'kysely';

/**
 * Stored data of networks that was not counted before: uploaded files by workspace, running segment uploads, and the users that segments
 * brought into the hot store. A creative that names a file holds its row while it is written: a file is never deleted under it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const NAME = '[0-9a-f]{64}\\.[a-z0-9]{3,4}';

const STATEMENTS: readonly string[] = [
  `CREATE TABLE assets (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    name text NOT NULL CHECK (name ~ '^${NAME}$'),
    size_bytes bigint NOT NULL,
    uploaded_at timestamptz NOT NULL,
    used_at timestamptz,
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, name))`,
  'CREATE INDEX assets_by_name ON assets (name)',
  `INSERT INTO assets (workspace_id, name, size_bytes, uploaded_at)
    SELECT workspace_id, substr(object_id, 9), max(coalesce((details -> 'after' ->> 'sizeBytes')::bigint, 0)), max(at)
    FROM audit_log
    WHERE action = 'asset.upload' AND workspace_id IS NOT NULL AND object_id ~ '^/assets/${NAME}$'
    GROUP BY workspace_id, object_id`,
  `CREATE FUNCTION placard_hold_assets() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE gone text;
    BEGIN
      SELECT max(name) FILTER (WHERE deleted_at IS NOT NULL AND NOT alive) INTO gone FROM (
        SELECT a.name, a.deleted_at, bool_or(a.deleted_at IS NULL) OVER (PARTITION BY a.name) AS alive
        FROM (SELECT name, deleted_at FROM assets
              WHERE name IN (SELECT (regexp_matches(NEW.content::text, '${NAME}', 'g'))[1])
              FOR SHARE) a) held;
      IF gone IS NOT NULL THEN
        RAISE EXCEPTION 'the file % is deleted', gone USING ERRCODE = 'PA001';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER creatives_hold_assets BEFORE INSERT OR UPDATE OF content, status ON creatives
    FOR EACH ROW WHEN (NEW.status <> 'ARCHIVED' AND NEW.content::text LIKE '%/assets/%') EXECUTE FUNCTION placard_hold_assets()`,
  `CREATE TABLE segment_reservations (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    upload_id text NOT NULL,
    segment_id bigint NOT NULL,
    members bigint NOT NULL,
    users bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, upload_id))`,
  `CREATE TABLE segment_users (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    day date NOT NULL,
    users bigint NOT NULL,
    PRIMARY KEY (workspace_id, day))`,
];
