import type { FieldProblem } from '../../domain/errors.ts';
import { decimalIdOf, plainIdOf } from '../../domain/ids/global-ids.ts';
import {
  TARGETING_DEPTH_MAX,
  TARGETING_NODES_MAX,
  type Targeting,
  type TargetingOperator,
  type TargetingTest,
} from '../../domain/targeting/targeting.ts';
import { DIMENSIONS, dimensionRow } from '../../domain/targeting/targeting-dimensions.ts';
import { doubtfulValues } from '../../domain/targeting/known-values.ts';
import type { TargetingDimension } from '../../domain/targeting/targeting-dimensions.ts';
import { builder } from '../kernel/builder.ts';
import { domainForm } from '../../domain/text/one-form.ts';
import { columnField, type Field, report } from '../kernel/field.ts';
import { resourceOfTable } from '../kernel/resource.ts';

/** The most values in one test, and their greatest length. */
const VALUES_MAX = 1_000;
const VALUE_LENGTH_MAX = 500;

const dimensionDescriptions = Object.fromEntries(
  Object.entries(DIMENSIONS).map(([dimension, { description }]) => [dimension, description]),
) as Record<TargetingDimension, string>;

const operatorDescriptions: Record<TargetingOperator, string> = {
  is: 'Equals any of the values.',
  isNot: 'Equals none of the values; also matches when the request has no value.',
  beginsWith: 'Begins with any of the values.',
  contains: 'Contains any of the values.',
};

/** `keyValue` → `KEY_VALUE`, as enumeration values are written in GraphQL. */
export function constantCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function describedValues<Value extends string>(descriptions: Record<Value, string>) {
  const entries = Object.entries<string>(descriptions) as [Value, string][];
  return Object.fromEntries(
    entries.map(([value, description]) => [constantCase(value), { value, description }]),
  ) as Record<string, { value: Value; description: string }>;
}

/** The dimensions of targeting. */
export const DimensionRef = builder.enumType('TargetingDimension', {
  description: 'The dimension of a test.',
  values: describedValues(dimensionDescriptions),
});

const OperatorRef = builder.enumType('TargetingOperator', {
  description: 'How a test compares.',
  values: describedValues(operatorDescriptions),
});

const TestRef = builder.objectRef<TargetingTest>('TargetingTest').implement({
  description: 'One test on one dimension.',
  fields: (t) => ({
    dimension: t.field({ type: DimensionRef, description: 'The dimension.', resolve: (test) => test.dimension }),
    operator: t.field({ type: OperatorRef, description: 'How it compares.', resolve: (test) => test.operator }),
    key: t.string({ nullable: true, description: 'The key, for KEY_VALUE.', resolve: (test) => test.key ?? null }),
    values: t.stringList({ description: 'The values.', resolve: (test) => [...test.values] }),
  }),
});

const TargetingRef = builder.objectRef<Targeting>('Targeting');
TargetingRef.implement({
  description: 'One node of a targeting tree; exactly one of its fields is set.',
  fields: (t) => ({
    all: t.field({
      type: [TargetingRef],
      nullable: true,
      description: 'All of these must match.',
      resolve: (node) => ('all' in node ? [...node.all] : null),
    }),
    any: t.field({
      type: [TargetingRef],
      nullable: true,
      description: 'One of these must match.',
      resolve: (node) => ('any' in node ? [...node.any] : null),
    }),
    not: t.field({
      type: TargetingRef,
      nullable: true,
      description: 'This must not match.',
      resolve: (node) => ('not' in node ? node.not : null),
    }),
    test: t.field({
      type: TestRef,
      nullable: true,
      description: 'One test.',
      resolve: (node) => ('dimension' in node ? node : null),
    }),
  }),
});

