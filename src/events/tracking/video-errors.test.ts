import { expect, test } from 'vitest';
import { parseErrorCode } from './video-errors.ts';

test.each([
  ['code=303', 303],
  ['x=1&code=100', 100],
  ['code=[ERRORCODE]', 900],
  ['code=%5BERRORCODE%5D', 900],
  ['code=', 900],
  ['', 900],
  ['code=99', 900],
  ['code=1000', 900],
  ['code=4e2', 900],
  ['code=-40', 900],
])('the query "%s" states the error %i', (query, code) => {
  expect(parseErrorCode(query)).toBe(code);
});
