import { expect, test } from 'vitest';
import { checkAll, fieldError, PlacardError } from './errors.ts';

const fail = (path: string) => () => {
  throw fieldError(path, 'bad_length', 'write another one');
};

test('all checks of an input are made, and their problems are one error', () => {
  try {
    checkAll([fail('name'), () => {}, fail('list[2]')]);
    expect.unreachable();
  } catch (error) {
    expect((error as PlacardError).fields.map(({ path }) => path)).toEqual(['name', 'list[2]']);
    expect((error as PlacardError).message).toBe('name: write another one; list[2]: write another one');
  }
  expect(() => checkAll([() => {}])).not.toThrow();
});

test('a failure of another kind is not collected', () => {
  const broken = (): void => {
    throw new PlacardError('unavailable');
  };
  expect(() => checkAll([fail('name'), broken])).toThrow(expect.objectContaining({ code: 'unavailable' }));
});
