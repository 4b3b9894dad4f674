import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as GraphQL from 'graphql';
import { describe, expect, test } from 'vitest';

const { buildSchema, findBreakingChanges } = createRequire(import.meta.url)('graphql') as typeof GraphQL;

const contract = new URL('../../../contract/', import.meta.url);
const versions = readdirSync(new URL('versions/', contract)).filter((name) => name.endsWith('.graphql'));
const read = (path: string) => readFileSync(new URL(path, contract), 'utf8');

function breaks(before: string, after: string): string[] {
  return findBreakingChanges(buildSchema(before), buildSchema(after)).map(({ description }) => description);
}

describe('the supported versions of the contract', () => {
  test('the contract breaks no query that is valid in a supported version', { timeout: 120_000 }, () => {
    expect(versions).not.toEqual([]);
    const broken = versions.flatMap((name) =>
      breaks(read(`versions/${name}`), read('schema.graphql')).map((change) => `${name}: ${change}`),
    );
    expect(broken).toEqual([]);
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
