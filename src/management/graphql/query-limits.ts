import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { PlacardError } from '../../domain/errors.ts';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './builder.ts';

/** What a document may be; over a limit it is refused before it is validated, with the limit's name. */
export const QUERY_LIMITS = {
  /** Lexical tokens of the whole document. */
  tokensMax: 5_000,
  /** Levels of fields below the root, fragments followed; introspection alone may go to twice that. */
  depthMax: 16,
  /** Fields with an alias, fragments counted as often as they are spread. */
  aliasesMax: 50,
  /** Fields on the root, likewise. */
  rootFieldsMax: 20,
  /** Points; see {@link measureQuery}. */
  costMax: 100_000,
  /** Levels of lists and objects in one argument. */
  valueDepthMax: 32,
  /** Brackets of any kind inside each other: a cheap look at the text, before it is parsed. */
  nestingMax: 100,
  /** Definitions: operations and fragments. */
  definitionsMax: 100,
} as const;

/** What a document measures. */
export interface QueryMeasure {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly cost: number;
}

/**
 * Parses a document within the token limit.
 * @throws GraphQLError for a syntax error
 * @throws PlacardError `query_too_complex` over the token limit
 */
export function parseBounded(source: string): DocumentNode {
  if (nestsDeeperThan(source, QUERY_LIMITS.nestingMax)) throw tooComplex('depth', QUERY_LIMITS.depthMax);
  try {
    return parse(source, { maxTokens: QUERY_LIMITS.tokensMax, noLocation: source.length > 100_000 });
  } catch (error) {
    if (error instanceof Error && error.message.includes('more that'))
      throw tooComplex('tokens', QUERY_LIMITS.tokensMax);
    throw error;
  }
}

/** Whether brackets nest deeper than `levelsMax`, by one scan that skips strings and comments. */
export function nestsDeeperThan(source: string, levelsMax: number): boolean {
  const token = /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n\r]*|[{[(]|[}\])]/g;
  let levels = 0;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [text] = match;
    if (text === '{' || text === '[' || text === '(') {
      levels += 1;
      if (levels > levelsMax) return true;
    } else if (text === '}' || text === ']' || text === ')') {
      levels -= 1;
    }
  }
  return false;
}

/** The error of a limit: it names the limit and its value. */
export function tooComplex(limit: string, max: number): PlacardError {
  return new PlacardError(
    'query_too_complex',
    `The query has too many or too deep ${limit}: the limit is ${max}. Split it.`,
    {
      details: { limitName: limit, limit: max },
    },
  );
}

interface Walk {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly spreading: Set<string>;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Fields seen in the whole document, fragments followed: bounds the walk itself. */
  readonly seen: { visited: number };
  aliases: number;
  rootFields: number;
  depth: number;
}

/** Fields that the walk itself follows at most: fragments that spread each other can multiply without end. */
const VISITED_MAX = 10_000;

/**
 * Measures every operation and fragment of a document, and refuses it over a limit; circular fragments are refused too. Runs before
 * validation, so it trusts nothing, and it stops at the first limit passed. Returns the measure of the operation that is to run
 * (of the largest one, when it is not known which).
 *
 * Cost: each field is 1 point (a mutation field 10), times the page size (`first` or `last`; 25 when absent) of every list above it.
 *
 * @throws PlacardError `query_too_complex`
 */
export function measureQuery(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  operationName: string | null = null,
): QueryMeasure {
  if (document.definitions.length > QUERY_LIMITS.definitionsMax)
    throw tooComplex('definitions', QUERY_LIMITS.definitionsMax);
  const fragments = fragmentsOf(document);
  const seen = { visited: 0 };
  let chosen: QueryMeasure | null = null;
  let largest: QueryMeasure = { depth: 0, aliases: 0, rootFields: 0, cost: 0 };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const isFragment = definition.kind === Kind.FRAGMENT_DEFINITION;
    for (const variable of definition.variableDefinitions ?? []) {
      if (variable.defaultValue) checkValueDepth(variable.defaultValue, 1);
    }
    const walk: Walk = {
      fragments,
      spreading: new Set(isFragment ? [definition.name.value] : []),
      variables,
      seen,
      aliases: 0,
      rootFields: 0,
      depth: 0,
    };
    const fieldCost = !isFragment && definition.operation === 'mutation' ? 10 : 1;
    const cost = measureSelections(walk, definition.selectionSet, {
      depth: isFragment ? 2 : 1,
      fieldCost,
      limit: QUERY_LIMITS.depthMax,
    });
    if (isFragment) continue;
    if (cost > QUERY_LIMITS.costMax) throw tooComplex('cost', QUERY_LIMITS.costMax);
    const measure = { depth: walk.depth, aliases: walk.aliases, rootFields: walk.rootFields, cost };
    if (operationName !== null && definition.name?.value === operationName) chosen = measure;
    if (measure.cost > largest.cost) largest = measure;
  }
  return chosen ?? largest;
}

