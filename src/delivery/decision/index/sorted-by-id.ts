import type { WorkSteps } from './work-steps.ts';

const COMPARED_PER_STEP = 4_096;

interface Identified {
  readonly id: string;
}

/** Ids are numbers as text: compares by length, then by text. Orders any texts. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The list in ascending order of id. */
export function sortById<T extends Identified>(list: readonly T[]): readonly T[] {
  return list.toSorted((left, right) => compareIds(left.id, right.id));
}

/** Whether the list is in ascending order of id. */
export function* areSortedById(list: readonly Identified[]): WorkSteps<boolean> {
  for (let at = 1; at < list.length; at += 1) {
    if (at % COMPARED_PER_STEP === 0) yield;
    if (compareIds((list[at - 1] as Identified).id, (list[at] as Identified).id) > 0) return false;
  }
  return true;
}

/** The first position of a sorted list whose id is not below `id`. */
function lowerBound(list: readonly Identified[], id: string, from: number): number {
  let low = from;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareIds((list[middle] as Identified).id, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds an entry in a list that is sorted by id. */
export function findById<T extends Identified>(list: readonly T[], id: string): T | undefined {
  const found = list[lowerBound(list, id, 0)];
  return found?.id === id ? found : undefined;
}

/** A copy of a list that is sorted by id, with entries inserted or replaced, and without those whose id maps to null. */
export function patchById<T extends Identified>(
  list: readonly T[],
  edits: ReadonlyMap<string, T | null>,
): readonly T[] {
  if (edits.size === 0) return list;
  const patched: T[] = [];
  let next = 0;
  for (const id of [...edits.keys()].sort(compareIds)) {
    const at = lowerBound(list, id, next);
    for (; next < at; next += 1) patched.push(list[next] as T);
    if (list[next]?.id === id) next += 1;
    const item = edits.get(id) ?? null;
    if (item !== null) patched.push(item);
  }
  for (; next < list.length; next += 1) patched.push(list[next] as T);
  return patched;
}

/** The difference of two lists. A changed entry is both removed and added. */
export interface Difference<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

const NO_DIFFERENCE = { removed: [], added: [] } as const;

/** Compares two lists that are sorted by id. Entries are replaced, never changed: the same object is the same entry. */
export function* compareById<T extends Identified>(
  before: readonly T[],
  after: readonly T[],
): WorkSteps<Difference<T>> {
  if (before === after) return NO_DIFFERENCE;
  const removed: T[] = [];
  const added: T[] = [];
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
    if ((removed.length + added.length) % COMPARED_PER_STEP === COMPARED_PER_STEP - 1) yield;
    const order = former === undefined ? 1 : present === undefined ? -1 : compareIds(former.id, present.id);
    if (order <= 0) {
      removed.push(former as T);
      left += 1;
    }
    if (order >= 0) {
      added.push(present as T);
      right += 1;
    }
  }
  return { removed, added };
}
