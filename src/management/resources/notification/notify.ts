import type { Kysely } from 'kysely';
import { NOTIFICATION_EVENTS, type NotificationEvent } from '../../../domain/team/notification-events.ts';
import { pathPrefix, type Environment } from '../../../domain/tenancy/workspace.ts';
import type { MailQueue } from '../../../mail/mail-queue.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { insertNotifications, type NotifiedKind, readChoices, type TeamMember } from './notifications.sql.ts';

/** Where notifications are written, and by whom they are mailed. */
export interface NotifyDeps {
  /** The transaction of the event. */
  readonly db: Kysely<Database>;
  /** Null: no mail is sent. */
  readonly mail: MailQueue | null;
  readonly nowMs: number;
}

/** The pages of objects, by kind. The table of creatives shows one beside it, and those of line items that follow one of the library. */
const PAGES = {
  campaign: ({ id }) => `campaigns/${id}?`,
  lineItem: ({ id }) => `line-items/${id}?`,
  creative: ({ id }) => `creatives?open=${id}&`,
  libraryCreative: ({ name }) => `creatives?q=${encodeURIComponent(name)}&`,
} as const satisfies Readonly<Record<NotifiedKind, (object: { readonly id: string; readonly name: string }) => string>>;

/** One thing that happened, and the members who may want to know. */
export interface Told {
  readonly event: NotificationEvent;
  readonly workspaceId: number;
  readonly networkId: string;
  readonly environment: Environment;
  readonly object: { readonly kind: NotifiedKind; readonly id: string; readonly name: string };
  /** Who did it, by name. */
  readonly actor: string;
  readonly members: readonly TeamMember[];
  /** What the console may show of it. Mail says how many objects there are, and the reason. */
  readonly details?: Readonly<Record<string, unknown>> & { readonly count?: number; readonly reason?: string };
}

/**
 * Tells each member where they chose to be told, in the transaction of the event. Mail stays within the limits of its kind: a
 * notification beyond them is in the console only.
 */
export async function notify({ db, mail, nowMs }: NotifyDeps, told: Told): Promise<void> {
  const { event, workspaceId, networkId, object, actor, members, details = {} } = told;
  const choices = await readChoices(
    db,
    networkId,
    members.map(({ id }) => id),
  );
  const choiceOf = ({ id }: TeamMember) => choices.get(`${id}/${event}`) ?? NOTIFICATION_EVENTS[event];
  const now = new Date(nowMs);
  const inApp = members.filter((member) => choiceOf(member).inApp);
  const row = { workspaceId, event, objectKind: object.kind, objectId: object.id, actor, createdAt: now };
  await insertNotifications(
    db,
    inApp.map(({ id }) => ({ ...row, userId: id, details: { ...details, name: object.name } })),
  );
  if (mail === null) return;
  const link = `${mail.publicUrl}${pathPrefix(told.environment)}/desk/${PAGES[object.kind](object)}network=${networkId}`;
  for (const member of members.filter((one) => choiceOf(one).mail)) {
    const { count = 1, reason = '' } = details;
    const content = { kind: 'notification', event, name: object.name, actor, count, reason, networkId, link } as const;
    await mail.queueWithinLimits(
      db,
      { to: member.email, networkId, about: `${object.kind}:${object.id}`, content },
      now,
    );
  }
}
