import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { ManagementContext } from '../kernel/context.ts';
import type { RequestBudget } from '../kernel/request-budget.ts';
import type { WorkSlices } from '../../domain/time/work-slices.ts';

/** Fields of a list's items that are completed without a check of the clock, but always those of some items. */
const FIELDS_PER_TURN = 1_000;
const ITEMS_PER_TURN_MIN = 10;

/**
 * Makes every field that returns objects wait for its turn before its result is completed, and stops the fields of a request that has used
 * up its budget. Changes the schema in place; what is paced already stays as it is.
 */
export function paceSchema(schema: GraphQLSchema, slices: WorkSlices): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !('getFields' in type)) continue;
    for (const field of Object.values((type as GraphQLObjectType).getFields())) {
      if (field.resolve !== undefined && !paced.has(field.resolve) && returnsObjects(field.type))
        paceField(field, slices);
    }
  }
}

type AnyField = GraphQLField<unknown, ManagementContext>;
/** Schemas of several versions have most resolvers in common. */
const paced = new WeakSet<NonNullable<AnyField['resolve']>>();

function paceField(field: AnyField, slices: WorkSlices): void {
  const resolve = field.resolve as NonNullable<AnyField['resolve']>;
  field.resolve = (source, args, context, info) => {
    const { budget, principal } = context;
    budget.checkTime();
    const turn = (): Promise<void> | undefined => slices.turn(principal.networkId);
    const value: unknown = resolve(source, args, context, info);
    const pace = (items: readonly unknown[]) => paceItems(items, itemsPerTurn(info), turn, budget);
    if (Array.isArray(value)) return pace(value);
    if (!(value instanceof Promise)) return value;
    return value.then((found: unknown) => {
      const shown = Array.isArray(found) ? pace(found) : found;
      const wait = turn();
      return wait === undefined ? shown : budget.pause(wait).then(() => shown);
    });
  };
  paced.add(field.resolve);
}

/** The items of a long list, some at once and the others behind turns of their own. */
function paceItems(
  items: readonly unknown[],
  perTurn: number,
  turn: () => Promise<void> | undefined,
  budget: RequestBudget,
): readonly unknown[] {
  if (items.length <= perTurn) return items;
  let gate: Promise<void> = Promise.resolve();
  return items.map((item, index) => {
    if (index < perTurn) return item;
    if (index % perTurn === 0) gate = budget.pause(gate.then(turn));
    return gate.then(() => item);
  });
}

/** Documents are kept between requests, and their nodes with them. */
const knownItems = new WeakMap<FieldNode, number>();

function itemsPerTurn({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const [node] = fieldNodes;
  const known = node !== undefined && fieldNodes.length === 1 ? knownItems.get(node) : undefined;
  if (known !== undefined) return known;
  const fields = fieldNodes.reduce((sum, each) => sum + countFields(each.selectionSet, fragments), 0);
  const items = Math.max(ITEMS_PER_TURN_MIN, Math.floor(FIELDS_PER_TURN / Math.max(1, fields)));
  if (node !== undefined && fieldNodes.length === 1) knownItems.set(node, items);
  return items;
}

/** The fields of a selection and of all below it. The cost of a document bounds them. */
function countFields(set: SelectionSetNode | undefined, fragments: GraphQLResolveInfo['fragments']): number {
  let fields = 0;
  for (const selection of set?.selections ?? []) {
    if (selection.kind === Kind.FRAGMENT_SPREAD)
      fields += countFields(fragments[selection.name.value]?.selectionSet, fragments);
    else fields += countFields(selection.selectionSet, fragments) + (selection.kind === Kind.FIELD ? 1 : 0);
    if (fields > FIELDS_PER_TURN) return fields;
  }
  return fields;
}

/** Whether a field returns objects or lists of them. By shape: the engine and its libraries may each bring classes of their own. */
function returnsObjects(type: GraphQLOutputType): boolean {
  let named = type;
  while ('ofType' in named) named = named.ofType as GraphQLOutputType;
  return 'getFields' in named;
}
