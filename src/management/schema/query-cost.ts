import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLUnionType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { collectFields, type Expansion, literalValue, setsBelow } from './collect-fields.ts';
import {
  argumentPriceOf,
  BULK_ARGUMENTS,
  DAY_LISTS,
  EMBEDDED_LIST_SIZE,
  ID_LISTS,
  LEAF_COST,
  MUTATION_COST,
  OBJECT_COST,
  oncePriceOf,
  pageSizeOf,
  priceOf,
  rowListSize,
  SIZE_ARGUMENTS,
  TREE_LISTS,
} from './field-costs.ts';
import { introspectionCost, introspectionRoot } from './introspection-cost.ts';
import { fragmentsOf, QUERY_LIMITS, tooComplex } from '../kernel/query-limits.ts';
import { isAbstract, runsOn } from '../kernel/type-conditions.ts';

/** Selections that the count follows at most, and elements of the schema that an introspection visits: it ends in milliseconds. */
const VISITED_MAX = 200_000;

interface Costing extends Expansion {
  readonly schema: GraphQLSchema;
  /** The prices of levels by type, page size and selection sets. */
  readonly known: Map<string, Price>;
  /** The numbers of selection sets in the keys of `known`. */
  readonly numbers: Map<SelectionSetNode, number>;
}

/** An operation that is to be priced, of a valid document. */
interface PricedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The given variables after coercion. */
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * The greatest possible cost of an operation: the points of every field that its execution returns, over the expanded document (fragments,
 * @skip and @include, merged selections) with coerced values (defaults of arguments and variables). Every row that is read is at
 * least one point. For a validated document.
 *
 * @throws PlacardError `query_too_complex` when the cost is over the limit, or cannot be counted within bounds
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): number {
  const { cost } = countCost(schema, { document, operation, given });
  if (cost > QUERY_LIMITS.costMax) throw tooComplex('cost', QUERY_LIMITS.costMax, Math.min(cost, 1e15));
  return cost;
}

/**
 * The cost of an operation, whatever the limit, and the steps that the count took.
 *
 * A level that may be of several types is priced for each of them, and costs as much as the dearest. The work is bounded: each
 * level is priced once for a type and a page size, however often fragments repeat it, and follows its selections once for each of its
 * possible types (about 20 at `node`, 4 at `content`). Levels of several types inside each other thus do not multiply. `VISITED_MAX` ends
 * the rest.
 *
 * @throws PlacardError `query_too_complex` when the cost cannot be counted within bounds
 */
export function countCost(
  schema: GraphQLSchema,
  { document, operation, given }: PricedOperation,
): { readonly cost: number; readonly steps: number } {
  let steps = 0;
  const costing: Costing = {
    schema,
    known: new Map(),
    numbers: new Map(),
    fragments: fragmentsOf(document),
    variables: variablesOf(operation, given),
    visit: () => {
      steps += 1;
      if (steps > VISITED_MAX) throw tooComplex('fields', VISITED_MAX);
    },
    runsOn: (condition, objectType) => runsOn(schema, condition, objectType),
  };
  const root = schema.getRootType(operation.operation);
  if (!root) return { cost: 0, steps };
  const { points, once } = levelPrice(costing, root, { sets: [operation.selectionSet], pageSize: 1 });
  return { cost: [...once.values()].reduce((sum, price) => sum + price, points), steps };
}

/** The given variables, and the defaults of those that are absent. */
function variablesOf(
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    if (Object.hasOwn(given, name)) variables[name] = given[name];
    else if (defaultValue !== undefined) variables[name] = literalValue(defaultValue, {});
  }
  return variables;
}

interface Level {
  readonly sets: readonly SelectionSetNode[];
  /** The items of the lists on this level, where its type is a page: the page size of a connection, the objects of a bulk change. */
  readonly pageSize: number;
}

/** The points of a part of a document. */
interface Price {
  readonly points: number;
  /** Points that the document pays once, by field: where several lists return it, those of the list with the most objects. */
  readonly once: ReadonlyMap<string, number>;
}

type CompositeType = GraphQLObjectType | GraphQLUnionType | GraphQLInterfaceType;

/** Checks the shape: the engine and its libraries may each bring classes of their own. */
const isComposite = (type: GraphQLOutputType): type is CompositeType => 'getFields' in type || 'getTypes' in type;

