import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { AUDIT_BATCH_MAX, type AuditEntry, recordAudit } from '../audit/audit.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** A node may write of authentication alone, and only that it was tried. */
const ENTRY = z.object({
  by: z.looseObject({
    actor: z.string().max(1_000),
    remoteAddress: z.string().max(200),
    networkId: z.string().regex(/^\d{1,19}$/),
    workspaceId: z.number().int().nullable(),
  }),
  action: z.enum(['auth.success', 'auth.failure']),
  objectKind: z.string().max(100),
  objectId: z.string().max(1_000),
  more: z.record(z.string().max(100), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()])).optional(),
});

/** Writes attempts to authenticate into the audit log, also through a core. */
export const recordAttempts = nodeCall(
  'audit.attempts',
  z.tuple([z.array(ENTRY).max(AUDIT_BATCH_MAX), z.date()]),
  (sql: Kysely<Database>, entries: readonly AuditEntry[], at: Date): Promise<void> =>
    inTransaction(sql, (trx) => recordAudit(trx, entries, at)),
);
