import { expect, test } from 'vitest';
import { CHANGE_TYPES, unknownTypes } from '../../../src/domain/booking/change-types.ts';
import { eventChoices, eventWords, withoutIncluded } from './event-words.ts';

const choices = eventChoices().flatMap(({ items }) => items);

test('every type of change can be chosen, and no other', () => {
  const values = choices.map(({ value }) => value);
  expect(values.filter((value) => !value.endsWith('.*')).sort()).toEqual([...CHANGE_TYPES].sort());
  expect(unknownTypes(values)).toEqual([]);
});

test('every choice has words of its own', () => {
  const labels = choices.map(({ label }) => label);
  expect(labels.filter((label) => /[a-z]\.[a-z*]/.test(label))).toEqual([]);
  expect(new Set(labels).size).toBe(labels.length);
  expect(eventWords('lineItem.*')).toBe('Line item: every change');
  expect(eventWords('lineItem.archive')).toBe('Line item: archived');
  expect(eventWords('webhook.test')).toBe('Test message');
});

test('a single type is left out beside all of its kind', () => {
  expect(withoutIncluded(['lineItem.update', 'lineItem.*', 'campaign.archive'])).toEqual([
    'lineItem.*',
    'campaign.archive',
  ]);
});
