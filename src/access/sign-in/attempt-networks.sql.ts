import { type Kysely, sql as of } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { AuditEntry } from '../audit/audit.sql.ts';

/**
 * The entries of a node, with those that name no present network, or the workspace of another one, as entries of the installation: a stolen
 * node token begins no logs of networks that do not exist.
 */
export async function bindToNetworks(sql: Kysely<Database>, entries: readonly AuditEntry[]): Promise<AuditEntry[]> {
  const networkIds = [...new Set(entries.map(({ by }) => by.networkId))];
  const rows = await sql
    .selectFrom('networks')
    .leftJoin('workspaces', 'workspaces.network_id', 'networks.id')
    .select(['networks.id as network', 'workspaces.id as workspace'])
    .where(of<boolean>`networks.id = ANY(${networkIds}::bigint[])`)
    .execute();
  const known = new Set(rows.flatMap(({ network, workspace }) => [`${network}/null`, `${network}/${workspace}`]));
  return entries.map((entry) => {
    const { by } = entry;
    if (known.has(`${by.networkId}/${by.workspaceId}`)) return entry;
    return { ...entry, by: { ...by, networkId: '0', workspaceId: null } };
  });
}
