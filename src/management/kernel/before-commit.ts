import type { Transaction } from 'kysely';
import type { AuditEntry } from '../../access/audit/audit.sql.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';

/** Something that follows from the changes of a transaction, and is stored with them or not at all. */
export type BeforeCommit = (
  context: ManagementContext,
  transaction: Transaction<Database>,
  changes: readonly AuditEntry[],
) => Promise<void>;

const steps: BeforeCommit[] = [];

/** Adds a step to the end of every transaction that changes something, as types are added to the schema. */
export function beforeCommit(step: BeforeCommit): void {
  steps.push(step);
}

/** Runs the steps in their order. @throws what a step throws: nothing is stored then */
export async function runBeforeCommit(...changed: Parameters<BeforeCommit>): Promise<void> {
  if (changed[2].length > 0) for (const step of steps) await step(...changed);
}