const NOTHING: ReadonlyMap<string, number> = new Map();
const pointsOf = (points: number): Price => ({ points, once: NOTHING });

/** What is paid once for both of two parts, the first of them so many times. */
function mostOf(one: Price['once'], other: Price['once'], times = 1): Price['once'] {
  if (one.size === 0) return other;
  const most = new Map(other);
  for (const [field, price] of one) most.set(field, Math.max(price * times, most.get(field) ?? 0));
  return most;
}

/** A level costs as much as for the dearest of its possible types. */
function levelPrice(costing: Costing, type: CompositeType, level: Level): Price {
  const key = `${type.name} ${level.pageSize} ${level.sets.map((set) => numberOf(costing, set)).join()}`;
  const known = costing.known.get(key);
  if (known !== undefined) return known;
  const types = isAbstract(type) ? costing.schema.getPossibleTypes(type) : [type];
  let { points, once } = pointsOf(0);
  for (const object of types) {
    const price = objectPrice(costing, object, level);
    points = Math.max(points, price.points);
    once = mostOf(price.once, once);
  }
  const price = { points, once };
  costing.known.set(key, price);
  return price;
}

function numberOf({ numbers }: Costing, set: SelectionSetNode): number {
  const number = numbers.get(set) ?? numbers.size;
  numbers.set(set, number);
  return number;
}

/** The fields of a level on an object of one type. Validation makes sure that merged fields are one field with the same arguments there. */
function objectPrice(costing: Costing, type: GraphQLObjectType, { sets, pageSize }: Level): Price {
  let { points, once } = pointsOf(0);
  for (const nodes of collectFields(costing, sets, type.name).values()) {
    const price = fieldPrice(costing, type, nodes, pageSize);
    points += price.points;
    once = mostOf(price.once, once);
    // The cost is over any limit: counting can stop.
    if (points > Number.MAX_SAFE_INTEGER) break;
  }
  return { points, once };
}

function fieldPrice(costing: Costing, type: GraphQLObjectType, nodes: readonly FieldNode[], pageSize: number): Price {
  costing.visit();
  const [node] = nodes;
  if (node === undefined) return pointsOf(0);
  const name = node.name.value;
  if (name === '__schema' || name === '__type') return pointsOf(introspected(costing, nodes, name));
  const field = type.getFields()[name];
  if (field === undefined) return pointsOf(LEAF_COST);
  const returned = unwrap(field.type);
  const stated = priceOf(type.name, name);
  if (!isComposite(returned.type)) return pointsOf(stated ?? LEAF_COST);
  const object = returned.type;
  const sets = setsBelow(nodes);
  if (object.name.endsWith('Connection')) return connectionPrice(costing, { type, field, node, object, sets });
  if (type === costing.schema.getMutationType()) {
    const changed = bulkSize(costing, node);
    const { points, once } = levelPrice(costing, object, { sets, pageSize: changed });
    return { points: (stated ?? MUTATION_COST) * changed + points, once };
  }
  const isPage = returned.isList && PAGED.test(type.name);
  const count = isPage ? pageSize : returned.isList ? listSize(costing, type, field, node) : 1;
  const own = stated ?? (isPage ? LEAF_COST : OBJECT_COST);
  const below = levelPrice(costing, object, { sets, pageSize: 1 });
  return { points: (own + below.points) * count, once: mostOf(below.once, oncePrice(type, name), count) };
}

/** Types whose lists have as many items as their own field selected or changed. */
const PAGED = /(Connection|BulkPayload|SaveCampaignPayload)$/;

function oncePrice({ name }: GraphQLObjectType, field: string): Price['once'] {
  const price = oncePriceOf(name, field);
  return price === 0 ? NOTHING : new Map([[`${name}.${field}`, price]]);
}

interface ConnectionField {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly object: CompositeType;
  readonly sets: readonly SelectionSetNode[];
}

