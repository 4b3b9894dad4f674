import { CSV, type CsvParent } from './csv-columns.ts';
import type { CsvKind } from './csv-kinds.ts';
import type { CsvRecord } from './csv-export.ts';
import type { CsvKnown, CsvParentRecord, CsvWanted } from './csv-known.ts';
import type { ListFilter, LineItemTab } from '../../api/bookings/desk-list.ts';
import { askGraphql, changeOnce } from '../../api/transport/graphql.ts';
import type { FieldProblem } from '../../api/transport/problem.ts';
import type { Scope } from '../../api/transport/scope.ts';

const PAGE = 100;
/** Ids, codes or names that one query looks up. */
const NAMES_MAX = 100;

/** How much is read, and who is told of it. */
export interface ReadOptions {
  readonly max: number;
  onProgress?: (count: number) => void;
}

const TEST = 'test { dimension operator key values }';
/** Of targeting, what columns can say: a tree of any other form is seen to be cut. */
const EMBEDDED: Readonly<Record<string, string>> = {
  goal: '{ target kind period }',
  targeting: `{ ${TEST} all { ${TEST} } }`,
  sizes: '{ width height }',
  formats: '{ format sizes { width height } durationMinMs durationMaxMs }',
  priceOptions: '{ id pricingModel price floor sharePercent minimumSpend advertiserIds }',
  measurement: '{ countedBy vendor viewabilityVendor terms }',
  creativePolicy: '{ coBranding landingPage templatesAvailable provenanceRequired terms }',
  caps: '{ impressionsPerDay impressionsLifetime clicksPerDay clicksLifetime spendPerDay spendLifetime }',
  frequencyCaps: '{ event count window every per }',
  dayParts: '{ days startMinute endMinute }',
};

function selectionOf(kind: CsvKind): string {
  const { columns, parent } = CSV[kind];
  const fields = new Set(['id', 'name', 'version', 'status', ...columns.map(({ field }) => field)]);
  const own = [...fields].map((field) => `${field} ${EMBEDDED[field] ?? ''}`).join(' ');
  if (parent === null) return own;
  return `${own} ${parent.field} ${parent.one} { ${parentSelection(parent.kind, parent.key)} }`;
}

function parentSelection(kind: CsvParent['kind'], key: string): string {
  return `id name status ${key} ${kind === 'campaigns' ? 'advertiser { name }' : ''}`;
}

interface Connection<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface Listing {
  readonly list: string;
  readonly type: string;
  readonly selection: string;
}

/** Which objects: by the list's own filter, or by `where`. */
interface Narrowed {
  readonly filter?: object;
  readonly where?: object;
}

async function readAll<Row>(
  scope: Scope,
  { list, type, selection }: Listing,
  narrowed: Narrowed,
  { max, onProgress }: ReadOptions,
): Promise<readonly Row[]> {
  const query = `query CsvObjects($filter: ${type}Filter, $where: ${type}Where, $first: Int, $after: String) {
    list: ${list}(filter: $filter, where: $where, sort: { field: ID }, first: $first, after: $after) {
      nodes { ${selection} } pageInfo { hasNextPage endCursor } } }`;
  const rows: Row[] = [];
  for (let after: string | null = null; rows.length < max; ) {
    const variables: Readonly<Record<string, unknown>> = {
      ...narrowed,
      first: Math.min(PAGE, max - rows.length),
      after,
    };
    const { list: page } = await askGraphql<{ list: Connection<Row> }>(scope, query, variables);
    rows.push(...page.nodes);
    onProgress?.(rows.length);
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  return rows;
}

/** Which rows of a table are written to a file. `tab`: of line items alone. */
export interface CsvRequest {
  readonly kind: CsvKind;
  readonly tab: LineItemTab | null;
  readonly filter: object;
}

/** Reads the objects of a table with all that a file has of them. */
export function loadRecords(
  scope: Scope,
  { kind, tab, filter }: CsvRequest,
  options: ReadOptions,
): Promise<readonly CsvRecord[]> {
  if (kind === 'lineItems') return loadTable(scope, { tab, filter }, options);
  return readAll(scope, { list: kind, type: CSV[kind].type, selection: selectionOf(kind) }, { filter }, options);
}

/** Line items as their table has them: its tabs and filters are its own. */
async function loadTable(
  scope: Scope,
  { tab, filter }: { readonly tab: LineItemTab | null; readonly filter: ListFilter },
  { max, onProgress }: ReadOptions,
): Promise<readonly CsvRecord[]> {
  const query = `query CsvLineItems($tab: LineItemTab, $filter: LineItemTableFilter, $offset: Int, $first: Int) {
    table: lineItemTable(tab: $tab, filter: $filter, sort: ID, offset: $offset, first: $first) {
      nodes { ${selectionOf('lineItems')} } } }`;
  const rows = new Map<string, CsvRecord>();
  for (let offset = 0; offset < max; offset += PAGE) {
    const first = Math.min(PAGE, max - offset);
    const variables = { tab, filter, offset, first };
    const { table } = await askGraphql<{ table: { nodes: readonly CsvRecord[] } }>(scope, query, variables);
    for (const row of table.nodes) rows.set(row.id, row);
    onProgress?.(rows.size);
    if (table.nodes.length < first) break;
  }
  return [...rows.values()];
}

/** Looks up the objects that a file names. @param onProgress told how many names have been looked up */
export async function loadKnown(
  scope: Scope,
  kind: CsvKind,
  wanted: CsvWanted,
  onProgress: (count: number) => void,
): Promise<CsvKnown> {
  const { type, parent, key, keyFilter } = CSV[kind];
  let count = 0;
  const lookUp = async <Row>(
    listing: Listing,
    names: readonly string[],
    narrow: (some: readonly string[]) => Narrowed,
  ): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let at = 0; at < names.length; at += NAMES_MAX) {
      const some = names.slice(at, at + NAMES_MAX);
      rows.push(...(await readAll<Row>(scope, listing, narrow(some), { max: 10 * PAGE })));
      onProgress((count += some.length));
    }
    return rows;
  };
  const own: Listing = { list: kind, type, selection: selectionOf(kind) };
  const records = [
    ...(await lookUp<CsvRecord>(own, wanted.ids, (ids) => ({ filter: { ids } }))),
    ...(await lookUp<CsvRecord>(own, wanted.keys, (keys) =>
      keyFilter === null ? { where: { [key]: { in: keys } } } : { filter: { [keyFilter]: keys } },
    )),
  ];
  const parents: CsvParentRecord[] = [];
  if (parent !== null) {
    const above = listingOf(parent.kind, parent.key);
    const byKey = parent.kind === 'sites' ? 'codes' : 'externalIds';
    parents.push(
      ...(await lookUp<CsvParentRecord>(above, wanted.parentIds, (ids) => ({ filter: { ids } }))),
      ...(await lookUp<CsvParentRecord>(above, wanted.parentKeys, (keys) => ({ filter: { [byKey]: keys } }))),
      ...(await lookUp<CsvParentRecord>(above, wanted.parentNames, (names) => ({ where: { name: { in: names } } }))),
    );
  }
  const advertisers = await lookUp<CsvParentRecord>(
    listingOf('advertisers', 'externalId'),
    wanted.advertiserNames,
    (names) => ({ where: { name: { in: names } } }),
  );
  return { records: eachOnce(records), parents: eachOnce(parents), advertisers: eachOnce(advertisers) };
}

