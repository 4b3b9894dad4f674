import {
  createHeaderCredential,
  disableHeaderCredential,
  type HeaderCredentialListing,
  listHeaderCredentials,
} from '../../access/keys/header-credentials.sql.ts';
import { plainIdOf } from '../../domain/ids/global-ids.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { builder } from '../kernel/builder.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { NodeRef, PayloadRef, shownId } from '../kernel/interfaces.ts';
import { AFTER_TEXT, firstText, LIST_PAGE_MAX, readListPage } from '../../domain/ids/list-page.ts';
import { idFields, registerNode } from '../kernel/other-nodes.ts';
import { changeAll, queryableOf } from '../kernel/transactions.sql.ts';
import { madeBy, orRefused, type RefusedPayload } from '../kernel/user-errors.ts';
import { EnvironmentRef, workspaceOf } from './api-keys.ts';
import { RevokePayloadRef, revoking } from './revoke-payload.ts';

const CredentialRef = builder.objectRef<HeaderCredentialListing>('HeaderCredential').implement({
  description: 'A login and token for the Reports API and the legacy reports; the token was shown once, at creation.',
  interfaces: [NodeRef as never],
  fields: (t) => ({
    ...idFields<HeaderCredentialListing>(t, 'HeaderCredential', ({ id }) => id),
    name: t.exposeString('name', { description: 'Name.' }),
    login: t.exposeString('login', { description: 'The value of x-internal-auth-login.' }),
    disabledAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was disabled.',
      resolve: (pair) => pair.disabledAt,
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, at most 60 s behind.',
      resolve: (pair) => pair.lastUsedAt,
    }),
    createdBy: t.exposeString('createdBy', { description: 'Who made it.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was made.', resolve: (pair) => pair.createdAt }),
  }),
});

registerNode({
  type: 'HeaderCredential',
  description: 'A login and token for reports.',
  operation: 'query.headerCredentials',
  list: (context) =>
    listHeaderCredentials(queryableOf(context), context.principal.workspaceId, { includeDisabled: true }),
});

interface MadeCredential {
  readonly id: string;
  readonly login: string;
  readonly token: string;
}

const MadeCredentialRef = builder.objectRef<MadeCredential | RefusedPayload>('MadeHeaderCredential').implement({
  description: 'A new login with its token.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    id: t.id({
      description: 'Its id.',
      resolve: (made, _args, context) => shownId(context, 'HeaderCredential', madeBy(made).id),
    }),
    login: t.string({ description: 'The value of x-internal-auth-login.', resolve: (made) => madeBy(made).login }),
    token: t.string({
      description: 'The value of x-internal-auth-token. It is shown once, here.',
      resolve: (made) => madeBy(made).token,
    }),
  }),
});

const environmentDescription = 'Which environment; default: where this request works.';

builder.queryField('headerCredentials', (t) =>
  t.field({
    type: [CredentialRef],
    description: 'The report credentials of the network, newest first.',
    args: {
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
      includeDisabled: t.arg.boolean({ description: 'Also disabled ones.' }),
      first: t.arg.int({ description: firstText(LIST_PAGE_MAX) }),
      after: t.arg.id({ description: AFTER_TEXT }),
    },
    resolve: async (_root, args, context) =>
      listHeaderCredentials(queryableOf(context), await workspaceOf(context, args.environment), {
        includeDisabled: args.includeDisabled ?? false,
        page: readListPage('HeaderCredential', args, { sizeMax: LIST_PAGE_MAX }),
      }),
  }),
);

builder.mutationField('createHeaderCredential', (t) =>
  t.field({
    type: MadeCredentialRef,
    nullable: true,
    description: 'Makes report credentials. The token is shown once, here. Takes no Idempotency-Key.',
    args: {
      name: t.arg.string({ required: true, description: 'Name, 1 to 200 characters.' }),
      login: t.arg.string({ description: 'Login, unique in the installation; absent: a random one.' }),
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
    },
    resolve: (_root, args, context, info) =>
      orRefused<MadeCredential>(context, info, async () => {
        const workspaceId = await workspaceOf(context, args.environment);
        const login = args.login ?? null;
        const input = { workspaceId, name: args.name, by: context.principal, ...(login === null ? {} : { login }) };
        return changeAll(context, false, (inner) =>
          createHeaderCredential(inner.transaction, context.secrets, input, new Date(context.nowMs())),
        );
      }),
  }),
);

interface Disabled {
  readonly id: string | number;
  readonly environment?: Environment | null | undefined;
}

async function disable(context: ManagementContext, { id, environment }: Disabled): Promise<HeaderCredentialListing> {
  const workspaceId = await workspaceOf(context, environment);
  const input = { workspaceId, id: plainIdOf('HeaderCredential', id), by: context.principal };
  return changeAll(context, false, (inner) =>
    disableHeaderCredential(inner.transaction, input, new Date(context.nowMs())),
  );
}

builder.mutationFields((t) => ({
  revokeHeaderCredential: t.field({
    type: RevokePayloadRef,
    nullable: true,
    description: 'Revokes report credentials at once and for good.',
    args: {
      id: t.arg.id({ required: true, description: 'Their id.' }),
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
    },
    resolve: (_root, args, context, info) => revoking(context, info, async () => (await disable(context, args)).id),
  }),
  disableHeaderCredential: t.field({
    type: CredentialRef,
    nullable: true,
    deprecationReason: 'Use revokeHeaderCredential.',
    description: 'Disables report credentials at once and for good.',
    args: {
      id: t.arg.id({ required: true, description: 'Their id.' }),
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
    },
    resolve: (_root, args, context) => disable(context, args),
  }),
}));
