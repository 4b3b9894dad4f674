import { expect, test } from 'vitest';
import { ApiProblem } from '../api/transport/problem.ts';
import { needsApproval, sortFaults, withoutApproval } from './booking-faults.ts';

const APPROVAL = { path: 'status', code: 'approval_required', message: 'Another member has to approve this booking.' };
const PRICE = { path: 'lineItems[0].price', code: 'below_floor', message: 'The price is below the floor.' };
const problemOf = (...fields: ApiProblem['fields']): ApiProblem =>
  new ApiProblem({ code: 'validation_failed', message: '', status: 400, fields });

test('a missing approval is taken out of the faults of fields, and the others stay', () => {
  expect(needsApproval(problemOf(APPROVAL))).toBe(true);
  expect(withoutApproval(problemOf(APPROVAL))).toBeNull();
  expect(withoutApproval(problemOf(APPROVAL, PRICE))?.fields).toEqual([PRICE]);
  expect(withoutApproval(null)).toBeNull();
});

test('other problems need no approval, and stay as they are', () => {
  const problem = problemOf(PRICE);
  expect(withoutApproval(problem)).toBe(problem);
  expect([needsApproval(problem), needsApproval(new Error('x')), needsApproval(null)]).toEqual([false, false, false]);
});

test('a fault that no field marks is said in words, once', () => {
  const owner = { path: 'owner', code: 'not_found', message: 'There is no such member.' };
  expect(sortFaults(problemOf(PRICE, owner, owner))).toEqual({ marked: 1, others: ['There is no such member.'] });
  expect(sortFaults(problemOf(PRICE))).toEqual({ marked: 1, others: [] });
});