const TYPES = { campaigns: 'Campaign', advertisers: 'Advertiser', sites: 'Site' } as const;

function listingOf(kind: CsvParent['kind'], key: string): Listing {
  return { list: kind, type: TYPES[kind], selection: parentSelection(kind, key) };
}

function eachOnce<Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Some lines that are stored in one call. */
export interface CsvPortion {
  readonly kind: CsvKind;
  readonly verb: 'create' | 'upsert' | 'update';
  /** Inputs; of updates, entries with the id and the version. */
  readonly rows: readonly object[];
}

/** The outcome for one line. */
export interface CsvOutcome {
  /** Null: it is valid. */
  readonly code: string | null;
  readonly message: string | null;
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
  /** After the change; null: nothing was stored. */
  readonly object: { readonly id: string; readonly version: number } | null;
}

interface PortionBody {
  readonly done: { readonly results: readonly (CsvOutcome & { readonly index: number })[] };
}

/** Validates lines, each by itself, and stores nothing. */
export async function validatePortion(
  scope: Scope,
  portion: CsvPortion,
  signal?: AbortSignal,
): Promise<readonly CsvOutcome[]> {
  const [query, rows] = mutationOf(portion);
  return (await askGraphql<PortionBody>(scope, query, { rows, validateOnly: true }, signal)).done.results;
}

/** Stores lines, each by itself, once: the same call with the same key stores nothing more. */
export async function storePortion(
  scope: Scope,
  portion: CsvPortion,
  idempotencyKey: string,
): Promise<readonly CsvOutcome[]> {
  const [query, rows] = mutationOf(portion);
  const variables = { rows, validateOnly: false };
  return (await changeOnce<PortionBody>(scope, { query, variables, idempotencyKey })).done.results;
}

function mutationOf({ kind, verb, rows }: CsvPortion): readonly [query: string, rows: readonly object[]] {
  const { type, one } = CSV[kind];
  const field = `${verb}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const [argument, input] =
    verb === 'update'
      ? ['updates', `Update${type}Entry`]
      : ['inputs', `${verb === 'create' ? 'Create' : 'Upsert'}${type}Input`];
  const query = `mutation CsvRows($rows: [${input}!]!, $validateOnly: Boolean) {
    done: ${field}(${argument}: $rows, mode: ROW_BY_ROW, validateOnly: $validateOnly) { results {
      index code message problems { path code message } warnings { path code message } object: ${one} { id version } } } }`;
  return [query, rows];
}

/** Validates line items together with the campaign that they are made under; nothing is stored. @returns the problems, by their path */
export async function validateUnder(
  scope: Scope,
  campaign: object,
  lineItems: readonly object[],
): Promise<{ readonly problems: readonly FieldProblem[]; readonly warnings: readonly FieldProblem[] }> {
  const query = `mutation CsvTree($input: SaveCampaignInput!) { done: saveCampaign(input: $input, validateOnly: true) {
    userErrors { field code message } warnings { path code message } } }`;
  type Body = {
    done: {
      userErrors: readonly { field: string | null; code: string; message: string }[];
      warnings: readonly FieldProblem[];
    };
  };
  const { done } = await askGraphql<Body>(scope, query, { input: { ...campaign, lineItems } });
  const problems = done.userErrors.map(({ field, ...error }) => ({ ...error, path: field ?? '' }));
  return { problems, warnings: done.warnings };
}

/** Any advertiser in use, under which a campaign is validated whose own advertiser is yet to be made; null: there is none. */
export async function findAnyAdvertiser(scope: Scope): Promise<string | null> {
  const query = '{ list: advertisers(filter: { statuses: [ACTIVE] }, first: 1) { nodes { id } } }';
  const { list } = await askGraphql<{ list: { nodes: readonly { id: string }[] } }>(scope, query);
  return list.nodes[0]?.id ?? null;
}
