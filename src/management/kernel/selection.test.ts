import { buildSchema, execute, type GraphQLResolveInfo, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { managementSchema } from '../schema/schema.ts';
import type { StoredRow } from './field.ts';
import { initialColumns, type Resource, resourceOfType } from './resource.ts';
import { IN_CONNECTION, type Selection, selectionOf } from './selection.ts';

managementSchema();
const TYPES = Object.keys(managementSchema().getTypeMap()).filter((name) => isResource(name));

function isResource(name: string): boolean {
  try {
    return resourceOfType(name).type === name;
  } catch {
    return false;
  }
}

/** The columns that a read of a row touches. */
function columnsRead(resource: Resource, read: (row: StoredRow) => unknown): string[] {
  const touched = new Set<string>();
  const row = new Proxy(initialColumns(resource), {
    get: (columns, name) => {
      touched.add(String(name));
      return columns[String(name)] ?? null;
    },
  });
  try {
    read(row as unknown as StoredRow);
  } catch {
    // A required column is null here; what was read until then counts.
  }
  return [...touched];
}

const schema = buildSchema(`interface Thing { id: ID } type Query { lineItems: Items lineItem: Item }
  type Items { nodes: [Item] edges: [Edge] totalCount: Int } type Edge { node: Item cursor: String }
  type Item implements Thing { id: ID name: String version: Int status: String campaignId: ID campaign: Campaign delivery: String creatives: String }
  type Campaign implements Thing { id: ID name: String version: Int delivery: String campaign: Campaign advertiser: Advertiser } type Advertiser { id: ID name: String }`);

/** What the engine passes to the resolver of a query's root field. */
function select(query: string, within?: typeof IN_CONNECTION): Selection {
  let info: GraphQLResolveInfo | null = null;
  const capture = (_args: unknown, _context: unknown, given: GraphQLResolveInfo) => void (info = given);
  const result = execute({ schema, document: parse(query), rootValue: { lineItems: capture, lineItem: capture } });
  if (info === null) throw new Error(JSON.stringify(result));
  return selectionOf(resourceOfType('LineItem'), info, within);
}

describe('the columns of a query', () => {
  test.each(TYPES)('every field of %s reads only the columns that it states', (type) => {
    const resource = resourceOfType(type);
    for (const field of resource.fields)
      expect(field.columns, field.name).toEqual(expect.arrayContaining(columnsRead(resource, field.read)));
  });

  test('a list reads the columns that nodes, edges and fragments select', () => {
    const query = `{ lineItems { totalCount nodes { name ...more } edges { cursor node { version } } } }
      fragment more on Item { ... on Item { status } }`;
    expect(select(query, IN_CONNECTION).columns).toEqual(['id', 'name', 'status', 'version']);
  });

  test('a link reads its own columns, and is left out where a directive may skip it', () => {
    const { columns, links } = select('{ lineItem { campaign { name advertiser { name } } } }');
    expect(columns).toEqual(['id', 'campaign_id']);
    expect(links).toMatchObject([
      {
        column: 'campaign_id',
        resource: { type: 'Campaign' },
        selection: { columns: ['id', 'name', 'advertiser_id'], links: [{ column: 'advertiser_id' }] },
      },
    ]);
    expect(select('{ lineItem { campaign @include(if: false) { name } } }')).toEqual({
      columns: ['id', 'campaign_id'],
      links: [],
    });
  });

  test('a link is left out behind a directive on a fragment or on a field above', () => {
    const link = 'campaign { name }';
    for (const nodes of [`nodes @skip(if: true) { ${link} }`, `nodes { ... @include(if: true) { ${link} } }`])
      expect(select(`{ lineItems { totalCount ${nodes} } }`, IN_CONNECTION).links).toEqual([]);
    expect(select(`{ lineItems { nodes { ... { ${link} } } } }`, IN_CONNECTION).links).toHaveLength(1);
  });

  test('a fragment on another type reads nothing', () => {
    const query = `{ lineItem { name ... on Thing { ...item ... on Campaign { campaign { name } } } } }
      fragment item on Item { status ... on Thing { id ... on Campaign { version delivery } } }`;
    expect(select(query)).toEqual({ columns: ['id', 'name', 'status'], links: [] });
  });

  test('a field that may read any column has all of them read', () => {
    expect(select('{ lineItem { name delivery } }').columns).toBeNull();
  });

  test('the same field selected twice reads the columns of both', () => {
    expect(select('{ lineItem { name } lineItem { status } }').columns).toEqual(['id', 'name', 'status']);
  });
});
