import { queryProblem, type Member, type MemberIndex } from '../model/member-index.ts';
import type { CubeDefinition, DimensionDefinition, MeasureDefinition, RelationDefinition } from '../model/cube.ts';
import { readIdValues } from '../query/id-values.ts';
import { localAt } from '../query/local-time.ts';
import type { Filter, FilterLeaf, NormalizedQuery } from '../query/query.ts';
import type { OlapParam } from '../../storage/olap/olap.ts';
import { columnOf } from './column.olap.ts';
import { compileFilter, withinRange, type FilterScope } from './filter-sql.olap.ts';
import { findGranularity, type Granularity } from './granularity.olap.ts';
import { measureCondition, measureSql, type MeasureContext } from './measure-sql.olap.ts';
import { type Group, orderSql, type ResultColumn } from './order-sql.olap.ts';
import { checkRange, rangeInstants } from './query-range.ts';
import { chooseRelation, wholeBuckets, type PrecisionNeed } from './relation.ts';
import { SqlParams } from './sql-params.ts';

export type { ResultColumn } from './order-sql.olap.ts';

/** The workspace whose rows a query may read; bound into every statement, never taken from the query. */
export interface TenantScope {
  readonly workspaceId: number;
  readonly networkId: string;
}

/** A query as statements for ClickHouse. */
export interface CompiledQuery {
  readonly sql: string;
  /** Counts the rows without limit and offset; null when the query does not ask for it. */
  readonly totalSql: string | null;
  readonly params: Readonly<Record<string, OlapParam>>;
  readonly columns: readonly ResultColumn[];
  /** The relation that the statement reads. */
  readonly relation: string;
  /** From the first to after the last instant that is read; null: all of time. */
  readonly range: readonly [fromMs: number, toMs: number] | null;
  /** Whether present names are joined: the result changes when they do. */
  readonly readsNames: boolean;
  /** Reads a few thin slices of a roll-up: sharing that among threads costs more than it brings. */
  readonly isNarrow: boolean;
}

/** The state of compiling one query. */
interface Draft {
  readonly index: MemberIndex;
  readonly query: NormalizedQuery;
  readonly params: SqlParams;
  readonly joins: Set<string>;
  readonly dimensions: Set<string>;
  readonly measures: Set<string>;
  readonly need: PrecisionNeed;
  readonly scope: FilterScope;
  cube: CubeDefinition | null;
}

/**
 * Turns a normalized query into SQL over the cheapest relation that gives the exact result. All values are bound; the workspace is
 * always the first condition.
 *
 * @throws PlacardError `invalid_request` for unknown members, wrong combinations, a missing or too long dateRange
 */
export function compileQuery(
  index: MemberIndex,
  query: NormalizedQuery,
  tenant: TenantScope,
  nowMs: number,
): CompiledQuery {
  const draft = makeDraft(index, query);
  const measures = (query.measures ?? []).map((path) => checkMeasure(query, enterMeasure(draft, path)));
  const groups = [...dimensionGroups(draft), ...timeGroups(draft, nowMs)];
  const where = [...timeConditions(draft), ...rowConditions(draft)];
  const having = measureFilters(draft);
  const cube = draft.cube;
  if (cube === null) throw queryProblem('invalid_query', 'The query names no member.');
  checkRange(cube, query);
  const relation = chooseRelation(cube, {
    ...draft.need,
    dimensions: draft.dimensions,
    measures: draft.measures,
    exact: draft.need.exact || query.ungrouped === true,
  });
  const context: MeasureContext = { cube, relation, ungrouped: query.ungrouped === true };
  const measured = measures.map((member, position) => measureGroup(member, position, context));
  const selected = [...groups, ...measured];
  const conditions = [...workspaceCondition(cube, tenant, draft.params), ...where];
  const compared = new Map<string, string>();
  const havingSql = having.map((filter) => filterTree(filter, (leaf) => measureLeaf(draft, leaf, context, compared)));
  const body = [
    ...withSql(compared),
    `SELECT ${selected.map(({ sql, column }) => `${sql} AS ${column.alias}`).join(', ')}`,
    `FROM ${fromSql(draft, cube, relation)} AS facts${joinSql(draft, cube)}`,
    ...whereSql(context.ungrouped ? [...conditions, ...havingSql] : conditions),
    ...(context.ungrouped || groups.length === 0
      ? []
      : [`GROUP BY ${groups.map(({ column }) => column.alias).join(', ')}`]),
    ...(context.ungrouped || havingSql.length === 0 ? [] : [`HAVING ${havingSql.join(' AND ')}`]),
  ].join(' ');
  const { workspaceId, networkId } = tenant;
  bindNamed(draft.params, { ...cube.params, workspaceId, networkId }, body);
  const page = `LIMIT ${Math.trunc(query.limit)}${query.offset === undefined ? '' : ` OFFSET ${Math.trunc(query.offset)}`}`;
  return {
    sql: `${body}${orderSql(query, groups, measured)} ${page}`,
    totalSql: query.total === true ? `SELECT count() AS total FROM (${body})` : null,
    params: draft.params.values,
    columns: selected.map(({ column }) => column),
    relation: relation.name,
    range: draft.need.range,
    readsNames: draft.joins.size > 0,
    isNarrow: relation.bucketSeconds > 0 && query.filters.some((filter) => picksFew(cube, filter)),
  };
}

