import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { inChangeSet, NEWEST_OF_SET } from './change-sets.sql.ts';
import { EPOCH_MICROS, fromRow, type StoredAuditRecord } from './audit.sql.ts';

/** Whose changes are read. */
export interface ChangeScope {
  readonly networkId: string;
  readonly workspaceId: number;
  /** Kinds of objects, as the audit log names them. */
  readonly kinds: readonly string[];
  /** Only parts of this change of many objects; absent: all. */
  readonly changeSet?: string | null;
}

/** A page of changes, oldest first. */
export interface ChangePage {
  readonly changes: readonly StoredAuditRecord[];
  /** Up to here everything was looked at: the next page begins after it. */
  readonly through: bigint;
  /** Whether there is nothing after it yet. */
  readonly isEnd: boolean;
}

/** Most entries of the log that one page looks at: others may be of other environments and kinds. */
const WINDOW = 10_000n;

/** The number of the newest entry of a network's log; 0 when it has none. */
export async function readNewestSequence(db: Kysely<Database>, networkId: string): Promise<bigint> {
  const head = await db
    .selectFrom('audit_heads')
    .select('sequence')
    .where('network_id', '=', BigInt(networkId))
    .executeTakeFirst();
  return BigInt(head?.sequence ?? 0);
}

/**
 * The changes of one environment after a number, at most `limit`. The audit log is their source: entries get their numbers under a lock that
 * is held until the transaction ends, so a page never skips a change that becomes visible later.
 *
 * @param newest the number of the newest entry, read before
 */
export async function listChanges(
  db: Kysely<Database>,
  scope: ChangeScope,
  { after, newest, limit }: { readonly after: bigint; readonly newest: bigint; readonly limit: number },
): Promise<ChangePage> {
  const end = newest < after + WINDOW ? newest : after + WINDOW;
  if (scope.kinds.length === 0 || end <= after) return { changes: [], through: end, isEnd: end === newest };
  const rows = await selectWindow(db, scope, { after, end }).orderBy('sequence').limit(limit).execute();
  const changes = rows.map(fromRow);
  const last = changes.at(-1);
  const through = last === undefined || changes.length < limit ? end : last.sequence;
  return { changes, through, isEnd: through === newest };
}

/** A page of changes, oldest first, of those before a number. */
export interface EarlierChanges {
  readonly changes: readonly StoredAuditRecord[];
  /** Down to here everything was looked at: the page before ends before it. */
  readonly from: bigint;
  /** Whether there is nothing before it. */
  readonly isStart: boolean;
}

/** The newest changes of one environment before a number, at most `limit`. @param isFolded as {@link NEWEST_OF_SET} */
export async function listChangesBefore(
  db: Kysely<Database>,
  scope: ChangeScope,
  { before, limit, isFolded }: { readonly before: bigint; readonly limit: number; readonly isFolded: boolean },
): Promise<EarlierChanges> {
  const start = before > WINDOW ? before - WINDOW : 1n;
  if (scope.kinds.length === 0) return { changes: [], from: start, isStart: start === 1n };
  let query = selectWindow(db, scope, { after: start - 1n, end: before - 1n });
  if (isFolded) query = query.where(NEWEST_OF_SET);
  const rows = await query.orderBy('sequence', 'desc').limit(limit).execute();
  const changes = rows.map(fromRow).reverse();
  const [first] = changes;
  const from = first === undefined || changes.length < limit ? start : first.sequence;
  return { changes, from, isStart: from === 1n };
}

function selectWindow(
  db: Kysely<Database>,
  { networkId, workspaceId, kinds, changeSet = null }: ChangeScope,
  { after, end }: { readonly after: bigint; readonly end: bigint },
) {
  const query = db
    .selectFrom('audit_log')
    .selectAll()
    .select(EPOCH_MICROS)
    .where('network_id', '=', BigInt(networkId))
    .where('sequence', '>', after)
    .where('sequence', '<=', end)
    .where('workspace_id', '=', workspaceId)
    .where('object_kind', 'in', kinds);
  return changeSet === null ? query : query.where(inChangeSet(changeSet));
}

/** How many changes there are in all. */
export async function countChanges(db: Kysely<Database>, scope: ChangeScope): Promise<number> {
  if (scope.kinds.length === 0) return 0;
  let query = db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<bigint>().as('changes'))
    .where('network_id', '=', BigInt(scope.networkId))
    .where('workspace_id', '=', scope.workspaceId)
    .where('object_kind', 'in', scope.kinds);
  if (typeof scope.changeSet === 'string') query = query.where(inChangeSet(scope.changeSet));
  const row = await query.executeTakeFirstOrThrow();
  return Number(row.changes);
}

/** Single changes of a network by their numbers. */
export async function readChangesOf(
  db: Kysely<Database>,
  { networkId, workspaceId }: Pick<ChangeScope, 'networkId' | 'workspaceId'>,
  sequences: readonly bigint[],
): Promise<StoredAuditRecord[]> {
  if (sequences.length === 0) return [];
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .select(EPOCH_MICROS)
    .where('network_id', '=', BigInt(networkId))
    .where('sequence', 'in', sequences)
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.map(fromRow);
}
