import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('every dialog and panel is one that gives the focus back', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const own = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.tsx'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /<(?:Modal|Drawer)\b/.test(readFileSync(path, 'utf8')));
  expect(own.map((path) => relative(root, path))).toEqual(['ui/dialog.tsx']);
});
