import { setTimeout as sleep } from 'node:timers/promises';
import { type Olap, OlapError, type OlapParam } from './olap.ts';

/** Longest that one mutation may run, in seconds. The wait for a statement is much shorter: after that we poll. */
const MUTATION_SECONDS_MAX = 3_600;
const ASK_EVERY_MS = 2_000;

/** A change of stored rows. */
export interface Mutation {
  readonly table: string;
  /** Whether `table` is the name that the store itself has for it, as `system.tables` lists it. Default false. */
  readonly isStoredName?: boolean;
  /** `DELETE WHERE …` or `UPDATE … WHERE …`. */
  readonly action: string;
  readonly params: Readonly<Record<string, OlapParam>>;
  /** A text that is in the statement of this mutation and of none with another effect. */
  readonly mark: string;
}

/**
 * Changes stored rows, and resolves when every server has done so: on a cluster also those that lag behind. A server of the cluster that is down
 * is a failure; the same mutation can be repeated.
 * @throws OlapError also when the store says that it cannot do it, or takes more than an hour
 */
export async function mutate(
  olap: Olap,
  mutation: Mutation,
  { askEveryMs = ASK_EVERY_MS }: { readonly askEveryMs?: number } = {},
): Promise<void> {
  const { dialect } = olap;
  const deadlineMs = performance.now() + MUTATION_SECONDS_MAX * 1_000;
  const table = mutation.isStoredName === true ? mutation.table : dialect.stored(mutation.table);
  let timeout = new OlapError('timeout', `${table} is still being changed`, { retryable: true });
  try {
    await olap.command(`ALTER TABLE ${table}${dialect.onCluster} ${mutation.action}`, mutation.params, {
      mutations_sync: 2,
      max_execution_time: MUTATION_SECONDS_MAX,
    });
    if (dialect.cluster === null) return;
  } catch (error) {
    if (!(error instanceof OlapError) || error.code !== 'timeout') throw error;
    timeout = error;
  }
  // The statement has timed out here, and the store still works on it.
  while (await isRunning(olap, table, mutation.mark)) {
    if (performance.now() > deadlineMs) throw timeout;
    await sleep(askEveryMs);
  }
}

async function isRunning(olap: Olap, table: string, mark: string): Promise<boolean> {
  const [row] = await olap.query<{ running: string; failure: string }>({
    sql: `SELECT count() AS running, max(latest_fail_reason) AS failure FROM ${olap.dialect.systemTable('mutations')}
      WHERE database = currentDatabase() AND table = {table: String} AND NOT is_done AND position(command, {mark: String}) > 0`,
    params: { table, mark },
  });
  if (row === undefined || row.running === '0') return false;
  if (row.failure === '') return true;
  throw new OlapError('failed', `Rows of ${table} could not be changed: ${row.failure}`, { retryable: true });
}
