import type { WorkSteps } from './work-steps.ts';

/** A record with an id. */
export interface Identified {
  readonly id: string;
}

/** A list of records in ascending order of id. Arrays are such lists. */
export interface Records<T> extends Iterable<T> {
  readonly length: number;
}

/** Records that are stored elsewhere as texts, in ascending order of id. They never change. */
export interface RecordStore {
  readonly ids: BigInt64Array;
  /** Ids that the records hold, by the name of the member; 0 = none. Records are found by them without being read. */
  readonly references: Readonly<Record<string, BigInt64Array>>;
  /** Names the store among all: other processes may read the same one. Absent: this process alone has it. */
  readonly origin?: string;
  /** The JSON text of the record at an index. */
  readText(index: number): string;
}

/** The ids of all records that differ from those of a store, removed ones too. */
export interface RecordChanges {
  readonly origin: string;
  readonly ids: readonly string[];
}

/** One record of a list. */
export interface RecordEntry {
  readonly id: bigint;
  /** The JSON text. */
  readonly text: string;
  /** Null where the record was not read. */
  readonly record: Identified | null;
  /** The id in one of its members; 0 = none. */
  referenceOf(member: string): bigint;
}

/** The entry of a record. @throws SyntaxError when an id is not a number */
function entryOf(record: Identified): RecordEntry {
  const members = record as unknown as Readonly<Record<string, string | null>>;
  return {
    id: BigInt(record.id),
    text: JSON.stringify(record),
    record,
    referenceOf: (member) => BigInt(members[member] ?? 0),
  };
}

function editOf<T extends Identified>({ id, text, record }: RecordEntry): [string, T] {
  return [String(id), (record ?? JSON.parse(text)) as T];
}

/** The entries of a list, in its order. */
export function* listEntries<T extends Identified>(list: Records<T>): Generator<RecordEntry> {
  if (list instanceof StoredRecords) yield* (list as StoredRecords<T>).listEntries();
  else for (const record of list) yield entryOf(record);
}

/** How many records are kept after they were read; those of the generation before are kept as well. */
const KEPT_MAX = 2_048;
const COMPARED_PER_STEP = 32;
const SCANNED_PER_STEP = 16_384;

/** Up to this many ids, a search for each is faster than one look at each reference. */
const FEW_WANTED_MAX = 8;

/** The indexes of references that are wanted; null now and then: a moment for other work. */
function* scanForFew(references: BigInt64Array, wanted: ReadonlySet<string>): Generator<number | null> {
  for (const id of wanted) {
    const reference = BigInt(id);
    for (let at = references.indexOf(reference); at >= 0; at = references.indexOf(reference, at + 1)) yield at;
    yield null;
  }
}

function* scanForMany(references: BigInt64Array, wanted: ReadonlySet<string>): Generator<number | null> {
  const halves = new Uint32Array(references.buffer, references.byteOffset, references.length * 2);
  // Comparing halves makes no objects; a half that matches is compared as a whole below.
  const wantedHalves = new Set(new Uint32Array(BigInt64Array.from(wanted, BigInt).buffer));
  for (let index = 0; index < references.length; index += 1) {
    if (index % SCANNED_PER_STEP === SCANNED_PER_STEP - 1) yield null;
    if (!wantedHalves.has(halves[2 * index] as number) || !wantedHalves.has(halves[2 * index + 1] as number)) continue;
    if (wanted.has(String(references[index]))) yield index;
  }
}

/** Reads records of a store, and keeps those that were read last. */
class RecordCache<T extends Identified> {
  readonly store: RecordStore;
  #young = new Map<number, T>();
  #old = new Map<number, T>();

  constructor(store: RecordStore) {
    this.store = store;
  }

  at(index: number): T {
    const known = this.#young.get(index);
    if (known !== undefined) return known;
    const record = this.#old.get(index) ?? this.readAt(index);
    if (this.#young.size >= KEPT_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(index, record);
    return record;
  }

  readAt(index: number): T {
    return JSON.parse(this.store.readText(index)) as T;
  }

  /** The index of an id; −1 = none. */
  indexOf(id: string): number {
    const { ids } = this.store;
    const wanted = BigInt(id);
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[middle] as bigint) < wanted) low = middle + 1;
      else high = middle;
    }
    return ids[low] === wanted ? low : -1;
  }
}

