import { expect, test } from 'vitest';
import type { LoserReason } from '../../decision/eligibility.ts';
import { causeOf, type DeliveryCause, type KindOfCode } from '../../../domain/booking/delivery-cause.ts';

/** Does not compile when a decision can have a reason of a kind that the API does not list. */
const kindsOfDecisions = (kind: KindOfCode<LoserReason>): DeliveryCause => kind;

test('the kind of a code is its first part', () => {
  expect(causeOf('targeting.country:PL')).toBe('targeting');
  expect(causeOf('floor:1500000')).toBe('floor');
  expect(causeOf('creative.pending')).toBe('creative');
  expect(causeOf('won')).toBe('won');
  expect(kindsOfDecisions('lost')).toBe('lost');
});

test('a code of a later program is unknown, not an error', () => {
  expect(causeOf('toString')).toBe('unknown');
  expect(causeOf('')).toBe('unknown');
});
