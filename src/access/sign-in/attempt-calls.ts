import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { AUDIT_BATCH_MAX, type AuditEntry, recordAudit } from '../audit/audit.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

const OBJECT_ID = z.string().max(1_000);
const INT8_MAX = 2n ** 63n - 1n;
/** The id is part of the hash of an entry, so it has one form. */
const NETWORK_ID = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,18})$/)
  .refine((text) => BigInt(text) <= INT8_MAX, 'is not the id of a network');

/** A node may write of authentication alone, only that it was tried, with a key or a pair: delivery takes no sessions. */
const ENTRY_FIELDS = z.object({
  by: z.looseObject({
    actor: z.string().max(1_000),
    remoteAddress: z.string().max(200),
    networkId: NETWORK_ID,
    workspaceId: z.number().int().positive().max(2_147_483_647).nullable(),
  }),
  more: z.record(z.string().max(100), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()])).optional(),
});

const ENTRY = z.discriminatedUnion('action', [
  ENTRY_FIELDS.extend({
    action: z.literal('auth.success'),
    objectKind: z.enum(['apiKey', 'headerCredential']),
    objectId: OBJECT_ID,
  }),
  ENTRY_FIELDS.extend({ action: z.literal('auth.failure'), objectKind: z.literal('credential'), objectId: OBJECT_ID }),
]);

/** Writes attempts to authenticate into the audit log, also through a core. */
export const recordAttempts = nodeCall(
  'audit.attempts',
  z.tuple([z.array(ENTRY).max(AUDIT_BATCH_MAX), z.date()]),
  (sql: Kysely<Database>, entries: readonly AuditEntry[], at: Date): Promise<void> =>
    inTransaction(sql, (trx) => recordAudit(trx, entries, at)),
);