function makeDraft(index: MemberIndex, query: NormalizedQuery): Draft {
  const params = new SqlParams();
  const need = {
    instants: [] as number[],
    granularities: [] as Granularity[],
    exact: false,
    timezone: query.timezone,
    range: rangeInstants(query),
  };
  const scope: FilterScope = { params, timezone: query.timezone, onInstant: (epochMs) => need.instants.push(epochMs) };
  return {
    index,
    query,
    params,
    joins: new Set(),
    dimensions: new Set(),
    measures: new Set(),
    need,
    scope,
    cube: null,
  };
}

/** Records that a member is used: all members must be of one cube. */
function enter<T>(draft: Draft, member: Member<T>): Member<T> {
  if (draft.cube !== null && draft.cube !== member.cube) {
    throw queryProblem(
      'unsupported_query',
      `Members of ${draft.cube.name} and ${member.cube.name} cannot be asked together.`,
    );
  }
  draft.cube = member.cube;
  return member;
}

function enterMeasure(draft: Draft, path: string): Member<MeasureDefinition> {
  const member = enter(draft, draft.index.measure(path));
  draft.measures.add(member.name);
  return member;
}

function enterDimension(draft: Draft, path: string): Member<DimensionDefinition> {
  const member = enter(draft, draft.index.dimension(path));
  draft.dimensions.add(member.name);
  if (member.definition.join !== undefined) draft.joins.add(member.definition.join);
  return member;
}

/** Running totals need every row before the range too: over time they are refused, because a range would give wrong sums. */
function checkMeasure(query: NormalizedQuery, member: Member<MeasureDefinition>): Member<MeasureDefinition> {
  checkVisible(member, member.definition.public ?? true);
  if (member.definition.rollingWindow !== undefined && (query.ungrouped === true || query.timeDimensions.length > 0)) {
    throw queryProblem(
      'unsupported_query',
      `${member.fullName} is a running total: it cannot be asked over time or ungrouped.`,
    );
  }
  return member;
}

function checkVisible(member: Member<unknown>, isVisible: boolean): void {
  if (isVisible) return;
  throw queryProblem(
    'unknown_member',
    `You requested hidden member: '${member.fullName}'. Please make it visible using \`public: true\`.`,
  );
}

function dimensionGroups(draft: Draft): Group[] {
  return draft.query.dimensions.map((path, position) => {
    const member = enterDimension(draft, path);
    checkVisible(member, member.definition.public ?? member.definition.primaryKey !== true);
    const { type, nulls = 'nullable' } = member.definition;
    if (type === 'time') draft.need.exact = true;
    const sql = type === 'time' ? localSql(draft, member.definition.sql) : columnOf(member.definition).sql;
    const column = { key: member.fullName, alias: `d${position}`, type, nulls, bareKey: null };
    return { column, sql, member: member.fullName };
  });
}

