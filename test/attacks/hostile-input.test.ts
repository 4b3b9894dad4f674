import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { DRAW_SEED } from '../support/draw-seed.ts';
import type { HttpResponse } from '../support/http-client.ts';
import { bid, bidBody, credentialHeaders, graphql, send, server, todayRange } from '../conformance/support/server.ts';

/** Requests of one run, chosen by the seed; `HOSTILE_INPUTS=all` sends every value to every field. */
const COUNT = process.env['HOSTILE_INPUTS'] ?? '240';
const AT_ONCE = 4;

/** Hostile values for fields of any type. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2066',
  'x'.repeat(100_000),
  "'; DROP TABLE networks; --",
  '{{constructor}}',
  '-1',
  '1e400',
  '9'.repeat(40),
  'NaN',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T00:00:00Z',
  '0000-00-00',
  -1,
  0,
  0.5,
  2_147_483_648,
  -2_147_483_649,
  2 ** 53 + 2,
  1e308,
  -1e308,
  [],
  [[[[]]]],
  [null],
  Array.from({ length: 1_001 }, () => 'x'),
  {},
  { constructor: { prototype: 1 } },
];

interface Attempt {
  readonly name: string;
  readonly send: () => Promise<HttpResponse>;
}

type Path = readonly (string | number)[];

/** A copy of a value with another value at a path, which is made where it is missing. */
function withValue(value: unknown, path: Path, put: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return put;
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...(value as unknown[])] as never)
    : { ...(typeof value === 'object' && value !== null ? value : {}) };
  copy[first] = withValue(copy[first], rest, put);
  return copy;
}

// GraphQL: every argument and input field, from the schema.

const schema = buildSchema(readFileSync(new URL('../../contract/schema.graphql', import.meta.url), 'utf8'));
const DEPTH_MAX = 5;
/** These change what other tests need, or create secrets that stay valid; other fields cover their types. */
const LEFT_OUT = ['updateNetwork', 'endSession', 'removeMembership', 'updateMembership', 'inviteUser'];

/** A valid value of the type: objects have their required members. */
function harmless(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return harmless(type.ofType);
  if (isListType(type)) return [harmless(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return Object.fromEntries(required.map((field) => [field.name, harmless(field.type)]));
  }
  const byName: Readonly<Record<string, unknown>> = {
    Boolean: true,
    DateTime: '2026-11-20T10:00:00Z',
    JSON: {},
    Decimal: '1',
  };
  return byName[type.name] ?? (type.name === 'String' ? 'x' : 1);
}

/** The paths of all leaves below an input. An input within itself, such as a filter, is entered once: there are millions of paths otherwise. */
function pathsIn(type: GraphQLInputType, depth = 0, entered: readonly string[] = []): Path[] {
  if (isNonNullType(type)) return pathsIn(type.ofType, depth, entered);
  if (isListType(type)) return [[], ...pathsIn(type.ofType, depth + 1, entered).map((path) => [0, ...path])];
  if (!isInputObjectType(type) || depth > DEPTH_MAX || entered.includes(type.name)) return [[]];
  return [
    [],
    ...Object.values(type.getFields()).flatMap((field) =>
      pathsIn(field.type, depth + 1, [...entered, type.name]).map((path) => [field.name, ...path]),
    ),
  ];
}

function graphqlAttempts(): Attempt[] {
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ operation: type?.name.toLowerCase(), field })),
  );
  return roots.flatMap(({ operation, field }) => {
    if (field.args.length === 0 || LEFT_OUT.includes(field.name)) return [];
    const query = documentOf(operation ?? 'query', field);
    const base = Object.fromEntries(
      field.args
        .filter(({ type, name }) => isNonNullType(type) || name === 'validateOnly')
        .map((arg) => [arg.name, harmless(arg.type)]),
    );
    return field.args.flatMap((argument) =>
      pathsIn(argument.type).flatMap((path) =>
        HOSTILE.map((value, index) => ({
          name: `${field.name}.${[argument.name, ...path].join('.')} = HOSTILE[${index}]`,
          send: () =>
            graphql(query, {
              key: server.demo.keys.staging,
              staging: true,
              variables: withValue(base, [argument.name, ...path], value),
            }),
        })),
      ),
    );
  });
}

function documentOf(operation: string, field: GraphQLField<unknown, unknown>): string {
  const declared = field.args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  const given = field.args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const below = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  return `${operation} Hostile(${declared}) { ${field.name}(${given})${below} }`;
}

