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
} from 'graphql';
import { collectBelow, collectFields, type Expansion, type FieldGroups, literalValue } from './collect-fields.ts';
import {
  BULK_ARGUMENTS,
  EMBEDDED_LIST_SIZE,
  ID_LISTS,
  LEAF_COST,
  MUTATION_COST,
  OBJECT_COST,
  oncePriceOf,
  pageSizeOf,
  priceOf,
  rowListSize,
  SEARCH_COSTS,
  SIZE_ARGUMENTS,
  TREE_LISTS,
} from './field-costs.ts';
import { introspectionCost, introspectionRoot } from './introspection-cost.ts';
import { fragmentsOf, QUERY_LIMITS, tooComplex } from '../kernel/query-limits.ts';

/** Selections that the count follows at most, and elements of the schema that an introspection visits: it ends in milliseconds. */
const VISITED_MAX = 200_000;

interface Costing extends Expansion {
  readonly schema: GraphQLSchema;
  /** Fields whose price for the whole document has been counted. */
  readonly paid: Set<string>;
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
  let visited = 0;
  const costing: Costing = {
    schema,
    paid: new Set(),
    fragments: fragmentsOf(document),
    variables: variablesOf(operation, given),
    visit: () => {
      visited += 1;
      if (visited > VISITED_MAX) throw tooComplex('fields', VISITED_MAX);
    },
  };
  const root = schema.getRootType(operation.operation);
  if (!root) return 0;
  const cost = levelCost(costing, root, { groups: collectFields(costing, [operation.selectionSet]), pageSize: 1 });
  if (cost > QUERY_LIMITS.costMax) throw tooComplex('cost', QUERY_LIMITS.costMax, Math.min(cost, 1e15));
  return cost;
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
  readonly groups: FieldGroups;
  /** The items of the lists on this level, where its type is a page: the page size of a connection, the objects of a bulk change. */
  readonly pageSize: number;
}

type CompositeType = GraphQLObjectType | GraphQLUnionType | GraphQLInterfaceType;

/** Checks the shape: the engine and its libraries may each bring classes of their own. */
const isComposite = (type: GraphQLOutputType): type is CompositeType => 'getFields' in type || 'getTypes' in type;

/** The types that a field of this name may be on: of a union or an interface, all members that have it. */
function typesWith({ schema }: Costing, type: CompositeType, name: string): readonly GraphQLObjectType[] {
  if ('isTypeOf' in type) return [type];
  return schema.getPossibleTypes(type).filter((member) => Object.hasOwn(member.getFields(), name));
}

function levelCost(costing: Costing, type: CompositeType, level: Level): number {
  let cost = 0;
  for (const nodes of level.groups.values()) {
    const owners = typesWith(costing, type, nodes[0]?.name.value ?? '');
    const costs = owners.map((owner) => fieldCost(costing, owner, nodes, level.pageSize));
    cost += Math.max(LEAF_COST, ...costs);
    // The cost is over any limit: counting can stop.
    if (cost > Number.MAX_SAFE_INTEGER) return cost;
  }
  return cost;
}

function fieldCost(costing: Costing, type: GraphQLObjectType, nodes: readonly FieldNode[], pageSize: number): number {
  costing.visit();
  const [node] = nodes;
  if (node === undefined) return 0;
  const name = node.name.value;
  if (name === '__schema' || name === '__type') return introspected(costing, nodes, name);
  const field = type.getFields()[name];
  if (field === undefined) return LEAF_COST;
  const returned = unwrap(field.type);
  const price = priceOf(type.name, name);
  if (!isComposite(returned.type)) return price ?? LEAF_COST;
  const object = returned.type;
  const groups = collectBelow(costing, nodes);
  if (object.name.endsWith('Connection')) return connectionCost(costing, { field, node, object, groups });
  if (type === costing.schema.getMutationType()) {
    const changed = bulkSize(costing, node);
    return (price ?? MUTATION_COST) * changed + levelCost(costing, object, { groups, pageSize: changed });
  }
  const isPage = returned.isList && PAGED.test(type.name);
  const count = isPage ? pageSize : returned.isList ? listSize(costing, type, field, node) : 1;
  const own = price ?? (isPage ? LEAF_COST : OBJECT_COST);
  return onceCost(costing, type, name) + (own + levelCost(costing, object, { groups, pageSize: 1 })) * count;
}

/** Types whose lists have as many items as their own field selected or changed. */
const PAGED = /(Connection|BulkPayload|SaveCampaignPayload)$/;

function onceCost(costing: Costing, type: GraphQLObjectType, field: string): number {
  const price = oncePriceOf(type.name, field);
  if (price === 0 || costing.paid.has(field)) return 0;
  costing.paid.add(field);
  return price;
}

interface ConnectionField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly object: CompositeType;
  readonly groups: FieldGroups;
}

/** The resolver reads a whole page and one row more, whatever the selection. */
function connectionCost(costing: Costing, { field, node, object, groups }: ConnectionField): number {
  const pageSize = pageSizeOf(sizeArgument(costing, field, node));
  const searches = (node.arguments ?? []).reduce((cost, { name, value }) => {
    const price = SEARCH_COSTS[name.value] ?? 0;
    return literalValue(value, costing.variables) === null ? cost : cost + price;
  }, 0);
  return OBJECT_COST * (pageSize + 1) + searches + levelCost(costing, object, { groups, pageSize });
}

function listSize(
  costing: Costing,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): number {
  const hasSize = field.args.some(({ name }) => (SIZE_ARGUMENTS as readonly string[]).includes(name));
  if (hasSize) return pageSizeOf(sizeArgument(costing, field, node));
  const ids = node.arguments?.find(({ name }) => name.value === ID_LISTS[`${type.name}.${field.name}`]);
  const given = ids === undefined ? null : literalValue(ids.value, costing.variables);
  if (ids !== undefined) return pageSizeOf(Array.isArray(given) ? given.length : 1);
  return rowListSize(type.name, field.name) ?? EMBEDDED_LIST_SIZE;
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
  const cost = root === null ? 1 : introspectionCost(costing, collectBelow(costing, nodes), root);
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
