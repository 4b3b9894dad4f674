import { expect, test } from 'vitest';
import { RepeatedRequests } from './repeated-requests.ts';

test('an id is a repeat for five minutes, in its own workspace', () => {
  const requests = new RepeatedRequests();
  expect(requests.note(1, 'a', 1_000_000)).toBe(false);
  expect(requests.note(1, 'a', 1_000_001)).toBe(true);
  expect(requests.note(2, 'a', 1_000_001)).toBe(false);
  expect(requests.note(1, 'b', 1_000_001)).toBe(false);
  expect(requests.note(1, 'a', 1_000_000 + 299_000)).toBe(true);
  expect(requests.note(1, 'a', 1_000_000 + 300_000)).toBe(false);
  expect(requests.note(1, 'a', 1_000_000 + 599_000)).toBe(true);
});

test('ids of neighbours differ, whatever hash it began with', () => {
  for (let round = 0; round < 200; round += 1) {
    const requests = new RepeatedRequests();
    const ids = ['a', 'b', 'c', '1', '2', '3', '10', '11', '20'];
    for (let workspaceId = 1; workspaceId <= 20; workspaceId += 1)
      expect(ids.filter((id) => requests.note(workspaceId, id, 1_000))).toEqual([]);
  }
});

test('what differs at its end only is told apart, however long it is', () => {
  const requests = new RepeatedRequests();
  const long = 'x'.repeat(1_024);
  expect(requests.note(1, `${long}\n1\n61`, 1_000)).toBe(false);
  expect(requests.note(1, `${long}\n1\n62`, 1_000)).toBe(false);
  expect(requests.note(1, `${long}\n1\n62`, 1_000)).toBe(true);
});

test('a clock that steps back forgets nothing', () => {
  const requests = new RepeatedRequests();
  expect(requests.note(1, 'a', 5_000_000)).toBe(false);
  expect(requests.note(1, 'a', 4_000_000)).toBe(true);
});

test('ids that differ in one place are told apart, tens of thousands of them', () => {
  const requests = new RepeatedRequests();
  const ids = Array.from({ length: 40_000 }, (_one, n) => `request-${n.toString(36)}-000000000000`);
  expect(ids.filter((id) => requests.note(7, id, 1_000))).toEqual([]);
  expect(ids.filter((id) => !requests.note(7, id, 1_000 + 60_000)).length).toBeLessThan(40);
});

test('beyond its room the ids that were seen last stand', () => {
  const requests = new RepeatedRequests();
  for (let n = 0; n < 400_000; n += 1) requests.note(1, `id-${n}`, Math.floor(n / 4_000) * 1_000);
  const latest = Array.from({ length: 10_000 }, (_one, n) => `id-${399_999 - n}`);
  expect(latest.filter((id) => !requests.note(1, id, 100_000)).length).toBeLessThan(100);
});