interface Level {
  readonly depth: number;
  readonly fieldCost: number;
  readonly limit: number;
}

function measureSelections(walk: Walk, set: SelectionSetNode, level: Level): number {
  if (level.depth > level.limit) throw tooComplex('depth', QUERY_LIMITS.depthMax);
  walk.depth = Math.max(walk.depth, level.depth);
  let cost = 0;
  for (const selection of set.selections) {
    walk.seen.visited += 1;
    if (walk.seen.visited > VISITED_MAX) throw tooComplex('fields', VISITED_MAX);
    if (selection.kind === Kind.FIELD) cost += measureField(walk, selection, level);
    else if (selection.kind === Kind.INLINE_FRAGMENT) cost += measureSelections(walk, selection.selectionSet, level);
    else cost += measureSpread(walk, selection.name.value, level);
  }
  return cost;
}

function measureSpread(walk: Walk, name: string, level: Level): number {
  const fragment = walk.fragments.get(name);
  if (fragment === undefined) return 0;
  if (walk.spreading.has(name)) {
    throw new PlacardError(
      'query_too_complex',
      `The fragment ${name} spreads itself; fragments must not be circular.`,
      {
        details: { limitName: 'circular fragments' },
      },
    );
  }
  walk.spreading.add(name);
  const cost = measureSelections(walk, fragment.selectionSet, level);
  walk.spreading.delete(name);
  return cost;
}

function measureField(walk: Walk, field: FieldNode, level: Level): number {
  if (field.alias !== undefined) {
    walk.aliases += 1;
    if (walk.aliases > QUERY_LIMITS.aliasesMax) throw tooComplex('aliases', QUERY_LIMITS.aliasesMax);
  }
  if (level.depth === 1) {
    walk.rootFields += 1;
    if (walk.rootFields > QUERY_LIMITS.rootFieldsMax) throw tooComplex('root fields', QUERY_LIMITS.rootFieldsMax);
  }
  for (const argument of field.arguments ?? []) checkValueDepth(argument.value, 1);
  if (field.selectionSet === undefined) return level.fieldCost;
  const name = field.name.value;
  if (name.startsWith('__')) {
    measureSelections(walk, field.selectionSet, {
      depth: level.depth + 1,
      fieldCost: 0,
      limit: QUERY_LIMITS.depthMax * 2,
    });
    return level.fieldCost;
  }
  const inner = { depth: level.depth + 1, fieldCost: Math.min(level.fieldCost, 1), limit: level.limit };
  const below = measureSelections(walk, field.selectionSet, inner);
  return level.fieldCost + below * pageFactor(walk, field);
}

/** How many objects a field can bring: its page size when it has one, or selects a connection. */
function pageFactor(walk: Walk, field: FieldNode): number {
  const size = field.arguments?.find((argument) => argument.name.value === 'first' || argument.name.value === 'last');
  if (size !== undefined) {
    const { value } = size;
    const given =
      value.kind === Kind.INT
        ? Number(value.value)
        : value.kind === Kind.VARIABLE
          ? walk.variables[value.name.value]
          : null;
    return typeof given === 'number' && given >= 1 ? Math.min(given, PAGE_SIZE_MAX) : PAGE_SIZE_DEFAULT;
  }
  const isConnection = field.selectionSet?.selections.some(
    (selection) =>
      selection.kind === Kind.FIELD && (selection.name.value === 'edges' || selection.name.value === 'nodes'),
  );
  return isConnection === true ? PAGE_SIZE_DEFAULT : 1;
}

function checkValueDepth(value: ValueNode, depth: number): void {
  if (depth > QUERY_LIMITS.valueDepthMax) throw tooComplex('argument depth', QUERY_LIMITS.valueDepthMax);
  if (value.kind === Kind.LIST) for (const item of value.values) checkValueDepth(item, depth + 1);
  if (value.kind === Kind.OBJECT) for (const field of value.fields) checkValueDepth(field.value, depth + 1);
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/** The names of the root fields of an operation, fragments followed. Call after {@link measureQuery}. */
export function rootFieldNames(document: DocumentNode, operation: OperationDefinitionNode): Set<string> {
  const fragments = fragmentsOf(document);
  const names = new Set<string>();
  const open: SelectionSetNode[] = [operation.selectionSet];
  for (let set = open.pop(); set !== undefined; set = open.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) open.push(selection.selectionSet);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) open.push(fragment.selectionSet);
      }
    }
  }
  return names;
}
