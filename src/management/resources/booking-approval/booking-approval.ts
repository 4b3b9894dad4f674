import { PlacardError } from '../../../domain/errors.ts';
import { decimalIdOf } from '../../../domain/ids/global-ids.ts';
import { beforeCommit } from '../../kernel/before-commit.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { loaderOf, loadObject, onceInRequest } from '../../kernel/loaders.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { type Outcome, outcomeOf } from '../../kernel/outcome.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { notify } from '../notification/notify.ts';
import { memberOf } from '../notification/notifications.ts';
import { listTeam } from '../notification/notifications.sql.ts';
import {
  type ApprovalRow,
  asksForApproval,
  findApprovals,
  holdFlight,
  lockLineItem,
  recordApproval,
  recordRequest,
  userOfActor,
} from './approvals.sql.ts';
import { isGuaranteed, termsOf } from './booking-terms.ts';
import { retainApprovals } from './campaign-flight.sql.ts';
import { findWriters, type Writers } from './four-eyes.sql.ts';
import { listWaiting } from './waiting.sql.ts';

const WAITING_MAX = 200;

type ApprovalState = 'NOT_NEEDED' | 'MISSING' | 'REQUESTED' | 'APPROVED';

interface Approval {
  readonly row: StoredRow;
  readonly state: ApprovalState;
  readonly known: ApprovalRow | undefined;
}

const StateRef = builder.enumType('BookingApprovalState', {
  description: 'How far the approval of a booking is.',
  values: {
    NOT_NEEDED: { description: 'The network asks for none, or the booking is not guaranteed.' },
    MISSING: {
      description:
        'Nobody asked for it, or the terms changed since. It may be live since before approval was asked for.',
    },
    REQUESTED: { description: 'It waits for a member who may approve it.' },
    APPROVED: { description: 'Its present terms are approved.' },
  } satisfies Record<ApprovalState, { description: string }>,
});

const ApprovalRef = builder.objectRef<Approval>('BookingApproval').implement({
  description:
    'The approval of a guaranteed booking: of its campaign, tier, goal, share, price and flight. Without dates of its own, its flight is that of its campaign.',
  fields: (t) => ({
    state: t.field({ type: StateRef, description: 'How far it is.', resolve: ({ state }) => state }),
    requestedBy: t.string({
      nullable: true,
      description: 'Who asked last.',
      resolve: ({ known }) => known?.requested_by ?? null,
    }),
    requestedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When they asked.',
      resolve: ({ known }) => known?.requested_at ?? null,
    }),
    approvedBy: t.string({
      nullable: true,
      description: 'Name of the member who approved last.',
      resolve: ({ known }) => known?.approver_name ?? null,
    }),
    approvedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When they approved.',
      resolve: ({ known }) => known?.approved_at ?? null,
    }),
    mayApprove: t.boolean({
      description:
        'Whether the caller may approve it now: it is not approved, and the caller is a signed-in admin who neither wrote it since its last approval nor asked for it.',
      resolve: (approval, _args, context) => mayApprove(approval, context),
    }),
  }),
});

/** Adds `approval` to line items, and the mutations that ask for and give it. */
export function defineBookingApproval(): void {
  builder.objectField(objectRefOf('LineItem'), 'approval', (t) =>
    t.field({
      type: ApprovalRef,
      description: 'Whether it may go live: guaranteed bookings may need the approval of another member.',
      resolve: (row, _args, context) => loadApproval(context, row),
    }),
  );
  builder.queryField('bookingsToApprove', (t) =>
    t.field({
      type: [objectRefOf('LineItem')],
      description:
        'Guaranteed line items whose present terms wait for approval, newest first: those for which a member asked, and live ones. Empty where the network asks for no approval.',
      args: {
        first: t.arg.int({
          description: `How many, 1…${WAITING_MAX}; default ${WAITING_MAX}. A full page may have more behind it.`,
        }),
        after: t.arg.id({ description: 'The last line item of the page before.' }),
      },
      resolve: (_root, { first, after }, context) => loadWaiting(context, first ?? WAITING_MAX, after ?? null),
    }),
  );
  defineMutations();
  beforeCommit((context, transaction, changes) => retainApprovals(transaction, context.principal.workspaceId, changes));
}

