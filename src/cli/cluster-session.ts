import type { Kysely } from 'kysely';
import type { AuditEntry } from '../access/audit/audit.sql.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../storage/sql/schema.ts';
import { operator } from './access-session.ts';
import type { CliContext } from './context/cli-context.ts';

/** The dependencies of a command on the cluster. It makes no secret of its own. */
export interface ClusterSession {
  readonly sql: Kysely<Database>;
  readonly settings: Settings;
}

/** Runs `work` on the management database of this data folder. */
export async function withCluster<T>(context: CliContext, work: (session: ClusterSession) => Promise<T>): Promise<T> {
  const { openPostgres } = await import('../storage/sql/postgres.ts');
  const settings = context.settings();
  return context.withStores({ analytics: false }, async ({ postgresUrl }) => {
    const sql = openPostgres({ url: postgresUrl, log: context.log(), poolMax: 2, statementTimeoutMs: 60_000 });
    try {
      return await work({ sql: sql.db, settings });
    } finally {
      await sql.close();
    }
  });
}

/** The entry of an action on the cluster, for the audit log of the installation. */
export function clusterEntry(
  action: string,
  objectId: string,
  more: Readonly<Record<string, unknown>> = {},
): AuditEntry {
  return { by: operator(), action, objectKind: action.split('.', 1)[0] ?? action, objectId, more };
}
