/** Writes the table of `docs/errors.md`: `node scripts/write-error-page.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withErrorTable } from './error-page.ts';

const page = new URL('../docs/errors.md', import.meta.url);
writeFileSync(page, withErrorTable(readFileSync(page, 'utf8')));
