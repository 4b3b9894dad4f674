import type { Kysely, Selectable } from 'kysely';
import { PlacardError } from '../domain/errors.ts';
import { isDecimalId } from '../domain/ids/ids.ts';
import { quotaExceeded, QUOTAS } from '../domain/tenancy/quota.ts';
import { lockCount } from '../storage/sql/count-lock.ts';
import type { SavedViewsTable } from '../storage/sql/report-schema.ts';
import type { Database } from '../storage/sql/schema.ts';

/** A view is an address of the Lens or of a table of the desk; a dashboard is a list of widgets. */
export type SavedKind = 'view' | 'dashboard';

/** Of one person in one workspace. */
export const SAVED_VIEWS_MAX = 500;

/** A saved view or dashboard as a member sees it. */
export interface SavedView {
  readonly id: string;
  readonly kind: SavedKind;
  readonly name: string;
  readonly shared: boolean;
  /** The console's own data, validated by the routes. */
  readonly body: unknown;
  readonly version: number;
  readonly updatedAt: Date;
  /** Who wrote it is the one who reads it: only then it may be changed. */
  readonly own: boolean;
  readonly ownerName: string;
}

/** Whose views, and where. */
export interface SavedViewScope {
  readonly workspaceId: number;
  /** Decimal id of the signed-in person. */
  readonly userId: string;
}

/** The fields that a person sets. */
export interface SavedViewInput {
  readonly kind: SavedKind;
  readonly name: string;
  readonly shared: boolean;
  readonly body: unknown;
}

/** Whether the network of these views is suspended: then nothing in it can be changed. */
export async function isSuspended(sql: Kysely<Database>, { workspaceId }: SavedViewScope): Promise<boolean> {
  const row = await sql
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select('networks.status')
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst();
  return row?.status === 'SUSPENDED';
}

/** One's own views and everybody's shared ones, by name; at most 2,000. */
export async function listSavedViews(sql: Kysely<Database>, scope: SavedViewScope): Promise<SavedView[]> {
  const rows = await select(sql, scope).orderBy('saved_views.name').orderBy('saved_views.id').limit(2_000).execute();
  return rows.map((row) => toView(row, scope));
}

/** One view that the person may read; null when there is none. */
export async function findSavedView(
  sql: Kysely<Database>,
  scope: SavedViewScope,
  id: string,
): Promise<SavedView | null> {
  if (!isDecimalId(id)) return null;
  const row = await select(sql, scope).where('saved_views.id', '=', BigInt(id)).executeTakeFirst();
  return row === undefined ? null : toView(row, scope);
}

/** Keeps a new view. @throws PlacardError `conflict` past 500 of one person; `quota_exceeded` past 5,000 of the workspace */
export async function insertSavedView(
  sql: Kysely<Database>,
  scope: SavedViewScope,
  input: SavedViewInput,
  now: Date,
): Promise<SavedView> {
  const id = await sql.transaction().execute(async (trx) => {
    await lockCount(trx, `saved views in ${scope.workspaceId}`);
    const counted = await trx
      .selectFrom('saved_views')
      .select(({ fn }) => [
        fn.countAll<bigint>().filterWhere('owner_user_id', '=', BigInt(scope.userId)).as('views'),
        fn.countAll<bigint>().as('all'),
      ])
      .where('workspace_id', '=', scope.workspaceId)
      .executeTakeFirstOrThrow();
    const use = { used: Number(counted.all), limit: QUOTAS.savedViews.fixed };
    if (use.used >= use.limit) throw quotaExceeded('savedViews', use, 'Delete some first.');
    if (Number(counted.views) >= SAVED_VIEWS_MAX)
      throw new PlacardError('conflict', `You have ${SAVED_VIEWS_MAX} saved views; delete some first.`);
    const row = await trx
      .insertInto('saved_views')
      .values({
        workspace_id: scope.workspaceId,
        owner_user_id: scope.userId,
        kind: input.kind,
        name: input.name,
        shared: input.shared,
        body: JSON.stringify(input.body),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return String(row.id);
  });
  return required(await findSavedView(sql, scope, id));
}

/**
 * Changes one's own view.
 *
 * @throws PlacardError `not_found` (also for somebody else's); `validation_failed` for another kind; `conflict` when it was changed since `version`
 */
export async function updateSavedView(
  sql: Kysely<Database>,
  scope: SavedViewScope,
  change: SavedViewInput & { readonly id: string; readonly version: number },
  now: Date,
): Promise<SavedView> {
  const present = await findSavedView(sql, scope, change.id);
  if (present === null || !present.own) throw new PlacardError('not_found', 'There is no such saved view of yours.');
  if (present.kind !== change.kind) {
    const message = `This is a ${present.kind}, and stays one.`;
    throw new PlacardError('validation_failed', message, {
      fields: [{ path: 'kind', code: 'cannot_change', message }],
    });
  }
  const result = await sql
    .updateTable('saved_views')
    .set((eb) => ({
      name: change.name,
      shared: change.shared,
      body: JSON.stringify(change.body),
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', BigInt(change.id))
    .where('owner_user_id', '=', BigInt(scope.userId))
    .where('version', '=', change.version)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n)
    throw new PlacardError('conflict', 'This view was changed meanwhile; open it again.');
  return required(await findSavedView(sql, scope, change.id));
}

/** Deletes one's own view. @throws PlacardError `not_found` (also for somebody else's) */
export async function deleteSavedView(sql: Kysely<Database>, scope: SavedViewScope, id: string): Promise<void> {
  if (!isDecimalId(id)) throw new PlacardError('not_found', 'There is no such saved view of yours.');
  const result = await sql
    .deleteFrom('saved_views')
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', BigInt(id))
    .where('owner_user_id', '=', BigInt(scope.userId))
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) throw new PlacardError('not_found', 'There is no such saved view of yours.');
}

function select(sql: Kysely<Database>, scope: SavedViewScope) {
  return sql
    .selectFrom('saved_views')
    .innerJoin('users', 'users.id', 'saved_views.owner_user_id')
    .selectAll('saved_views')
    .select('users.name as owner_name')
    .where('saved_views.workspace_id', '=', scope.workspaceId)
    .where((eb) =>
      eb.or([eb('saved_views.shared', '=', true), eb('saved_views.owner_user_id', '=', BigInt(scope.userId))]),
    );
}

function required(view: SavedView | null): SavedView {
  if (view === null) throw new PlacardError('not_found', 'There is no such saved view.');
  return view;
}

function toView(row: Selectable<SavedViewsTable> & { owner_name: string }, scope: SavedViewScope): SavedView {
  return {
    id: String(row.id),
    kind: row.kind,
    name: row.name,
    shared: row.shared,
    body: row.body,
    version: row.version,
    updatedAt: row.updated_at,
    own: String(row.owner_user_id) === scope.userId,
    ownerName: row.owner_name,
  };
}
