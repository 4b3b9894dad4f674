import {
  INVITATION_DELIVERIES,
  type InvitationDelivery,
  type InvitationListing,
  inviteUser,
  listInvitations,
  OPEN_MAX,
  revokeInvitation,
} from '../../access/users/invitations.sql.ts';
import {
  endSession,
  listSessions,
  type SessionListing,
  SESSIONS_SHOWN,
} from '../../access/permissions/sessions.sql.ts';
import { findUser, listMemberships, listNetworkUsers, setMembership, type User } from '../../access/users/users.sql.ts';
import { ROLES, type Role } from '../../access/users/roles.ts';
import { PlacardError } from '../../domain/errors.ts';
import { plainIdOf } from '../../domain/ids/global-ids.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import { builder } from '../kernel/builder.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { NodeRef, PayloadRef } from '../kernel/interfaces.ts';
import { AFTER_TEXT, firstText, LIST_PAGE_MAX, readListPage } from '../../domain/ids/list-page.ts';
import { idFields, registerNode } from '../kernel/other-nodes.ts';
import { madeBy, orRefused, type RefusedPayload } from '../kernel/user-errors.ts';
import { outcomeOf, outcomeRef } from '../kernel/outcome.ts';
import { RevokePayloadRef, revoking } from './revoke-payload.ts';
import { changeAll, queryableOf } from '../kernel/transactions.sql.ts';
import { EnvironmentRef, ModuleRef, PermissionRef } from './api-keys.ts';

const RoleRef = builder.enumType('Role', {
  description: 'What a user may do in a network.',
  values: {
    VIEWER: { description: 'As a read-only key.', value: ROLES[0] },
    EDITOR: { description: 'As a read-write key.', value: ROLES[1] },
    ADMIN: { description: 'Everything, users and keys included.', value: ROLES[2] },
  } as const,
});

const SessionRef = builder.objectRef<SessionListing>('Session').implement({
  description: 'A browser that a user is signed in with.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Decimal id.' }),
    userAgent: t.exposeString('userAgent', { description: 'What the browser calls itself.' }),
    remoteAddress: t.exposeString('remoteAddress', { description: 'Where it signed in from.' }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it signed in.',
      resolve: (session) => session.createdAt,
    }),
    lastSeenAt: t.field({
      type: 'DateTime',
      description: 'When it was last active.',
      resolve: (session) => session.lastSeenAt,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it ends at the latest.',
      resolve: (session) => session.expiresAt,
    }),
  }),
});

type NetworkUser = User & { readonly role: Role };

const UserRef = builder.objectRef<NetworkUser>('User').implement({
  description: 'A person with an account, and their role in this network.',
  interfaces: [NodeRef as never],
  fields: (t) => ({
    ...idFields<NetworkUser>(t, 'User', ({ id }) => id),
    email: t.exposeString('email', { description: 'Address they sign in with.' }),
    name: t.exposeString('name', { description: 'Name.' }),
    role: t.field({ type: RoleRef, description: 'Role in this network.', resolve: (user) => user.role }),
    disabledAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the account was disabled.',
      resolve: (user) => user.disabledAt,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the account was made.',
      resolve: (user) => user.createdAt,
    }),
    sessions: t.field({
      type: [SessionRef],
      description: `Browsers signed in by this network's own sign-in provider, newest first, at most ${SESSIONS_SHOWN}. Other sessions are visible to the member only.`,
      resolve: (user, _args, context) =>
        listSessions(queryableOf(context), ofNetwork(context, user.id), new Date(context.nowMs())),
    }),
  }),
});

registerNode({
  type: 'User',
  description: 'A member of the network.',
  operation: 'query.users',
  list: (context) => listNetworkUsers(queryableOf(context), context.principal.networkId),
});

const UserPayloadRef = outcomeRef<NetworkUser>('UpdateMembershipPayload', 'The result of changing a role.', {
  name: 'user',
  type: UserRef,
  description: 'The user with the new role.',
});

const DeliveryRef = builder.enumType('InvitationDelivery', {
  description: 'How the link of an invitation reaches the invited person.',
  values: {
    QUEUED: { value: INVITATION_DELIVERIES[0], description: 'The mail is to be sent, or tried again.' },
    SENT: { value: INVITATION_DELIVERIES[1], description: 'The mail server took the mail.' },
    FAILED: {
      value: INVITATION_DELIVERIES[2],
      description: 'The mail was given up; invite again, or ask the operator.',
    },
    OPERATOR: {
      value: INVITATION_DELIVERIES[3],
      description: 'No mail is sent: the operator hands the link out (placard users invitation-link <id>).',
    },
  } as const,
});

