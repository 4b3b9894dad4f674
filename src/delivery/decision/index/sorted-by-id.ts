import { StoredReconciliation, StoredRecords } from './stored-records.ts';
import type { Identified, Records } from './stored-records.ts';
import type { WorkSteps } from './work-steps.ts';

const COMPARED_PER_STEP = 4_096;
const RECONCILED_PER_STEP = 64;

/** Ids are numbers as text: compares by length, then by text. Orders any texts. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function asArray<T>(records: Records<T>): readonly T[] {
  return Array.isArray(records) ? (records as readonly T[]) : [...records];
}

/** The list in ascending order of id. */
export function sortById<T extends Identified>(list: Records<T>): readonly T[] {
  return asArray(list).toSorted((left, right) => compareIds(left.id, right.id));
}

/** Whether the list is in ascending order of id. */
export function* areSortedById(given: Records<Identified>): WorkSteps<boolean> {
  if (given instanceof StoredRecords) return true;
  const list = asArray(given);
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
export function findById<T extends Identified>(records: Records<T>, id: string): T | undefined {
  if (records instanceof StoredRecords) return (records as StoredRecords<T>).find(id);
  const list = asArray(records);
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
  formers: Records<T>,
  presents: Records<T>,
): WorkSteps<Difference<T>> {
  if (formers === presents) return NO_DIFFERENCE;
  if (formers instanceof StoredRecords && presents instanceof StoredRecords) {
    const difference = (presents as StoredRecords<T>).differenceFrom(formers as StoredRecords<T>);
    if (difference !== null) return difference;
  }
  const before = asArray(formers);
  const after = asArray(presents);
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

/** Compares a list with the present records, which arrive in pages in ascending order of id. */
export interface Reconciliation<T extends Identified> {
  add(page: Records<T>): WorkSteps<void>;
  /** The former list with the present records: those that say the same stay the same objects. The former list itself where nothing changed. */
  end(): WorkSteps<Records<T>>;
}

/** @param former in ascending order of id */
export function beginReconciliation<T extends Identified>(former: Records<T>): Reconciliation<T> {
  return former instanceof StoredRecords
    ? new StoredReconciliation(former as StoredRecords<T>)
    : new ArrayReconciliation(asArray(former));
}

class ArrayReconciliation<T extends Identified> {
  readonly #former: readonly T[];
  readonly #reconciled: T[] = [];
  #next = 0;
  #isSame = true;

  constructor(former: readonly T[]) {
    this.#former = former;
  }

  *add(page: Records<T>): WorkSteps<void> {
    for (const record of page) {
      if (this.#reconciled.length % RECONCILED_PER_STEP === RECONCILED_PER_STEP - 1) yield;
      while (this.#next < this.#former.length && compareIds((this.#former[this.#next] as T).id, record.id) < 0)
        this.#next += 1;
      const known = this.#former[this.#next];
      const stays = known?.id === record.id && JSON.stringify(known) === JSON.stringify(record);
      this.#reconciled.push(stays ? known : record);
      this.#isSame &&= stays;
    }
  }

  *end(): WorkSteps<Records<T>> {
    yield;
    return this.#isSame && this.#reconciled.length === this.#former.length ? this.#former : this.#reconciled;
  }
}

/** As `Reconciliation`, of a list that was read as a whole. */
export function* reconcileById<T extends Identified>(former: Records<T>, present: Records<T>): WorkSteps<Records<T>> {
  if (former === present) return former;
  const reconciliation = beginReconciliation(former);
  yield* reconciliation.add(present);
  return yield* reconciliation.end();
}

/** The records whose member has one of these ids. */
export function* findByReference<T extends Identified>(
  records: Records<T>,
  member: keyof T & string,
  wanted: ReadonlySet<string>,
): WorkSteps<readonly T[]> {
  if (wanted.size === 0) return [];
  if (records instanceof StoredRecords) return yield* (records as StoredRecords<T>).findByReference(member, wanted);
  const found: T[] = [];
  for (const [position, record] of asArray(records).entries()) {
    if (position % COMPARED_PER_STEP === COMPARED_PER_STEP - 1) yield;
    if (wanted.has(record[member] as string)) found.push(record);
  }
  return found;
}
