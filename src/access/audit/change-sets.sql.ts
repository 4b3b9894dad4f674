import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { AuditRecord } from './audit-chain.ts';

/** The change of many objects that an entry is a part of; null: it stands alone. */
export function changeSetOf({ details }: Pick<AuditRecord, 'details'>): string | null {
  const { changeSet } = details as { readonly changeSet?: unknown };
  return typeof changeSet === 'string' ? changeSet : null;
}

/** Entries of one change set. */
export function inChangeSet(changeSet: string): RawBuilder<boolean> {
  return sql<boolean>`audit_log.details->>'changeSet' = ${changeSet}`;
}

/** Entries that stand alone, and of each change set the newest of each kind of objects and actor. */
export const NEWEST_OF_SET: RawBuilder<boolean> = sql<boolean>`(audit_log.details->>'changeSet' IS NULL OR NOT EXISTS (
  SELECT FROM audit_log AS newer WHERE newer.network_id = audit_log.network_id
    AND newer.details->>'changeSet' = audit_log.details->>'changeSet' AND newer.sequence > audit_log.sequence
    AND newer.object_kind = audit_log.object_kind AND newer.actor = audit_log.actor
    AND newer.workspace_id IS NOT DISTINCT FROM audit_log.workspace_id))`;

type SetMember = Pick<AuditRecord, 'details' | 'objectKind' | 'actor' | 'workspaceId'>;

const keyOf = (changeSet: string | null, { objectKind, actor, workspaceId }: Omit<SetMember, 'details'>): string =>
  JSON.stringify([changeSet, objectKind, actor, workspaceId]);

/**
 * How many entries the change sets of a page have of the kind and the actor of each entry.
 *
 * @returns a function of the entries of the page; 1 for an entry that stands alone
 */
export async function readChangeSetSizes(
  db: Kysely<Database>,
  networkId: string,
  page: readonly SetMember[],
): Promise<(entry: SetMember) => number> {
  const names = [...new Set(page.map(changeSetOf).filter((name) => name !== null))];
  if (names.length === 0) return () => 1;
  const rows = await db
    .selectFrom('audit_log')
    .select(['object_kind', 'actor', 'workspace_id', sql<string>`details->>'changeSet'`.as('change_set')])
    .select((eb) => eb.fn.countAll<bigint>().as('entries'))
    .where('network_id', '=', BigInt(networkId))
    .where(sql<string>`details->>'changeSet'`, 'in', names)
    .groupBy(['object_kind', 'actor', 'workspace_id', sql`details->>'changeSet'`])
    .execute();
  const sizes = new Map(
    rows.map(({ change_set, object_kind, actor, workspace_id, entries }) => [
      keyOf(change_set, { objectKind: object_kind, actor, workspaceId: workspace_id }),
      Number(entries),
    ]),
  );
  return (entry) => sizes.get(keyOf(changeSetOf(entry), entry)) ?? 1;
}
