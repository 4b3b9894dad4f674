import { PlacardError, type FieldProblem } from '../../../domain/errors.ts';
import { decimalIdOf, plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { COMMENT_LENGTH_MAX } from '../../../domain/team/comments.ts';
import { includesPermission } from '../../../access/permissions/permissions.ts';
import type { DiscussedKind } from '../../../storage/sql/team-schema.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { report } from '../../kernel/field.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { AFTER_TEXT, firstText, readListPage } from '../../../domain/ids/list-page.ts';
import { checkText } from '../../kernel/scalar-fields.ts';
import { type Outcome, outcomeOf } from '../../kernel/outcome.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { notify } from '../notification/notify.ts';
import { memberOf } from '../notification/notifications.ts';
import { findName, listTeam } from '../notification/notifications.sql.ts';
import {
  type CommentRow,
  countComments,
  deleteComment,
  type Discussed,
  findComment,
  insertComment,
  listComments,
} from './comments.sql.ts';

const MENTIONS_MAX = 20;
const COMMENTS_MAX = 2_000;

const TYPES: Readonly<Record<DiscussedKind, string>> = { campaign: 'Campaign', lineItem: 'LineItem' };

const KindRef = builder.enumType('DiscussedKind', {
  description: 'The kinds of objects that members discuss.',
  values: {
    CAMPAIGN: { value: 'campaign', description: 'A campaign.' },
    LINE_ITEM: { value: 'lineItem', description: 'A line item.' },
  } as const,
});

const CommentRef = builder.objectRef<CommentRow>('Comment').implement({
  description: 'What a member says about an object.',
  fields: (t) => ({
    id: t.id({ description: 'Its id.', resolve: ({ id }) => String(id) }),
    objectKind: t.field({ type: KindRef, description: 'Kind of the object.', resolve: (one) => one.object_kind }),
    objectId: t.id({ description: 'Id of the object.', resolve: ({ object_id }) => String(object_id) }),
    authorId: t.id({ description: 'Account of its author.', resolve: (one) => String(one.author_user_id) }),
    authorName: t.exposeString('author_name', { description: 'Name of its author.' }),
    body: t.exposeString('body', { description: 'Plain text.' }),
    mentionedIds: t.idList({
      description: 'Accounts of the members whom it mentions.',
      resolve: ({ mentioned_user_ids }) => mentioned_user_ids.map(String),
    }),
    createdAt: t.field({ type: 'DateTime', description: 'When.', resolve: ({ created_at }) => created_at }),
  }),
});

const CommentPayloadRef = builder.objectRef<Outcome<CommentRow>>('CommentPayload').implement({
  description: 'The result of a change of a comment.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    comment: t.field({
      type: CommentRef,
      nullable: true,
      description: 'The comment, as it is or was.',
      resolve: ({ object }) => object,
    }),
  }),
});

builder.queryField('comments', (t) =>
  t.field({
    type: [CommentRef],
    description: 'The comments on an object, newest first.',
    args: {
      objectKind: t.arg({ type: KindRef, required: true, description: 'Kind of the object.' }),
      objectId: t.arg.id({ required: true, description: 'Id of the object.' }),
      first: t.arg.int({ description: firstText(PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT) }),
      after: t.arg.id({ description: AFTER_TEXT }),
    },
    resolve: async (_root, { objectKind, objectId, ...given }, context) => {
      const page = readListPage('Comment', given, { sizeMax: PAGE_SIZE_MAX, usual: PAGE_SIZE_DEFAULT });
      const { of } = await requireObject(context, objectKind, String(objectId));
      return listComments(queryableOf(context), of, page);
    },
  }),
);

builder.mutationFields((t) => ({
  addComment: t.field({
    type: CommentPayloadRef,
    nullable: true,
    description:
      'Says something about an object. The members whom it mentions, and those who commented before, are told.',
    args: {
      objectKind: t.arg({ type: KindRef, required: true, description: 'Kind of the object.' }),
      objectId: t.arg.id({ required: true, description: 'Id of the object.' }),
      body: t.arg.string({ required: true, description: `Plain text, 1…${COMMENT_LENGTH_MAX} characters.` }),
      mentionedIds: t.arg.idList({
        description: `Accounts of members of the network whom it mentions, at most ${MENTIONS_MAX}.`,
      }),
    },
    resolve: (_root, args, context, info) =>
      outcomeOf(context, info, () =>
        changeAll(context, false, (inner) =>
          addComment(inner, {
            kind: args.objectKind,
            objectId: String(args.objectId),
            body: args.body,
            mentionedIds: [...new Set((args.mentionedIds ?? []).map((id) => plainIdOf('User', id)))],
          }),
        ),
      ),
  }),
  deleteComment: t.field({
    type: CommentPayloadRef,
    nullable: true,
    description: "Deletes a comment: one's own, or as an admin anybody's. Returns it as it was.",
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, context, info) =>
      outcomeOf(context, info, () => changeAll(context, false, (inner) => removeComment(inner, String(id)))),
  }),
}));

