import type { Conjunct } from '../../../domain/targeting/targeting-conjuncts.ts';

/** A condition that no index covers. */
const OTHER = '?';
const SEPARATOR = '\n';

/** The fields of a shape; null = a condition that no index covers. */
export function fieldsOfShape(shape: string): (string | null)[] {
  return shape === '' ? [] : shape.split(SEPARATOR).map((name) => (name === OTHER ? null : name));
}

/** The shape of a line item that is unknown: its targeting must be read. */
export const UNKNOWN_SHAPE = OTHER;

/** The fields of a tree's conditions, in their order: most line items of a workspace share a few shapes. */
export function shapeOf(conjuncts: readonly Conjunct[]): string {
  const seen = new Set<string>();
  const names = conjuncts.map(({ requirement, exact }) => {
    if (requirement === null || !exact || seen.has(requirement.fieldName)) return OTHER;
    seen.add(requirement.fieldName);
    return requirement.fieldName;
  });
  return names.join(SEPARATOR);
}
