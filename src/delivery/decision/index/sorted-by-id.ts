import type { WorkSteps } from './work-steps.ts';

const COMPARED_PER_STEP = 4_096;

interface Row {
  readonly id: string;
}

/** Ids are numbers as text: by length, then by text. Orders any texts. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The rows in ascending order of id. */
export function sortById<T extends Row>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((left, right) => compareIds(left.id, right.id));
}

/** Whether the rows stand in ascending order of id. */
export function* areSortedById(rows: readonly Row[]): WorkSteps<boolean> {
  for (let at = 1; at < rows.length; at += 1) {
    if (at % COMPARED_PER_STEP === 0) yield;
    if (compareIds((rows[at - 1] as Row).id, (rows[at] as Row).id) > 0) return false;
  }
  return true;
}

/** The first position of a sorted list whose id is not below `id`. */
function lowerBound(rows: readonly Row[], id: string, from: number): number {
  let low = from;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareIds((rows[middle] as Row).id, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Looks up a row of a list that is sorted by id. */
export function findById<T extends Row>(rows: readonly T[], id: string): T | undefined {
  const found = rows[lowerBound(rows, id, 0)];
  return found?.id === id ? found : undefined;
}

/** A copy of a list that is sorted by id, with rows put in or replaced, and those dropped whose id leads to null. */
export function patchById<T extends Row>(rows: readonly T[], edits: ReadonlyMap<string, T | null>): readonly T[] {
  if (edits.size === 0) return rows;
  const patched: T[] = [];
  let next = 0;
  for (const id of [...edits.keys()].sort(compareIds)) {
    const at = lowerBound(rows, id, next);
    for (; next < at; next += 1) patched.push(rows[next] as T);
    if (rows[next]?.id === id) next += 1;
    const row = edits.get(id) ?? null;
    if (row !== null) patched.push(row);
  }
  for (; next < rows.length; next += 1) patched.push(rows[next] as T);
  return patched;
}

/** What became of a list: rows of the former one that are gone, and those of the present one that are new; a changed row is both. */
export interface Difference<T> {
  readonly gone: readonly T[];
  readonly come: readonly T[];
}

const NO_DIFFERENCE = { gone: [], come: [] } as const;

/** Compares two lists that are sorted by id. Rows are replaced, never changed: the same object is the same row. */
export function* compareRowsById<T extends Row>(before: readonly T[], after: readonly T[]): WorkSteps<Difference<T>> {
  if (before === after) return NO_DIFFERENCE;
  const gone: T[] = [];
  const come: T[] = [];
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const former = before[left];
    const present = after[right];
    if (former === present) {
      left += 1;
      right += 1;
      continue;
    }
    if ((gone.length + come.length) % COMPARED_PER_STEP === COMPARED_PER_STEP - 1) yield;
    const order = former === undefined ? 1 : present === undefined ? -1 : compareIds(former.id, present.id);
    if (order <= 0) {
      gone.push(former as T);
      left += 1;
    }
    if (order >= 0) {
      come.push(present as T);
      right += 1;
    }
  }
  return { gone, come };
}
