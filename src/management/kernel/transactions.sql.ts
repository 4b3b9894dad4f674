import { type Kysely, sql, type Transaction } from 'kysely';
import { AUDIT_BATCH_MAX, type AuditEntry, recordAudit } from '../../access/audit/audit.sql.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { runBeforeCommit } from './before-commit.ts';
import type { ManagementContext } from './context.ts';

/** Thrown to undo a trial write (`validateOnly`); carries the result that the write would have had. */
export class TrialUndone extends Error {
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super('This write was a trial.');
    this.outcome = outcome;
  }
}

/** Returns the request's transaction when it has one (it must see its own writes), else the pool. */
export function queryableOf(context: ManagementContext): Kysely<Database> {
  return context.transaction ?? context.sql;
}

/**
 * Runs one change in a transaction of its own; inside a request that already has one (idempotency key, bulk), as a savepoint.
 * With `trial`, the change is undone at the end, and its outcome is returned.
 */
export async function changeAll<T>(
  context: ManagementContext,
  trial: boolean,
  change: (inner: ManagementContext & { transaction: Transaction<Database> }) => Promise<T>,
): Promise<T> {
  const run = async (transaction: Transaction<Database>, savepoints: number, audits: AuditEntry[]): Promise<T> => {
    const outcome = await change({ ...context, transaction, savepoints, audits });
    if (trial) throw new TrialUndone(outcome);
    return outcome;
  };
  try {
    if (context.transaction !== null) return await withSavepoint(context, context.transaction, run);
    return await context.sql.transaction().execute(async (transaction) => {
      const audits: AuditEntry[] = [];
      const outcome = await run(transaction, 0, audits);
      await runBeforeCommit(context, transaction, audits);
      await flushAudits(context, transaction, audits);
      return outcome;
    });
  } catch (error) {
    if (trial && error instanceof TrialUndone) return error.outcome as T;
    throw error;
  }
}

/** Writes the changes of a transaction to the audit log. This is its last step, because it locks the end of the log's chain. */
export async function flushAudits(
  { changeSet, nowMs }: Pick<ManagementContext, 'changeSet' | 'nowMs'>,
  transaction: Transaction<Database>,
  audits: readonly AuditEntry[],
): Promise<void> {
  const at = new Date(nowMs());
  const entries = changeSet === null ? audits : audits.map((one) => ({ ...one, more: { ...one.more, changeSet } }));
  for (let start = 0; start < entries.length; start += AUDIT_BATCH_MAX) {
    await recordAudit(transaction, entries.slice(start, start + AUDIT_BATCH_MAX), at);
  }
}

async function withSavepoint<T>(
  context: ManagementContext,
  transaction: Transaction<Database>,
  run: (transaction: Transaction<Database>, savepoints: number, audits: AuditEntry[]) => Promise<T>,
): Promise<T> {
  const name = sql.raw(`s${context.savepoints}`);
  const auditsBefore = context.audits.length;
  await sql`SAVEPOINT ${name}`.execute(transaction);
  try {
    const outcome = await run(transaction, context.savepoints + 1, context.audits);
    await sql`RELEASE SAVEPOINT ${name}`.execute(transaction);
    return outcome;
  } catch (error) {
    context.audits.length = auditsBefore;
    await sql`ROLLBACK TO SAVEPOINT ${name}`.execute(transaction);
    throw error;
  }
}
