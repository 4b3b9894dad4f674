import type { Kysely } from 'kysely';
import { REPORT_KEYS_MAX } from '../../domain/targeting/key-value.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { ACTIVITY_MEMBERS_MAX, type OwnDefinitions } from './own-members.olap.ts';

/** The definitions of a workspace that reports have members for. */
export async function readOwnDefinitions(db: Kysely<Database>, workspaceId: number): Promise<OwnDefinitions> {
  const keys = await db
    .selectFrom('key_values')
    .select(['id', 'key', 'name', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where('reportable', '=', true)
    .orderBy('id')
    .limit(REPORT_KEYS_MAX)
    .execute();
  const activities = await db
    .selectFrom('activities')
    .select(['id', 'actgid', 'name', 'status'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('status')
    .orderBy('id')
    .limit(ACTIVITY_MEMBERS_MAX)
    .execute();
  const about = ({ id, name, status }: { id: bigint; name: string; status: string }) => ({
    id: String(id),
    name,
    isArchived: status === 'ARCHIVED',
  });
  return {
    keys: keys.map((row) => ({ ...about(row), code: row.key.toLowerCase() })),
    activities: activities.map((row) => ({ ...about(row), code: row.actgid })),
  };
}
