import { requirePermission } from '../../access/permissions/permissions.ts';
import { findPresentPrincipal } from '../../access/present-principal.sql.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { RowOutcome } from '../kernel/batch-write.ts';
import { createContext, type ManagementStores } from '../kernel/context.ts';
import { changeAll } from '../kernel/transactions.sql.ts';
import { type UpsertRow, upsertRows } from '../kernel/upsert.ts';
import type { InTransaction } from '../kernel/write.ts';
import { findNetwork } from '../resources/network/network.sql.ts';
import { bulkOperation, bulkResource } from './bulk-resources.ts';
import { writeResults } from './bulk-results.ts';
import { readBulkLines } from './bulk-rows.ts';
import { type BulkJobKey, type BulkJobRow, endJob, lockJob } from './bulk-jobs.sql.ts';
import { readInput, recordPortion } from './running-jobs.sql.ts';

/** The outcome of a try to process the next portion of a job. */
export type PortionEnd = 'processed' | 'ended';

/**
 * Processes the next portion of a job in one transaction, together with its results and the progress of the job. The job is locked from the
 * first statement on: of two processes, the second one waits and then gets the portion after it.
 * @throws what the stores throw; then nothing has changed
 */
export function processPortion(stores: ManagementStores, job: BulkJobRow, leaseMs: number): Promise<PortionEnd> {
  const key: BulkJobKey = { workspaceId: job.workspace_id, id: job.id };
  const context = createContext(stores, job.caller, `bulkJob:${job.id}`);
  context.budget.beginMutation();
  return changeAll(context, false, async (inner) => {
    const { transaction } = inner;
    const current = await lockJob(transaction, key);
    if (current === undefined || current.state !== 'running') return 'ended';
    const refusal = await findRefusal(inner, current);
    if (refusal !== null) {
      await endJob(transaction, key, { state: 'failed', code: refusal.code, message: refusal.message });
      return 'ended';
    }
    const number = current.processed_portions;
    const portion = await readInput(transaction, key, number);
    if (portion === undefined) throw new Error(`The portion ${number} of bulk job ${job.id} is not there.`);
    const results = await upsertPortion(inner, current, portion);
    const inputBytes = portion.input.length;
    await recordPortion(transaction, key, { number, ...results, results: results.text, inputBytes }, leaseMs);
    if (number + 1 < current.portions) return 'processed';
    await endJob(transaction, key, { state: 'completed' });
    return 'ended';
  });
}

/** Why the caller may not go on; null when it may. It needs the permissions of its submission, and those that it has now. */
async function findRefusal({ transaction, nowMs }: InTransaction, job: BulkJobRow): Promise<PlacardError | null> {
  const network = await findNetwork(transaction, String(job.network_id));
  if (network?.status === 'SUSPENDED') return new PlacardError('network_suspended');
  const present = await findPresentPrincipal(transaction, job.caller, new Date(nowMs()));
  if (present === null) {
    const message =
      'The key or member that submitted the job may not call any more; the rest of the rows is not processed.';
    return new PlacardError('invalid_credentials', message);
  }
  try {
    for (const principal of [job.caller, present]) requirePermission(principal, bulkOperation(job.resource));
    return null;
  } catch (error) {
    if (error instanceof PlacardError) return error;
    throw error;
  }
}

async function upsertPortion(
  inner: InTransaction,
  job: BulkJobRow,
  portion: { readonly first_line: number; readonly input: Buffer },
) {
  const resource = bulkResource(job.resource);
  const lines = readBulkLines(resource, portion.input, portion.first_line);
  const rows = lines.flatMap(({ row }): UpsertRow[] => (row instanceof PlacardError ? [] : [row]));
  const onUnexpected = (error: unknown): PlacardError => {
    inner.log.event('bulk_jobs.row_failed', { err: error, jobId: String(job.id) });
    return new PlacardError('internal_error', 'The row could not be stored; tell the operator the id of the job.');
  };
  const outcomes =
    rows.length === 0
      ? []
      : await changeAll(
          inner,
          job.validate_only,
          (own): Promise<RowOutcome[]> => upsertRows(own, resource, rows, { onUnexpected }),
        );
  return writeResults(lines, outcomes, job.validate_only);
}
