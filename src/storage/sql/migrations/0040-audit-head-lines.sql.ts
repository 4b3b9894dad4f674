import { type Kysely, sql } from 'kysely';

/**
 * The signed heads of the audit log, beside their files: a line that is in one place and not in the other shows. Also, the end of a
 * chain only moves on.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE audit_head_lines (
    number bigint PRIMARY KEY,
    line text NOT NULL)`,
  `CREATE TRIGGER audit_head_lines_append_only BEFORE UPDATE OR DELETE ON audit_head_lines
    FOR EACH ROW EXECUTE FUNCTION placard_refuse_change()`,
  `CREATE TRIGGER audit_head_lines_no_truncate BEFORE TRUNCATE ON audit_head_lines
    FOR EACH STATEMENT EXECUTE FUNCTION placard_refuse_change()`,
  `CREATE FUNCTION placard_only_forward() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.network_id <> OLD.network_id OR NEW.sequence <= OLD.sequence THEN
        RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER audit_heads_only_forward BEFORE UPDATE ON audit_heads
    FOR EACH ROW EXECUTE FUNCTION placard_only_forward()`,
  `CREATE TRIGGER audit_heads_no_delete BEFORE DELETE ON audit_heads
    FOR EACH ROW EXECUTE FUNCTION placard_refuse_change()`,
  `CREATE TRIGGER audit_heads_no_truncate BEFORE TRUNCATE ON audit_heads
    FOR EACH STATEMENT EXECUTE FUNCTION placard_refuse_change()`,
];
