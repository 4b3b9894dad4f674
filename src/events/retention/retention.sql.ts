import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** A workspace whose network has a retention for single events. */
export interface WorkspaceRetention {
  readonly workspaceId: number;
  readonly networkId: string;
  /** At least 1. */
  readonly days: number;
}

/** The workspaces of networks with a retention; others keep their events. */
export async function readRetentions(sql: Kysely<Database>): Promise<WorkspaceRetention[]> {
  const rows = await sql
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select(['workspaces.id', 'networks.id as networkId', 'networks.settings'])
    .orderBy('workspaces.id')
    .execute();
  return rows.flatMap(({ id, networkId, settings }) => {
    const days = settings['retentionDays'];
    return typeof days === 'number' && days >= 1
      ? [{ workspaceId: id, networkId: String(networkId), days: Math.floor(days) }]
      : [];
  });
}
