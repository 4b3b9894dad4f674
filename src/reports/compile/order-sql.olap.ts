import type { MemberType, NullStorage } from '../model/cube.ts';
import { LIMIT_MAX, type NormalizedQuery } from '../query/query.ts';

/** One column of a result, by its position in the select list. */
export interface ResultColumn {
  /** The key in rows, such as `campaign_overview.time.day`. */
  readonly key: string;
  /** The column's name in the statement. */
  readonly alias: string;
  readonly type: MemberType;
  /** `zeroSum`: a null is a sum over no rows. */
  readonly nulls: NullStorage | 'zeroSum';
  /** A second key with the same values: the bare name of the finest time dimension. */
  readonly bareKey: string | null;
}

/** A column that is selected, with what it is computed by. */
export interface Group {
  readonly column: ResultColumn;
  readonly sql: string;
  /** The member that `order` may name, without granularity. */
  readonly member: string;
}

/**
 * The requested order; else time upwards, else the first measure downwards, else the first dimension. Ties by all groups, and for single
 * events by all columns, so that pages have each row once. Files hold all rows and need no such order of single events.
 */
export function orderSql(query: NormalizedQuery, groups: readonly Group[], measured: readonly Group[]): string {
  const asked = (query.order ?? []).flatMap(({ id, desc }) => {
    const found = [...groups, ...measured].find(({ column, member }) => column.key === id || member === id);
    return found === undefined ? [] : [orderTerms(found, desc)];
  });
  const fallback = asked.length > 0 ? [] : defaultOrder(groups, measured);
  const first = [...asked, ...fallback];
  const isPage = query.limit <= LIMIT_MAX;
  const tied = query.ungrouped !== true ? groups : isPage ? [...groups, ...measured] : [];
  const ties = tied.map(({ column }) => column.alias).filter((alias) => !isOrdered(alias, first));
  const terms = [...first, ...ties];
  return terms.length === 0 ? '' : ` ORDER BY ${[...new Set(terms)].join(', ')}`;
}

/** Whether terms order by a column already: {@link orderTerms} ends with it. */
function isOrdered(alias: string, terms: readonly string[]): boolean {
  return terms.some((term) => term.split(', ').at(-1)?.split(' ', 1)[0] === alias);
}

function defaultOrder(groups: readonly Group[], measured: readonly Group[]): string[] {
  const time = groups.find(({ column }) => column.alias.startsWith('t'));
  if (time !== undefined) return [orderTerms(time, false)];
  const [firstGroup] = groups;
  const [firstMeasure] = measured;
  if (firstGroup === undefined) return [];
  return [firstMeasure === undefined ? orderTerms(firstGroup, false) : orderTerms(firstMeasure, true)];
}

/** Rows without a value come last, whichever way. */
function orderTerms({ column }: Group, desc: boolean): string {
  const direction = desc ? ' DESC' : '';
  if (column.nulls === 'zeroId') return `${column.alias} = 0, ${column.alias}${direction}`;
  if (column.nulls === 'emptyText') return `${column.alias} = '', ${column.alias}${direction}`;
  return `${column.alias}${direction} NULLS LAST`;
}
