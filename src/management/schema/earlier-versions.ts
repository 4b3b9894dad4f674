import { MapperKind, mapSchema } from '@graphql-tools/utils';
import type { GraphQLFieldConfig, GraphQLInputType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import type { API_VERSIONS, ApiVersion } from '../kernel/api-version.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { TYPE_OF_DECIMAL_IDS } from '../kernel/node-queries.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { madeBy } from '../kernel/user-errors.ts';
import { RESOURCES } from './schema.ts';

/** A field whose type a version changed, as it was before. */
interface EarlierField {
  /** The first version that has the field as it is now. */
  readonly changedIn: (typeof API_VERSIONS)[number]['name'];
  readonly type: string;
  readonly field: string;
  /** The name of its type before. Whether it can be null, and whether it is a list, stays. */
  readonly was: string;
  /** Set for a field that can be null since, so that a fault inside of it leaves what stands beside it. */
  readonly couldNotBeNull?: true;
  /** The value of before, from that of now. */
  readonly read: (value: never) => unknown;
}

/** A mutation that returned the object itself. */
const bare = (field: string, was: string): EarlierField => ({
  changedIn: '2026-11-25',
  type: 'Mutation',
  field,
  was,
  read: ({ object }: Outcome<unknown>) => object,
});

/** A member of a payload that shows a secret once: a fault inside of the member must not null the secret. */
const besideSecret = (type: string, field: string, was: string): EarlierField => ({
  changedIn: '2026-11-29',
  type,
  field,
  was,
  couldNotBeNull: true,
  read: (value) => value,
});

/** An argument that a version no longer has. */
interface EarlierArgument {
  /** The first version without it. */
  readonly changedIn: (typeof API_VERSIONS)[number]['name'];
  readonly type: string;
  readonly field: string;
  readonly argument: string;
  /** The name of its type; it can be null. */
  readonly was: string;
  readonly description: string;
}

/** Every argument that a version removed. */
export const EARLIER_ARGUMENTS: readonly EarlierArgument[] = [
  {
    changedIn: '2026-11-29',
    type: 'Query',
    field: 'node',
    argument: 'type',
    was: 'NodeType',
    description: TYPE_OF_DECIMAL_IDS,
  },
];

/** Every field that a version changed. The newest schema is what the code defines; those of earlier versions follow from it by these rows. */
export const EARLIER_FIELDS: readonly EarlierField[] = [
  bare('deleteReportSchedule', 'ReportSchedule'),
  bare('deleteWebhook', 'Webhook'),
  bare('redeliverWebhook', 'Int'),
  bare('revokeApiKey', 'ApiKey'),
  {
    changedIn: '2026-11-25',
    type: 'Mutation',
    field: 'revokeInvitation',
    was: 'ID',
    read: ({ revokedId }: { readonly revokedId: string | null }) => revokedId,
  },
  bare('runReportSchedule', 'ReportRun'),
  bare('testWebhook', 'WebhookDelivery'),
  bare('updateMembership', 'User'),
  bare('updateNetwork', 'Network'),
  besideSecret('MadeApiKey', 'apiKey', 'ApiKey'),
  besideSecret('ReportSchedulePayload', 'schedule', 'ReportSchedule'),
  besideSecret('WebhookPayload', 'webhook', 'Webhook'),
  ...['FieldProblem', 'BulkResult', ...RESOURCES.map(({ type }) => `${type}BulkResult`)].map(codeAsText),
];

/** A code that was a text in small letters. */
function codeAsText(type: string): EarlierField {
  return { changedIn: '2026-11-25', type, field: 'code', was: 'String', read: (code) => code };
}

type AnyField = GraphQLFieldConfig<unknown, ManagementContext>;

/** The schema of a version, from the newest one. */
export function schemaOfVersion(newest: GraphQLSchema, version: ApiVersion): GraphQLSchema {
  const rows = EARLIER_FIELDS.filter(({ changedIn }) => version.name < changedIn);
  const removed = EARLIER_ARGUMENTS.filter(({ changedIn }) => version.name < changedIn);
  if (rows.length + removed.length === 0) return newest;
  const known = new Map(rows.map((row) => [`${row.type}.${row.field}`, row]));
  const earlier = (config: AnyField, field: string, type: string): AnyField => {
    const row = known.get(`${type}.${field}`);
    const changed = row === undefined ? config : asBefore(config, row, newest);
    return removed
      .filter((one) => one.type === type && one.field === field)
      .reduce((before, one) => withArgument(before, one, newest), changed);
  };
  return mapSchema(newest, {
    [MapperKind.OBJECT_FIELD]: earlier,
    [MapperKind.INTERFACE_FIELD]: earlier,
  });
}

function withArgument(config: AnyField, one: EarlierArgument, newest: GraphQLSchema): AnyField {
  const type = newest.getType(one.was) as GraphQLInputType;
  return { ...config, args: { ...config.args, [one.argument]: { type, description: one.description } } };
}

function asBefore(config: AnyField, row: EarlierField, newest: GraphQLSchema): AnyField {
  const { was, read, couldNotBeNull } = row;
  const { resolve } = config;
  const named = renamed(config.type, newest.getType(was) as GraphQLOutputType);
  const type = couldNotBeNull === true ? nonNull(named, newest) : named;
  // Fields of interfaces have no resolver.
  if (resolve === undefined) return { ...config, type };
  return {
    ...config,
    type,
    resolve: (source, args, context, info) => {
      // A refused change has no such member: its error is that of the whole payload.
      if (couldNotBeNull === true) madeBy(source as object);
      const value: unknown = resolve(source, args, context, info);
      return value instanceof Promise ? value.then((now) => readOrNull(read, now)) : readOrNull(read, value);
    },
  };
}

/** A type that is never null, by the class that the schema has for that. */
function nonNull(type: GraphQLOutputType, schema: GraphQLSchema): GraphQLOutputType {
  const caller = schema.getQueryType()?.getFields()['me']?.type;
  if (caller === undefined) throw new Error('The schema has no field me');
  const Wrapper = caller.constructor as new (inner: unknown) => GraphQLOutputType;
  return new Wrapper(type);
}

/** A type with another name inside the same wrappers. By shape: the engine and its libraries may each bring classes of their own. */
function renamed(type: GraphQLOutputType, named: GraphQLOutputType): GraphQLOutputType {
  if (!('ofType' in type)) return named;
  const Wrapper = type.constructor as new (inner: unknown) => GraphQLOutputType;
  return new Wrapper(renamed(type.ofType as GraphQLOutputType, named));
}

function readOrNull(read: EarlierField['read'], value: unknown): unknown {
  return value === null || value === undefined ? null : read(value as never);
}
