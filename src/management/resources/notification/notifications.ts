import {
  NOTIFICATION_EVENT_NAMES,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
} from '../../../domain/team/notification-events.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { AFTER_TEXT, firstText, readListPage } from '../../../domain/ids/list-page.ts';
import { type Outcome, outcomeOf } from '../../kernel/outcome.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import {
  countUnread,
  storeChoice,
  listNotifications,
  listTeam,
  markRead,
  type MemberScope,
  type NotificationRow,
  readChoices,
  type TeamMember,
} from './notifications.sql.ts';

const EventRef = builder.enumType('NotificationEvent', {
  description: 'What a member can be told of.',
  values: Object.fromEntries(
    Object.entries(NOTIFICATION_EVENTS).map(([name, { description }]) => [name, { value: name, description }]),
  ) as Record<NotificationEvent, { value: NotificationEvent; description: string }>,
});

/** A member as other members see them. */
export const TeamMemberRef = builder.objectRef<TeamMember>('TeamMember').implement({
  description: 'A member of the network, as other members see them.',
  fields: (t) => ({
    id: t.id({ description: 'Id of the account.', resolve: ({ id }) => String(id) }),
    name: t.exposeString('name', { description: 'Name.' }),
    email: t.exposeString('email', { description: 'E-mail address, as `owner` of an object has it.' }),
  }),
});

const NotificationRef = builder.objectRef<NotificationRow>('Notification').implement({
  description: 'What the signed-in member is told.',
  fields: (t) => ({
    id: t.id({ description: 'Its id; later ones have higher ids.', resolve: ({ id }) => String(id) }),
    event: t.field({ type: EventRef, description: 'What happened.', resolve: (one) => one.event as NotificationEvent }),
    objectKind: t.exposeString('object_kind', {
      description: 'Kind of the object: `campaign`, `lineItem`, `creative` or `libraryCreative`.',
    }),
    objectId: t.id({ description: 'Id of the object.', resolve: ({ object_id }) => String(object_id) }),
    objectName: t.string({
      description: 'Name of the object at that time.',
      resolve: ({ details }) => (typeof details['name'] === 'string' ? details['name'] : ''),
    }),
    actor: t.exposeString('actor', { description: 'Who did it, by name.' }),
    details: t.field({ type: 'JSON', description: 'Further facts, by event.', resolve: ({ details }) => details }),
    createdAt: t.field({ type: 'DateTime', description: 'When.', resolve: ({ created_at }) => created_at }),
    isRead: t.boolean({ description: 'Whether the member has read it.', resolve: ({ read_at }) => read_at !== null }),
  }),
});

interface Choice {
  readonly event: NotificationEvent;
  readonly inApp: boolean;
  readonly mail: boolean;
}

const ChoiceRef = builder.objectRef<Choice>('NotificationChoice').implement({
  description: 'Where the signed-in member is told of an event in this network.',
  fields: (t) => ({
    event: t.field({ type: EventRef, description: 'The event.', resolve: ({ event }) => event }),
    inApp: t.exposeBoolean('inApp', { description: 'In the console.' }),
    mail: t.exposeBoolean('mail', { description: 'By mail.' }),
  }),
});

const ChoiceInput = builder.inputType('NotificationChoiceInput', {
  description: 'Where to be told of an event.',
  fields: (t) => ({
    event: t.field({ type: EventRef, required: true, description: 'The event.' }),
    inApp: t.boolean({ required: true, description: 'In the console.' }),
    mail: t.boolean({ required: true, description: 'By mail.' }),
  }),
});

/** The signed-in member. @throws PlacardError `insufficient_permissions` for keys, which are nobody */
export function memberOf({ principal }: ManagementContext): MemberScope {
  if (principal.kind !== 'session')
    throw new PlacardError('insufficient_permissions', 'Only a signed-in member can do this; a key is nobody.');
  return { workspaceId: principal.workspaceId, userId: principal.id };
}

