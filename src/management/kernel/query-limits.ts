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
import { scanDocument } from './scan-document.ts';

/** The limits of a document and of its execution; an error names the exceeded limit. */
export const QUERY_LIMITS = {
  /** Lexical tokens of the whole document; as many comments. */
  tokensMax: 5_000,
  /** Levels of fields below the root, fragments followed; introspection alone may go to twice that. */
  depthMax: 16,
  /** Fields with an alias, fragments counted as often as they are spread. */
  aliasesMax: 50,
  /** Fields on the root, counted in the same way. */
  rootFieldsMax: 20,
  /** The cost in points; see `costOf` and `field-costs.ts`. */
  costMax: 100_000,
  /** Fields of the schema that an introspection returns. Its execution cannot pause. */
  introspectionMax: 80_000,
  /** Fields of one name that are merged into one, which the rules of GraphQL compare with each other, pair by pair. */
  repeatsMax: 100,
  /** Rows that a query reads from the database. */
  rowsMax: 35_000,
  /** Rows that a mutation reads and writes. */
  mutationRowsMax: 140_000,
  /** Characters of text in those rows. */
  rowCharactersMax: 32_000_000,
  /** How long a query may run, in milliseconds. */
  millisecondsMax: 20_000,
  /** Characters of a response. */
  responseCharactersMax: 16_000_000,
  /** Levels of lists and objects in one argument. */
  valueDepthMax: 32,
  /** Levels of nested brackets of any kind: a cheap scan of the text before it is parsed. */
  nestingMax: 100,
  /** Definitions: operations and fragments. */
  definitionsMax: 100,
} as const;

/** The measured size of a document. */
export interface QueryMeasure {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
}

/**
 * Parses a document within the token limit.
 * @throws GraphQLError for a syntax error
 * @throws PlacardError `query_too_complex` over the limit of tokens, of comments, or of nested brackets
 */
export function parseBounded(source: string): DocumentNode {
  const { levels, comments } = scanDocument(source);
  if (levels > QUERY_LIMITS.nestingMax) throw tooComplex('depth', QUERY_LIMITS.depthMax);
  // The parser retains comments, and does not count them.
  if (comments > QUERY_LIMITS.tokensMax) throw tooComplex('tokens', QUERY_LIMITS.tokensMax);
  try {
    return parse(source, { maxTokens: QUERY_LIMITS.tokensMax, noLocation: source.length > 100_000 });
  } catch (error) {
    if (error instanceof Error && error.message.includes('more that'))
      throw tooComplex('tokens', QUERY_LIMITS.tokensMax);
    throw error;
  }
}

/** The error of a limit: it names the limit, its value, and the query's own value where that is known. */
export function tooComplex(limit: string, max: number, actual?: number): PlacardError {
  const found = actual === undefined ? '' : `, this query has ${actual}`;
  return new PlacardError(
    'query_too_complex',
    `The query exceeds a limit: ${limit}. The limit is ${max}${found}. Split it.`,
    {
      details: { limitName: limit, limit: max, ...(actual === undefined ? {} : { requested: actual }) },
    },
  );
}

interface Walk {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly spreading: Set<string>;
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
 * (of the deepest one, when it is not known which).
 *
 * @throws PlacardError `query_too_complex`
 */
export function measureQuery(document: DocumentNode, operationName: string | null = null): QueryMeasure {
  if (document.definitions.length > QUERY_LIMITS.definitionsMax)
    throw tooComplex('definitions', QUERY_LIMITS.definitionsMax);
  const fragments = fragmentsOf(document);
  const seen = { visited: 0 };
  let chosen: QueryMeasure | null = null;
  let deepest: QueryMeasure = { depth: 0, aliases: 0, rootFields: 0 };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const isFragment = definition.kind === Kind.FRAGMENT_DEFINITION;
    for (const variable of definition.variableDefinitions ?? []) {
      if (variable.defaultValue) checkValueDepth(variable.defaultValue, 1);
    }
    const spreading = new Set(isFragment ? [definition.name.value] : []);
    const walk: Walk = { fragments, spreading, seen, aliases: 0, rootFields: 0, depth: 0 };
    measureSelections(walk, definition.selectionSet, {
      depth: isFragment ? 2 : 1,
      limit: QUERY_LIMITS.depthMax,
      repeats: new Map(),
    });
    if (isFragment) continue;
    const measure = { depth: walk.depth, aliases: walk.aliases, rootFields: walk.rootFields };
    if (operationName !== null && definition.name?.value === operationName) chosen = measure;
    if (measure.depth > deepest.depth) deepest = measure;
  }
  return chosen ?? deepest;
}

/** How often one level selects each name, with the merged levels below. */
type Repeats = Map<string, { count: number; readonly below: Repeats }>;

interface Level {
  readonly depth: number;
  readonly limit: number;
  readonly repeats: Repeats;
}

function measureSelections(walk: Walk, set: SelectionSetNode, level: Level): void {
  if (level.depth > level.limit) throw tooComplex('depth', QUERY_LIMITS.depthMax);
  walk.depth = Math.max(walk.depth, level.depth);
  for (const selection of set.selections) {
    walk.seen.visited += 1;
    if (walk.seen.visited > VISITED_MAX) throw tooComplex('fields', VISITED_MAX);
    if (selection.kind === Kind.FIELD) measureField(walk, selection, level);
    else if (selection.kind === Kind.INLINE_FRAGMENT) measureSelections(walk, selection.selectionSet, level);
    else measureSpread(walk, selection.name.value, level);
  }
}

function measureSpread(walk: Walk, name: string, level: Level): void {
  const fragment = walk.fragments.get(name);
  if (fragment === undefined) return;
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
  measureSelections(walk, fragment.selectionSet, level);
  walk.spreading.delete(name);
}

function measureField(walk: Walk, field: FieldNode, level: Level): void {
  if (field.alias !== undefined) {
    walk.aliases += 1;
    if (walk.aliases > QUERY_LIMITS.aliasesMax) throw tooComplex('aliases', QUERY_LIMITS.aliasesMax);
  }
  if (level.depth === 1) {
    walk.rootFields += 1;
    if (walk.rootFields > QUERY_LIMITS.rootFieldsMax) throw tooComplex('root fields', QUERY_LIMITS.rootFieldsMax);
  }
  for (const argument of field.arguments ?? []) checkValueDepth(argument.value, 1);
  const below = countRepeat(level.repeats, field.alias?.value ?? field.name.value);
  if (field.selectionSet === undefined) return;
  const limit = field.name.value.startsWith('__') ? QUERY_LIMITS.depthMax * 2 : level.limit;
  measureSelections(walk, field.selectionSet, { depth: level.depth + 1, limit, repeats: below });
}

function countRepeat(repeats: Repeats, name: string): Repeats {
  const known = repeats.get(name);
  if (known === undefined) {
    const below: Repeats = new Map();
    repeats.set(name, { count: 1, below });
    return below;
  }
  known.count += 1;
  if (known.count > QUERY_LIMITS.repeatsMax) throw tooComplex('repeated fields', QUERY_LIMITS.repeatsMax);
  return known.below;
}

function checkValueDepth(value: ValueNode, depth: number): void {
  if (depth > QUERY_LIMITS.valueDepthMax) throw tooComplex('argument depth', QUERY_LIMITS.valueDepthMax);
  if (value.kind === Kind.LIST) for (const item of value.values) checkValueDepth(item, depth + 1);
  if (value.kind === Kind.OBJECT) for (const field of value.fields) checkValueDepth(field.value, depth + 1);
}

/** The fragments of a document by name. */
export function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
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