const InvitationRef = builder.objectRef<InvitationListing>('Invitation').implement({
  description: 'An invitation that has not been accepted yet.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Decimal id.' }),
    email: t.exposeString('email', { description: 'The invited address.' }),
    role: t.field({
      type: RoleRef,
      nullable: true,
      description: 'The role they will have.',
      resolve: (invitation) => invitation.role,
    }),
    createdBy: t.exposeString('createdBy', { description: 'The member who sent the invitation.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When.', resolve: (invitation) => invitation.createdAt }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it expires.',
      resolve: (invitation) => invitation.expiresAt,
    }),
    delivery: t.field({
      type: DeliveryRef,
      description: 'How the link gets to the invited.',
      resolve: (invitation) => invitation.delivery,
    }),
    deliveryError: t.exposeString('deliveryError', {
      nullable: true,
      description: 'Why the mail was given up, or why its last try failed.',
    }),
  }),
});

interface MadeInvitation {
  readonly id: string;
  readonly delivery: InvitationDelivery;
}

const MadeInvitationRef = builder.objectRef<MadeInvitation | RefusedPayload>('MadeInvitation').implement({
  description: 'A new invitation. Its link goes to the invited person only.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    id: t.id({ description: 'Decimal id.', resolve: (made) => madeBy(made).id }),
    delivery: t.field({
      type: DeliveryRef,
      description: 'How the link gets to the invited.',
      resolve: (made) => madeBy(made).delivery,
    }),
  }),
});

