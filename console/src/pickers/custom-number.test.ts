import { afterEach, expect, test } from 'vitest';
import { heldOf } from '../format/typed-numbers.ts';
import { speakIn } from '../messages/language.ts';
import { customNumber } from './custom-fields.tsx';

afterEach(() => speakIn('en'));

test('a custom number of two meanings is held as a text, which the server refuses', async () => {
  await speakIn('de');
  expect(customNumber(heldOf('5000', false))).toBe(5_000);
  expect(customNumber(heldOf('1,5', false))).toBe(1.5);
  expect(customNumber(heldOf('5.000', false))).toBe('5.000 / 5000');
  expect(customNumber('')).toBe('');
});
