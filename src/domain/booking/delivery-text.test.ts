import { expect, test } from 'vitest';
import {
  constantValue,
  countValue,
  dimensionValue,
  instantValue,
  moneyValue,
  nameValue,
  percentValue,
  termValue,
  textOf,
  writeEnglish,
} from './delivery-text.ts';
import { DELIVERY_TEXTS } from './delivery-texts.ts';

test('values are independent of any language, and English has kinds of objects and dimensions in lower case', () => {
  const at = new Date('2026-11-20T10:00:00Z');
  expect([termValue('adUnit').value, termValue('line_item').value]).toEqual(['AD_UNIT', 'LINE_ITEM']);
  expect(dimensionValue('browserLanguage')).toEqual({ kind: 'DIMENSION', value: 'BROWSER_LANGUAGE' });
  expect([percentValue(1, 3).value, percentValue(0, 0).value, moneyValue('18.5').value]).toEqual(['33.3', '0', '18.5']);
  const status = { object: termValue('line_item'), status: constantValue('PAUSED') };
  expect(writeEnglish([textOf('cannot_serve'), textOf('because_parent_status', status)])).toBe(
    'It cannot serve now, because its line item is PAUSED.',
  );
  const moved = { object: termValue('campaign'), at: instantValue(at) };
  expect(writeEnglish([textOf('move_end', moved)])).toBe('Move the end of the campaign to 2026-11-20T10:00:00.000Z.');
  const dropped = { dimension: dimensionValue('deviceType') };
  expect(writeEnglish([textOf('drop_dimension', dropped)])).toBe(
    'Drop deviceType from its targeting, or widen its values.',
  );
  expect(writeEnglish([])).toBe('');
});

test('the thing that a request asks for stands in brackets, and is left out where it is not known', () => {
  expect(writeEnglish([textOf('because_size', { asked: nameValue('468x60') })])).toContain('fits (468x60).');
  expect(writeEnglish([textOf('because_size')])).toContain('fits.');
});

test('a name with braces or dollars is written as it is', () => {
  expect(writeEnglish([textOf('activate_target', { name: nameValue('{at} $& $1') })])).toBe(
    'Set {at} $& $1 to ACTIVE.',
  );
});

test('codes are names of an enumeration, and the values of each text differ in name', () => {
  for (const [code, english] of Object.entries(DELIVERY_TEXTS)) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(names).size, code).toBe(names.length);
  }
});

test('a count is rounded', () => {
  expect(countValue(2.6)).toEqual({ kind: 'COUNT', value: '3' });
});