builder.queryFields((t) => ({
  colleagues: t.field({
    type: [TeamMemberRef],
    description: 'The members of the network by name, at most 500: whom a comment can mention.',
    resolve: (_root, _args, context) => listTeam(queryableOf(context), context.principal.networkId),
  }),
  notifications: t.field({
    type: [NotificationRef],
    description: 'What the signed-in member was told, newest first. The last 500 are kept.',
    args: {
      first: t.arg.int({ description: firstText(PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT) }),
      after: t.arg.id({ description: AFTER_TEXT }),
      unreadOnly: t.arg.boolean({ defaultValue: false, description: 'Only those that are not read.' }),
    },
    resolve: (_root, { unreadOnly, ...given }, context) => {
      const page = readListPage('Notification', given, { sizeMax: PAGE_SIZE_MAX, usual: PAGE_SIZE_DEFAULT });
      return listNotifications(queryableOf(context), memberOf(context), { page, isUnreadOnly: unreadOnly ?? false });
    },
  }),
  unreadNotifications: t.int({
    description: 'How many notifications the signed-in member has not read.',
    resolve: (_root, _args, context) => countUnread(queryableOf(context), memberOf(context)),
  }),
  notificationChoices: t.field({
    type: [ChoiceRef],
    description: 'Where the signed-in member is told of each event in this network.',
    resolve: (_root, _args, context) => loadChoices(context),
  }),
}));

async function loadChoices(context: ManagementContext): Promise<Choice[]> {
  const { userId } = memberOf(context);
  const chosen = await readChoices(queryableOf(context), context.principal.networkId, [BigInt(userId)]);
  return NOTIFICATION_EVENT_NAMES.map((event) => {
    const { inApp, mail } = chosen.get(`${userId}/${event}`) ?? NOTIFICATION_EVENTS[event];
    return { event, inApp, mail };
  });
}

const ReadPayloadRef = builder.objectRef<Outcome<number>>('MarkNotificationsReadPayload').implement({
  description: 'The result of reading notifications.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    readCount: t.int({
      nullable: true,
      description: 'How many became read.',
      resolve: ({ object }) => object,
    }),
  }),
});

const ChoicesPayloadRef = builder.objectRef<Outcome<Choice[]>>('ChooseNotificationsPayload').implement({
  description: 'The result of choosing where one is told of events.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    choices: t.field({
      type: [ChoiceRef],
      nullable: true,
      description: 'The choices for all events.',
      resolve: ({ object }) => object,
    }),
  }),
});

builder.mutationFields((t) => ({
  markNotificationsRead: t.field({
    type: ReadPayloadRef,
    nullable: true,
    description: 'Marks the notifications of the signed-in member up to one as read.',
    args: { upTo: t.arg.id({ required: true, description: 'The id of the newest one that was seen.' }) },
    resolve: (_root, { upTo }, context, info) =>
      outcomeOf(context, info, () => {
        const id = String(upTo);
        if (!/^\d{1,18}$/.test(id)) throw new PlacardError('invalid_request', '`upTo` is not an id of a notification.');
        return changeAll(context, false, (inner) =>
          markRead(inner.transaction, memberOf(inner), BigInt(id), new Date(inner.nowMs())),
        );
      }),
  }),
  chooseNotifications: t.field({
    type: ChoicesPayloadRef,
    nullable: true,
    description:
      'Changes where the signed-in member is told of events in this network; events that are not given stay.',
    args: { choices: t.arg({ type: [ChoiceInput], required: true, description: 'At most one for each event.' }) },
    resolve: (_root, { choices }, context, info) =>
      outcomeOf(context, info, () =>
        changeAll(context, false, async (inner) => {
          const { userId } = memberOf(inner);
          const { networkId } = inner.principal;
          if (choices.length > NOTIFICATION_EVENT_NAMES.length)
            throw new PlacardError('invalid_request', 'Give each event once.');
          for (const { event, inApp, mail } of choices)
            await storeChoice(inner.transaction, { networkId, userId, event, inApp, mail });
          return loadChoices(inner);
        }),
      ),
  }),
}));
