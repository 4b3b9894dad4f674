import {
  type DocumentNode,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { PlacardError } from '../../domain/errors.ts';
import { linkName } from '../kernel/selection.ts';
import type { Resource } from '../kernel/resource.ts';
import { RESOURCES } from './schema.ts';

/** The kinds of objects that buyers read; `management/buyers/buyer-rows.sql.ts` binds their rows. */
const READ_TYPES: ReadonlySet<string> = new Set([
  'Advertiser',
  'AdvertisingProduct',
  'Campaign',
  'Creative',
  'LibraryCreative',
  'LineItem',
]);

/** Fields of these kinds that hold what the publisher keeps to itself. */
const WITHHELD_FIELDS: ReadonlySet<string> = new Set([
  'contacts',
  'credit',
  'customFields',
  'dealId',
  'exclusionLabels',
  'labels',
  'level',
  'notes',
  'owner',
  'representativePercent',
  'salesperson',
  'teamId',
]);

/** Fields beside the stored ones. */
const FURTHER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  AdvertisingProduct: ['priceGuidance'],
  Advertiser: ['delivery'],
  Campaign: ['delivery'],
  LineItem: ['delivery'],
  Creative: ['companions', 'preview', 'scan'],
  LibraryCreative: ['preview', 'scan'],
};

/** What a forecast says of the booking itself; the bookings that compete with it are the publisher's. */
const FORECAST_FIELDS = [
  'precision',
  'opportunities',
  'matched',
  'available',
  'possible',
  'possibleLow',
  'possibleHigh',
  'likelyLow',
  'likelyHigh',
  'impressions',
  'sampleSize',
  'sampledHours',
] as const;

/** Types without objects of their own: parts of results. */
const PLAIN_TYPES = ['Caller', 'FieldProblem', 'Money', 'PageInfo', 'RateLimit', 'UserError'] as const;

/** What a buyer's agent asked for itself, and the sites that its products name. */
const AGENT_TYPES = [
  'AgentRequest',
  'AgentRequestPayload',
  'BeginAgentRequestPayload',
  'Offering',
  'OfferedSite',
] as const;

const COMMON = ['id', 'globalId', 'databaseId', 'version', 'createdAt', 'updatedAt', 'updatedBy', 'isArchived'];

const tables = new WeakMap<GraphQLSchema, ReadonlySet<string>>();

/** All fields that buyers may select, as `Type.field`, besides root fields and introspection. */
export function buyerFields(schema: GraphQLSchema): ReadonlySet<string> {
  const known = tables.get(schema);
  if (known !== undefined) return known;
  const allowed = new Set<string>();
  const addAll = (name: string): void => {
    const type = schema.getType(name);
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.keys(type.getFields())) allowed.add(`${name}.${field}`);
  };
  for (const resource of RESOURCES) {
    if (!READ_TYPES.has(resource.type)) continue;
    for (const field of fieldsOf(resource)) allowed.add(`${resource.type}.${field}`);
    const type = schema.getType(resource.type);
    if (isObjectType(type)) addParts(type, allowed);
    for (const suffix of ['Connection', 'Edge', 'Payload']) addAll(`${resource.type}${suffix}`);
  }
  for (const name of [...PLAIN_TYPES, 'Node', 'Versioned', 'Archivable', 'Connection', 'Payload']) addAll(name);
  for (const name of ['CreativeAssociationsPayload', 'CreativeBulkResult', 'BulkResult']) addAll(name);
  addAll('BookingPayload');
  for (const name of AGENT_TYPES) addAll(name);
  for (const name of FORECAST_FIELDS) allowed.add(`ProductForecast.${name}`);
  tables.set(schema, allowed);
  return allowed;
}

function fieldsOf(resource: Resource): string[] {
  const stored = resource.fields.filter(({ name }) => !WITHHELD_FIELDS.has(name));
  const links = stored.flatMap(({ name, reference }) => (reference?.link === undefined ? [] : [linkName(name)]));
  return [
    ...COMMON,
    ...stored.map(({ name }) => name),
    ...stored.filter(({ isMoney }) => isMoney === true).map(({ name }) => `${name}Money`),
    ...links,
    ...resource.children.map(({ name }) => name),
    ...(FURTHER_FIELDS[resource.type] ?? []),
  ];
}

/** Adds all fields of the values that allowed fields hold, such as `Targeting.all`; kinds of objects have rows of their own. */
function addParts(type: GraphQLObjectType, allowed: Set<string>): void {
  for (const [name, field] of Object.entries(type.getFields())) {
    if (!allowed.has(`${type.name}.${name}`)) continue;
    const part = getNamedType(field.type);
    if (!isObjectType(part) || RESOURCES.some((one) => one.type === part.name) || part.name.endsWith('Connection'))
      continue;
    const isNew = Object.keys(part.getFields()).some((inner) => !allowed.has(`${part.name}.${inner}`));
    for (const inner of Object.keys(part.getFields())) allowed.add(`${part.name}.${inner}`);
    if (isNew) addParts(part, allowed);
  }
}

/**
 * Refuses a document that selects a field which buyers do not see. For a validated document.
 * @throws PlacardError `insufficient_permissions`
 */
export function refuseBuyerFields(schema: GraphQLSchema, document: DocumentNode): void {
  const allowed = buyerFields(schema);
  const info = new TypeInfo(schema);
  const roots = new Set([schema.getQueryType()?.name, schema.getMutationType()?.name]);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: ({ name }) => {
        const parent = info.getParentType()?.name ?? '';
        if (name.value.startsWith('__') || parent.startsWith('__') || roots.has(parent)) return;
        if (allowed.has(`${parent}.${name.value}`)) return;
        throw new PlacardError('insufficient_permissions', `The key of a buyer does not read ${parent}.${name.value}.`);
      },
    }),
  );
}
