import { type Kysely, sql } from 'kysely';
import { ACCESS } from './baseline/access.ts';
import { BOOKING } from './baseline/booking.ts';
import { CREATIVES } from './baseline/creatives.ts';
import { FUNCTIONS, makerOfMissingIds } from './baseline/functions.ts';
import { INVENTORY } from './baseline/inventory.ts';
import { OPERATIONS } from './baseline/operations.ts';
import { REPORTS } from './baseline/reports.ts';
import { TEAMWORK } from './baseline/teamwork.ts';

const PARTS = [BOOKING, CREATIVES, INVENTORY, ACCESS, TEAMWORK, REPORTS, OPERATIONS];

/** The schema of version 0.1.0. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`SELECT quote_ident(current_schema()) AS schema`.execute(db);
  const statements = [
    ...FUNCTIONS,
    makerOfMissingIds(rows[0]?.schema ?? 'public'),
    ...PARTS.flatMap(({ tables }) => tables),
    ...PARTS.flatMap(({ rules }) => rules),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
