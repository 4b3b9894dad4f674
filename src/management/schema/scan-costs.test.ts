import { getOperationAST, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ADMISSION_LIMITS } from './cost-admission.ts';
import { costOf } from './query-cost.ts';
import { managementSchema } from './schema.ts';

const cost = (query: string, variables: Readonly<Record<string, unknown>> = {}): number => {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation.');
  return costOf(managementSchema(), document, operation, variables);
};

describe('The cost of a table of line items', () => {
  const table = (args: string) => cost(`{ lineItemTable(first: 1${args}) { nodes { id } } }`);
  const plain = table('');

  test('the smallest window is a small query, and more than a list', () => {
    expect(plain).toBeGreaterThan(cost('{ lineItems(first: 1) { nodes { id } } }') + 400);
    expect(plain).toBeLessThan(ADMISSION_LIMITS.smallMax);
  });

  test.each([
    [', sort: SPEND', 1_000],
    [', tab: NOT_DELIVERING', 2_500],
    [', offset: 1000000', 10_000],
    [', offset: 1', 1],
    [', filter: { search: "x" }', 100],
    [', sort: ID, tab: null, offset: 0', 0],
    [', offset: -5', 0],
  ])('%s adds %i points', (args, points) => {
    expect(table(args) - plain).toBe(points);
  });

  test('variables count as literals do', () => {
    const query = `query ($tab: LineItemTab, $sort: LineItemTableSort, $offset: Int) {
      lineItemTable(first: 1, tab: $tab, sort: $sort, offset: $offset) { nodes { id } } }`;
    expect(cost(query)).toBe(plain);
    expect(cost(query, { tab: 'BEHIND', sort: 'PACE', offset: 5_000 })).toBe(plain + 3_550);
  });

  test('a sorted and counted tab costs about as much as the counts of all tabs', () => {
    const scan = cost('{ lineItemTable(first: 1, sort: SPEND, tab: NOT_DELIVERING) { totalCount } }');
    const tabs = cost('{ lineItemTabs { count } }');
    expect(Math.abs(scan - tabs)).toBeLessThan(tabs / 50);
  });
});

describe('The cost of other scans', () => {
  test.each([
    [
      '{ lineItems(first: 1, sort: { field: NAME }) { nodes { id } } }',
      '{ lineItems(first: 1) { nodes { id } } }',
      100,
    ],
    [
      '{ lineItems(first: 1, sort: { field: ID, direction: DESC }) { nodes { id } } }',
      '{ lineItems(first: 1) { nodes { id } } }',
      0,
    ],
    [
      '{ auditLog(first: 1, filter: { actorContains: "x" }) { nodes { at } } }',
      '{ auditLog(first: 1) { nodes { at } } }',
      500,
    ],
    ['{ auditLog(first: 1) { totalCount } }', '{ auditLog(first: 1) { __typename } }', 499],
    ['{ changes(first: 1) { totalCount } }', '{ changes(first: 1) { __typename } }', 499],
    ['{ assets(first: 1) { nodes { url } } }', '{ deals(first: 1) { nodes { id } } }', 100],
    ['{ changes(first: 1) { nodes { actor } } }', '{ deals(first: 1) { nodes { id } } }', 50],
  ])('%s costs more than %s by %i points', (scan, other, points) => {
    expect(cost(scan) - cost(other)).toBe(points);
  });

  test('the storage of a network costs for each quota, and stays small', () => {
    const storage = cost('{ network(id: 1) { storage { name title unit used limit } } }');
    expect(storage).toBeGreaterThan(500);
    expect(storage).toBeLessThan(ADMISSION_LIMITS.smallMax);
  });

  test('a sort in a variable counts as a literal', () => {
    const query = 'query ($sort: SortInput) { lineItems(first: 1, sort: $sort) { nodes { id } } }';
    expect(cost(query, { sort: { field: 'NAME' } }) - cost(query)).toBe(100);
  });
});
