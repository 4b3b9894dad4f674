import { createRequire } from 'node:module';
import type * as GraphQL from 'graphql';
import type { GraphQLNamedType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { writeApiVersion, writeGraphqlTypes } from '../../../scripts/sdk/graphql-types.ts';
import { writePythonSchema } from '../../../scripts/sdk/python-schema.ts';
import { OPERATIONS } from '../../access/permissions/permissions.ts';
import { API_VERSIONS, type ApiVersion } from '../kernel/api-version.ts';
import { managementSchema, RESOURCES } from './schema.ts';

// The copy of the engine that the libraries use: the test runner would give us another one, whose classes differ.
const graphql = createRequire(import.meta.url)('graphql') as typeof GraphQL;
const {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} = graphql;

const schema = managementSchema();
const version = (API_VERSIONS.at(-1) as ApiVersion).name;
const ownTypes = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

function undescribed(type: GraphQLNamedType): string[] {
  const missing = type.description ? [] : [type.name];
  if (isEnumType(type))
    missing.push(
      ...type
        .getValues()
        .filter((value) => !value.description)
        .map((value) => `${type.name}.${value.name}`),
    );
  if (isInputObjectType(type))
    missing.push(
      ...Object.values(type.getFields())
        .filter((field) => !field.description)
        .map((field) => `${type.name}.${field.name}`),
    );
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      if (!field.description) missing.push(`${type.name}.${field.name}`);
      missing.push(
        ...field.args
          .filter((argument) => !argument.description)
          .map((argument) => `${type.name}.${field.name}(${argument.name})`),
      );
    }
  }
  return missing;
}

const text = `${printSchema(lexicographicSortSchema(schema))}\n`;

const rootFields = [
  ...Object.keys(schema.getQueryType()?.getFields() ?? {}).map((name) => `query.${name}`),
  ...Object.keys(schema.getMutationType()?.getFields() ?? {}).map((name) => `mutation.${name}`),
];

describe('the schema', () => {
  test('the schema describes every type, field, argument and value', () => {
    expect(ownTypes.flatMap(undescribed)).toEqual([]);
  });

  test('the schema equals the committed contract (update it with `npx vitest run src/management/schema/schema.test.ts -u`)', async () => {
    await expect(text).toMatchFileSnapshot('../../../contract/schema.graphql');
  });

  test('the types of the clients in TypeScript and Python equal the schema (the same command updates them)', async () => {
    await expect(writeGraphqlTypes(text)).toMatchFileSnapshot('../../../sdk/client/src/schema.ts');
    await expect(writeApiVersion(version)).toMatchFileSnapshot('../../../sdk/client/src/api-version.ts');
    await expect(writePythonSchema(text, version)).toMatchFileSnapshot('../../../sdk/python/placard/schema.py');
  });

  test('the schema has a permission for every root field', () => {
    expect(rootFields.filter((operation) => !Object.hasOwn(OPERATIONS, operation))).toEqual([]);
  });

  test('the schema has create, update, archive, one and many for every resource', () => {
    const missing = RESOURCES.flatMap(({ type, singular, plural }) =>
      [
        `query.${singular}`,
        `query.${plural}`,
        ...['create', 'update', 'archive'].map((verb) => `mutation.${verb}${type}`),
      ].filter((operation) => !rootFields.includes(operation)),
    );
    expect(missing).toEqual([]);
  });
});
