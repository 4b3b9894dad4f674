import { describe, expect, test } from 'vitest';
import { textOf, textsOf } from './lenient-json.ts';

describe('a text of client JSON', () => {
  test.each([
    ['unchanged', 'Łódź 🙂', 512, 'Łódź 🙂'],
    ['cut through a character', 'ab🙂', 3, 'ab\ufffd'],
    ['a number', 12, 512, '12'],
    ['another type', {}, 512, ''],
  ])('%s', (_name, value, lengthMax, expected) => {
    expect(textOf(value, lengthMax)).toBe(expected);
    expect(textsOf([value], 1, lengthMax)).toEqual(expected === '' ? [] : [expected]);
  });
});
