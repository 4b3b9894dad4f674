import type { FieldRows } from './row-index.ts';
import type { Conjunct, Requirement } from './targeting.ts';
import type { WorkSteps } from './work-steps.ts';

/** Most fields that are indexed; the most restricting ones are chosen, the rest is tested row by row. */
const INDEXED_FIELDS_MAX = 32;

/** Which fields of targeting are indexed, by name, with the rows (by position) that restrict them. */
export function* chooseFields(
  rows: readonly { readonly conjuncts: readonly Conjunct[] }[],
): WorkSteps<Map<string, FieldRows>> {
  const fields = new Map<string, { name: string; source: Requirement; restricted: Map<number, ReadonlySet<string>> }>();
  for (const [row, { conjuncts }] of rows.entries()) {
    if (row % 1_024 === 1_023) yield;
    for (const { requirement } of conjuncts) {
      if (requirement === null) continue;
      let field = fields.get(requirement.fieldName);
      if (field === undefined) {
        field = { name: requirement.fieldName, source: requirement, restricted: new Map() };
        fields.set(requirement.fieldName, field);
      }
      // Of two conditions on one field the first is indexed; the other stays a test.
      if (!field.restricted.has(row)) field.restricted.set(row, requirement.values);
    }
  }
  const chosen = [...fields.values()].sort((left, right) => right.restricted.size - left.restricted.size);
  return new Map(chosen.slice(0, INDEXED_FIELDS_MAX).map((field) => [field.name, field]));
}