const CallerRef = builder.objectRef<Principal>('Caller').implement({
  description: 'The caller.',
  fields: (t) => ({
    actor: t.exposeString('actor', { description: 'How the audit log names them.' }),
    networkId: t.exposeID('networkId', { description: 'The network they work in.' }),
    environment: t.field({
      type: EnvironmentRef,
      description: 'The environment they work in.',
      resolve: (caller) => caller.environment,
    }),
    permission: t.field({
      type: PermissionRef,
      description: 'What they may do.',
      resolve: (caller) => caller.permission,
    }),
    modules: t.field({
      type: [ModuleRef],
      nullable: true,
      description: 'The modules they are limited to; null = all.',
      resolve: (caller) => (caller.modules === null ? null : [...caller.modules]),
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: CallerRef,
    description: 'The caller and its permissions.',
    resolve: (_root, _args, context) => context.principal,
  }),
);

builder.queryField('users', (t) =>
  t.field({
    type: [UserRef],
    description: 'The users of the network, by address.',
    args: {
      first: t.arg.int({ description: firstText(LIST_PAGE_MAX) }),
      after: t.arg.id({ description: AFTER_TEXT }),
    },
    resolve: (_root, args, context) =>
      listNetworkUsers(
        queryableOf(context),
        context.principal.networkId,
        readListPage('User', args, { sizeMax: LIST_PAGE_MAX }),
      ),
  }),
);

builder.queryField('invitations', (t) =>
  t.field({
    type: [InvitationRef],
    description: `Open invitations into the network, newest first, at most ${OPEN_MAX}.`,
    resolve: (_root, _args, context) =>
      listInvitations(queryableOf(context), context.principal.networkId, new Date(context.nowMs())),
  }),
);

builder.mutationField('inviteUser', (t) =>
  t.field({
    type: MadeInvitationRef,
    nullable: true,
    description:
      'Invites an address into the network and replaces its open invitation. The link works once, for 7 days, and goes to the invited person only: by mail, or by the operator where no mail is sent.',
    args: {
      email: t.arg.string({ required: true, description: 'The address to invite.' }),
      role: t.arg({ type: RoleRef, required: true, description: 'The role they will have.' }),
    },
    resolve: (_root, args, context, info) =>
      orRefused<MadeInvitation>(context, info, () =>
        changeAll(context, false, (inner) =>
          inviteUser(
            { sql: inner.transaction, pepper: context.secrets.pepper, mail: context.mail ?? null },
            { email: args.email, role: args.role, networkId: context.principal.networkId, by: context.principal },
            new Date(context.nowMs()),
          ),
        ),
      ),
  }),
);

builder.mutationField('revokeInvitation', (t) =>
  t.field({
    type: RevokePayloadRef,
    nullable: true,
    description: 'Withdraws an open invitation.',
    args: { id: t.arg.id({ required: true, description: 'Its decimal id.' }) },
    resolve: (_root, args, context, info) =>
      revoking(context, info, async () => {
        const input = { networkId: context.principal.networkId, id: String(args.id), by: context.principal };
        await changeAll(context, false, (inner) =>
          revokeInvitation(inner.transaction, input, new Date(context.nowMs())),
        );
        return input.id;
      }),
  }),
);

builder.mutationField('updateMembership', (t) =>
  t.field({
    type: UserPayloadRef,
    nullable: true,
    description: 'Changes the role of a user of the network. The last admin keeps the role.',
    args: {
      userId: t.arg.id({ required: true, description: 'The user.' }),
      role: t.arg({ type: RoleRef, required: true, description: 'The new role.' }),
    },
    resolve: (_root, args, context, info) =>
      outcomeOf(context, info, () => changeMembership(context, plainIdOf('User', args.userId), args.role)),
  }),
);

builder.mutationFields((t) => ({
  revokeMembership: t.field({
    type: RevokePayloadRef,
    nullable: true,
    description: 'Takes a member out of the network. The last admin stays.',
    args: { userId: t.arg.id({ required: true, description: 'The user.' }) },
    resolve: (_root, args, context, info) =>
      revoking(context, info, () => removeMember(context, plainIdOf('User', args.userId))),
  }),
  removeMembership: t.field({
    type: 'ID',
    nullable: true,
    deprecationReason: 'Use revokeMembership.',
    description: 'Removes a member from the network; returns their id. The last admin stays.',
    args: { userId: t.arg.id({ required: true, description: 'The user.' }) },
    resolve: (_root, args, context) => removeMember(context, plainIdOf('User', args.userId)),
  }),
  revokeSession: t.field({
    type: RevokePayloadRef,
    nullable: true,
    description:
      "Ends one session that this network's own sign-in provider started. To end a person's access, take them out of the network.",
    args: {
      userId: t.arg.id({ required: true, description: 'The user.' }),
      id: t.arg.id({ required: true, description: 'The session.' }),
    },
    resolve: (_root, args, context, info) =>
      revoking(context, info, () => endOne(context, plainIdOf('User', args.userId), String(args.id))),
  }),
  endSession: t.field({
    type: 'ID',
    nullable: true,
    deprecationReason: 'Use revokeSession.',
    description:
      "Ends one session that this network's own sign-in provider started; returns its id. To end a person's access, take them out of the network.",
    args: {
      userId: t.arg.id({ required: true, description: 'The user.' }),
      id: t.arg.id({ required: true, description: 'The session.' }),
    },
    resolve: (_root, args, context) => endOne(context, plainIdOf('User', args.userId), String(args.id)),
  }),
}));

async function removeMember(context: ManagementContext, userId: string): Promise<string> {
  await changeMembership(context, userId, null);
  return userId;
}

function endOne(context: ManagementContext, userId: string, sessionId: string): Promise<string> {
  return changeAll(context, false, async (inner) => {
    await requireMember(inner, userId);
    const ended = await endSession(inner.transaction, ofNetwork(context, userId), sessionId);
    if (!ended) throw new PlacardError('not_found', 'There is no such session.');
    inner.audits.push({
      by: context.principal,
      action: 'session.end',
      objectKind: 'user',
      objectId: userId,
      more: { sessionId, requestId: context.requestId },
    });
    return sessionId;
  });
}

/** Sessions as one network may see them: a person can be a member of several networks, and a network never sees the others. */
function ofNetwork({ principal }: ManagementContext, userId: string): { userId: string; networkId: string } {
  return { userId, networkId: principal.networkId };
}

/** A user of another network is reported as absent, so that accounts of other networks stay hidden. */
async function requireMember(context: ManagementContext, userId: string): Promise<User> {
  const { networkId } = context.principal;
  const user = await findUser(queryableOf(context), userId);
  const memberships = user === null ? [] : await listMemberships(queryableOf(context), userId);
  if (user === null || !memberships.some((membership) => membership.networkId === networkId)) {
    throw new PlacardError('not_found', 'There is no such user.');
  }
  return user;
}

function changeMembership(context: ManagementContext, userId: string, role: Role | null): Promise<NetworkUser> {
  return changeAll(context, false, async (inner) => {
    const user = await requireMember(inner, userId);
    const { principal, mail = null } = context;
    const input = { userId, networkId: principal.networkId, role, by: principal, mail };
    await setMembership(inner.transaction, input, new Date(context.nowMs()));
    return { ...user, role: role ?? 'viewer' };
  });
}
