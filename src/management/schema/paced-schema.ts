import type { GraphQLField, GraphQLObjectType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import type { ManagementContext } from '../kernel/context.ts';
import type { RequestBudget } from '../kernel/request-budget.ts';
import type { WorkSlices } from './work-slices.ts';

/** Items of a list that are completed without a check of the clock. */
const ITEMS_PER_TURN = 10;

/**
 * Makes every field that returns objects wait for its turn before its result is completed, and stops the fields of a request that has used
 * up its budget. Changes the schema in place, once.
 */
export function paceSchema(schema: GraphQLSchema, slices: WorkSlices): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !('getFields' in type)) continue;
    for (const field of Object.values((type as GraphQLObjectType).getFields())) {
      if (field.resolve !== undefined && returnsObjects(field.type)) paceField(field, slices);
    }
  }
}

type AnyField = GraphQLField<unknown, ManagementContext>;

function paceField(field: AnyField, slices: WorkSlices): void {
  const resolve = field.resolve as NonNullable<AnyField['resolve']>;
  field.resolve = (source, args, context, info) => {
    const { budget, principal } = context;
    budget.checkTime();
    const turn = (): Promise<void> | undefined => slices.turn(principal.networkId);
    const value: unknown = resolve(source, args, context, info);
    if (Array.isArray(value)) return paceItems(value, turn, budget);
    if (!(value instanceof Promise)) return value;
    return value.then((found: unknown) => {
      const paced = Array.isArray(found) ? paceItems(found, turn, budget) : found;
      const wait = turn();
      return wait === undefined ? paced : budget.pause(wait).then(() => paced);
    });
  };
}

/** The items of a long list, some at once and the others behind turns of their own. */
function paceItems(
  items: readonly unknown[],
  turn: () => Promise<void> | undefined,
  budget: RequestBudget,
): readonly unknown[] {
  if (items.length <= ITEMS_PER_TURN) return items;
  let gate: Promise<void> = Promise.resolve();
  return items.map((item, index) => {
    if (index < ITEMS_PER_TURN) return item;
    if (index % ITEMS_PER_TURN === 0) gate = budget.pause(gate.then(turn));
    return gate.then(() => item);
  });
}

/** Whether a field returns objects or lists of them. By shape: the engine and its libraries may each bring classes of their own. */
function returnsObjects(type: GraphQLOutputType): boolean {
  let named = type;
  while ('ofType' in named) named = named.ofType as GraphQLOutputType;
  return 'getFields' in named;
}