const TestInput = builder.inputType('TargetingTestInput', {
  description: 'One test on one dimension.',
  fields: (t) => ({
    dimension: t.field({ type: DimensionRef, required: true, description: 'The dimension.' }),
    operator: t.field({ type: OperatorRef, defaultValue: 'is', description: 'How it compares; default IS.' }),
    key: t.string({ description: 'The key, for KEY_VALUE only.' }),
    values: t.stringList({ required: true, description: `1…${VALUES_MAX} values; any of them is enough.` }),
  }),
});

/** A node of the input tree, as GraphQL coerced it: exactly one member. */
interface GivenNode {
  readonly all?: readonly GivenNode[];
  readonly any?: readonly GivenNode[];
  readonly not?: GivenNode;
  readonly test?: {
    dimension: TargetingDimension;
    operator?: TargetingOperator | null;
    key?: string | null;
    values: readonly string[];
  };
}

/** The targeting tree of an input. */
export const TargetingInput = builder.inputRef<GivenNode>('TargetingInput');
TargetingInput.implement({
  isOneOf: true,
  description: `One node of a targeting tree: set exactly one field. At most ${TARGETING_NODES_MAX} nodes, ${TARGETING_DEPTH_MAX} levels.`,
  fields: ((t: never) => targetingInputFields(t)) as never,
});

function targetingInputFields(t: Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]) {
  return {
    all: t.field({ type: [TargetingInput], description: 'All of these must match.' }),
    any: t.field({ type: [TargetingInput], description: 'One of these must match.' }),
    not: t.field({ type: TargetingInput, description: 'This must not match.' }),
    test: t.field({ type: TestInput, description: 'One test.' }),
  };
}

/** The targeting tree of a line item. null matches everything. */
export function targetingField(): Field {
  return columnField(
    { name: 'targeting', description: 'Its targeting; null = all inventory and all users.' },
    {
      input: TargetingInput,
      output: TargetingRef,
      initial: null,
      check: checkTargeting,
      isJson: true,
      asInput: (stored) => targetingAsInput(stored as Targeting),
    },
  );
}

/** Converts a stored tree to the form of the input: tests under `test`, enumerations by name. */
export function targetingAsInput(node: Targeting): unknown {
  if ('all' in node) return { all: node.all.map(targetingAsInput) };
  if ('any' in node) return { any: node.any.map(targetingAsInput) };
  if ('not' in node) return { not: targetingAsInput(node.not) };
  const { dimension, operator, key, values } = node;
  const test = { dimension: constantCase(dimension), operator: constantCase(operator), values };
  return { test: key === undefined ? test : { ...test, key } };
}

/** Converts a stored tree to the form in which resolvers get an input. */
export function targetingAsGiven(node: Targeting): unknown {
  if ('all' in node) return { all: node.all.map(targetingAsGiven) };
  if ('any' in node) return { any: node.any.map(targetingAsGiven) };
  if ('not' in node) return { not: targetingAsGiven(node.not) };
  return { test: node };
}

/** Validates an input tree and converts it to the domain's form. Problems name the node by its path. */
export function checkTargeting(value: unknown, path: string, problems: FieldProblem[]): Targeting | null {
  const count = { nodes: 0 };
  const tree = checkNode(value as GivenNode, path, { depth: 1, count, problems });
  if (count.nodes > TARGETING_NODES_MAX)
    report(problems, path, 'too_many', `The tree has over ${TARGETING_NODES_MAX} nodes; simplify it.`);
  return tree;
}

interface Walk {
  readonly depth: number;
  readonly count: { nodes: number };
  readonly problems: FieldProblem[];
}

