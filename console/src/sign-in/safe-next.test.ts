import { expect, test } from 'vitest';
import { safeNext } from './sign-in-frame.tsx';

test.each([
  ['/lens?range=today', '/lens?range=today'],
  ['/settings/limits', '/settings/limits'],
  ['/sign-in?next=/lens', '/desk'],
  ['/sign-in', '/desk'],
  ['//other.example/', '/desk'],
  ['https://other.example/', '/desk'],
  [undefined, '/desk'],
])('a sign-in for %j leads to %s', (next, target) => {
  expect(safeNext(next)).toBe(target);
});
