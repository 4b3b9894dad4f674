/** The table of errors in `docs/errors.md`, written from the table in `src/domain/error-codes.ts`. */
import { ERROR_CODES, ERRORS } from '../src/domain/error-codes.ts';

const HEAD = '| `error` | Status | Meaning | What to do |\n|---|---|---|---|\n';

/** The page with its table replaced by the current one. @throws Error when the page has no table */
export function withErrorTable(page: string): string {
  const start = page.indexOf(HEAD);
  if (start === -1) throw new Error('docs/errors.md has lost the head of its table');
  const rows = ERROR_CODES.map((code) => {
    const { status, meaning, remedy } = ERRORS[code];
    return `| \`${code}\` | ${status} | ${meaning} | ${remedy} |\n`;
  });
  const after = page.slice(start + HEAD.length).replace(/^(?:\|.*\n)*/, '');
  return page.slice(0, start) + HEAD + rows.join('') + after;
}