interface NewComment {
  readonly kind: DiscussedKind;
  readonly objectId: string;
  readonly body: string;
  readonly mentionedIds: readonly string[];
}

async function addComment(inner: InTransaction, given: NewComment): Promise<CommentRow | null> {
  const { transaction, principal } = inner;
  const author = memberOf(inner);
  const { of, name } = await requireObject(inner, given.kind, given.objectId);
  const problems: FieldProblem[] = [];
  const body = given.body.replaceAll('\r\n', '\n').trim();
  // A text of several lines: each character but the line break is checked.
  checkText(body.replaceAll('\n', ' '), 'body', { lengthMax: COMMENT_LENGTH_MAX }, problems);
  const team = await listTeam(transaction, principal.networkId);
  const mentioned = team.filter(({ id }) => given.mentionedIds.includes(String(id)));
  if (given.mentionedIds.length > MENTIONS_MAX)
    report(problems, 'mentionedIds', 'too_many', `Mention at most ${MENTIONS_MAX} members.`);
  if (mentioned.length < given.mentionedIds.length)
    report(problems, 'mentionedIds', 'unknown', 'Mention members of the network only; `colleagues` lists them.');
  if (problems.length > 0) throw validationFailed(problems);
  if ((await countComments(transaction, of)) >= COMMENTS_MAX)
    throw new PlacardError('conflict', `An object has at most ${COMMENTS_MAX} comments.`);
  const before = await listComments(transaction, of, { limit: PAGE_SIZE_MAX, after: null });
  const now = new Date(inner.nowMs());
  const mentionedUserIds = mentioned.map(({ id }) => id);
  const id = await insertComment(transaction, of, {
    authorUserId: author.userId,
    body,
    mentionedUserIds,
    createdAt: now,
  });
  recordComment(inner, 'create', id, { after: { objectKind: of.kind, objectId: String(of.id) } });
  const { workspaceId, networkId, environment } = principal;
  const object = { kind: of.kind, id: String(of.id), name };
  const actor = team.find((one) => String(one.id) === author.userId)?.name ?? 'A member';
  const told = { workspaceId, networkId, environment, object, actor, details: { commentId: String(id) } };
  const isOther = (userId: bigint): boolean => String(userId) !== author.userId;
  const deps = { db: transaction, mail: inner.mail ?? null, nowMs: inner.nowMs() };
  await notify(deps, { ...told, event: 'MENTIONED', members: mentioned.filter((one) => isOther(one.id)) });
  const talked = new Set(before.map((one) => one.author_user_id));
  const others = team.filter((one) => talked.has(one.id) && isOther(one.id) && !mentionedUserIds.includes(one.id));
  await notify(deps, { ...told, event: 'COMMENTED', members: others });
  return (await findComment(transaction, of.workspaceId, id)) ?? null;
}

async function removeComment(inner: InTransaction, id: string): Promise<CommentRow> {
  const { userId, workspaceId } = memberOf(inner);
  const found = isDecimalId(id) ? await findComment(inner.transaction, workspaceId, BigInt(id)) : undefined;
  if (found === undefined) throw new PlacardError('not_found', 'There is no such comment.');
  if (String(found.author_user_id) !== userId && !includesPermission(inner.principal.permission, 'admin'))
    throw new PlacardError('insufficient_permissions', 'Only its author or an admin deletes a comment.');
  await deleteComment(inner.transaction, workspaceId, found.id, new Date(inner.nowMs()));
  const before = { objectKind: found.object_kind, objectId: String(found.object_id) };
  recordComment(inner, 'delete', found.id, { before });
  return found;
}

/** Comments are in the audit log, and so in the activity of the network. Their texts are not: a deleted one must not stay there. */
function recordComment(inner: InTransaction, verb: string, id: bigint, values: { before?: unknown; after?: unknown }) {
  inner.audits.push({
    by: inner.principal,
    action: `comment.${verb}`,
    objectKind: 'comment',
    objectId: String(id),
    ...values,
    more: { requestId: inner.requestId },
  });
}

async function requireObject(
  context: ManagementContext,
  kind: DiscussedKind,
  given: string,
): Promise<{ of: Discussed; name: string }> {
  const { workspaceId } = context.principal;
  const of = { workspaceId, kind, id: BigInt(decimalIdOf(TYPES[kind], given) ?? '0') };
  const name = await findName(queryableOf(context), of);
  if (name === null) throw new PlacardError('not_found', `There is no ${kind} with this id.`);
  return { of, name };
}
