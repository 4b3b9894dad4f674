import type { ListPage } from '../../../domain/ids/list-page.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { NotificationEvent } from '../../../domain/team/notification-events.ts';
import type { Permission } from '../../../domain/tenancy/workspace.ts';
import { ROLE_PERMISSION, ROLES } from '../../../access/users/roles.ts';
import { includesPermission } from '../../../access/permissions/permissions.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import type { NotificationsTable } from '../../../storage/sql/team-schema.ts';

/** Most notifications of a member in a workspace: older ones are deleted. */
export const NOTIFICATIONS_MAX = 500;
/** Most members of a network that are told of one thing. */
const MEMBERS_MAX = 500;

/** A stored notification. */
export type NotificationRow = Selectable<NotificationsTable>;

/** One member in one workspace. */
export interface MemberScope {
  readonly workspaceId: number;
  readonly userId: string;
}

/** A member of a network, by name. */
export interface TeamMember {
  readonly id: bigint;
  readonly name: string;
  readonly email: string;
}

const TABLES = {
  campaign: 'campaigns',
  lineItem: 'line_items',
  creative: 'creatives',
  libraryCreative: 'library_creatives',
} as const;

/** The kinds of objects that members are told of. */
export type NotifiedKind = keyof typeof TABLES;

/** The name of an object of the workspace; null when there is none. */
export async function findName(
  db: Kysely<Database>,
  { workspaceId, kind, id }: { readonly workspaceId: number; readonly kind: NotifiedKind; readonly id: bigint },
): Promise<string | null> {
  const row = await db
    .selectFrom(TABLES[kind])
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.name ?? null;
}

/** The enabled members of a network by name, at most 500. @param permission only those who have it */
export async function listTeam(
  db: Kysely<Database>,
  networkId: string,
  permission: Permission = 'read-only',
): Promise<TeamMember[]> {
  const roles = ROLES.filter((role) => includesPermission(ROLE_PERMISSION[role], permission));
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.name', 'users.email'])
    .where('memberships.network_id', '=', BigInt(networkId))
    .where('memberships.role', 'in', roles)
    .where('users.disabled_at', 'is', null)
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(MEMBERS_MAX)
    .execute();
}

/** What members of a network chose, by member and event. */
export async function readChoices(
  db: Kysely<Database>,
  networkId: string,
  userIds: readonly bigint[],
): Promise<Map<string, { inApp: boolean; mail: boolean }>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('notification_choices')
    .selectAll()
    .where('network_id', '=', BigInt(networkId))
    .where('user_id', 'in', userIds)
    .execute();
  return new Map(rows.map((row) => [`${row.user_id}/${row.event}`, { inApp: row.in_app, mail: row.mail }]));
}

/** Keeps where a member wants to be told of an event. */
export async function storeChoice(
  db: Kysely<Database>,
  choice: {
    readonly networkId: string;
    readonly userId: string;
    readonly event: NotificationEvent;
    readonly inApp: boolean;
    readonly mail: boolean;
  },
): Promise<void> {
  const { networkId, userId, event, inApp, mail } = choice;
  await db
    .insertInto('notification_choices')
    .values({ network_id: networkId, user_id: userId, event, in_app: inApp, mail })
    .onConflict((conflict) => conflict.columns(['network_id', 'user_id', 'event']).doUpdateSet({ in_app: inApp, mail }))
    .execute();
}

/** Tells members inside the console, and deletes what is beyond each one's share. */
export async function insertNotifications(
  db: Kysely<Database>,
  rows: readonly {
    readonly workspaceId: number;
    readonly userId: bigint;
    readonly event: NotificationEvent;
    readonly objectKind: string;
    readonly objectId: string;
    readonly actor: string;
    readonly details: unknown;
    readonly createdAt: Date;
  }[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('notifications')
    .values(
      rows.map((row) => ({
        workspace_id: row.workspaceId,
        user_id: row.userId,
        event: row.event,
        object_kind: row.objectKind,
        object_id: row.objectId,
        actor: row.actor,
        details: JSON.stringify(row.details),
        created_at: row.createdAt,
      })),
    )
    .execute();
  const users = rows.map(({ userId }) => userId);
  await sql`DELETE FROM notifications AS old USING (
      SELECT workspace_id, id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS place FROM notifications
      WHERE workspace_id = ${rows[0]?.workspaceId ?? 0} AND user_id IN (${sql.join(users)})) AS ranked
    WHERE old.workspace_id = ranked.workspace_id AND old.id = ranked.id AND ranked.place > ${NOTIFICATIONS_MAX}`.execute(
    db,
  );
}

/** A member's notifications, newest first. */
export function listNotifications(
  db: Kysely<Database>,
  { workspaceId, userId }: MemberScope,
  { page, isUnreadOnly }: { readonly page: ListPage; readonly isUnreadOnly: boolean },
): Promise<NotificationRow[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', BigInt(userId))
    .$if(page.after !== null, (query) => query.where('id', '<', page.after))
    .$if(isUnreadOnly, (query) => query.where('read_at', 'is', null))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

/** How many a member has not read. */
export async function countUnread(db: Kysely<Database>, { workspaceId, userId }: MemberScope): Promise<number> {
  const row = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<bigint>().as('unread'))
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', BigInt(userId))
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.unread);
}

/** Marks a member's notifications up to one as read; returns how many. */
export async function markRead(
  db: Kysely<Database>,
  { workspaceId, userId }: MemberScope,
  upTo: bigint,
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ read_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', BigInt(userId))
    .where('id', '<=', upTo)
    .where('read_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
