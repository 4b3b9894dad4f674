import {
  createHeaderCredential,
  disableHeaderCredential,
  type HeaderCredentialListing,
  listHeaderCredentials,
} from '../../access/keys/header-credentials.sql.ts';
import { builder } from '../kernel/builder.ts';
import { changeAll, queryableOf } from '../kernel/transactions.sql.ts';
import { EnvironmentRef, workspaceOf } from './api-keys.ts';

const CredentialRef = builder.objectRef<HeaderCredentialListing>('HeaderCredential').implement({
  description: 'A login and token for the Reports API and the legacy reports; the token was shown once, at creation.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Decimal id.' }),
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

const MadeCredentialRef = builder
  .objectRef<{ readonly id: string; readonly login: string; readonly token: string }>('MadeHeaderCredential')
  .implement({
    description: 'A new login with its token.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Decimal id.' }),
      login: t.exposeString('login', { description: 'The value of x-internal-auth-login.' }),
      token: t.exposeString('token', {
        description: 'The value of x-internal-auth-token. It is shown once, here.',
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
    },
    resolve: async (_root, args, context) =>
      listHeaderCredentials(queryableOf(context), await workspaceOf(context, args.environment), {
        includeDisabled: args.includeDisabled ?? false,
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
    resolve: async (_root, args, context) => {
      const workspaceId = await workspaceOf(context, args.environment);
      const login = args.login ?? null;
      const input = { workspaceId, name: args.name, by: context.principal, ...(login === null ? {} : { login }) };
      return changeAll(context, false, (inner) =>
        createHeaderCredential(inner.transaction, context.secrets, input, new Date(context.nowMs())),
      );
    },
  }),
);

builder.mutationField('disableHeaderCredential', (t) =>
  t.field({
    type: CredentialRef,
    nullable: true,
    description: 'Disables report credentials at once and for good.',
    args: {
      id: t.arg.id({ required: true, description: 'Their decimal id.' }),
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
    },
    resolve: async (_root, args, context) => {
      const workspaceId = await workspaceOf(context, args.environment);
      const input = { workspaceId, id: String(args.id), by: context.principal };
      return changeAll(context, false, (inner) =>
        disableHeaderCredential(inner.transaction, input, new Date(context.nowMs())),
      );
    },
  }),
);
