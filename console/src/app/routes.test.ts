import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CONSOLE_PAGES } from '../../../test/e2e/support/console-pages.ts';

test('every route of the console is in the table of the tests of all pages', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const text = readdirSync(folder)
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
    .join('\n');
  const routes = [...text.matchAll(/\bpath: '([^']+)'/g)].map((match) => match[1] ?? '');
  const pages = Object.keys(CONSOLE_PAGES);
  expect(routes.length).toBeGreaterThan(30);
  // A route inside of another one names only the rest of its address.
  const isListed = (route: string): boolean => pages.some((one) => one === route || one.endsWith(`/${route}`));
  expect(routes.filter((route) => !isListed(route))).toEqual([]);
  const isRouted = (one: string): boolean => routes.some((route) => one === route || one.endsWith(`/${route}`));
  expect(pages.filter((one) => !isRouted(one))).toEqual([]);
});
