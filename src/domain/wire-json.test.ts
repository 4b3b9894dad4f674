import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromWire, toWire } from './wire-json.ts';

test.each([
  ['a bigint', 9_007_199_254_740_993n],
  ['a date', new Date('2026-03-29T01:30:00.123Z')],
  ['bytes', Buffer.from([0, 255, 7])],
  ['a map', new Map<unknown, unknown>([[1n, new Set(['a'])]])],
  ['arguments without one', [1, undefined, 'x']],
  ['an object with the name of a tag', { $: 'bigint', v: 'no number' }],
  ['null', { a: null, b: [] }],
  ['the name of a tag as a text', { a: '$', b: '{"$":"date","v":0}' }],
  ['an object within plain ones', { a: [{ b: { c: new Date(0) } }] }],
])('%s is read as it was written', (_name, value) => {
  expect(fromWire(toWire(value))).toEqual(value);
});

test('a member without a value is left out, also beside one that has a tag', () => {
  expect([toWire({ a: undefined, b: 1 }), toWire({ a: undefined, b: 1n })]).toEqual([
    '{"b":1}',
    '{"b":{"$":"bigint","v":"1"}}',
  ]);
});

test('any value of JSON is read as it was written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(fromWire(toWire(plain))).toEqual(plain);
    }),
  );
});

test.each([
  ['an unknown tag', '{"$":"function","v":"x"}'],
  ['a tag without its text', '{"$":"bigint","v":{}}'],
  ['half a text', '{"a":'],
])('%s is refused', (_name, text) => {
  expect(() => fromWire(text)).toThrow();
});
