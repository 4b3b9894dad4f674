import { requireProof } from '../../../access/permissions/verification.ts';
import { findMemberBehind } from '../../../access/users/member-behind.sql.ts';
import { PlacardError, type FieldProblem } from '../../../domain/errors.ts';
import { decimalIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { digestOfShare, newShareToken, SHARE_DAYS_MAX, sharePath } from '../../../domain/reporting/share-link.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { loadObject } from '../../kernel/loaders.ts';
import { checkNumber, checkText } from '../../kernel/scalar-fields.ts';
import { type Outcome, outcomeOf } from '../../kernel/outcome.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { countShares, endShare, insertShare, listShares, lockShare, type ReportShareRow } from './report-shares.sql.ts';

const DAY_MS = 86_400_000;
const SHARES_SHOWN = 100;
/** Links of a workspace that work at the same time. */
const SHARES_MAX = 1_000;

/** A link to a report. */
export const ShareRef = builder.objectRef<ReportShareRow>('ReportShare').implement({
  description: 'A link by which somebody without an account reads the report of one campaign, and nothing else.',
  fields: (t) => ({
    id: t.id({ description: 'Its id.', resolve: ({ id }) => String(id) }),
    campaignId: t.id({ description: 'The campaign.', resolve: ({ campaign_id }) => String(campaign_id) }),
    campaignName: t.exposeString('campaign_name', { description: 'Name of the campaign.' }),
    name: t.exposeString('name', { description: 'For whom it is.' }),
    showsSpend: t.boolean({ description: 'Whether it shows money.', resolve: ({ shows_spend }) => shows_spend }),
    createdBy: t.exposeString('created_by', { description: 'Who made it.' }),
    ownerId: t.id({
      nullable: true,
      description:
        'The user with whose membership it ends: who made it, who made the key that made it, or who took it over. Null: nobody; it ends when it expires or is revoked.',
      resolve: ({ owner_id: ownerId }) => (ownerId === null ? null : String(ownerId)),
    }),
    ownerName: t.exposeString('owner_name', { nullable: true, description: 'Name of that user.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When.', resolve: ({ created_at }) => created_at }),
    expiresAt: t.field({ type: 'DateTime', description: 'Until when it works.', resolve: (one) => one.expires_at }),
    revokedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null: it was not.',
      resolve: ({ revoked_at }) => revoked_at,
    }),
    opened: t.exposeInt('opened', { description: 'How often it was opened.' }),
    lastOpenedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last opened.',
      resolve: ({ last_opened_at }) => last_opened_at,
    }),
  }),
});

interface NewShare {
  readonly share: ReportShareRow;
  readonly url: string;
}

const NewShareRef = builder.objectRef<Outcome<NewShare>>('NewReportShare').implement({
  description: 'A new link. Its address holds the secret and is shown once.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    share: t.field({
      type: ShareRef,
      nullable: true,
      description: 'The link.',
      resolve: ({ object }) => object?.share ?? null,
    }),
    url: t.string({
      nullable: true,
      description: 'The path of the page, below the address of the console. It is shown once, here.',
      resolve: ({ object }) => object?.url ?? null,
    }),
  }),
});

/** A link that was changed. */
export const SharePayloadRef = builder.objectRef<Outcome<ReportShareRow>>('ReportSharePayload').implement({
  description: 'The result of changing a link.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    share: t.field({ type: ShareRef, nullable: true, description: 'The link.', resolve: ({ object }) => object }),
  }),
});

builder.queryField('reportShares', (t) =>
  t.field({
    type: [ShareRef],
    description: `The links to the report of a campaign, newest first, at most ${SHARES_SHOWN}.`,
    args: { campaignId: t.arg.id({ required: true, description: 'The campaign.' }) },
    resolve: (_root, { campaignId }, context) => {
      const id = decimalIdOf('Campaign', campaignId);
      const { workspaceId } = context.principal;
      if (id === null) return [];
      return listShares(queryableOf(context), { workspaceId, campaignId: BigInt(id), limit: SHARES_SHOWN });
    },
  }),
);

