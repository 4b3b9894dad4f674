import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import type { BookingApprovalsTable } from '../../../storage/sql/team-schema.ts';

/** What is known of the approval of a line item. */
export type ApprovalRow = Selectable<BookingApprovalsTable> & { readonly approver_name: string | null };

/** Whether a network asks for approval before guaranteed bookings go live. */
export async function asksForApproval(db: Kysely<Database>, networkId: string): Promise<boolean> {
  const row = await db.selectFrom('networks').select('settings').where('id', '=', BigInt(networkId)).executeTakeFirst();
  return (row?.settings as { approvalRequired?: boolean } | undefined)?.approvalRequired === true;
}

/** The approvals of line items, by id; those without one are left out. */
export async function findApprovals(
  db: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly bigint[],
): Promise<Map<bigint, ApprovalRow>> {
  if (lineItemIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('booking_approvals')
    .leftJoin('users', 'users.id', 'booking_approvals.approved_by_user_id')
    .selectAll('booking_approvals')
    .select('users.name as approver_name')
    .where('booking_approvals.workspace_id', '=', workspaceId)
    .where('booking_approvals.line_item_id', 'in', lineItemIds)
    .execute();
  return new Map(rows.map((row) => [row.line_item_id, row]));
}

interface Ask {
  readonly workspaceId: number;
  readonly lineItemId: bigint;
  readonly terms: string;
  readonly at: Date;
}

/** Keeps that somebody asks for approval of these terms. */
export async function recordRequest(db: Kysely<Database>, ask: Ask & { readonly by: string }): Promise<void> {
  const asked = { requested_terms: ask.terms, requested_by: ask.by, requested_at: ask.at };
  await db
    .insertInto('booking_approvals')
    .values({ workspace_id: ask.workspaceId, line_item_id: ask.lineItemId, ...asked })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'line_item_id']).doUpdateSet(asked))
    .execute();
}

/** Keeps that a member approves these terms. */
export async function recordApproval(db: Kysely<Database>, ask: Ask & { readonly userId: string }): Promise<void> {
  const approved = { approved_terms: ask.terms, approved_by_user_id: ask.userId, approved_at: ask.at };
  await db
    .insertInto('booking_approvals')
    .values({ workspace_id: ask.workspaceId, line_item_id: ask.lineItemId, ...approved })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'line_item_id']).doUpdateSet(approved))
    .execute();
}

/** Narrows an approval to terms that promise less. Who gave it stays. */
export async function narrowApproval(
  db: Kysely<Database>,
  workspaceId: number,
  of: { readonly lineItemId: bigint; readonly from: string; readonly to: string },
): Promise<void> {
  await db
    .updateTable('booking_approvals')
    .set({ approved_terms: of.to })
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', '=', of.lineItemId)
    .where('approved_terms', '=', of.from)
    .execute();
}

/** Keeps the flights of campaigns as they are until the transaction ends: bookings go live in them. */
export async function holdFlights(db: Kysely<Database>, workspaceId: number, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .selectFrom('campaigns')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute();
}

/** The flight and version of a campaign, held until the transaction ends. */
export async function holdFlight(db: Kysely<Database>, workspaceId: number, id: bigint) {
  return db
    .selectFrom('campaigns')
    .select(['starts_at', 'ends_at', 'version'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow();
}

/** Locks a line item against changes until the transaction ends. */
export async function lockLineItem(db: Kysely<Database>, workspaceId: number, id: bigint) {
  return db
    .selectFrom('line_items')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The user behind an actor of the audit log; null for keys and the system. */
export function userOfActor(actor: string | null): bigint | null {
  const id = /^user:(\d{1,18})(?: |$)/.exec(actor ?? '')?.[1];
  return id === undefined ? null : BigInt(id);
}
