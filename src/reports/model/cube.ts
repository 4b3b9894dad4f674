import type { OlapParam } from '../../storage/olap/olap.ts';

/** The types of the semantic model. A model file is data: it states what can be queried; the compiler builds the query. */

/** The type of a member's values, as `/meta` and annotations name it. */
export type MemberType = 'string' | 'number' | 'boolean' | 'time';

/** How "no value" is stored: SQL NULL, the empty text, or the id 0. All of them are `null` in responses. */
export type NullStorage = 'nullable' | 'emptyText' | 'zeroId';

/** A bucket size beside the built-in ones. `interval` is a whole number of one unit, such as `6 months`. */
export interface GranularityDefinition {
  readonly title?: string;
  readonly interval: string;
  /** Moves the buckets from the start of the year (or, for weeks, from Monday). */
  readonly offset?: string;
  /** A local instant that is the start of a bucket. */
  readonly origin?: string;
}

/** A property by which rows can be grouped and filtered. `sql` is a ClickHouse expression over `facts` and the cube's joins. */
export interface DimensionDefinition {
  readonly type: MemberType;
  readonly sql: string;
  readonly title?: string;
  readonly description?: string;
  /** Default `nullable`. */
  readonly nulls?: NullStorage;
  /** The GraphQL type of the objects whose ids it holds: filters take their global ids too. */
  readonly idOf?: string;
  /** The join (a key of `CubeDefinition.joins`) that `sql` reads. */
  readonly join?: string;
  readonly primaryKey?: boolean;
  /** Default: true, and false for primary keys. */
  readonly public?: boolean;
  readonly suggestFilterValues?: boolean;
  readonly granularities?: Readonly<Record<string, GranularityDefinition>>;
}

/**
 * A figure that is computed for a group of rows. `sum`, `count` and `countDistinct` aggregate `sql`; `number` and `time` are
 * expressions in which `{other_measure}` is replaced by that measure's own expression: so ratios come from sums.
 */
export interface MeasureDefinition {
  readonly type: 'sum' | 'count' | 'countDistinct' | 'number' | 'time';
  readonly sql?: string;
  /** Used instead of `sql` on the relations named here. */
  readonly sqlByRelation?: Readonly<Record<string, string>>;
  /** The value of one row when a query is `ungrouped`; expressions that hold an aggregate function need it. */
  readonly ungroupedSql?: string;
  readonly title?: string;
  readonly description?: string;
  /** Row conditions; rows that miss one are not aggregated. */
  readonly filters?: readonly string[];
  readonly format?: 'percent' | 'currency';
  readonly currency?: string;
  /** Names of members of the same cube. */
  readonly drillMembers?: readonly string[];
  /** Adds up everything before the bucket too. */
  readonly rollingWindow?: { readonly trailing: 'unbounded' };
  readonly aggType?: string;
  readonly public?: boolean;
}

/** A named row condition. */
export interface SegmentDefinition {
  readonly sql: string;
  readonly title?: string;
  readonly description?: string;
}

/** A table that can serve a cube's queries, cheapest first in `CubeDefinition.relations`. All share their column names. */
export interface RelationDefinition {
  readonly name: string;
  /** A table name or a parenthesised SELECT. */
  readonly from: string;
  /** Rows hold whole UTC buckets of this many seconds; 0 = single events with their exact time. */
  readonly bucketSeconds: number;
  /** Members that it lacks. */
  readonly lacks: readonly string[];
  /** The only measures that it has; absent: all that it does not lack. */
  readonly onlyMeasures?: readonly string[];
  /** A table of the same columns in smaller buckets: it serves the ends of a range, which do not fill a bucket. */
  readonly ends?: { readonly from: string; readonly bucketSeconds: number };
}

/** A lookup that is joined only when a member needs it. */
export interface JoinDefinition {
  /** A parenthesised SELECT or table; may use `{workspaceId:UInt32}`. */
  readonly from: string;
  readonly on: string;
}

/** A cube: members over relations of one meaning. */
export interface CubeDefinition {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly relations: readonly RelationDefinition[];
  /** The column that holds the owner of a row, always the first condition; null only for a cube without tenants. */
  readonly workspaceColumn: string | null;
  /** Values that members' SQL names as `{name:Type}`; each is bound where it is used. */
  readonly params?: Readonly<Record<string, OlapParam>>;
  /** The instant of a row (UTC), as `DateTime` or `DateTime64`. */
  readonly timeColumn: string;
  /** The dimension whose rows lie together in every table with buckets: a filter that names values of it reads little. */
  readonly slicedBy?: string;
  /** A query must name a dateRange of at most this many days; null = no rule. */
  readonly rangeDaysMax: number | null;
  /** A sum over no rows is "0"; absent: null, as in Cube. */
  readonly emptySumsAreZero?: boolean;
  readonly joins?: Readonly<Record<string, JoinDefinition>>;
  readonly measures: Readonly<Record<string, MeasureDefinition>>;
  readonly dimensions: Readonly<Record<string, DimensionDefinition>>;
  readonly segments?: Readonly<Record<string, SegmentDefinition>>;
  readonly hierarchies?: Readonly<Record<string, { readonly title: string; readonly levels: readonly string[] }>>;
  readonly folders?: readonly { readonly name: string; readonly includes: readonly string[] }[];
  /** Set for a view: a chosen part of another cube under another name. */
  readonly view?: boolean;
}

/** All cubes and views that a caller may query. */
export interface Model {
  readonly cubes: readonly CubeDefinition[];
}

/** `line_item_id` → `Line Item Id`: the title of a member that has none. */
export function titleize(name: string): string {
  return name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