builder.mutationFields((t) => ({
  shareCampaignReport: t.field({
    type: NewShareRef,
    nullable: true,
    description:
      'Makes a link by which anybody who has it reads the report of a campaign until it expires. Takes no Idempotency-Key.',
    args: {
      campaignId: t.arg.id({ required: true, description: 'The campaign.' }),
      name: t.arg.string({ required: true, description: 'For whom it is, 1…200 characters.' }),
      days: t.arg.int({ defaultValue: 30, description: `How long it works, 1…${SHARE_DAYS_MAX} days; default 30.` }),
      showsSpend: t.arg.boolean({ defaultValue: false, description: 'Whether it shows money; default false.' }),
    },
    resolve: (_root, args, context, info) =>
      outcomeOf(context, info, () =>
        changeAll(context, false, (inner) =>
          share(inner, {
            campaignId: String(args.campaignId),
            name: args.name,
            days: args.days ?? 30,
            showsSpend: args.showsSpend ?? false,
          }),
        ),
      ),
  }),
  revokeReportShare: t.field({
    type: SharePayloadRef,
    nullable: true,
    description: 'Makes a link useless at once.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, context, info) =>
      outcomeOf(context, info, () => changeAll(context, false, (inner) => revoke(inner, String(id)))),
  }),
}));

interface Sharing {
  readonly campaignId: string;
  readonly name: string;
  readonly days: number;
  readonly showsSpend: boolean;
}

async function share(inner: InTransaction, given: Sharing): Promise<NewShare> {
  const { workspaceId, networkId, actor } = inner.principal;
  const campaign = await findCampaign(inner, given.campaignId);
  const problems: FieldProblem[] = [];
  const name = checkText(given.name, 'name', { lengthMax: 200 }, problems);
  const days = checkNumber(given.days, 'days', { min: 1, max: SHARE_DAYS_MAX }, problems);
  if (problems.length > 0) throw validationFailed(problems);
  if (given.showsSpend) requireProof(inner.principal, 'reportShare.showSpend');
  const createdAt = new Date(inner.nowMs());
  if ((await countShares(inner.transaction, { workspaceId, workingAt: createdAt })) >= SHARES_MAX)
    throw new PlacardError('conflict', `${SHARES_MAX} links work already; revoke some first.`);
  const token = newShareToken();
  const row = await insertShare(inner.transaction, {
    workspaceId,
    campaignId: campaign.id,
    digest: digestOfShare(token),
    name,
    showsSpend: given.showsSpend,
    createdBy: actor,
    ownerId: await findMemberBehind(inner.transaction, { actor, networkId }),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + days * DAY_MS),
  });
  record(inner, 'create', row);
  return { share: row, url: sharePath(token) };
}

async function revoke(inner: InTransaction, id: string): Promise<ReportShareRow> {
  const found = await requireShare(inner, id);
  const now = new Date(inner.nowMs());
  await endShare(inner.transaction, { workspaceId: found.workspace_id, id: found.id, now });
  const row = { ...found, revoked_at: found.revoked_at ?? now };
  record(inner, 'revoke', row);
  return row;
}

/** A link of the workspace, locked. @throws PlacardError `not_found` */
export async function requireShare({ transaction, principal }: InTransaction, id: string): Promise<ReportShareRow> {
  const { workspaceId } = principal;
  const row = isDecimalId(id) ? await lockShare(transaction, { workspaceId, id: BigInt(id) }) : undefined;
  if (row === undefined) throw new PlacardError('not_found', 'There is no such link.');
  return row;
}

async function findCampaign(context: ManagementContext, given: string): Promise<{ readonly id: bigint }> {
  const id = decimalIdOf('Campaign', given);
  const row = id === null ? null : await loadObject(context, 'Campaign', BigInt(id));
  if (row === null) throw new PlacardError('not_found', 'There is no campaign with this id.');
  return row;
}

/** Adds an entry to the audit log, which never holds the secret. */
export function record(inner: InTransaction, verb: string, row: ReportShareRow): void {
  inner.audits.push({
    by: inner.principal,
    action: `reportShare.${verb}`,
    objectKind: 'reportShare',
    objectId: String(row.id),
    after: {
      campaignId: String(row.campaign_id),
      name: row.name,
      showsSpend: row.shows_spend,
      expiresAt: row.expires_at.toISOString(),
      revokedAt: row.revoked_at?.toISOString() ?? null,
      ownerId: row.owner_id === null ? null : String(row.owner_id),
    },
    more: { requestId: inner.requestId },
  });
}
