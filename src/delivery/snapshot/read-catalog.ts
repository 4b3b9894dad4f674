import type { Kysely } from 'kysely';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { CompiledNetworks, createCatalog } from './compiled-networks.ts';
import { readSnapshots } from './snapshot.sql.ts';

/** The present catalog of the database, for a command that reads it once. Line items that cannot be compiled are left out. */
export async function readCatalog(sql: Kysely<Database>, nowMs: number): Promise<Catalog> {
  const snapshots = await readSnapshots(sql, nowMs);
  const compiled = new CompiledNetworks(
    snapshots.map((snapshot) => compileWorkspace(snapshot, nowMs, () => undefined)),
  );
  return createCatalog(() => compiled);
}
