import { expect, test } from 'vitest';
import { readTexts } from '../messages/all-texts.ts';
import { LANGUAGE_CODES } from '../messages/languages.ts';
import { CONSOLE_PAGES } from '../../../test/e2e/support/console-pages.ts';
import { isOpenPage, NAV_GROUPS, NAVIGATION } from './navigation.ts';

const repeated = (values: readonly unknown[]): unknown[] => values.filter((value, at) => values.indexOf(value) !== at);

test('entries of the navigation have icons that differ', () => {
  expect(repeated(NAVIGATION.map(({ icon }) => icon))).toEqual([]);
});

test('entries and groups of the navigation have names that differ in every language', async () => {
  for (const language of LANGUAGE_CODES) {
    const texts = await readTexts(language);
    const names = [...NAVIGATION.map(({ label }) => label), ...NAV_GROUPS.map((group) => `nav.${group}`)];
    expect(repeated(names.map((name) => texts.get(name))), language).toEqual([]);
  }
});

test('every page of a signed-in person belongs to one entry of the navigation', () => {
  const pages = Object.entries(CONSOLE_PAGES).filter(
    ([path, address]) => address !== null && /^\/(desk|lens|dash|settings)/.test(path),
  );
  const entriesOf = (path: string) => NAVIGATION.filter((entry) => isOpenPage(entry, path)).map(({ to }) => to);
  expect(pages.filter(([path]) => entriesOf(path).length !== 1)).toEqual([]);
});