function checkNode(node: GivenNode, path: string, walk: Walk): Targeting | null {
  walk.count.nodes += 1;
  if (walk.count.nodes > TARGETING_NODES_MAX) return null;
  if (walk.depth > TARGETING_DEPTH_MAX) {
    report(walk.problems, path, 'too_deep', `The tree has over ${TARGETING_DEPTH_MAX} levels; flatten it.`);
    return null;
  }
  const inner = { ...walk, depth: walk.depth + 1 };
  if (node.all) return { all: checkNodes(node.all, `${path}.all`, inner) };
  if (node.any) return { any: checkNodes(node.any, `${path}.any`, inner) };
  if (node.not) {
    const negated = checkNode(node.not, `${path}.not`, inner);
    return negated === null ? null : { not: negated };
  }
  if (node.test) return checkTest(node.test, `${path}.test`, walk.problems);
  report(walk.problems, path, 'empty', 'Give one of all, any, not, test.');
  return null;
}

function checkNodes(nodes: readonly GivenNode[], path: string, walk: Walk): Targeting[] {
  if (nodes.length === 0) report(walk.problems, path, 'empty', 'Give at least one node.');
  return nodes
    .slice(0, TARGETING_NODES_MAX + 1)
    .map((node, index) => checkNode(node, `${path}.${index}`, walk))
    .filter((node) => node !== null);
}

function checkTest(test: NonNullable<GivenNode['test']>, path: string, problems: FieldProblem[]): TargetingTest {
  const { dimension } = test;
  const { are } = dimensionRow(dimension).accepts;
  const operator = test.operator ?? 'is';
  if (test.values.length === 0 || test.values.length > VALUES_MAX) {
    report(problems, `${path}.values`, 'out_of_range', `Give 1 to ${VALUES_MAX} values.`);
  }
  test.values
    .slice(0, VALUES_MAX)
    .forEach((value, index) => checkValue(dimension, value, { path: `${path}.values.${index}`, problems }));
  const doubtful = doubtfulValues({ dimension, operator, values: test.values.slice(0, VALUES_MAX) });
  for (const { value, message, isImpossible } of doubtful)
    if (isImpossible && value !== '')
      report(problems, `${path}.values.${test.values.indexOf(value)}`, 'unknown_value', message);
  if (are === 'ids' && operator !== 'is' && operator !== 'isNot') {
    report(problems, `${path}.operator`, 'not_for_ids', 'Ids are compared with IS or IS_NOT.');
  }
  const key = test.key?.trim() ?? '';
  if (are === 'keyed' && (key === '' || key.length > 100)) {
    report(problems, `${path}.key`, 'required', 'Name the key, in at most 100 characters.');
  }
  if (are !== 'keyed' && key !== '')
    report(problems, `${path}.key`, 'not_allowed', 'Only KEY_VALUE has a key; leave it out.');
  const values = [...new Set(test.values.slice(0, VALUES_MAX).map((value) => storedValue(dimension, operator, value)))];
  return are === 'keyed' ? { dimension, operator, key, values } : { dimension, operator, values };
}

/** Ids are stored as decimal ones, whole domains in their one form. */
function storedValue(dimension: TargetingDimension, operator: TargetingTest['operator'], value: string): string {
  const { accepts } = dimensionRow(dimension);
  const isWhole = operator === 'is' || operator === 'isNot';
  if (dimension === 'domain' && isWhole) return domainForm(value);
  return accepts.are === 'ids' ? plainIdOf(resourceOfTable(accepts.table).type, value) : value;
}

function checkValue(
  dimension: TargetingDimension,
  value: string,
  at: { path: string; problems: FieldProblem[] },
): void {
  const { accepts } = dimensionRow(dimension);
  if (value === '' || value.length > VALUE_LENGTH_MAX) {
    report(at.problems, at.path, 'out_of_range', `Give 1 to ${VALUE_LENGTH_MAX} characters.`);
  } else if (accepts.are === 'ids' && decimalIdOf(resourceOfTable(accepts.table).type, value) === null) {
    report(at.problems, at.path, 'malformed', `Give the id of the ${dimension}.`);
  } else if (accepts.are === 'formed' && !accepts.pattern.test(value)) {
    report(at.problems, at.path, 'malformed', `Give ${accepts.wants}.`);
  }
}
