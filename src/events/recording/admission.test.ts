import { expect, test } from 'vitest';
import { createEventAdmission } from './admission.ts';

test('events are refused with Retry-After while too many wait or the disk stalls, and admitted again after', () => {
  const wait = { events: 4_999, ageMs: 1_999 };
  const admission = createEventAdmission(() => wait);
  const refusal = expect.objectContaining({ code: 'overloaded', details: { retryAfterSeconds: 1 } });
  admission.check();
  wait.events = 5_000;
  expect(() => admission.check()).toThrow(refusal);
  wait.events = 64;
  wait.ageMs = 2_000;
  expect(() => admission.check()).toThrow(refusal);
  wait.ageMs = 0;
  admission.check();
  expect(admission.refused()).toBe(2);
});

test('a disk that stalls for seconds refuses no single event, and refuses it after ten', () => {
  const wait = { events: 63, ageMs: 9_999 };
  const admission = createEventAdmission(() => wait);
  admission.check();
  wait.ageMs = 10_000;
  expect(() => admission.check()).toThrow(expect.objectContaining({ code: 'overloaded' }));
});
