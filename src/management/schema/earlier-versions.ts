import { MapperKind, mapSchema } from '@graphql-tools/utils';
import type { GraphQLFieldConfig, GraphQLOutputType, GraphQLSchema } from 'graphql';
import type { API_VERSIONS, ApiVersion } from '../kernel/api-version.ts';
import type { ManagementContext } from '../kernel/context.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { RESOURCES } from './schema.ts';

/** A field whose type a version changed, as it was before. */
interface EarlierField {
  /** The first version that has the field as it is now. */
  readonly changedIn: (typeof API_VERSIONS)[number]['name'];
  readonly type: string;
  readonly field: string;
  /** The name of its type before. Whether it can be null, and whether it is a list, stays. */
  readonly was: string;
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
  if (rows.length === 0) return newest;
  const known = new Map(rows.map((row) => [`${row.type}.${row.field}`, row]));
  const earlier = (config: AnyField, field: string, type: string): AnyField => {
    const row = known.get(`${type}.${field}`);
    return row === undefined ? config : asBefore(config, row, newest);
  };
  return mapSchema(newest, {
    [MapperKind.OBJECT_FIELD]: earlier,
    [MapperKind.INTERFACE_FIELD]: earlier,
  });
}

function asBefore(config: AnyField, { was, read }: EarlierField, newest: GraphQLSchema): AnyField {
  const { resolve } = config;
  const type = renamed(config.type, newest.getType(was) as GraphQLOutputType);
  // Fields of interfaces have no resolver.
  if (resolve === undefined) return { ...config, type };
  return {
    ...config,
    type,
    resolve: (source, args, context, info) => {
      const value: unknown = resolve(source, args, context, info);
      return value instanceof Promise ? value.then((now) => readOrNull(read, now)) : readOrNull(read, value);
    },
  };
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
