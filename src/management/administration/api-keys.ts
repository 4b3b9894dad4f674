import { environmentOfPrefix } from '../../access/keys/api-key.ts';
import {
  type ApiKeyListing,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../access/keys/api-keys.sql.ts';
import { type FieldProblem, PlacardError } from '../../domain/errors.ts';
import { plainIdOf } from '../../domain/ids/global-ids.ts';
import { formatMicros } from '../../domain/money/money.ts';
import type { BuyerScope } from '../../domain/tenancy/principal.ts';
import { type Environment, type Module, PERMISSIONS, type Permission } from '../../domain/tenancy/workspace.ts';
import { builder } from '../kernel/builder.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { validationFailed } from '../kernel/drafts.ts';
import { report } from '../kernel/field.ts';
import { moneyTwin } from '../kernel/money-type.ts';
import { checkMoney } from '../kernel/scalar-fields.ts';
import { NodeRef, PayloadRef } from '../kernel/interfaces.ts';
import { AFTER_TEXT, firstText, LIST_PAGE_MAX, readListPage } from '../../domain/ids/list-page.ts';
import { idFields, registerNode } from '../kernel/other-nodes.ts';
import { outcomeOf, outcomeRef } from '../kernel/outcome.ts';
import { changeAll, queryableOf } from '../kernel/transactions.sql.ts';
import { madeBy, orRefused, RefusedPayload } from '../kernel/user-errors.ts';
import { findWorkspaceId } from '../resources/network/network.sql.ts';

/** Environments as the schema writes them. */
export const EnvironmentRef = builder.enumType('Environment', {
  description: 'Production and staging share code and users, and nothing else.',
  values: {
    PRODUCTION: { description: 'What users see.', value: 'production' },
    STAGING: { description: 'For trying things out; its addresses begin with /staging.', value: 'staging' },
  } as const,
});

/** Permissions as the schema writes them. */
export const PermissionRef = builder.enumType('Permission', {
  description: 'What a key may do; each includes the one before it.',
  values: {
    READ_ONLY: { description: 'View campaigns, reports, configuration.', value: PERMISSIONS[0] },
    READ_WRITE: { description: 'Also create and update them.', value: PERMISSIONS[1] },
    ADMIN: { description: 'Everything, users and keys included.', value: PERMISSIONS[2] },
  } as const,
});

/** Modules as the schema writes them. */
export const ModuleRef = builder.enumType('Module', {
  description: 'A part of the platform that a key can be limited to.',
  values: {
    DELIVERY: { description: 'Campaigns, line items, creatives, deals, ad requests.' },
    INVENTORY: { description: 'Sites, areas, ad units, key-values, floors.' },
    AUDIENCE: { description: 'Segments, activities, the activity pixel.' },
    REPORTS: { description: 'Reports.' },
  } satisfies Record<Module, unknown>,
});

const SPEND_LIMIT =
  'The most that keys of buyers may have booked for its advertisers together; null = no limit. Archived bookings count from their start on.';

function spendLimitOf({ buyer }: ApiKeyListing): string | null {
  const micros = buyer?.spendLimitMicros ?? null;
  return micros === null ? null : formatMicros(BigInt(micros));
}

const KeyScopeRef = builder.enumType('KeyScope', {
  description: 'Whose key it is.',
  values: {
    NETWORK: { description: "The network's: it reaches all that its permission and modules allow." },
    BUYER: {
      description:
        "A buyer's, such as an agent's: it sees the products that are offered to its advertisers, and what belongs to these advertisers; it never approves anything.",
    },
  } as const,
});

const ApiKeyRef = builder.objectRef<ApiKeyListing>('ApiKey').implement({
  description: 'An API key as listings show it; its value was shown once, at creation.',
  interfaces: [NodeRef as never],
  fields: (t) => ({
    ...idFields<ApiKeyListing>(t, 'ApiKey', ({ id }) => id),
    name: t.exposeString('name', { description: 'Name.' }),
    permission: t.field({ type: PermissionRef, description: 'What it may do.', resolve: (key) => key.permission }),
    modules: t.field({
      type: [ModuleRef],
      nullable: true,
      description: 'The modules it is limited to; null = all.',
      resolve: (key) => (key.modules === null ? null : [...key.modules]),
    }),
    scope: t.field({
      type: KeyScopeRef,
      description: 'Whose key it is.',
      resolve: ({ buyer }) => (buyer === null ? 'NETWORK' : 'BUYER'),
    }),
    advertiserIds: t.idList({
      description: "The advertisers that a buyer's key is bound to, by id; empty for other keys.",
      resolve: ({ buyer }) => [...(buyer?.advertiserIds ?? [])],
    }),
    spendLimit: t.field({
      type: 'Decimal',
      nullable: true,
      description: SPEND_LIMIT,
      resolve: (key) => spendLimitOf(key),
    }),
    spendLimitMoney: t.field(moneyTwin<ApiKeyListing>(SPEND_LIMIT, spendLimitOf)),
    environment: t.field({
      type: EnvironmentRef,
      description: 'The environment that it opens.',
      resolve: (key) => environmentOfPrefix(key.prefix),
    }),
    prefix: t.exposeString('prefix', { description: 'How its value begins.' }),
    lastFour: t.exposeString('lastFour', { description: 'How its value ends.' }),
    ipAllowlist: t.stringList({
      description: 'Addresses it may be used from; empty = any.',
      resolve: (key) => [...key.ipAllowlist],
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it stops working; null = never.',
      resolve: (key) => key.expiresAt,
    }),
    revokedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked.',
      resolve: (key) => key.revokedAt,
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, at most 60 s behind.',
      resolve: (key) => key.lastUsedAt,
    }),
    createdBy: t.exposeString('createdBy', { description: 'Who made it.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was made.', resolve: (key) => key.createdAt }),
  }),
});

