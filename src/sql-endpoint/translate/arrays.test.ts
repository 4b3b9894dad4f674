import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plan } from '../fixtures/plan.ts';
import { readArray } from './arrays.ts';
import { UnknownParameters } from './parameters.ts';
import { decodeParam } from '../wire/values.ts';

const textsOf = (text: string): unknown[] => readArray(text).map((one) => (one.kind === 'text' ? one.text : null));

/** An array as drivers write it in binary form. */
function binaryArray(values: readonly (string | null)[], elementOid = 25, dimensions = 1): Buffer {
  const head = Buffer.alloc(20);
  for (const [index, value] of [dimensions, 1, elementOid, values.length, 1].entries())
    head.writeInt32BE(value, index * 4);
  const items = values.map((value) => {
    const bytes = Buffer.from(value ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return Buffer.concat([head, ...items]);
}

test('a binary array of any texts has the elements that a driver sent', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string({ unit: 'grapheme' }))), (values) => {
      expect(textsOf(decodeParam(binaryArray(values), 1009, 'binary'))).toEqual(values);
    }),
  );
});

test.each([
  ['{}', []],
  ['{1, 2 ,3}', ['1', '2', '3']],
  ['{PL,NULL,"NULL"}', ['PL', null, 'NULL']],
  [String.raw`{ "a,b" , "say \"so\"", "\\"}`, ['a,b', 'say "so"', '\\']],
])('the array %s has the elements %j', (text, elements) => {
  expect(textsOf(text)).toEqual(elements);
});

test.each([['{a,,b}'], ['{a,}'], ['{"a}'], ['{"a""b"}'], ['{a"b"}'], ['{a}b}']])(
  'the array %s is malformed',
  (text) => {
    expect(() => readArray(text)).toThrow(expect.objectContaining({ sqlstate: '22P02' }));
  },
);

test('a binary array whose elements are arrays, or which ends early, is refused', () => {
  const states = [binaryArray(['a'], 1009), binaryArray(['a'], 25, 2), binaryArray(['abc']).subarray(0, 26)].map(
    (bytes) => {
      try {
        return decodeParam(bytes, 1009, 'binary');
      } catch (error) {
        return (error as { readonly sqlstate?: string }).sqlstate;
      }
    },
  );
  expect(states).toEqual(['22P03', '0A000', '22P03']);
  expect(() => readArray('{{1},{2}}')).toThrow(expect.objectContaining({ sqlstate: '0A000' }));
});

test('a parameter of = ANY gets the type of an array, and one beside a time that of an interval', async () => {
  const unknown = new UnknownParameters();
  await plan(
    'SELECT measure(ctr) FROM delivery WHERE time >= now() - $1 AND country = ANY($2) AND npa = ANY($3)',
    unknown,
  );
  expect(unknown.oids([])).toEqual([1186, 1009, 1000]);
});
