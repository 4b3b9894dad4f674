import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXPORT_COLUMNS } from './export-events.olap.ts';

const page = readFileSync(new URL('../../../docs/export.md', import.meta.url), 'utf8');

test('docs/export.md lists the columns of exported files with their types and meanings', () => {
  const section = page.slice(page.indexOf('## Columns'), page.indexOf('## Reading'));
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(EXPORT_COLUMNS.map(({ name, type, meaning }) => `| \`${name}\` | ${type} | ${meaning} |`));
});
