const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** GraphQL documents that far exceed a limit, with the limit that rejects each. */
export const OVERSIZED_DOCUMENTS: Readonly<Record<string, { readonly query: string; readonly limitName: string }>> = {
  '3,000 levels deep': {
    query: `{ campaign(id: 1) ${'{ advertiser { campaigns { nodes '.repeat(1_000)}{ id }${'} } }'.repeat(1_000)} }`,
    limitName: 'depth',
  },
  '5,000 aliases': { query: `{ ${repeat(5_000, (index) => `a${index}: __typename`)} }`, limitName: 'tokens' },
  '60 aliases': { query: `{ campaign(id: 1) { ${repeat(60, (index) => `a${index}: id`)} } }`, limitName: 'aliases' },
  '100,000 tokens': { query: `{ ${'id '.repeat(100_000)} }`, limitName: 'tokens' },
  'circular fragments': {
    query: '{ campaign(id: 1) { ...A } } fragment A on Campaign { ...B } fragment B on Campaign { ...A }',
    limitName: 'circular fragments',
  },
  'fragments that multiply': {
    query: `{ campaign(id: 1) { ...F0 } } ${repeat(20, (index) => `fragment F${index} on Campaign { ...F${index + 1} ...F${index + 1} }`)} fragment F20 on Campaign { id }`,
    limitName: 'repeated fields',
  },
};
