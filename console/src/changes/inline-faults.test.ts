import { expect, test } from 'vitest';
import type { ObjectResult } from '../api/bookings/object-updates.ts';
import { refusalOf, withFault } from './inline-faults.ts';

const FAULT = { text: 'much', message: 'Enter an amount.' };

test('a fault is kept at its cell until it is dropped, and other rows stay the same objects', () => {
  const one = withFault(new Map(), '1', 'price', FAULT);
  const two = withFault(one, '2', 'name', FAULT);
  expect(two.get('1')).toBe(one.get('1'));
  expect(withFault(two, '2', 'price', null)).toBe(two);
  const dropped = withFault(two, '2', 'name', null);
  expect([...dropped.keys()]).toEqual(['1']);
  expect(dropped.get('1')?.get('price')).toEqual(FAULT);
});

test('a refusal says what is wrong with the field, else what the server says of the object', () => {
  const refused = (over: Partial<ObjectResult>): ObjectResult => ({
    id: '1',
    code: 'validation_failed',
    message: 'The object is not valid.',
    problems: [],
    warnings: [],
    version: null,
    ...over,
  });
  const problems = [{ path: 'name', code: 'required', message: 'Give a name.' }];
  expect(refusalOf(refused({ problems }))).toBe('Give a name.');
  expect(refusalOf(refused({}))).toBe('The object is not valid.');
  expect(refusalOf(refused({ message: null }))).not.toBe('');
  expect(refusalOf(undefined)).not.toBe('');
});
