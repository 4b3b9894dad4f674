import type { Kysely } from 'kysely';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../sql/schema.ts';

/** A workspace whose rows are exported. */
export interface ExportedWorkspace {
  readonly workspaceId: number;
  /** Decimal text. */
  readonly networkId: string;
  readonly environment: Environment;
}

/** A kind of exported data. Each has a folder of its own. */
export type ExportKind = 'events' | 'decisions';

/** All workspaces, by network. */
export async function readExportedWorkspaces(db: Kysely<Database>): Promise<ExportedWorkspace[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'network_id', 'environment'])
    .orderBy('network_id')
    .orderBy('id')
    .execute();
  return rows.map(({ id, network_id, environment }) => ({
    workspaceId: id,
    networkId: String(network_id),
    environment,
  }));
}

/** The folder of a workspace. @throws RangeError when the network's id is not a number */
export function exportFolder({ environment, networkId }: ExportedWorkspace, kind: ExportKind): string {
  if (!/^\d{1,19}$/.test(networkId)) throw new RangeError(`"${networkId}" is not an id of a network`);
  return `${environment}/${networkId}/${kind}`;
}

/** The folder of one hour, in UTC, as tools that read Hive partitions expect it. */
export function hourFolder(workspace: ExportedWorkspace, kind: ExportKind, hourMs: number): string {
  const text = new Date(hourMs).toISOString();
  return `${exportFolder(workspace, kind)}/date=${text.slice(0, 10)}/hour=${text.slice(11, 13)}`;
}
