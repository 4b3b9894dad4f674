import type { Kysely } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import type { ListPage } from '../../../domain/ids/list-page.ts';
import type { DiscussedKind } from '../../../storage/sql/team-schema.ts';

/** The object that members discuss. */
export interface Discussed {
  readonly workspaceId: number;
  readonly kind: DiscussedKind;
  readonly id: bigint;
}

/** A comment with the name of its author. */
export interface CommentRow {
  readonly id: bigint;
  readonly object_kind: DiscussedKind;
  readonly object_id: bigint;
  readonly author_user_id: bigint;
  readonly author_name: string;
  readonly body: string;
  readonly mentioned_user_ids: readonly bigint[];
  readonly created_at: Date;
}

/** A page of the comments on an object that are not deleted, newest first. */
export function listComments(db: Kysely<Database>, of: Discussed, { limit, after }: ListPage): Promise<CommentRow[]> {
  return select(db, of.workspaceId)
    .where('comments.object_kind', '=', of.kind)
    .where('comments.object_id', '=', of.id)
    .$if(after !== null, (query) => query.where('comments.id', '<', after))
    .orderBy('comments.id', 'desc')
    .limit(limit)
    .execute();
}

/** One comment that is not deleted. */
export function findComment(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<CommentRow | undefined> {
  return select(db, workspaceId).where('comments.id', '=', id).executeTakeFirst();
}

function select(db: Kysely<Database>, workspaceId: number) {
  return db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.author_user_id')
    .select([
      'comments.id',
      'comments.object_kind',
      'comments.object_id',
      'comments.author_user_id',
      'comments.body',
      'comments.mentioned_user_ids',
      'comments.created_at',
      'users.name as author_name',
    ])
    .where('comments.workspace_id', '=', workspaceId)
    .where('comments.deleted_at', 'is', null);
}

/** How many comments an object has, deleted ones included. */
export async function countComments(db: Kysely<Database>, of: Discussed): Promise<number> {
  const row = await db
    .selectFrom('comments')
    .select(({ fn }) => fn.countAll<bigint>().as('comments'))
    .where('workspace_id', '=', of.workspaceId)
    .where('object_kind', '=', of.kind)
    .where('object_id', '=', of.id)
    .executeTakeFirstOrThrow();
  return Number(row.comments);
}

/** Keeps a comment; returns its id. */
export async function insertComment(
  db: Kysely<Database>,
  of: Discussed,
  comment: {
    readonly authorUserId: string;
    readonly body: string;
    readonly mentionedUserIds: readonly bigint[];
    readonly createdAt: Date;
  },
): Promise<bigint> {
  const row = await db
    .insertInto('comments')
    .values({
      workspace_id: of.workspaceId,
      object_kind: of.kind,
      object_id: of.id,
      author_user_id: comment.authorUserId,
      body: comment.body,
      mentioned_user_ids: [...comment.mentionedUserIds],
      created_at: comment.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Deletes a comment's text for everybody. */
export async function deleteComment(db: Kysely<Database>, workspaceId: number, id: bigint, now: Date): Promise<void> {
  await db
    .updateTable('comments')
    .set({ deleted_at: now, body: '' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
