import { type Kysely, sql } from 'kysely';
import type { Size } from '../../../domain/booking/inventory.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** Whether an ad unit in use takes this size, or takes any. */
export async function isSizeOffered(db: Kysely<Database>, workspaceId: number, size: Size): Promise<boolean> {
  const wanted = JSON.stringify([{ width: size.width, height: size.height }]);
  const { rows } = await sql<{ offered: boolean }>`
    SELECT EXISTS (
      SELECT 1 FROM ad_units
      WHERE workspace_id = ${workspaceId} AND status = 'ACTIVE' AND (sizes = '[]'::jsonb OR sizes @> ${wanted}::jsonb)) AS offered`.execute(
    db,
  );
  return rows[0]?.offered ?? false;
}