function timeGroups(draft: Draft, nowMs: number): Group[] {
  const cut = draft.query.timeDimensions.flatMap((item) => {
    const member = enterDimension(draft, item.dimension);
    if (member.definition.type !== 'time') {
      throw queryProblem('invalid_query', `${member.fullName} is not a time dimension.`);
    }
    if (item.granularity === undefined) return [];
    const granularity = findGranularity(member, item.granularity, localAt(nowMs, draft.query.timezone));
    draft.need.granularities.push(granularity);
    return [{ member, granularity }];
  });
  return cut.map(({ member, granularity }, position) => {
    const rivals = cut.filter((other) => other.member.fullName === member.fullName);
    const finest = rivals.reduce((best, other) =>
      other.granularity.approximateSeconds < best.granularity.approximateSeconds ? other : best,
    );
    const isBare = finest.granularity === granularity && !draft.query.dimensions.includes(member.fullName);
    const column: ResultColumn = {
      key: `${member.fullName}.${granularity.info.name}`,
      alias: `t${position}`,
      type: 'time',
      nulls: 'nullable',
      bareKey: isBare ? member.fullName : null,
    };
    return { column, sql: granularity.toSql(localSql(draft, member.definition.sql)), member: member.fullName };
  });
}

function measureGroup(member: Member<MeasureDefinition>, position: number, context: MeasureContext): Group {
  const type = member.definition.type === 'time' ? 'time' : 'number';
  const isSum = member.definition.type === 'sum' || member.definition.aggType === 'sum';
  const nulls = isSum && context.cube.emptySumsAreZero === true && !context.ungrouped ? 'zeroSum' : 'nullable';
  const column: ResultColumn = { key: member.fullName, alias: `m${position}`, type, nulls, bareKey: null };
  return { column, sql: measureSql(member.name, context), member: member.fullName };
}

/**
 * An instant column as the wall clock of the query's zone, kept in a UTC-typed value. Where the zone has one offset all through
 * the range it is a plain addition.
 */
function localSql(draft: Draft, sql: string): string {
  const { timezone } = draft.query;
  if (timezone === 'UTC') return sql;
  const offset = constantOffsetSeconds(draft.need.range, timezone);
  if (offset !== null) return `addSeconds(${sql}, ${draft.params.bind('Int32', offset)})`;
  return `addSeconds(${sql}, timezoneOffset(toTimeZone(${sql}, ${draft.params.bind('String', timezone)})))`;
}

function constantOffsetSeconds(range: readonly [number, number] | null, timezone: string): number | null {
  if (range === null) return null;
  const start = Temporal.Instant.fromEpochMilliseconds(range[0]).toZonedDateTimeISO(timezone);
  const next = start.getTimeZoneTransition('next');
  return next === null || next.epochMilliseconds >= range[1] ? start.offsetNanoseconds / 1e9 : null;
}

function timeConditions(draft: Draft): string[] {
  return draft.query.timeDimensions.flatMap((item) => {
    if (item.dateRange === undefined) return [];
    return [withinRange(item.dateRange, draft.index.dimension(item.dimension).definition.sql, draft.scope)];
  });
}

function rowConditions(draft: Draft): string[] {
  const filters = draft.query.filters.filter((filter) => !isMeasureFilter(draft, filter));
  const segments = (draft.query.segments ?? []).map((path) => enter(draft, draft.index.segment(path)));
  return [
    ...filters.map((filter) => filterTree(filter, (leaf) => dimensionLeaf(draft, leaf))),
    ...segments.map((segment) => `(${segment.definition.sql})`),
  ];
}

/** Values of the cube's slices that are still few. */
const FEW_SLICES = 10;

/** Whether a filter lets through a few slices of the cube's tables only. */
function picksFew(cube: CubeDefinition, filter: Filter): boolean {
  if ('or' in filter) return false;
  if ('and' in filter) return filter.and.some((part) => picksFew(cube, part));
  const isPick = filter.operator === 'equals' || filter.operator === 'in';
  const isSlice = cube.slicedBy !== undefined && filter.member === `${cube.name}.${cube.slicedBy}`;
  return isPick && isSlice && (filter.values ?? []).length <= FEW_SLICES && !(filter.values ?? []).includes(null);
}

function measureFilters(draft: Draft): Filter[] {
  const filters = draft.query.filters.filter((filter) => isMeasureFilter(draft, filter));
  for (const leaf of filters.flatMap(leavesOf)) enterMeasure(draft, leaf.member);
  return filters;
}

/** Whether a tree filters groups (measures) rather than rows. `measureFilter` filters rows by the measure's own condition. */
function isMeasureFilter(draft: Draft, filter: Filter): boolean {
  const leaves = leavesOf(filter);
  const kinds = new Set(leaves.map((leaf) => draft.index.isMeasure(leaf.member) && leaf.operator !== 'measureFilter'));
  if (kinds.size > 1) throw queryProblem('invalid_query', 'You cannot use dimension and measure in same condition');
  return kinds.has(true);
}

