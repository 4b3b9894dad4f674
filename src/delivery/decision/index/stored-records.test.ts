import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  beginReconciliation,
  compareById,
  findById,
  findByReference,
  patchById,
  reconcileById,
} from './sorted-by-id.ts';
import { StoredRecords, listEntries } from './stored-records.ts';
import { finishSteps } from './work-steps.ts';

interface Book {
  readonly id: string;
  readonly shelfId: string | null;
  readonly title: string;
}

const book = fc.record({
  id: fc.integer({ min: 1, max: 40 }).map(String),
  shelfId: fc.option(fc.constantFrom('1', '2', '7000000000001'), { freq: 4 }),
  title: fc.string({ maxLength: 3 }),
});
const books = fc
  .uniqueArray(book, { selector: ({ id }) => id, maxLength: 30 })
  .map((list): readonly Book[] => list.toSorted((left, right) => Number(left.id) - Number(right.id)));
/** By id; null removes. */
const edits = fc
  .array(fc.tuple(book, fc.boolean()), { maxLength: 12 })
  .map((list) => new Map(list.map(([one, stays]) => [one.id, stays ? one : null] as const)));
const ALL_IDS = Array.from({ length: 42 }, (_none, at) => String(at));

function store(list: readonly Book[], origin?: string): StoredRecords<Book> {
  const texts = list.map((one) => JSON.stringify(one));
  return StoredRecords.of<Book>({
    ids: BigInt64Array.from(list, ({ id }) => BigInt(id)),
    references: { shelfId: BigInt64Array.from(list, ({ shelfId }) => BigInt(shelfId ?? 0)) },
    ...(origin === undefined ? {} : { origin }),
    readText: (index) => texts[index] as string,
  });
}

/** All that can be asked of a list. */
function describe(list: StoredRecords<Book> | readonly Book[]) {
  return {
    all: [...list],
    length: list.length,
    found: ALL_IDS.map((id) => findById(list, id)),
    entries: [...listEntries(list)].map(({ id, text, referenceOf }) => [id, text, referenceOf('shelfId')]),
    onShelf: new Set(finishSteps(findByReference(list, 'shelfId', new Set(['2', '7000000000001'])))),
    onMany: new Set(finishSteps(findByReference(list, 'shelfId', new Set([...ALL_IDS.slice(1), '7000000000001'])))),
  };
}

test('stored records with changes are the same list as an array with the same changes', () => {
  fc.assert(
    fc.property(books, fc.array(edits, { maxLength: 4 }), (first, changes) => {
      let plain = first;
      let stored = store(first);
      expect(describe(stored)).toEqual(describe(plain));
      for (const change of changes) {
        const [before, storedBefore] = [plain, stored];
        plain = patchById(plain, change);
        stored = stored.patch(change);
        expect(describe(stored)).toEqual(describe(plain));
        const wanted = finishSteps(compareById(before, plain));
        const found = finishSteps(compareById(storedBefore, stored));
        const idsOf = (list: readonly Book[]) => new Set(list.map(({ id }) => id));
        // An array finds an entry that was replaced by an equal one; both may report it.
        for (const side of ['removed', 'added'] as const) expect(idsOf(found[side])).toEqual(idsOf(wanted[side]));
      }
    }),
  );
});

test('a list that was read again keeps all records that say the same', () => {
  fc.assert(
    fc.property(books, edits, books, fc.integer({ min: 1, max: 9 }), (first, change, read, pageSize) => {
      for (const former of [store(first).patch(change), patchById(first, change)]) {
        const reconciled = finishSteps(reconcileById<Book>(former, read));
        expect([...reconciled]).toEqual(read);
        const inPages = beginReconciliation<Book>(former);
        for (let at = 0; at <= read.length; at += pageSize) finishSteps(inPages.add(read.slice(at, at + pageSize)));
        expect([...finishSteps(inPages.end())]).toEqual(read);
        const { removed, added } = finishSteps(compareById<Book>(former, reconciled));
        const texts = new Set([...former].map((one) => JSON.stringify(one)));
        expect(added.filter((one) => texts.has(JSON.stringify(one)))).toEqual([]);
        expect(removed.length - added.length).toBe(former.length - read.length);
      }
    }),
  );
});

test('a list that catches up with a newer store says what it said before, and keeps only what differs from that store', () => {
  fc.assert(
    fc.property(books, edits, edits, (first, own, others) => {
      const former = store(first, 'former');
      const present = former.patch(own);
      const written = former.patch(others);
      const newer = store([...written], 'newer');
      const caughtUp = newer.catchUp(present, written.changes);
      expect([...(caughtUp ?? [])]).toEqual([...present]);
      const textOf = (id: string, list: StoredRecords<Book>) => JSON.stringify(findById(list, id));
      for (const id of caughtUp?.changes?.ids ?? []) expect(textOf(id, newer)).not.toBe(textOf(id, present));
      expect(newer.catchUp(present, store(first, 'another').changes)).toBeNull();
      expect(newer.catchUp(store(first).patch(own), written.changes)).toBeNull();
      expect(newer.catchUp([...present], written.changes)).toBeNull();
    }),
  );
});
