import { domainForm, foldText } from '../text/one-form.ts';
import type { Targeting, TargetingTest } from './targeting.ts';
import { dimensionRow } from './targeting-dimensions.ts';
import type { TargetingDimension } from './targeting-dimensions.ts';

/** The subject of a field: a dimension, and for key-values the key. */
export interface TargetingField {
  readonly dimension: TargetingDimension;
  /** Lower case; '' where the dimension has no keys. */
  readonly key: string;
}

/** A condition that must hold for the whole tree to hold: the field has at least one of these values (lower case). */
export interface Requirement extends TargetingField {
  /** A keyed dimension is followed by its key: one name a field. */
  readonly fieldName: string;
  readonly values: ReadonlySet<string>;
}

/** One top-level conjunct of a tree; with `exact`, its requirement says all of it and needs no further test. */
export interface Conjunct {
  readonly tree: Targeting;
  readonly requirement: Requirement | null;
  readonly exact: boolean;
}

/** The name of a field in the index: the dimension, with the key behind it where it has keys. */
export function fieldNameOf(dimension: TargetingDimension, key: string): string {
  return dimensionRow(dimension).accepts.are === 'keyed' ? `${dimension}:${key}` : dimension;
}

/** Splits a tree into conditions that must all hold, each with what an index can use of it. */
export function splitConjuncts(targeting: Targeting | null): Conjunct[] {
  if (targeting === null) return [];
  if ('all' in targeting) return targeting.all.flatMap(splitConjuncts);
  const found = requirementOf(targeting);
  return [{ tree: targeting, requirement: found?.requirement ?? null, exact: found?.exact ?? false }];
}

function requirementOf(tree: Targeting): { requirement: Requirement; exact: boolean } | null {
  if ('not' in tree || 'all' in tree) return null;
  if ('any' in tree) return unionOf(tree.any);
  if (tree.operator !== 'is' || dimensionRow(tree.dimension).values === null) return null;
  const key = foldText(tree.key ?? '');
  const values = new Set(comparedValues(tree));
  const fieldName = fieldNameOf(tree.dimension, key);
  return { requirement: { dimension: tree.dimension, key, fieldName, values }, exact: true };
}

/** The values of a test as requests have them: folded, whole domains in their one form. */
export function comparedValues({ dimension, operator, values }: TargetingTest): string[] {
  const isDomain = dimension === 'domain' && (operator === 'is' || operator === 'isNot');
  return values.map(isDomain ? domainForm : foldText);
}

/** Alternatives that all ask one field require one of all their values. */
function unionOf(branches: readonly Targeting[]): { requirement: Requirement; exact: boolean } | null {
  const values = new Set<string>();
  let first: Requirement | null = null;
  for (const branch of branches) {
    const found = requirementOf(branch);
    if (found === null) return null;
    first ??= found.requirement;
    if (found.requirement.fieldName !== first.fieldName) return null;
    for (const value of found.requirement.values) values.add(value);
  }
  return first === null ? null : { requirement: { ...first, values }, exact: true };
}