/**
 * A list of records that are read on demand, with changes on top of a store. Immutable: a change makes a new list, which
 * shares the store. A record may be read twice, so the same record may be two objects.
 */
export class StoredRecords<T extends Identified> implements Records<T> {
  readonly length: number;
  readonly #cache: RecordCache<T>;
  /** By id; null = removed. */
  readonly #edits: ReadonlyMap<string, T | null>;

  private constructor(cache: RecordCache<T>, edits: ReadonlyMap<string, T | null>, length: number) {
    this.#cache = cache;
    this.#edits = edits;
    this.length = length;
  }

  static of<T extends Identified>(store: RecordStore): StoredRecords<T> {
    return new StoredRecords<T>(new RecordCache<T>(store), new Map(), store.ids.length);
  }

  /** How many records lie on top of the store. */
  get editCount(): number {
    return this.#edits.size;
  }

  /** What changed since the store; null: no other process knows the store. */
  get changes(): RecordChanges | null {
    const { origin } = this.#cache.store;
    return origin === undefined ? null : { origin, ids: [...this.#edits.keys()] };
  }

  /**
   * This list with the changes that make it another one, where that is known without reading all records: the other one has the store that this
   * one's store came from. Null elsewhere. @param since what changed from that store to this one's
   */
  catchUp(present: Records<T>, since: RecordChanges | null): StoredRecords<T> | null {
    if (since === null || !(present instanceof StoredRecords)) return null;
    const list = present as StoredRecords<T>;
    if (list.changes?.origin !== since.origin) return null;
    const edits = new Map<string, T | null>();
    for (const id of new Set([...since.ids, ...list.#edits.keys()])) {
      const wanted = list.find(id);
      const known = this.find(id);
      if (JSON.stringify(wanted) !== JSON.stringify(known)) edits.set(id, wanted ?? null);
    }
    return this.patch(edits);
  }

  find(id: string): T | undefined {
    const edited = this.#edits.get(id);
    if (edited !== undefined) return edited ?? undefined;
    const index = this.#cache.indexOf(id);
    return index < 0 ? undefined : this.#cache.at(index);
  }

  /** Reads every record, and keeps none. */
  *[Symbol.iterator](): Generator<T> {
    for (const entry of this.#entries()) yield entry.record ?? this.#cache.readAt(entry.index);
  }

  /** Reads the text of every record. */
  *listEntries(): Generator<RecordEntry> {
    const { store } = this.#cache;
    for (const { record, index } of this.#entries()) {
      if (record !== null) yield entryOf(record);
      else
        yield {
          id: store.ids[index] as bigint,
          text: store.readText(index),
          record: null,
          referenceOf: (member) => store.references[member]?.[index] ?? 0n,
        };
    }
  }

  /** In ascending order of id: a changed record, or the index of a stored one. */
  *#entries(): Generator<{ readonly record: T | null; readonly index: number }> {
    const { ids } = this.#cache.store;
    let next = 0;
    for (const [id, record] of this.#sortedEdits()) {
      for (; next < ids.length && (ids[next] as bigint) < id; next += 1) yield { record: null, index: next };
      if (ids[next] === id) next += 1;
      if (record !== null) yield { record, index: -1 };
    }
    for (; next < ids.length; next += 1) yield { record: null, index: next };
  }

  #sortedEdits(): (readonly [bigint, T | null])[] {
    const edits = Array.from(this.#edits, ([id, record]) => [BigInt(id), record] as const);
    return edits.sort(([left], [right]) => (left < right ? -1 : 1));
  }

  /** The list with records inserted or replaced, and without those whose id maps to null. */
  patch(edits: ReadonlyMap<string, T | null>): StoredRecords<T> {
    if (edits.size === 0) return this;
    const all = new Map(this.#edits);
    let { length } = this;
    for (const [id, record] of edits) {
      length += (record === null ? 0 : 1) - (this.#has(id) ? 1 : 0);
      all.set(id, record);
    }
    return new StoredRecords(this.#cache, all, length);
  }

  #has(id: string): boolean {
    const edited = this.#edits.get(id);
    return edited === undefined ? this.#cache.indexOf(id) >= 0 : edited !== null;
  }

  /** The difference of two lists on one store; null when the other one has another store. */
  differenceFrom(before: StoredRecords<T>): { readonly removed: readonly T[]; readonly added: readonly T[] } | null {
    if (before.#cache !== this.#cache) return null;
    const removed: T[] = [];
    const added: T[] = [];
    const compare = (id: string): void => {
      const former = before.find(id);
      const present = this.find(id);
      if (former !== undefined) removed.push(former);
      if (present !== undefined) added.push(present);
    };
    for (const [id, record] of this.#edits) if (before.#edits.get(id) !== record) compare(id);
    for (const id of before.#edits.keys()) if (!this.#edits.has(id)) compare(id);
    return { removed, added };
  }

  /** The records whose member has one of these ids. */
  *findByReference(member: keyof T & string, wanted: ReadonlySet<string>): WorkSteps<T[]> {
    const found: T[] = [];
    const references = this.#cache.store.references[member] ?? new BigInt64Array(0);
    const isFew = wanted.size <= FEW_WANTED_MAX;
    for (const index of isFew ? scanForFew(references, wanted) : scanForMany(references, wanted)) {
      if (index === null) yield;
      else if (!this.#edits.has(String(this.#cache.store.ids[index])))
        if (found.push(this.#cache.at(index)) % COMPARED_PER_STEP === 0) yield;
    }
    for (const record of this.#edits.values())
      if (record !== null && wanted.has(String(record[member]))) found.push(record);
    return found;
  }

  /** This list where the other one has the same records, else this list with the changes that make it the other one. @param present in ascending order of id */
  *reconcile(present: Records<T>): WorkSteps<StoredRecords<T>> {
    const reconciliation = new StoredReconciliation<T>(this);
    yield* reconciliation.add(present);
    return yield* reconciliation.end();
  }
}

/** Compares a stored list with the present records, which arrive in pages. */
export class StoredReconciliation<T extends Identified> {
  readonly #former: StoredRecords<T>;
  readonly #entries: Iterator<RecordEntry, unknown>;
  readonly #edits = new Map<string, T | null>();
  /** Null until the first page. */
  #next: IteratorResult<RecordEntry, unknown> | null = null;
  #compared = 0;

  constructor(former: StoredRecords<T>) {
    this.#former = former;
    this.#entries = former.listEntries();
  }

  /** @param page in ascending order of id, above those of the pages before */
  *add(page: Records<T>): WorkSteps<void> {
    for (const present of listEntries(page)) {
      yield* this.#removeBelow(present.id);
      const former = this.#peek();
      const isKnown = former?.id === present.id;
      if (!isKnown || former.text !== present.text) this.#edits.set(...editOf<T>(present));
      if (isKnown) this.#next = null;
      this.#compared += 1;
      if (this.#compared % COMPARED_PER_STEP === 0) yield;
    }
  }

  *end(): WorkSteps<StoredRecords<T>> {
    yield* this.#removeBelow(null);
    return this.#former.patch(this.#edits);
  }

  *#removeBelow(id: bigint | null): WorkSteps<void> {
    for (let former = this.#peek(); former !== null && (id === null || former.id < id); former = this.#peek()) {
      this.#edits.set(String(former.id), null);
      this.#next = null;
      this.#compared += 1;
      if (this.#compared % COMPARED_PER_STEP === 0) yield;
    }
  }

  /** The next former entry that was not compared yet; null = none. */
  #peek(): RecordEntry | null {
    this.#next ??= this.#entries.next();
    return this.#next.done === true ? null : this.#next.value;
  }
}
