import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url).pathname;

// Mantine drops `scrollAreaProps` of a native scroll container: only the container's own tab index makes it a stop (-1: its rows are).
test('every table that scrolls says whether it is a stop for the keyboard', () => {
  const found = globSync('**/*.tsx', { cwd: root }).flatMap((path) =>
    [...readFileSync(root + path, 'utf8').matchAll(/<Table\.ScrollContainer([^>]*)>/g)].map(([, props = '']) => ({
      path,
      props,
    })),
  );
  expect(found.length).toBeGreaterThan(3);
  expect(found.filter(({ props }) => !/type="native".*tabIndex=\{-?\d\}/s.test(props))).toEqual([]);
});
