import { mutate } from '../../storage/olap/mutate.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const OWN = 'workspace_id IN {workspaceIds: Array(UInt32)}';

/** Every table with rows of workspaces, as the store itself says, by the names that the store has for them. */
export async function listTenantTables(olap: Olap): Promise<string[]> {
  const rows = await olap.query<{ name: string }>({
    sql: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
      AND name IN (SELECT table FROM system.columns WHERE database = currentDatabase() AND name = 'workspace_id') ORDER BY name`,
  });
  return rows.map(({ name }) => name);
}

/**
 * Deletes events, roll-ups, samples and names of workspaces; resolves when they are gone from every table. Repeatable.
 * @returns how many stored rows there were
 * @throws OlapError
 */
export async function deleteWorkspaceRows(olap: Olap, workspaceIds: readonly number[]): Promise<number> {
  const params = { workspaceIds: [...workspaceIds] };
  let deleted = 0;
  for (const table of await listTenantTables(olap)) {
    const [row] = await olap.query<{ total: string }>({
      sql: `SELECT count() AS total FROM ${table} WHERE ${OWN}`,
      params,
    });
    const total = Number(row?.total ?? 0);
    // On a cluster this is one server's part alone: another may have rows.
    if (total === 0 && olap.dialect.cluster === null) continue;
    await mutate(olap, {
      table,
      isStoredName: true,
      action: `DELETE WHERE ${OWN}`,
      params,
      mark: `[${workspaceIds.join(', ')}]`,
    });
    deleted += total;
  }
  return deleted;
}
