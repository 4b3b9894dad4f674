import type { Kysely } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import type { TeamMember } from '../notification/notifications.sql.ts';

/** A line item that needs attention. */
export interface Attended {
  readonly workspaceId: number;
  readonly lineItemId: bigint;
}

/** The snooze and the hand-over of a line item that needs attention, each with the reason that the line item had then. */
export interface AttentionRow {
  readonly snooze: { readonly reason: string; readonly until: Date } | null;
  readonly handover: {
    readonly reason: string;
    readonly to: Pick<TeamMember, 'id' | 'name'>;
    readonly by: Pick<TeamMember, 'id' | 'name'>;
    readonly at: Date;
  } | null;
}

/** What members did about line items, by id: snoozes of one member, and hand-overs of all. */
export async function readAttention(
  db: Kysely<Database>,
  workspaceId: number,
  { ids, userId, now }: { readonly ids: readonly bigint[]; readonly userId: string | null; readonly now: Date },
): Promise<ReadonlyMap<bigint, AttentionRow>> {
  const snoozes = await db
    .selectFrom('attention_snoozes')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', 'in', ids)
    .where('user_id', '=', BigInt(userId ?? '0'))
    .where('snoozed_until', '>', now)
    .execute();
  const handovers = await db
    .selectFrom('attention_handovers')
    .innerJoin('users as receiver', 'receiver.id', 'attention_handovers.to_user_id')
    .innerJoin('users as giver', 'giver.id', 'attention_handovers.by_user_id')
    .selectAll('attention_handovers')
    .select(['receiver.name as to_name', 'giver.name as by_name'])
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', 'in', ids)
    .execute();
  const snoozeOf = new Map(snoozes.map((row) => [row.line_item_id, row]));
  const handoverOf = new Map(handovers.map((row) => [row.line_item_id, row]));
  return new Map(
    ids.map((id) => {
      const snooze = snoozeOf.get(id);
      const handover = handoverOf.get(id);
      return [
        id,
        {
          snooze: snooze === undefined ? null : { reason: snooze.reason, until: snooze.snoozed_until },
          handover:
            handover === undefined
              ? null
              : {
                  reason: handover.reason,
                  to: { id: handover.to_user_id, name: handover.to_name },
                  by: { id: handover.by_user_id, name: handover.by_name },
                  at: handover.handed_at,
                },
        },
      ];
    }),
  );
}

/** Keeps that a member has put a line item off; null: they take it back. */
export async function storeSnooze(
  db: Kysely<Database>,
  { workspaceId, lineItemId }: Attended,
  { userId, reason, until }: { readonly userId: string; readonly reason: string; readonly until: Date | null },
): Promise<void> {
  if (until === null) {
    await db
      .deleteFrom('attention_snoozes')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', BigInt(userId))
      .where('line_item_id', '=', lineItemId)
      .execute();
    return;
  }
  const kept = { reason, snoozed_until: until };
  await db
    .insertInto('attention_snoozes')
    .values({ workspace_id: workspaceId, user_id: BigInt(userId), line_item_id: lineItemId, ...kept })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'line_item_id']).doUpdateSet(kept))
    .execute();
}

/** Keeps to whom a line item is handed; null: nobody looks after it any more. */
export async function storeHandover(
  db: Kysely<Database>,
  { workspaceId, lineItemId }: Attended,
  handover: { readonly toUserId: bigint; readonly byUserId: string; readonly reason: string; readonly at: Date } | null,
): Promise<void> {
  if (handover === null) {
    await db
      .deleteFrom('attention_handovers')
      .where('workspace_id', '=', workspaceId)
      .where('line_item_id', '=', lineItemId)
      .execute();
    return;
  }
  const { toUserId, byUserId, reason, at } = handover;
  const kept = { reason, to_user_id: toUserId, by_user_id: BigInt(byUserId), handed_at: at };
  await db
    .insertInto('attention_handovers')
    .values({ workspace_id: workspaceId, line_item_id: lineItemId, ...kept })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'line_item_id']).doUpdateSet(kept))
    .execute();
}
