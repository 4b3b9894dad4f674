import { type Kysely, sql } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** @throws PlacardError `network_suspended` where the network may not change anything */
export async function requireStanding(db: Kysely<Database>, networkId: string): Promise<void> {
  const { rows } = await sql<{ status: string }>`SELECT status FROM networks WHERE id = ${networkId}::bigint`.execute(
    db,
  );
  if (rows[0]?.status === 'SUSPENDED') throw new PlacardError('network_suspended');
}
