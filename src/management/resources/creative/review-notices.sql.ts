import type { Kysely } from 'kysely';
import type { NotificationEvent } from '../../../domain/team/notification-events.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** Whether members were told of the same event by the same actor since an instant. */
export async function wereTold(
  db: Kysely<Database>,
  told: {
    readonly workspaceId: number;
    readonly userIds: readonly bigint[];
    readonly event: NotificationEvent;
    readonly actor: string;
    readonly since: Date;
  },
): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select('id')
    .where('workspace_id', '=', told.workspaceId)
    .where('user_id', 'in', told.userIds)
    .where('event', '=', told.event)
    .where('actor', '=', told.actor)
    .where('created_at', '>', told.since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
