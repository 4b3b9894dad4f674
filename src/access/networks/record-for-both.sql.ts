import type { Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { type AuditActor, type AuditEntry, recordAudit } from '../audit/audit.sql.ts';

/** Records an action on a network in the log of the installation and in the network's own. `objectId`: the network. */
export async function recordForBoth(
  trx: Transaction<Database>,
  entry: Omit<AuditEntry, 'by'>,
  by: AuditActor,
  now: Date,
): Promise<void> {
  const [installation, own] = ['0', entry.objectId].map((networkId) => ({ ...by, networkId, workspaceId: null }));
  const entries = [installation, own].flatMap((one) => (one === undefined ? [] : [{ ...entry, by: one }]));
  await recordAudit(trx, entries, now);
}
