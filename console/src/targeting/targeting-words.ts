import type { NamedIds, NamedKind } from '../api/bookings/names.ts';
import type { TargetingTest, TargetingTree } from '../api/bookings/targeting.ts';
import { currentLocale } from '../messages/language.ts';
import { isMessageKey, say } from '../messages/say.ts';
import type { NameOf } from '../pickers/use-names.ts';
import { countries } from './countries.ts';

/** Dimensions whose values are ids of objects. */
const OBJECT_KINDS: Readonly<Record<string, NamedKind>> = {
  AD_UNIT: 'adUnits',
  AREA: 'areas',
  SITE: 'sites',
  SEGMENT: 'segments',
};
/** More values than a person reads are counted. */
const VALUES_SHOWN = 5;

/** The objects that a targeting names by their ids. */
export function idsIn(tree: TargetingTree | null): NamedIds {
  const ids: Partial<Record<NamedKind, string[]>> = {};
  for (const { dimension, values } of testsOf(tree)) {
    const kind = OBJECT_KINDS[dimension];
    if (kind !== undefined) ids[kind] = [...new Set([...(ids[kind] ?? []), ...values])].sort();
  }
  return ids;
}

function testsOf(tree: TargetingTree | null | undefined): readonly TargetingTest[] {
  if (tree === null || tree === undefined) return [];
  const own = tree.test === null || tree.test === undefined ? [] : [tree.test];
  return [...own, ...testsOf(tree.not), ...[...(tree.any ?? []), ...(tree.all ?? [])].flatMap(testsOf)];
}

/** A targeting in a sentence, with the names of its objects. */
export function describeTree(tree: TargetingTree | null, nameOf: NameOf): string {
  if (tree === null) return say('booking.targeting_all');
  return say('booking.targeting_said', { conditions: describeNode(tree, nameOf) });
}

/** The conditions of a targeting alone, for a cell of a table. */
export function describeConditions(tree: TargetingTree | null, nameOf: NameOf): string {
  return tree === null ? say('booking.targeting_all') : describeNode(tree, nameOf);
}

function describeNode({ test, not, any, all }: TargetingTree, nameOf: NameOf): string {
  if (test !== null && test !== undefined) return describeTest(test, nameOf);
  if (not !== null && not !== undefined) return say('targeting.denied', { conditions: describeNode(not, nameOf) });
  const children = any ?? all ?? [];
  // A tree that goes deeper than it was read.
  if (children.length === 0) return say('targeting.deeper');
  const type = any === null || any === undefined ? 'conjunction' : 'disjunction';
  const texts = children.map((child) => {
    const text = describeNode(child, nameOf);
    return children.length > 1 && hasParts(child) ? `(${text})` : text;
  });
  return new Intl.ListFormat(currentLocale(), { type }).format(texts);
}

function hasParts({ any, all }: TargetingTree): boolean {
  return (any ?? all ?? []).length > 1;
}

const OPERATORS = {
  IS: 'booking.targeting_is',
  IS_NOT: 'booking.targeting_not',
  CONTAINS: 'targeting.contains',
  BEGINS_WITH: 'targeting.begins',
} as const;

function describeTest({ dimension, operator, key, values }: TargetingTest, nameOf: NameOf): string {
  const what = `delivery_dimension.${dimension}`;
  const names = values.slice(0, VALUES_SHOWN).map((value) => valueName(dimension, value, nameOf));
  const rest = values.length - names.length;
  const shown = rest > 0 ? [...names, say('targeting.more', { count: rest })] : names;
  return say('booking.targeting_one', {
    what: dimension === 'KEY_VALUE' ? (key ?? '') : isMessageKey(what) ? say(what) : dimension,
    operator: say(OPERATORS[operator]),
    values: new Intl.ListFormat(currentLocale(), { type: 'disjunction' }).format(shown),
  });
}

function valueName(dimension: string, value: string, nameOf: NameOf): string {
  const kind = OBJECT_KINDS[dimension];
  if (kind !== undefined) return nameOf(kind, value);
  const device = `device.${value}`;
  if (dimension === 'DEVICE_TYPE' && isMessageKey(device)) return say(device);
  return countries().find((one) => dimension === 'COUNTRY' && one.value === value)?.label ?? value;
}