function defineMutations(): void {
  const ApprovalPayloadRef = builder.objectRef<Outcome<StoredRow>>('BookingApprovalPayload').implement({
    description: 'The result of asking for the approval of a booking, or of giving it.',
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      lineItem: t.field({
        type: objectRefOf('LineItem'),
        nullable: true,
        description: 'The line item.',
        resolve: ({ object }) => object,
      }),
    }),
  });
  builder.mutationFields((t) => ({
    requestBookingApproval: t.field({
      type: ApprovalPayloadRef,
      nullable: true,
      description: 'Asks the members who may approve a guaranteed booking to do so.',
      args: { id: t.arg.id({ required: true, description: 'Id of the line item.' }) },
      resolve: (_root, { id }, context, info) =>
        outcomeOf(context, info, () => changeAll(context, false, (inner) => requestApproval(inner, String(id)))),
    }),
    approveBooking: t.field({
      type: ApprovalPayloadRef,
      nullable: true,
      description:
        'Approves the present terms of a guaranteed booking. Who wrote it since its last approval, or made the key that did, cannot; neither can anybody where a key that no member made wrote it.',
      args: {
        id: t.arg.id({ required: true, description: 'Id of the line item.' }),
        version: t.arg.int({
          required: true,
          description: 'The version that was read; a newer version fails as `conflict`.',
        }),
        campaignVersion: t.arg.int({
          description:
            'The version of its campaign that was read, whose dates it has where it has none of its own; a newer version fails as `conflict`. Absent: any version.',
        }),
      },
      resolve: (_root, { id, version, campaignVersion }, context, info) => {
        const seen = { version, campaignVersion: campaignVersion ?? null };
        return outcomeOf(context, info, () => changeAll(context, false, (inner) => approve(inner, String(id), seen)));
      },
    }),
  }));
}

/** @throws PlacardError `invalid_request` */
async function loadWaiting(
  context: ManagementContext,
  first: number,
  after: string | number | null,
): Promise<StoredRow[]> {
  if (first < 1 || first > WAITING_MAX) throw new PlacardError('invalid_request', `first must be 1 to ${WAITING_MAX}.`);
  const behind = after === null ? null : decimalIdOf('LineItem', after);
  if (after !== null && behind === null) throw new PlacardError('invalid_request', 'after is the id of a line item.');
  if (!(await asksInRequest(context))) return [];
  const page = { first, after: behind === null ? null : BigInt(behind) };
  const ids = await context.budget.read(() => listWaiting(queryableOf(context), context.principal.workspaceId, page));
  const rows = await Promise.all(ids.map((id) => loadObject(context, 'LineItem', id)));
  return rows.filter((row) => row !== null);
}

function asksInRequest(context: ManagementContext): Promise<boolean> {
  return onceInRequest(context, 'asksForApproval', () =>
    context.budget.read(() => asksForApproval(queryableOf(context), context.principal.networkId)),
  );
}

async function loadApproval(context: ManagementContext, row: StoredRow): Promise<Approval> {
  if (!(await asksInRequest(context)) || !isGuaranteed(row)) return { row, state: 'NOT_NEEDED', known: undefined };
  const campaign = await loadObject(context, 'Campaign', row['campaign_id'] as bigint);
  const known = await loaderOf<bigint, ApprovalRow | undefined>(context, 'approvals', async (ids) => {
    const found = await findApprovals(queryableOf(context), context.principal.workspaceId, ids);
    return ids.map((id) => found.get(id));
  }).load(row.id);
  const terms = termsOf(row, campaign);
  if (known?.approved_terms === terms) return { row, state: 'APPROVED', known };
  return { row, state: known?.requested_terms === terms ? 'REQUESTED' : 'MISSING', known };
}

interface Booking {
  readonly row: StoredRow;
  readonly terms: string;
  readonly campaignVersion: number;
}

/** What a member read before approving; null: any version of the campaign. */
interface SeenVersions {
  readonly version: number;
  readonly campaignVersion: number | null;
}

/** Locks a booking, and the flight that is part of its terms. */
async function requireBooking(inner: InTransaction, given: string): Promise<Booking> {
  const { workspaceId } = inner.principal;
  const id = decimalIdOf('LineItem', given);
  const row = id === null ? undefined : await lockLineItem(inner.transaction, workspaceId, BigInt(id));
  if (row === undefined) throw new PlacardError('not_found', 'There is no lineItem with this id.');
  const stored = row as unknown as StoredRow;
  if (!isGuaranteed(stored))
    throw new PlacardError(
      'conflict',
      'Only SPONSORSHIP and STANDARD line items are approved; others need no approval.',
    );
  const campaign = await holdFlight(inner.transaction, workspaceId, row.campaign_id);
  return { row: stored, terms: termsOf(stored, campaign), campaignVersion: campaign.version };
}

