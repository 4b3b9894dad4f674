import type { GraphQLAbstractType, GraphQLSchema, SelectionSetNode } from 'graphql';
import { collectFields, type Expansion, type FieldGroups, setsBelow } from './collect-fields.ts';

/** A type, field, argument, value or directive of the schema, or the schema itself: what introspection walks over. */
type Element = object;

const members = (container: unknown): Element[] => Object.values(container as Record<string, Element>);
const call = (element: Element, method: string): unknown =>
  method in element ? (element as Record<string, () => unknown>)[method]?.() : undefined;
/** Fields of an output type take arguments; those of an input type do not. */
const fieldsOf = (element: Element, areOutput: boolean): Element[] =>
  members(call(element, 'getFields') ?? {}).filter((field) => 'args' in field === areOutput);
const at = (element: Element, name: string): unknown => (element as Record<string, unknown>)[name];

/** The fields of introspection that lead to other elements. Everything else is a text. */
const LEADS: Readonly<Record<string, (element: Element, schema: GraphQLSchema) => unknown>> = {
  types: (schema) => members(call(schema, 'getTypeMap') ?? {}),
  queryType: (schema) => call(schema, 'getQueryType'),
  mutationType: (schema) => call(schema, 'getMutationType'),
  subscriptionType: (schema) => call(schema, 'getSubscriptionType'),
  directives: (schema) => call(schema, 'getDirectives'),
  fields: (type) => fieldsOf(type, true),
  inputFields: (type) => fieldsOf(type, false),
  enumValues: (type) => call(type, 'getValues') ?? [],
  interfaces: (type) => call(type, 'getInterfaces') ?? [],
  possibleTypes: (type, schema) => ('resolveType' in type ? schema.getPossibleTypes(type as GraphQLAbstractType) : []),
  ofType: (type) => at(type, 'ofType'),
  type: (field) => at(field, 'type'),
  args: (field) => at(field, 'args') ?? [],
};

/**
 * How many fields an introspection returns, exactly: it runs over the schema itself, each type once for each level of the document.
 * Its levels are of one type each, which has no interfaces: every fragment of a valid document runs. `root` is the schema, or the type that `__type(name)` asks for.
 */
export function introspectionCost(
  expansion: Expansion & { readonly schema: GraphQLSchema },
  sets: readonly SelectionSetNode[],
  root: Element,
): number {
  const below = new Map<object, FieldGroups>();
  const known = new Map<FieldGroups, Map<Element, number>>();
  const count = (level: FieldGroups, element: Element): number => {
    const counted = known.get(level) ?? new Map<Element, number>();
    known.set(level, counted);
    const before = counted.get(element);
    if (before !== undefined) return before;
    let cost = 0;
    for (const nodes of level.values()) {
      expansion.visit();
      const [first] = nodes;
      cost += 1;
      const lead = first?.selectionSet === undefined ? undefined : LEADS[first.name.value]?.(element, expansion.schema);
      if (lead === undefined || lead === null) continue;
      const next = below.get(nodes) ?? collectFields(expansion, setsBelow(nodes), null);
      below.set(nodes, next);
      const found = Array.isArray(lead) ? (lead as Element[]) : [lead];
      for (const one of found) cost += count(next, one);
    }
    counted.set(element, cost);
    return cost;
  };
  return count(collectFields(expansion, sets, null), root);
}

/** The element that `__schema` or `__type(name)` starts from; null for a type that does not exist. */
export function introspectionRoot(schema: GraphQLSchema, field: string, typeName: unknown): Element | null {
  if (field === '__schema') return schema;
  return typeof typeName === 'string' ? (schema.getType(typeName) ?? null) : null;
}
