import { type Kysely, sql } from 'kysely';

/** The rebuild of a hot store that machines share: its rounds, who leads them, and how far each machine is. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE hot_recovery (
    id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    round bigint NOT NULL DEFAULT 0,
    phase text NOT NULL DEFAULT 'whole' CHECK (phase IN ('whole', 'hold', 'recount', 'count')),
    lost integer[] NOT NULL DEFAULT '{}',
    epoch text NOT NULL,
    leader text,
    leader_until timestamptz,
    began_at timestamptz,
    ended_at timestamptz)`,
  `CREATE TABLE hot_recovery_machines (
    machine_id text PRIMARY KEY,
    round bigint NOT NULL,
    step text NOT NULL CHECK (step IN ('none', 'held', 'recounted', 'counted')),
    seen_at timestamptz NOT NULL DEFAULT now())`,
];
