import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A browser reads such a field by its own language, and a function of JavaScript by none: 5.000 is 5 there, and 5000 for a person in Germany. */
const OTHER_PARSERS = /\bNumberInput\b|type=(?:"number"|\{[^}]*'number'[^}]*\})|\bvalueAsNumber\b|\bparseFloat\(/;
const NUMERIC = /inputMode=/;
/** Fields with a keyboard for numbers that are no `NumberField`, and why. */
const OWN_FIELDS: Readonly<Record<string, string>> = {
  'format/number-field.tsx': 'the field of all others',
  'tables/cell-editor.tsx': 'a cell has no line below; its editors parse by typed-numbers',
  'inventory/floor-field.tsx': 'a cell of the tree; it parses by typed-numbers, and refuses what is ambiguous',
  'settings/account-page.tsx': 'a code of digits, not a number',
  'sign-in/sign-in-page.tsx': 'a code of digits, not a number',
};

test('every field for a number reads by the language of the page, and refuses a text with two meanings', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((path) => !path.includes('.test.'));
  expect(files.length).toBeGreaterThan(300);
  const texts = files.map((path) => [path, readFileSync(`${root}${path}`, 'utf8')] as const);
  expect(texts.filter(([, text]) => OTHER_PARSERS.test(text)).map(([path]) => path)).toEqual([]);
  const numeric = texts.filter(([, text]) => NUMERIC.test(text)).map(([path]) => path);
  expect(numeric.toSorted()).toEqual(Object.keys(OWN_FIELDS).toSorted());
});