function leavesOf(filter: Filter): FilterLeaf[] {
  if ('or' in filter) return filter.or.flatMap(leavesOf);
  if ('and' in filter) return filter.and.flatMap(leavesOf);
  return [filter];
}

function filterTree(filter: Filter, compileLeaf: (leaf: FilterLeaf) => string): string {
  if ('or' in filter) return joinTree(filter.or, 'OR', compileLeaf);
  if ('and' in filter) return joinTree(filter.and, 'AND', compileLeaf);
  return compileLeaf(filter);
}

function joinTree(items: readonly Filter[], word: 'OR' | 'AND', compileLeaf: (leaf: FilterLeaf) => string): string {
  if (items.length === 0) return '1';
  return `(${items.map((item) => filterTree(item, compileLeaf)).join(` ${word} `)})`;
}

function dimensionLeaf(draft: Draft, leaf: FilterLeaf): string {
  if (leaf.operator === 'measureFilter') {
    return measureCondition(enter(draft, draft.index.measure(leaf.member)).definition) ?? '1';
  }
  const member = enterDimension(draft, leaf.member);
  const { leaf: read, problem } = readIdValues(leaf, member.definition);
  if (problem !== null) throw queryProblem('invalid_query', problem);
  return compileFilter(read, { column: columnOf(member.definition), type: member.definition.type }, draft.scope);
}

/** @param compared the SQL of each measure that is compared, by its alias: however many values, it appears in the statement once. */
function measureLeaf(draft: Draft, leaf: FilterLeaf, context: MeasureContext, compared: Map<string, string>): string {
  const member = enter(draft, draft.index.measure(leaf.member));
  const sql = `c_${member.name}`;
  compared.set(sql, measureSql(member.name, context));
  const column = { sql, isNull: `isNull(${sql})`, text: `toString(${sql})` };
  const type = member.definition.type === 'time' ? 'time' : 'number';
  return compileFilter(leaf, { column, type }, { ...draft.scope, onInstant: () => undefined });
}

function workspaceCondition(cube: CubeDefinition, tenant: TenantScope, params: SqlParams): string[] {
  if (cube.workspaceColumn === null) return [];
  params.values['workspaceId'] = tenant.workspaceId;
  return [`${cube.workspaceColumn} = {workspaceId:UInt32}`];
}

/** The table that the statement reads; two tables where a range cuts the buckets. */
function fromSql(draft: Draft, cube: CubeDefinition, relation: RelationDefinition): string {
  const { range } = draft.need;
  const whole = wholeBuckets(relation, range);
  if (whole === null || range === null || relation.ends === undefined) return relation.from;
  const within = ([from, to]: readonly [number, number]): string =>
    `(facts.time >= ${draft.params.bindInstant(from)} AND facts.time < ${draft.params.bindInstant(to)})`;
  const own = cube.workspaceColumn === null ? '' : `${cube.workspaceColumn} = {workspaceId:UInt32} AND `;
  const select = (from: string, condition: string): string => `SELECT * FROM ${from} AS facts WHERE ${own}${condition}`;
  const ends = `(${within([range[0], whole[0]])} OR ${within([whole[1], range[1]])})`;
  return `(${select(relation.from, within(whole))} UNION ALL ${select(relation.ends.from, ends)})`;
}

/** Binds those of the values that the statement names. */
function bindNamed(params: SqlParams, values: Readonly<Record<string, OlapParam>>, sql: string): void {
  for (const [name, value] of Object.entries(values)) if (sql.includes(`{${name}:`)) params.values[name] = value;
}

function joinSql(draft: Draft, cube: CubeDefinition): string {
  return [...draft.joins]
    .map((name) => {
      const join = cube.joins?.[name];
      if (join === undefined) throw new Error(`The model has no join ${name}`);
      return ` LEFT ANY JOIN ${join.from} AS ${name} ON ${join.on}`;
    })
    .join('');
}

function withSql(aliases: ReadonlyMap<string, string>): string[] {
  if (aliases.size === 0) return [];
  return [`WITH ${[...aliases].map(([alias, sql]) => `${sql} AS ${alias}`).join(', ')}`];
}

function whereSql(conditions: readonly string[]): string[] {
  return conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`];
}
