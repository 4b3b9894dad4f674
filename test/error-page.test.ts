import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withErrorTable } from '../scripts/error-page.ts';

test('docs/errors.md lists every error code as the table in src/domain/error-codes.ts describes it', () => {
  const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
  expect(page, 'run node scripts/write-error-page.ts').toBe(withErrorTable(page));
});
