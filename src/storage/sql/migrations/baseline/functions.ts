/** Workspaces with a number below this one share the residues of 1,000; the others those of 1,000,000 that are left. */
const SHORT = 900;
/** The highest number of a workspace that has residues of its own. */
const WORKSPACES_MAX = SHORT + 99_999;
/** The time that ids of people count from: they have 14 digits until 2028, and stay below 2^53 until 2310. */
const TIME_IDS_SINCE = '2025-01-01 00:00:00+00';

/** What triggers run. Ids of a workspace's rows: docs/adr/0086-ids-of-tenants.md. */
export const FUNCTIONS: readonly string[] = [
  `CREATE FUNCTION placard_follow_library_creative() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE creatives SET name = NEW.name, review_state = NEW.review_state, review_reason = NEW.review_reason, format = NEW.format, width = NEW.width, height = NEW.height, content = NEW.content, click_url = NEW.click_url, trackers = NEW.trackers, secure = NEW.secure, attributes = NEW.attributes, language = NEW.language,
        status = CASE WHEN NEW.status = 'ARCHIVED' THEN 'ARCHIVED' ELSE status END,
        version = version + 1, updated_at = now(), updated_by = NEW.updated_by
      WHERE workspace_id = NEW.workspace_id AND library_creative_id = NEW.id AND status <> 'ARCHIVED';
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION placard_hold_assets() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE gone text;
    BEGIN
      SELECT max(name) FILTER (WHERE deleted_at IS NOT NULL AND NOT alive) INTO gone FROM (
        SELECT a.name, a.deleted_at, bool_or(a.deleted_at IS NULL) OVER (PARTITION BY a.name) AS alive
        FROM (SELECT name, deleted_at FROM assets
              WHERE name IN (SELECT (regexp_matches(NEW.content::text, '[0-9a-f]{64}\\.[a-z0-9]{3,4}', 'g'))[1])
              FOR SHARE) a) held;
      IF gone IS NOT NULL THEN
        RAISE EXCEPTION 'the file % is deleted', gone USING ERRCODE = 'PA001';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE FUNCTION placard_make_ids(workspace integer) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    others int := workspace - ${SHORT};
    step bigint := CASE WHEN others < 0 THEN 1000 ELSE 1000000 END;
    residue bigint := CASE WHEN others < 0 THEN workspace ELSE ${SHORT} + others % 100 + 1000 * (others / 100) END;
  BEGIN
    IF workspace NOT BETWEEN 1 AND ${WORKSPACES_MAX} THEN
      RAISE EXCEPTION 'there are no ids for the workspace %', workspace USING ERRCODE = 'program_limit_exceeded';
    END IF;
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS ids_of_%s INCREMENT %s START %s MAXVALUE ${Number.MAX_SAFE_INTEGER}',
      workspace, step, residue);
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS report_task_ids_of_%s AS int START %s',
      workspace, 1000 * workspace + 1);
  END $$`,
  `CREATE FUNCTION placard_make_ids_of_new() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM placard_make_missing_ids(NEW.id);
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION placard_notify() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE changed jsonb := to_jsonb(COALESCE(NEW, OLD));
    BEGIN
      PERFORM pg_notify('placard_change', json_build_object(
        'workspaceId', COALESCE((changed->>'workspace_id')::int, 0), 'kind', TG_ARGV[0], 'id', changed->>'id')::text);
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION placard_notify_key() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE changed jsonb := to_jsonb(COALESCE(NEW, OLD)) - 'digest' - 'token_digest';
    BEGIN
      IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'last_used_at' = to_jsonb(OLD) - 'last_used_at' THEN
        RETURN NULL;
      END IF;
      PERFORM pg_notify('placard_change', json_build_object(
        'workspaceId', (changed->>'workspace_id')::int, 'kind', TG_ARGV[0], 'id', changed->>'id')::text);
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION placard_only_forward() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.network_id <> OLD.network_id OR NEW.sequence <= OLD.sequence THEN
        RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE FUNCTION placard_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
    END $$`,
  `CREATE FUNCTION placard_renew_segment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.rule IS DISTINCT FROM OLD.rule THEN
        NEW.reserved_generation := GREATEST(NEW.reserved_generation, NEW.generation) + 1;
        NEW.generation := NEW.reserved_generation;
        NEW.member_count := 0;
      END IF;
      RETURN NEW;
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

/**
 * The service may make no sequences: the function has the owner's rights, and looks names up in the schema of the tables.
 * @param schema quoted
 */
export const makerOfMissingIds = (schema: string): string =>
  `CREATE FUNCTION placard_make_missing_ids(workspace integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ${schema}, pg_temp AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM workspaces WHERE id = workspace) THEN
        RAISE EXCEPTION 'there is no workspace %', workspace USING ERRCODE = 'foreign_key_violation';
      END IF;
      PERFORM pg_advisory_xact_lock(hashtextextended('ids of ' || workspace, 0));
      PERFORM placard_make_ids(workspace);
    END $$`;