/** The resolver reads a whole page and one row more, whatever the selection. */
function connectionPrice(costing: Costing, { type, field, node, object, sets }: ConnectionField): Price {
  const pageSize = pageSizeOf(sizeArgument(costing, field, node));
  const searches = (node.arguments ?? []).reduce(
    (sum, { name, value }) =>
      sum + argumentPriceOf(`${type.name}.${field.name}`, name.value, literalValue(value, costing.variables)),
    priceOf(type.name, field.name) ?? 0,
  );
  const { points, once } = levelPrice(costing, object, { sets, pageSize });
  return { points: OBJECT_COST * (pageSize + 1) + searches + points, once };
}

function listSize(
  costing: Costing,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): number {
  const hasSize = field.args.some(({ name }) => (SIZE_ARGUMENTS as readonly string[]).includes(name));
  const usual = rowListSize(type.name, field.name);
  if (hasSize) return pageSizeOf(sizeArgument(costing, field, node), usual);
  const days = DAY_LISTS[`${type.name}.${field.name}`];
  if (days !== undefined) return dayCount(costing, days, node);
  const ids = node.arguments?.find(({ name }) => name.value === ID_LISTS[`${type.name}.${field.name}`]);
  const given = ids === undefined ? null : literalValue(ids.value, costing.variables);
  if (ids !== undefined) return pageSizeOf(Array.isArray(given) ? given.length : 1);
  return usual ?? EMBEDDED_LIST_SIZE;
}

/** The days of a list; the resolver refuses a number outside the bounds. */
function dayCount(costing: Costing, { usual, most }: (typeof DAY_LISTS)[string], node: FieldNode): number {
  const given = node.arguments?.find(({ name }) => name.value === 'days');
  const value = given === undefined ? undefined : literalValue(given.value, costing.variables);
  return typeof value === 'number' ? Math.min(Math.max(value, 1), most) : usual;
}

/** The value of the size argument: a literal, a variable, or the argument's own default. */
function sizeArgument(costing: Costing, field: GraphQLField<unknown, unknown>, node: FieldNode): unknown {
  for (const name of SIZE_ARGUMENTS) {
    const given = node.arguments?.find((argument) => argument.name.value === name);
    const value = given === undefined ? undefined : literalValue(given.value, costing.variables);
    const known = value === undefined ? field.args.find((argument) => argument.name === name)?.defaultValue : value;
    if (known !== undefined && known !== null) return known;
  }
  return undefined;
}

/** How many objects a mutation changes: the items of its list argument or tree, else 1. A single value counts as a list of one. */
function bulkSize(costing: Costing, node: FieldNode): number {
  const lists = TREE_LISTS[node.name.value];
  const tree = node.arguments?.find((argument) => argument.name.value === 'input');
  if (lists !== undefined && tree !== undefined) return treeSize(literalValue(tree.value, costing.variables), lists);
  for (const argument of node.arguments ?? []) {
    if (!(BULK_ARGUMENTS as readonly string[]).includes(argument.name.value)) continue;
    const value = literalValue(argument.value, costing.variables);
    if (Array.isArray(value)) return Math.max(1, value.length);
  }
  return 1;
}

/** The objects of a tree: the value itself, and the items of its lists. */
function treeSize(value: unknown, lists: readonly string[]): number {
  const open = [value];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    size += 1;
    if (typeof next !== 'object' || next === null) continue;
    for (const list of lists) {
      for (const child of [(next as Record<string, unknown>)[list] ?? []].flat()) open.push(child ?? null);
    }
  }
  return size;
}

function introspected(costing: Costing, nodes: readonly FieldNode[], name: string): number {
  const argument = nodes[0]?.arguments?.find((one) => one.name.value === 'name');
  const typeName = argument === undefined ? null : literalValue(argument.value, costing.variables);
  const root = introspectionRoot(costing.schema, name, typeName);
  const cost = root === null ? 1 : introspectionCost(costing, setsBelow(nodes), root);
  if (cost > QUERY_LIMITS.introspectionMax) throw tooComplex('introspection', QUERY_LIMITS.introspectionMax, cost);
  return cost;
}

/** The type behind lists and non-nulls. By shape: the engine and its libraries may each bring classes of their own. */
function unwrap(type: GraphQLOutputType): { readonly type: GraphQLOutputType; readonly isList: boolean } {
  let named = type;
  let isList = false;
  while ('ofType' in named) {
    if (String(named).startsWith('[')) isList = true;
    named = named.ofType as GraphQLOutputType;
  }
  return { type: named, isList };
}
