import { createHash } from 'node:crypto';
import type { OlapParam } from '../../storage/olap/olap.ts';
import { valueInText } from '../rollups/rollups.olap.ts';
import {
  ACTIVITY_VALUE_MICROS,
  CAMPAIGN_OVERVIEW,
  KEY_VALUE_RELATIONS,
  REPORTS_MODEL,
} from './campaign-overview.olap.ts';
import type { CubeDefinition, DimensionDefinition, MeasureDefinition, RelationDefinition } from './cube.ts';
import { shiftDecimal } from './measure-parts.olap.ts';
import { MemberIndex } from './member-index.ts';

/** One thing that a network defined: a key of requests, or an activity. */
export interface OwnDefinition {
  /** Decimal text. */
  readonly id: string;
  /** Its name in requests and pixels. */
  readonly code: string;
  /** Its name for people. */
  readonly name: string;
  /** It gets no new events; reports still cover its past. */
  readonly isArchived: boolean;
}

/** The definitions of a network that reports have members for. */
export interface OwnDefinitions {
  /** Keys of requests that reports list separately. */
  readonly keys: readonly OwnDefinition[];
  readonly activities: readonly OwnDefinition[];
}

/** Activities of one network that have members of their own; those in use go first. All others count in `activities`. */
export const ACTIVITY_MEMBERS_MAX = 200;

/** The members that every network has. */
const SHARED = new MemberIndex(REPORTS_MODEL);

/**
 * The members that one network can ask: those of all networks, `kv_<key>` for each key that is reported, and
 * `activity_<actgid>_count`, `…_value`, `…_post_click` and `…_post_view` for each activity. No text of a definition becomes SQL: it
 * is compared with bound ids.
 */
export function networkIndex(own: OwnDefinitions): MemberIndex {
  if (own.keys.length === 0 && own.activities.length === 0) return SHARED;
  const version = createHash('sha256').update(JSON.stringify(own)).digest('base64url').slice(0, 16);
  return new MemberIndex({ cubes: [withOwnMembers(CAMPAIGN_OVERVIEW, own)] }, version);
}

function withOwnMembers(cube: CubeDefinition, own: OwnDefinitions): CubeDefinition {
  const params: Record<string, OlapParam> = {};
  const dimensions: Record<string, DimensionDefinition> = {};
  const measures: Record<string, MeasureDefinition> = {};
  for (const [part, key] of byMemberPart(own.keys)) {
    params[`key${key.id}`] = key.id;
    dimensions[`kv_${part}`] = keyDimension(key);
  }
  for (const [part, activity] of byMemberPart(own.activities)) {
    params[`activity${activity.id}`] = activity.id;
    for (const [suffix, measure] of Object.entries(activityMeasures(activity))) {
      measures[`activity_${part}_${suffix}`] = measure;
    }
  }
  return {
    ...cube,
    params,
    dimensions: { ...cube.dimensions, ...dimensions },
    measures: { ...cube.measures, ...measures },
    relations: own.keys.length === 0 ? cube.relations : relationsWithKeys(cube, own.keys, Object.keys(dimensions)),
  };
}

/** A column of facts that holds the value of one key; '' = none. */
const columnOfKey = (key: OwnDefinition): string => `key_value_${key.id}`;

/** Most roll-ups do not keep key-values: those that do and single events have a column for each key. */
function relationsWithKeys(
  cube: CubeDefinition,
  keys: readonly OwnDefinition[],
  dimensions: readonly string[],
): readonly RelationDefinition[] {
  const withColumns = (from: string, value: (id: string) => string): string =>
    `(SELECT * EXCEPT key_values, ${keys.map((key) => `${value(`{key${key.id}:String}`)} AS ${columnOfKey(key)}`).join(', ')} FROM ${from})`;
  const fromText = (from: string): string => withColumns(from, (id) => valueInText('key_values', id));
  const rollUps = cube.relations.filter(({ bucketSeconds }) => bucketSeconds > 0);
  const events = cube.relations.filter(({ bucketSeconds }) => bucketSeconds === 0);
  return [
    ...rollUps.map((relation) => ({ ...relation, lacks: [...relation.lacks, ...dimensions] })),
    ...KEY_VALUE_RELATIONS.map((relation) => ({
      ...relation,
      from: fromText(relation.from),
      ...(relation.ends === undefined ? {} : { ends: { ...relation.ends, from: fromText(relation.ends.from) } }),
    })),
    ...events.map((relation) => ({ ...relation, from: withColumns(relation.from, (id) => `key_values[${id}]`) })),
  ];
}

/**
 * Definitions by the part of a member's name that names them: the code itself where it is letters, digits and `_`, else with `_`
 * instead of other signs and its id behind. Older definitions come first, and one whose part is taken has its id appended: so every
 * definition gets a name, and none changes the names of an older one's members.
 */
function byMemberPart(definitions: readonly OwnDefinition[]): Map<string, OwnDefinition> {
  const parts = new Map<string, OwnDefinition>();
  for (const one of definitions.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))) {
    let part = /^\w+$/.test(one.code) ? one.code : `${one.code.replaceAll(/\W/g, '_')}_${one.id}`;
    while (parts.has(part)) part += `_${one.id}`;
    parts.set(part, one);
  }
  return parts;
}

const titleOf = ({ name, isArchived }: OwnDefinition): string => (isArchived ? `${name} (archived)` : name);

function keyDimension(key: OwnDefinition): DimensionDefinition {
  return {
    type: 'string',
    sql: `facts.${columnOfKey(key)}`,
    nulls: 'emptyText',
    title: titleOf(key),
    description: `Values of the key ${key.code} of requests, lower case; several of one request joined by commas.`,
  };
}

function activityMeasures(activity: OwnDefinition): Record<string, MeasureDefinition> {
  const is = `facts.activity_id = {activity${activity.id}:UInt64}`;
  const value = `if(${is}, ${ACTIVITY_VALUE_MICROS}, NULL)`;
  const title = titleOf(activity);
  const count = (column: string, about: string, description: string): MeasureDefinition => ({
    type: 'sum',
    sql: `facts.${column}`,
    filters: [is],
    title: `${title}: ${about}`,
    description: `${description} (activity ${activity.code}).`,
    drillMembers: ['line_item_id', 'line_item_name', 'creative_id', 'creative_name'],
  });
  return {
    count: count('activities', 'count', 'How often it was recorded, attributed or not'),
    post_click: count('post_click_activities', 'post-click', 'How often it followed a click'),
    post_view: count('post_view_activities', 'post-view', 'How often it followed an impression without a click'),
    value: {
      type: 'number',
      sql: shiftDecimal(`sumOrNull(${value})`, 6),
      ungroupedSql: shiftDecimal(value, 6),
      format: 'currency',
      aggType: 'sum',
      title: `${title}: value`,
      description: `Its value, exact (activity ${activity.code}).`,
      drillMembers: ['line_item_id', 'line_item_name', 'creative_id', 'creative_name'],
    },
  };
}