registerNode({
  type: 'ApiKey',
  description: 'An API key.',
  operation: 'query.apiKey',
  list: (context) =>
    listApiKeys(queryableOf(context), context.principal.workspaceId, {
      includeInactive: true,
      now: new Date(context.nowMs()),
    }),
});

interface MadeKey {
  readonly value: string;
  readonly key: ApiKeyListing;
}

const MadeKeyRef = builder.objectRef<MadeKey | RefusedPayload>('MadeApiKey').implement({
  description: 'A new key with its value.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    value: t.string({
      description: 'The value. It is shown once, here.',
      resolve: (made) => madeBy(made).value,
    }),
    apiKey: t.field({
      type: ApiKeyRef,
      nullable: true,
      description: 'The key as listings show it; null when nothing was changed.',
      resolve: (made) => (made instanceof RefusedPayload ? null : made.key),
    }),
  }),
});

const KeyPayloadRef = outcomeRef<ApiKeyListing>('RevokeApiKeyPayload', 'The result of revoking an API key.', {
  name: 'apiKey',
  type: ApiKeyRef,
  description: 'The revoked key.',
});

const CreateInput = builder.inputType('CreateApiKeyInput', {
  description: 'The fields of a new key.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name, 1 to 200 characters.' }),
    permission: t.field({ type: PermissionRef, required: true, description: 'What it may do.' }),
    environment: t.field({
      type: EnvironmentRef,
      description:
        'Where it works; default: where this request works. A key can only make keys of its own environment.',
    }),
    modules: t.field({ type: [ModuleRef], description: 'The modules to limit it to; absent or null = all.' }),
    scope: t.field({ type: KeyScopeRef, description: 'Whose key it is; default NETWORK.' }),
    advertiserIds: t.idList({ description: "The advertisers that a buyer's key is bound to, by id; for BUYER only." }),
    spendLimit: t.field({ type: 'Decimal', description: `${SPEND_LIMIT} For BUYER only.` }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it stops working; 90 days are a good choice. Absent = never.',
    }),
    ipAllowlist: t.stringList({ description: 'Addresses and CIDR ranges it may be used from; absent = any.' }),
  }),
});

const environmentDescription = 'Which environment; default: where this request works.';

builder.queryField('apiKeys', (t) =>
  t.field({
    type: [ApiKeyRef],
    description: 'The API keys of the network, newest first.',
    args: {
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
      includeInactive: t.arg.boolean({ description: 'Also revoked and expired ones.' }),
      first: t.arg.int({ description: firstText(LIST_PAGE_MAX) }),
      after: t.arg.id({ description: AFTER_TEXT }),
    },
    resolve: async (_root, args, context) =>
      listApiKeys(queryableOf(context), await workspaceOf(context, args.environment), {
        includeInactive: args.includeInactive ?? false,
        now: new Date(context.nowMs()),
        page: readListPage('ApiKey', args, { sizeMax: LIST_PAGE_MAX }),
      }),
  }),
);

