import { beginsWithDay } from '../../domain/time/calendar.ts';
import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError, Kind, type ValueNode } from 'graphql';
import type { ManagementContext } from './context.ts';

/** The largest page of every connection. */
export const PAGE_SIZE_MAX = 100;
export const PAGE_SIZE_DEFAULT = 25;

interface ManagementSchemaTypes {
  Context: ManagementContext;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  Scalars: {
    ID: { Input: string | number; Output: string | number | bigint };
    Long: { Input: number; Output: number };
    Decimal: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
  };
}

/** The one schema builder; the files of each resource add their types and fields to it when they are imported. */
export const builder = new SchemaBuilder<ManagementSchemaTypes>({
  plugins: [RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    cursorType: 'String',
    pageInfoTypeOptions: { description: 'The position of a page in its list.' },
    hasNextPageFieldOptions: { description: 'Whether more follows after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether objects precede this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first edge; null on an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last edge; send it as `after` to get the next page.' },
    pageInfoFieldOptions: { description: 'The position of this page in the list.' },
    edgesFieldOptions: {
      description: 'The objects of this page, each with its cursor.',
      nullable: { list: false, items: false },
    },
    nodeFieldOptions: { description: 'The object.', nullable: false },
    cursorFieldOptions: { description: 'Opaque position in the list, for `after` and `before`.' },
    nodesOnConnection: { description: 'The objects of this page, without their cursors.' },
    firstArgOptions: {
      description: `Size of the page from the front, 1…${PAGE_SIZE_MAX}; default ${PAGE_SIZE_DEFAULT}.`,
    },
    lastArgOptions: { description: `Size of the page from the back, 1…${PAGE_SIZE_MAX}; not together with \`first\`.` },
    afterArgOptions: { description: 'Cursor after which the page begins.' },
    beforeArgOptions: { description: 'Cursor before which the page ends.' },
  },
});

builder.queryType({
  description: 'Everything that can be read in the network and environment that the credentials belong to.',
});
builder.mutationType({
  description: 'All changes. Each field is one transaction that succeeds or fails as a whole.',
});

builder.scalarType('Decimal', {
  description:
    'An exact decimal number as text, such as "12.50". Money is in the currency of the network, exact to a millionth.',
  serialize: String,
  parseValue: (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    throw new GraphQLError('Decimal must be given as text, such as "12.50": binary fractions are not exact.');
  },
  parseLiteral: (node) => {
    if (node.kind === Kind.STRING || node.kind === Kind.INT) return node.value;
    throw new GraphQLError('Decimal must be given as text, such as "12.50": binary fractions are not exact.');
  },
});

builder.scalarType('Long', {
  description: 'A whole number up to 2^53, as a JSON number.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    throw new GraphQLError('Long must be a whole number up to 2^53.');
  },
});

/** The range of stored instants. */
const INSTANT_MIN_MS = Date.parse('0001-01-01T00:00:00Z');
const INSTANT_MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

const INSTANT = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function parseInstant(value: unknown): Date {
  const text = typeof value === 'string' ? value : '';
  const parsed = new Date(INSTANT.test(text) && beginsWithDay(text) ? text : Number.NaN);
  if (Number.isNaN(parsed.getTime())) {
    throw new GraphQLError('DateTime must be an ISO 8601 instant with a zone, such as "2026-11-20T10:00:00Z".');
  }
  if (parsed.getTime() < INSTANT_MIN_MS || parsed.getTime() > INSTANT_MAX_MS)
    throw new GraphQLError('DateTime must lie in the years 1 to 9999 (UTC).');
  return parsed;
}

builder.scalarType('DateTime', {
  description: 'An instant in ISO 8601 with a zone, such as "2026-11-20T10:00:00Z". Responses are in UTC.',
  serialize: (value) => value.toISOString(),
  parseValue: parseInstant,
  parseLiteral: (node) => parseInstant(node.kind === Kind.STRING ? node.value : null),
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: readJsonLiteral,
});

/** A JSON value written as a GraphQL literal. Nesting is bounded by the query's own depth limit. */
function readJsonLiteral(node: ValueNode): unknown {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.ENUM:
      return node.value;
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map(readJsonLiteral);
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map((field) => [field.name.value, readJsonLiteral(field.value)]));
    default:
      return null;
  }
}