// REST: every member of every body, from the API description.

interface JsonSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}
const description = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

function memberPaths(given: JsonSchema, depth = 0): Path[] {
  const named =
    given.$ref === undefined ? given : (description.components.schemas[given.$ref.split('/').at(-1) ?? ''] ?? {});
  if (depth > DEPTH_MAX) return [[]];
  const members = Object.entries(named.properties ?? {}).flatMap(([name, member]) =>
    memberPaths(member, depth + 1).map((path) => [name, ...path]),
  );
  const items = named.items === undefined ? [] : memberPaths(named.items, depth + 1).map((path) => [0, ...path]);
  const choices = (named.anyOf ?? []).flatMap((choice) => memberPaths(choice, depth + 1));
  return [[], ...members, ...items, ...choices];
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const BODIES: readonly { schema: string; base: () => object; send: (body: unknown) => Promise<HttpResponse> }[] = [
  { schema: 'BidRequest', base: () => bidBody(), send: (body) => bid(body) },
  {
    schema: 'AdsRequest',
    base: () => ({ network: '1000', adUnit: 'home/sidebar', count: 1 }),
    send: (body) =>
      send(`${server.deliveryUrl}/api/v1/ads`, { headers: bearer(server.demo.keys.delivery), json: body }),
  },
  {
    schema: 'ActivityEvent',
    base: () => ({ network: '1000', actgid: server.demo.activity.actgid, event: 'seen', cost: '1' }),
    send: (body) =>
      send(`${server.deliveryUrl}/api/v1/events`, { headers: bearer(server.demo.keys.audience), json: body }),
  },
  {
    schema: 'ReportRequest',
    base: () => ({
      query: {
        measures: ['campaign_overview.impressions'],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange(), granularity: 'day' }],
        filters: [{ member: 'campaign_overview.time', operator: 'afterDate', values: ['2026-01-01'] }],
      },
    }),
    send: (body) => send(`${server.demo.urls.reportsApi}/1000/v1/load`, { headers: credentialHeaders(), json: body }),
  },
  {
    schema: 'GraphqlRequest',
    base: () => ({ query: '{ __typename }', variables: {}, operationName: null }),
    send: (body) => send(`${server.coreUrl}/graphql`, { headers: bearer(server.demo.keys.readOnly), json: body }),
  },
];

function restAttempts(): Attempt[] {
  return BODIES.flatMap((body) =>
    memberPaths({ $ref: body.schema }).flatMap((path) =>
      HOSTILE.map((value, index) => ({
        name: `${body.schema}.${path.join('.')} = HOSTILE[${index}]`,
        send: () => body.send(withValue(body.base(), path, value)),
      })),
    ),
  );
}

/** A part of a list, spread evenly and chosen by the seed. */
function sample(attempts: readonly Attempt[]): readonly Attempt[] {
  if (COUNT === 'all') return attempts;
  const step = Math.max(1, attempts.length / (Number(COUNT) / 2));
  const offset = ((DRAW_SEED % 1_000_000) / 1_000_000) * step;
  return attempts.filter((_, index) => Math.floor((index + offset) / step) !== Math.floor((index - 1 + offset) / step));
}

/** Codes of server failures, in responses whose status does not show them. */
const FAILED = /"code":"(internal_error|unavailable|query_timeout)"/;

async function failuresOf(attempts: readonly Attempt[]): Promise<string[]> {
  const failures: string[] = [];
  const open = [...attempts];
  const work = async (): Promise<void> => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { status, text } = await next.send();
      if (status >= 500 || status === 0 || FAILED.test(text))
        failures.push(`${next.name}: ${status} ${text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}

describe(`Hostile values (PROPERTY_SEED=${DRAW_SEED})`, () => {
  const LONG_MS = COUNT === 'all' ? 3_600_000 : 600_000;

  test('no input of GraphQL fails with 5xx', { timeout: LONG_MS }, async () => {
    const attempts = graphqlAttempts();
    expect(attempts.length).toBeGreaterThan(10_000);
    expect(await failuresOf(sample(attempts))).toEqual([]);
  });

  test('no member of a REST body fails with 5xx', { timeout: LONG_MS }, async () => {
    const attempts = restAttempts();
    expect(attempts.length).toBeGreaterThan(1_000);
    expect(await failuresOf(sample(attempts))).toEqual([]);
  });
});
