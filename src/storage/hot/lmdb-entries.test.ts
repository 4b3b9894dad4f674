import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  counterBytes,
  decodeList,
  expiryBytes,
  pushToList,
  readCount,
  readExpiry,
  readList,
  writeCounter,
} from './lmdb-entries.ts';

const entryOf = (list: Buffer): Buffer => Buffer.concat([Buffer.alloc(expiryBytes), list]);

test('values that are pushed onto a list come first, and the oldest beyond its bound are dropped', () => {
  const pushes = fc.array(
    fc.record({ value: fc.string({ unit: 'grapheme', maxLength: 40 }), max: fc.integer({ min: 1, max: 9 }) }),
  );
  fc.assert(
    fc.property(pushes, (all) => {
      let expected: string[] = [];
      let list = Buffer.alloc(0);
      for (const { value, max } of all) {
        expected = [value, ...expected].slice(0, max);
        list = pushToList(readList(entryOf(list)), value, max) as Buffer<ArrayBuffer>;
        expect(decodeList(entryOf(list))).toEqual(expected);
      }
    }),
  );
});

test('a list that is cut anywhere within a value is damaged', () => {
  const whole = entryOf(pushToList(pushToList(Buffer.alloc(0), 'first', 8), 'second', 8));
  const ends = [expiryBytes, expiryBytes + 4 + 'second'.length, whole.length];
  for (let end = expiryBytes; end <= whole.length; end += 1) {
    const cut = whole.subarray(0, end);
    if (ends.includes(end)) expect(readList(cut).length).toBe(end - expiryBytes);
    else expect(() => readList(cut), String(end)).toThrow(RangeError);
  }
});

test('a list that was read is a copy: the memory of an entry is used again', () => {
  const entry = entryOf(pushToList(Buffer.alloc(0), 'touch', 8));
  const list = readList(entry);
  entry.fill(0);
  expect(decodeList(entryOf(list))).toEqual(['touch']);
});

test('a counter is read as it was written', () => {
  const entry = Buffer.alloc(expiryBytes + counterBytes);
  const view = new DataView(entry.buffer, entry.byteOffset);
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat(), (count, expiresAtMs) => {
      writeCounter(view, expiresAtMs, count);
      expect([readCount(entry), readExpiry(entry)]).toEqual([count, expiresAtMs]);
      expect(entry.readBigInt64LE(expiryBytes)).toBe(count);
    }),
  );
  expect(() => readCount(entry.subarray(1))).toThrow(RangeError);
});
