import { PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './builder.ts';
import { inLanguage } from './collation.sql.ts';
import type { ManagementContext } from './context.ts';
import type { StoredRow } from './field.ts';
import { joinableLinks, listLinkedRows } from './linked-page.sql.ts';
import { addLinked, type ChildrenRequest, loadChildCount, loadChildren, loadLinks } from './loaders.ts';
import type { Resource } from './resource.ts';
import type { Predicate } from './predicate.ts';
import { type Condition, countRows, listRows, type PageKey, type Search } from './resource.sql.ts';
import type { Selection } from './selection.ts';
import { COMMON_SORTS, isSortText, type SortKey } from './sort-keys.ts';
import { queryableOf } from './transactions.sql.ts';

/** Arguments of a connection, as the Relay specification names them. */
export interface ConnectionArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** A page of a list; the total is counted only when the query selects it. */
export interface Connection {
  readonly edges: { readonly cursor: string; readonly node: StoredRow }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: () => Promise<number>;
}

/** An object of a list. Its cursor is encoded when it is read, because most queries select only the objects. */
class Edge {
  readonly node: StoredRow;
  readonly #sort: SortKey;
  readonly #value: string;

  constructor(node: StoredRow, sort: SortKey, value: string) {
    this.node = node;
    this.#sort = sort;
    this.#value = value;
  }

  get cursor(): string {
    return encodeCursor(this.#sort.name, this.#value, this.node.id);
  }
}

/** The filter and the order of a list. */
export interface ListRequest {
  readonly conditions: readonly Condition[];
  readonly search: Search | null;
  /** What must hold besides; null: nothing. */
  readonly where: Predicate | null;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly selection: Selection;
}

/** Reads one page of a resource's list. @throws PlacardError `invalid_request` for a bad page size or cursor */
export async function readPage(
  context: ManagementContext,
  resource: Resource,
  request: ListRequest,
  args: ConnectionArguments,
): Promise<Connection> {
  const size = pageSize(args);
  const fromEnd = args.last !== null && args.last !== undefined;
  const { workspaceId } = context.principal;
  const sort = await inLanguage(context, request.sort);
  const page = {
    ...request,
    sort,
    columns: request.selection.columns,
    after: decodeCursor(args.after, request.sort, 'after'),
    before: decodeCursor(args.before, request.sort, 'before'),
    limit: size + 1,
    fromEnd,
  };
  const links = joinableLinks(request.selection);
  const { rows, linked } = await context.budget.read(async () => {
    const db = queryableOf(context);
    if (links.length > 0) return listLinkedRows(db, workspaceId, resource.table, { ...page, links });
    return { rows: await listRows(db, workspaceId, resource.table, page), linked: [] };
  });
  for (const [index, link] of links.entries()) {
    const found = linked[index] ?? [];
    context.budget.countRows(found);
    await addLinked(context, link, found);
  }
  const more = rows.length > size;
  const kept = fromEnd ? rows.slice(more ? 1 : 0) : rows.slice(0, size);
  await loadLinks(context, kept, request.selection.links);
  const edges = kept.map((row) => new Edge(row, request.sort, row.sort_key));
  return {
    edges,
    pageInfo: {
      hasNextPage: fromEnd ? isGiven(args.before) : more,
      hasPreviousPage: fromEnd ? more : isGiven(args.after),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => context.budget.read(() => countRows(queryableOf(context), workspaceId, resource.table, request)),
  };
}

/** Reads the first page of a parent's children, together with those of its siblings. Sorted by id, forwards only. */
export async function readChildren(
  context: ManagementContext,
  request: Omit<ChildrenRequest, 'limit'>,
  parentId: bigint,
  args: ConnectionArguments,
): Promise<Connection> {
  const size = pageSize(args);
  const after = decodeCursor(args.after, COMMON_SORTS.ID, 'after');
  const paged =
    after === null
      ? request.conditions
      : [...request.conditions, { column: 'id', kind: 'after' as const, value: after.id }];
  const rows = await loadChildren(context, { ...request, conditions: paged, limit: size + 1 }, parentId);
  const edges = rows.slice(0, size).map((row) => new Edge(row, COMMON_SORTS.ID, String(row.id)));
  return {
    edges,
    pageInfo: {
      hasNextPage: rows.length > size,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => loadChildCount(context, { ...request, limit: 0 }, parentId),
  };
}

/** Returns the page size of the arguments. @throws PlacardError `invalid_request` outside 1…100, or for both ends at once */
export function pageSize(args: ConnectionArguments): number {
  if (isGiven(args.first) && isGiven(args.last)) {
    throw new PlacardError('invalid_request', 'Give `first` or `last`, not both.');
  }
  const size = args.first ?? args.last ?? PAGE_SIZE_DEFAULT;
  if (size >= 1 && size <= PAGE_SIZE_MAX) return size;
  throw new PlacardError('invalid_request', `A page has 1 to ${PAGE_SIZE_MAX} objects; ${size} were asked for.`);
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** An opaque cursor: the sort field, the text of its value, and the id. */
export function encodeCursor(field: string, value: string, id: bigint): string {
  return Buffer.from(JSON.stringify([field, value, String(id)])).toString('base64url');
}

/** Parses a cursor; null when there is none. @throws PlacardError `invalid_request` for a cursor of another list */
export function decodeCursor(cursor: string | null | undefined, sort: SortKey, name: string): PageKey | null {
  if (cursor === null || cursor === undefined) return null;
  let parts: unknown = null;
  try {
    parts = JSON.parse(Buffer.from(cursor.slice(0, 4_000), 'base64url').toString('utf8'));
  } catch {
    // Falls through to the error below.
  }
  if (Array.isArray(parts) && parts.length === 3 && parts[0] === sort.name) {
    const [, value, id] = parts as unknown[];
    if (typeof value === 'string' && typeof id === 'string' && isDecimalId(id) && isSortText(sort, value))
      return { value, id };
  }
  throw new PlacardError(
    'invalid_request',
    `\`${name}\` is not a cursor of this list in this order; take it from an edge or from pageInfo.`,
  );
}
