import { queryProblem } from '../model/member-index.ts';
import type { CubeDefinition, MeasureDefinition, RelationDefinition } from '../model/cube.ts';

/** Where a measure is computed. */
export interface MeasureContext {
  readonly cube: CubeDefinition;
  readonly relation: RelationDefinition;
  /** Row by row instead of over groups. */
  readonly ungrouped: boolean;
}

const DEPTH_MAX = 8;

/** The SQL of a measure: an aggregate expression, or what one row is worth when ungrouped. */
export function measureSql(name: string, context: MeasureContext, depth: number = 0): string {
  const measure = context.cube.measures[name];
  if (measure === undefined || depth > DEPTH_MAX)
    throw new Error(`The model refers to a measure that it cannot resolve: ${name}`);
  return context.ungrouped ? rowSql(name, measure, context, depth) : aggregateSql(name, measure, context, depth);
}

/** The row conditions of a measure, joined; null when it has none. */
export function measureCondition(measure: MeasureDefinition): string | null {
  if (measure.filters === undefined || measure.filters.length === 0) return null;
  return measure.filters.map((filter) => `(${filter})`).join(' AND ');
}

function aggregateSql(name: string, measure: MeasureDefinition, context: MeasureContext, depth: number): string {
  const condition = measureCondition(measure);
  const source = measure.sqlByRelation?.[context.relation.name] ?? measure.sql ?? '';
  const filtered = condition === null ? source : `if(${condition}, ${source}, NULL)`;
  switch (measure.type) {
    case 'sum':
      return `sumOrNull(${filtered})`;
    case 'count':
      return condition === null ? 'count()' : `countIf(${condition})`;
    case 'countDistinct':
      return `uniqExact(${filtered})`;
    case 'number':
    case 'time':
      return expand(name, source, context, depth);
  }
}

function rowSql(name: string, measure: MeasureDefinition, context: MeasureContext, depth: number): string {
  const condition = measureCondition(measure);
  const source = measure.ungroupedSql ?? measure.sql ?? '';
  const filtered = (value: string): string => (condition === null ? value : `if(${condition}, ${value}, NULL)`);
  switch (measure.type) {
    case 'count':
      return filtered('1');
    case 'sum':
    case 'countDistinct':
      return filtered(source);
    case 'number':
    case 'time':
      if (measure.ungroupedSql === undefined && !/\{[a-z0-9_]+\}/.test(source)) {
        throw queryProblem(
          'unsupported_query',
          `${context.cube.name}.${name} has no value for a single row: leave out "ungrouped".`,
        );
      }
      return expand(name, source, context, depth);
  }
}

/** Replaces `{name}` with the expression of that measure. */
function expand(name: string, source: string, context: MeasureContext, depth: number): string {
  return source.replace(/\{([a-z0-9_]+)\}/g, (_match, other: string) => {
    if (other === name) throw new Error(`The model's measure ${name} refers to itself`);
    return `(${measureSql(other, context, depth + 1)})`;
  });
}
