import { createApiKey } from '../../src/access/keys/api-keys.sql.ts';
import { requireWorkspaceId } from '../../src/access/permissions/workspaces.sql.ts';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { loadSecrets } from '../../src/storage/secrets.ts';
import { openPostgres } from '../../src/storage/sql/postgres.ts';
import { BENCH_NETWORK_ID } from './bench-network.ts';
import type { BenchServer } from './bench-server.ts';

/** Makes a key of the bench network. */
export async function makeBenchKey(
  { postgresUrl, dataDir }: BenchServer,
  rights: Pick<Parameters<typeof createApiKey>[2], 'permission' | 'modules'>,
): Promise<string> {
  const sql = openPostgres({ url: postgresUrl, log: SILENT_LOG, poolMax: 1, statementTimeoutMs: 10_000 });
  try {
    const workspaceId = await requireWorkspaceId(sql.db, BENCH_NETWORK_ID, 'production');
    const by = { actor: 'operator:bench', remoteAddress: '', networkId: BENCH_NETWORK_ID, workspaceId };
    const key = await createApiKey(sql.db, loadSecrets(dataDir), {
      workspaceId,
      name: 'bench',
      ...rights,
      expiresAt: null,
      ipAllowlist: [],
      by,
    });
    return key.value;
  } finally {
    await sql.close();
  }
}
