import { describe, expect, test } from 'vitest';
import { findBidFaults } from '../rtb/bid-response-rules.ts';
import { isExpected, readAllCases } from '../rtb/rtb-case.ts';
import { bid } from './support/server.ts';

const cases = readAllCases();

describe('bid requests as publishers send them', () => {
  // Conformance: B3
  test('each body gets its expected status, and every 200 fits its request', async () => {
    const wrong: string[] = [];
    for (const [index, one] of cases.entries()) {
      const response = await bid(one.body);
      const faults = response.status === 200 ? findBidFaults(one.body, response.json(), []) : [];
      if (!isExpected(response.status, one.expect) || faults.length > 0)
        wrong.push(`case ${index + 1}: ${one.expect} ${one.why}, returned ${response.status} ${faults.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    ['200 or 204', 204, true],
    ['200 or 204', 400, false],
    ['any but 5xx', 400, true],
    ['any but 5xx', 503, false],
    ['any but 5xx', 0, false],
    ['4xx', 413, true],
  ])('the expectation "%s" reads %d as %s', (expectation, status, expected) => {
    expect(isExpected(status, expectation)).toBe(expected);
  });
});
