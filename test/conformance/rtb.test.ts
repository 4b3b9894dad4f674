import { describe, expect, test } from 'vitest';
import { findBidFaults } from '../rtb/bid-answer-rules.ts';
import { isExpected, readAllCases } from '../rtb/rtb-case.ts';
import { bid } from './support/server.ts';

const cases = readAllCases();

describe('B · bid requests as they come', () => {
  test('B3 each body gets the status that it must, and every 200 answers what was asked', async () => {
    const wrong: string[] = [];
    for (const [index, one] of cases.entries()) {
      const answer = await bid(one.body);
      const faults = answer.status === 200 ? findBidFaults(one.body, answer.json(), []) : [];
      if (!isExpected(answer.status, one.expect) || faults.length > 0)
        wrong.push(`case ${index + 1}: ${one.expect} ${one.why}, answered ${answer.status} ${faults.join('; ')}`);
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
