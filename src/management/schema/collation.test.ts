import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
const made: { id: bigint; name: string }[] = [];
const letter = fc.constantFrom(
  'a',
  'ą',
  'l',
  'Ł',
  'ł',
  'ö',
  'o',
  'z',
  'ź',
  'ż',
  'ñ',
  'Z',
  '_',
  '-',
  ' ',
  'ж',
  '1',
  '2',
);
const TOWNS = ['Lublin', 'lz', 'Łódź', 'łan', 'Mad', 'Żary', 'zebra', 'Łódź', 'Öl', 'Oz'];
const NAMES = [
  ...TOWNS,
  ...fc.sample(fc.string({ unit: letter, minLength: 1, maxLength: 3 }), { numRuns: 60, seed: 11 }),
].map((name) => name.trim() || 'x');

beforeAll(async () => {
  api = await createTestManagement();
  const rows = await api.database.db
    .insertInto('sites')
    .values(NAMES.map((name, at) => ({ workspace_id: 1, code: `c${at}`, name, domain: 'x.example' })))
    .returning(['id', 'name'])
    .execute();
  made.push(...rows);
});
afterAll(() => api.close());

const speak = (languages: readonly string[] | null) =>
  api.data('mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { id } }', { input: { languages } });

interface Page {
  readonly sites: {
    readonly edges: readonly {
      readonly cursor: string;
      readonly node: { readonly id: string; readonly name: string };
    }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
  };
}

/** Ids of all sites, page by page. */
async function walk(order: string, size: number, fromEnd = false): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const at = fromEnd
      ? `last: ${size}${cursor && `, before: "${cursor}"`}`
      : `first: ${size}${cursor && `, after: "${cursor}"`}`;
    const { sites } = await api.data<Page>(
      `{ sites(${at}, ${order}) { edges { cursor node { id name } } pageInfo { hasNextPage hasPreviousPage } } }`,
    );
    const found = sites.edges.map(({ node }) => node.id);
    if (fromEnd) ids.unshift(...found);
    else ids.push(...found);
    if (!(fromEnd ? sites.pageInfo.hasPreviousPage : sites.pageInfo.hasNextPage)) return ids;
    cursor = (fromEnd ? sites.edges[0] : sites.edges.at(-1))?.cursor ?? '';
  }
}

/** Names in the order that the runtime has for a language; texts that it takes for equal by their bytes, as PostgreSQL does. */
function sorted(language: string): string[] {
  const { compare } = new Intl.Collator(language);
  const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
  return made
    .toSorted(
      (one, other) => compare(one.name, other.name) || byBytes(one.name, other.name) || Number(one.id - other.id),
    )
    .map(({ id }) => String(id));
}

describe('lists by name', () => {
  test.each([
    ['pl', ['Lublin', 'lz', 'łan', 'Łódź', 'Mad', 'Öl', 'Oz', 'zebra', 'Żary']],
    ['de', ['łan', 'Łódź', 'Lublin', 'lz', 'Mad', 'Öl', 'Oz', 'Żary', 'zebra']],
  ])('a list in %s has the order of that language', async (language, expected) => {
    await speak([language]);
    const ids = await walk('sort: { field: NAME }', 100);
    const nameOf = new Map(made.map(({ id, name }) => [String(id), name]));
    const names = ids.map((id) => nameOf.get(id) ?? '').filter((name) => expected.includes(name));
    expect([...new Set(names)].toSorted((one, other) => names.indexOf(one) - names.indexOf(other))).toEqual(expected);
    expect(names).toHaveLength(expected.length + 1);
  });

  test.each([[['pl', 'en']], [['de']], [['es']], [null]])(
    'the pages of %s are the whole list, each object once',
    async (languages) => {
      await speak(languages);
      const whole = sorted(languages?.[0] ?? 'und');
      const orders = ['sort: { field: NAME }', 'orderBy: { field: NAME }'];
      for (const order of orders) expect(await walk(order, 7)).toEqual(whole);
      expect(await walk('sort: { field: NAME }', 11, true)).toEqual(whole);
      expect(await walk('sort: { field: NAME, direction: DESC }', 13)).toEqual(whole.toReversed());
      expect(await walk('orderBy: { field: NAME, direction: DESC }', 9, true)).toEqual(whole.toReversed());
    },
  );

  test('an order by an enumeration or a date does not ask for a language', async () => {
    api.statements.log.length = 0;
    await walk('orderBy: { field: STATUS }', 100);
    await walk('sort: { field: CREATED_AT }', 100);
    expect(
      api.statements.log.filter((statement) => statement.includes('COLLATE') || statement.includes('pg_collation')),
    ).toEqual([]);
  });
});