/** Asks for the approval of a booking. @throws PlacardError `not_found`, `conflict` where it needs none */
export async function requestApproval(inner: InTransaction, id: string): Promise<StoredRow> {
  const { row, terms } = await requireBooking(inner, id);
  const { actor, workspaceId, networkId, environment } = inner.principal;
  const at = new Date(inner.nowMs());
  await recordRequest(inner.transaction, { workspaceId, lineItemId: row.id, terms, at, by: actor });
  record(inner, 'request', row, { terms });
  const self = userOfActor(actor);
  const admins = (await listTeam(inner.transaction, networkId, 'admin')).filter((one) => one.id !== self);
  await notify(
    { db: inner.transaction, mail: inner.mail ?? null, nowMs: inner.nowMs() },
    {
      event: 'APPROVAL_REQUESTED',
      workspaceId,
      networkId,
      environment,
      object: { kind: 'lineItem', id: String(row.id), name: String(row['name']) },
      actor: await nameOf(inner, actor),
      members: admins,
    },
  );
  return row;
}

async function approve(inner: InTransaction, id: string, seen: SeenVersions): Promise<StoredRow> {
  const booking = await requireBooking(inner, id);
  const { row, terms } = booking;
  const { userId } = memberOf(inner);
  const { workspaceId, networkId, environment, actor } = inner.principal;
  requireSeen(booking, seen);
  const known = (await findApprovals(inner.transaction, workspaceId, [row.id])).get(row.id);
  await requireOther(inner, row, known);
  await recordApproval(inner.transaction, {
    workspaceId,
    lineItemId: row.id,
    terms,
    at: new Date(inner.nowMs()),
    userId,
  });
  record(inner, 'approve', row, { terms });
  const requester = userOfActor(known?.requested_by ?? null);
  const members = (await listTeam(inner.transaction, networkId)).filter((one) => one.id === requester);
  await notify(
    { db: inner.transaction, mail: inner.mail ?? null, nowMs: inner.nowMs() },
    {
      event: 'APPROVED',
      workspaceId,
      networkId,
      environment,
      object: { kind: 'lineItem', id: String(row.id), name: String(row['name']) },
      actor: await nameOf(inner, actor),
      members,
    },
  );
  return row;
}

/** @throws PlacardError `conflict` for a booking that is not as it was read: its terms are of the line item and of its campaign */
function requireSeen({ row, campaignVersion: campaignNow }: Booking, { version, campaignVersion }: SeenVersions): void {
  if (row.version !== version)
    throw new PlacardError('conflict', `The line item is at version ${row.version}, not ${version}. Read it again.`, {
      details: { currentVersion: row.version },
    });
  if (campaignVersion !== null && campaignNow !== campaignVersion)
    throw new PlacardError(
      'conflict',
      `campaignVersion: the campaign of the line item is at version ${campaignNow}, not ${campaignVersion}. Read both again.`,
      { details: { currentCampaignVersion: campaignNow } },
    );
}

function writersOf(context: ManagementContext, row: StoredRow, known: ApprovalRow | undefined): Promise<Writers> {
  const { workspaceId, networkId } = context.principal;
  const hasOwnFlight = row['starts_at'] !== null && row['ends_at'] !== null;
  const campaignId = hasOwnFlight ? null : (row['campaign_id'] as bigint);
  const of = { networkId, workspaceId, lineItemId: row.id, campaignId, since: known?.approved_at ?? null };
  return findWriters(queryableOf(context), of, known?.requested_by ?? null);
}

async function mayApprove({ row, state, known }: Approval, context: ManagementContext): Promise<boolean> {
  const { kind, permission, id } = context.principal;
  if (kind !== 'session' || permission !== 'admin' || state === 'NOT_NEEDED' || state === 'APPROVED') return false;
  const { userIds, hasUnknown } = await context.budget.read(() => writersOf(context, row, known));
  return !hasUnknown && !userIds.has(id);
}

/** @throws PlacardError `insufficient_permissions` for a member who wrote the booking or asked for its approval, and where that is unknown */
async function requireOther(inner: InTransaction, row: StoredRow, known: ApprovalRow | undefined): Promise<void> {
  const { userId } = memberOf(inner);
  const writers = await writersOf(inner, row, known);
  if (writers.userIds.has(userId))
    throw new PlacardError(
      'insufficient_permissions',
      'You booked or changed this line item, or asked for its approval; another member has to approve it.',
    );
  if (writers.hasUnknown)
    throw new PlacardError(
      'insufficient_permissions',
      'A key that no member made wrote this line item, so that nobody is known to be another member: copy it as a member, and ask for approval of the copy.',
    );
}

/** Approvals change no field of the line item: they have a kind of their own in the log. */
function record(inner: InTransaction, verb: string, row: StoredRow, after: unknown): void {
  inner.audits.push({
    by: inner.principal,
    action: `bookingApproval.${verb}`,
    objectKind: 'bookingApproval',
    objectId: String(row.id),
    after,
    more: { requestId: inner.requestId },
  });
}

async function nameOf(inner: InTransaction, actor: string): Promise<string> {
  const id = userOfActor(actor);
  if (id === null) return actor;
  const team = await listTeam(inner.transaction, inner.principal.networkId);
  return team.find((one) => one.id === id)?.name ?? actor;
}
