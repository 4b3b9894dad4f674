import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as GraphQL from 'graphql';
import { describe, expect, test } from 'vitest';
import { API_VERSIONS, type ApiVersion, DEFAULT_VERSION } from '../kernel/api-version.ts';
import { EARLIER_ARGUMENTS, EARLIER_FIELDS, schemaOfVersion } from './earlier-versions.ts';
import { managementSchema } from './schema.ts';

const { buildSchema, findBreakingChanges, lexicographicSortSchema, printSchema } = createRequire(import.meta.url)(
  'graphql',
) as typeof GraphQL;

const contract = new URL('../../../contract/', import.meta.url);
const versions = readdirSync(new URL('versions/', contract)).filter((name) => name.endsWith('.graphql'));
const read = (path: string) => readFileSync(new URL(path, contract), 'utf8');

function breaks(before: string, after: string): string[] {
  return findBreakingChanges(buildSchema(before), buildSchema(after)).map(({ description }) => description);
}

describe('the supported versions of the contract', () => {
  test.each(API_VERSIONS)(
    'the schema that version $name has now breaks no query that was valid in it',
    { timeout: 120_000 },
    (version) => {
      const now = printSchema(schemaOfVersion(managementSchema(), version));
      expect(breaks(read(`versions/${version.name}.graphql`), now)).toEqual([]);
    },
  );

  test('the newest version has the schema of the contract', () => {
    const newest = API_VERSIONS.at(-1) as ApiVersion;
    const now = printSchema(lexicographicSortSchema(schemaOfVersion(managementSchema(), newest)));
    expect(`${now}\n`).toBe(read('schema.graphql'));
  });

  test('every field that a version changed has another type in the version before', () => {
    const earlier = schemaOfVersion(managementSchema(), DEFAULT_VERSION);
    const typeOf = (schema: GraphQL.GraphQLSchema, type: string, field: string): string =>
      String((schema.getType(type) as GraphQL.GraphQLObjectType).getFields()[field]?.type);
    for (const { type, field, was } of EARLIER_FIELDS) {
      expect(typeOf(earlier, type, field)).toMatch(new RegExp(`^${was}!?$`));
      expect(typeOf(managementSchema(), type, field)).not.toBe(typeOf(earlier, type, field));
    }
  });

  test('every argument that a version removed is in the version before, and only there', () => {
    const earlier = schemaOfVersion(managementSchema(), DEFAULT_VERSION);
    const argumentsOf = (schema: GraphQL.GraphQLSchema, type: string, field: string): string[] =>
      (schema.getType(type) as GraphQL.GraphQLObjectType).getFields()[field]?.args.map(({ name }) => name) ?? [];
    for (const { type, field, argument } of EARLIER_ARGUMENTS) {
      expect(argumentsOf(earlier, type, field)).toContain(argument);
      expect(argumentsOf(managementSchema(), type, field)).not.toContain(argument);
    }
  });

  test('every version that a request can name has its schema in the contract', () => {
    expect(versions).toEqual(API_VERSIONS.map(({ name }) => `${name}.graphql`));
  });

  test('node takes the id alone, as Relay refetches objects', () => {
    const { args } = managementSchema().getQueryType()?.getFields()['node'] ?? { args: [] };
    expect(args.map(({ name, type }) => `${name}: ${String(type)}`)).toEqual(['id: ID!']);
  });

  test('in every payload that shows a secret once, a fault inside of another member leaves the secret', () => {
    const schema = managementSchema();
    const objects = Object.values(schema.getTypeMap()).filter((type) => 'getInterfaces' in type);
    const secretive = (objects as GraphQL.GraphQLObjectType[]).filter((type) =>
      Object.values(type.getFields()).some(({ description }) => /shown once/.test(description ?? '')),
    );
    expect(secretive.map(({ name }) => name).toSorted()).toEqual([
      'MadeApiKey',
      'MadeHeaderCredential',
      'Mutation',
      'NewReportShare',
      'ReportSchedulePayload',
      'WebhookPayload',
    ]);
    const fatal = secretive.flatMap((type) =>
      Object.values(type.getFields())
        // Mistakes are read from the refusal, which has no secret beside it.
        .filter((field) => field.name !== 'userErrors' && String(field.type).endsWith('!'))
        .filter((field) => 'getFields' in (schema.getType(String(field.type).replaceAll(/[[\]!]/g, '')) as object))
        .map((field) => `${type.name}.${field.name}`),
    );
    // Of the specification: it holds the mutations of legacy reports, and each of these can be null.
    expect(fatal).toEqual(['Mutation.report']);
  });

  test.each([
    ['removes a field', 'type Query { a: Int }'],
    ['changes the type of a field', 'type Query { a: Int b(c: Int): String }'],
    ['requires a new argument', 'type Query { a: Int b(c: Int, d: Int!): Int }'],
  ])('a contract that %s breaks clients', (_, after) => {
    expect(breaks('type Query { a: Int b(c: Int): Int }', after)).toHaveLength(1);
  });

  test('a contract that adds a field and an optional argument breaks no client', () => {
    expect(breaks('type Query { a: Int }', 'type Query { a(b: Int): Int c: Int }')).toEqual([]);
  });
});