builder.queryField('apiKey', (t) =>
  t.field({
    type: ApiKeyRef,
    nullable: true,
    description: 'One API key by id; null when the network has none.',
    args: {
      id: t.arg.id({ required: true, description: 'Its id.' }),
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
    },
    resolve: async (_root, args, context) =>
      findApiKey(queryableOf(context), await workspaceOf(context, args.environment), plainIdOf('ApiKey', args.id)),
  }),
);

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: MadeKeyRef,
    nullable: true,
    description: 'Makes an API key. Its value is shown once, here. Takes no Idempotency-Key.',
    args: { input: t.arg({ type: CreateInput, required: true, description: 'Its fields.' }) },
    resolve: (_root, { input }, context, info) =>
      orRefused(context, info, async () => {
        const workspaceId = await workspaceOf(context, input.environment);
        return makeKey(context, workspaceId, (sql) =>
          createApiKey(
            sql,
            context.secrets,
            {
              workspaceId,
              name: input.name,
              permission: input.permission as Permission,
              buyer: readBuyer(input),
              modules: (input.modules as Module[] | null | undefined) ?? null,
              ipAllowlist: input.ipAllowlist ?? [],
              expiresAt: input.expiresAt ?? null,
              by: context.principal,
            },
            new Date(context.nowMs()),
          ),
        );
      }),
  }),
);

builder.mutationField('rotateApiKey', (t) =>
  t.field({
    type: MadeKeyRef,
    nullable: true,
    description: 'Makes a new key with the settings of an old one, which goes on working until a chosen instant.',
    args: {
      id: t.arg.id({ required: true, description: 'The old key.' }),
      oldExpiresAt: t.arg({ type: 'DateTime', required: true, description: 'When the old key stops working.' }),
      expiresAt: t.arg({ type: 'DateTime', description: 'When the new key stops working; absent = never.' }),
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
    },
    resolve: (_root, args, context, info) =>
      orRefused(context, info, async () => {
        const workspaceId = await workspaceOf(context, args.environment);
        const { oldExpiresAt, expiresAt } = args;
        const request = {
          workspaceId,
          id: plainIdOf('ApiKey', args.id),
          oldExpiresAt,
          expiresAt: expiresAt ?? null,
          by: context.principal,
        };
        return makeKey(context, workspaceId, (sql) =>
          rotateApiKey(sql, context.secrets, request, new Date(context.nowMs())),
        );
      }),
  }),
);

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: KeyPayloadRef,
    nullable: true,
    description: 'Revokes an API key at once and for good.',
    args: {
      id: t.arg.id({ required: true, description: 'Its id.' }),
      environment: t.arg({ type: EnvironmentRef, description: environmentDescription }),
    },
    resolve: (_root, args, context, info) =>
      outcomeOf(context, info, async () => {
        const workspaceId = await workspaceOf(context, args.environment);
        return changeAll(context, false, (inner) =>
          revokeApiKey(
            inner.transaction,
            { workspaceId, id: plainIdOf('ApiKey', args.id), by: context.principal },
            new Date(context.nowMs()),
          ),
        );
      }),
  }),
);

/** @throws PlacardError `validation_failed` */
function readBuyer({ scope, advertiserIds, spendLimit }: typeof CreateInput.$inferInput): BuyerScope | null {
  const problems: FieldProblem[] = [];
  if (scope !== 'BUYER') {
    const message = "Only a buyer's key has it; leave it out, or give the scope BUYER.";
    if (advertiserIds) report(problems, 'input.advertiserIds', 'not_allowed', message);
    if (spendLimit) report(problems, 'input.spendLimit', 'not_allowed', message);
    if (problems.length > 0) throw validationFailed(problems);
    return null;
  }
  const limit = spendLimit ? checkMoney(spendLimit, 'input.spendLimit', problems) : null;
  if (problems.length > 0) throw validationFailed(problems);
  const ids = (advertiserIds ?? []).map((id) => plainIdOf('Advertiser', id));
  return { advertiserIds: [...new Set(ids)], spendLimitMicros: limit === null ? null : String(limit) };
}

async function makeKey(
  context: ManagementContext,
  workspaceId: number,
  make: (sql: NonNullable<ManagementContext['transaction']>) => Promise<{ id: string; value: string }>,
): Promise<MadeKey> {
  return changeAll(context, false, async (inner) => {
    const { id, value } = await make(inner.transaction);
    const key = await findApiKey(inner.transaction, workspaceId, id);
    if (key === null) throw new Error('The new key was not found.');
    return { value, key };
  });
}

/**
 * The workspace of the named environment of the caller's network. Users reach both; keys only their own.
 * @throws PlacardError `insufficient_permissions`
 */
export async function workspaceOf(
  context: ManagementContext,
  environment: Environment | null | undefined,
): Promise<number> {
  const { principal } = context;
  const wanted = environment ?? principal.environment;
  if (wanted === principal.environment) return principal.workspaceId;
  if (principal.kind !== 'session') {
    throw new PlacardError(
      'insufficient_permissions',
      'A key works in its own environment only; use one of the other environment.',
    );
  }
  return findWorkspaceId(queryableOf(context), principal.networkId, wanted);
}
