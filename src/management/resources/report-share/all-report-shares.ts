import { requireProof } from '../../../access/permissions/verification.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { ConnectionRef } from '../../kernel/interfaces.ts';
import { outcomeOf } from '../../kernel/outcome.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { record, requireShare, SharePayloadRef, ShareRef } from './report-share.ts';
import { changeOwner, countShares, listAllShares, type ReportShareRow } from './report-shares.sql.ts';

const PageRef = builder.connectionObject(
  {
    type: ShareRef,
    name: 'ReportShareConnection',
    interfaces: [ConnectionRef as never],
    description: 'A page of links to reports.',
  },
  { name: 'ReportShareEdge', description: 'A link to a report.' },
);

builder.queryField('allReportShares', (t) =>
  t.field({
    type: PageRef,
    description: 'The links to reports of all campaigns, newest first: those that work, or all. For admins.',
    args: {
      first: t.arg.int({ description: `Size of the page, 1…${PAGE_SIZE_MAX}; default ${PAGE_SIZE_DEFAULT}.` }),
      after: t.arg.string({ description: 'Cursor after which the page begins.' }),
      includeEnded: t.arg.boolean({ defaultValue: false, description: 'Whether revoked and expired links too.' }),
    },
    resolve: (_root, args, context) =>
      readShares(context, {
        size: args.first ?? PAGE_SIZE_DEFAULT,
        before: readCursor(args.after),
        includesEnded: args.includeEnded ?? false,
      }),
  }),
);

builder.mutationField('claimReportShare', (t) =>
  t.field({
    type: SharePayloadRef,
    nullable: true,
    description:
      'Ties a link that works to your membership: it no longer ends when the member leaves who made it. For signed-in admins.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, context, info) =>
      outcomeOf(context, info, () => changeAll(context, false, (inner) => claim(inner, String(id)))),
  }),
);

interface WantedPage {
  readonly size: number;
  readonly before: bigint | null;
  readonly includesEnded: boolean;
}

async function readShares(context: ManagementContext, { size, before, includesEnded }: WantedPage) {
  if (size < 1 || size > PAGE_SIZE_MAX)
    throw new PlacardError('invalid_request', `A page has 1 to ${PAGE_SIZE_MAX} links; ${size} were asked for.`);
  const db = queryableOf(context);
  const { workspaceId } = context.principal;
  const of = { workspaceId, workingAt: includesEnded ? null : new Date(context.nowMs()) };
  const rows = await listAllShares(db, { ...of, before, limit: size + 1 });
  const edges = rows.slice(0, size).map((node) => ({ node, cursor: String(node.id) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: rows.length > size,
      hasPreviousPage: before !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => countShares(db, of),
  };
}

function readCursor(cursor: string | null | undefined): bigint | null {
  if (cursor === null || cursor === undefined) return null;
  if (/^\d{1,18}$/.test(cursor)) return BigInt(cursor);
  throw new PlacardError('invalid_request', '`after` is not a cursor of links to reports.');
}

async function claim(inner: InTransaction, id: string): Promise<ReportShareRow> {
  const { transaction, principal } = inner;
  const found = await requireShare(inner, id);
  if (found.revoked_at !== null || found.expires_at.getTime() <= inner.nowMs())
    throw new PlacardError('conflict', 'This link has ended; make a new one.');
  if (found.shows_spend) requireProof(principal, 'reportShare.showSpend');
  await changeOwner(transaction, { workspaceId: found.workspace_id, id: found.id, ownerId: principal.id });
  const row = await requireShare(inner, id);
  record(inner, 'claim', row);
  return row;
}
