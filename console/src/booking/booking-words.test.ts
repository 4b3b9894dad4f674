import { expect, test } from 'vitest';
import { emptyDraft } from './booking-draft.ts';
import { checksOf, describeCap, describeTerms } from './booking-words.ts';

const usual = { ...emptyDraft(Date.parse('2026-11-24T10:00:00Z'), 'Europe/Warsaw'), card: 'PRICE' } as const;

test('terms name the price that is read', () => {
  expect(describeTerms({ ...usual, price: '1,200.50' }, 'PLN')).toContain('1,200.50');
});

test('a price that cannot be read is not said to be free', () => {
  const free =
    describeTerms({ ...usual, card: 'HOUSE' }, 'PLN')
      .split('. ')
      .at(-1) ?? '';
  for (const price of ['', '1,200', 'x']) expect(describeTerms({ ...usual, price }, 'PLN')).not.toContain(free);
});

test('a cap is said as it is read, and one that cannot be read is none', () => {
  expect(describeCap({ ...usual, capCount: '1,000' })).toContain('1,000');
  const none = describeCap({ ...usual, capCount: '' });
  expect(['0', 'x', '1.5'].map((capCount) => describeCap({ ...usual, capCount }))).toEqual([none, none, none]);
});

test('a check that is not met has a sentence of its own beside its sign', () => {
  const signsOf = (given: Parameters<typeof checksOf>[0]): string[] => checksOf(given).map(({ sign }) => sign);
  expect(signsOf({ isValid: true, reaches: null })).toEqual(['✓', '○']);
  expect(signsOf({ isValid: false, reaches: false })).toEqual(['✕', '✕', '○']);
  const met = checksOf({ isValid: true, reaches: true });
  const unmet = checksOf({ isValid: false, reaches: false });
  for (const [at, { sign, text }] of met.entries()) if (sign === '✓') expect(unmet[at]?.text).not.toBe(text);
});
