import { type Kysely, sql } from 'kysely';

/** Where agents are told of decisions about their requests. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `ALTER TABLE agent_requests
    ADD COLUMN notice_target bytea,
    ADD COLUMN notice_status text CHECK (notice_status IN ('WAITING', 'PENDING', 'DELIVERED', 'FAILED')),
    ADD COLUMN notice_attempts int NOT NULL DEFAULT 0,
    ADD COLUMN notice_next_at timestamptz`,
  `CREATE INDEX agent_requests_to_tell ON agent_requests (notice_next_at) WHERE notice_status = 'PENDING'`,
];
