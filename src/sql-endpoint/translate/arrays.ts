import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import type { Constant } from './constants.ts';

/** A quoted text, a quote that nothing closes with all that follows (or the time would grow with its square), a bare text, a comma, or what no array has. */
const TOKEN = /"((?:[^"\\]|\\.)*)"|".*|([^,{}"]+)|,|./gs;

/** Elements of an array as PostgreSQL writes it: `{1,NULL,"a,b"}`. @throws SqlError `22P02`, and `0A000` for an array of arrays */
export function readArray(text: string, location?: number): Constant[] {
  const inner = text.slice(1, -1);
  if (inner.trim() === '') return [];
  if (inner.trimStart().startsWith('{')) {
    throw new SqlError(SQLSTATE.featureNotSupported, 'An array of arrays is not supported by the SQL endpoint.', {
      hint: 'Send an array of values.',
      location,
    });
  }
  const found: Constant[] = [];
  let isOpen = true;
  let isWhole = true;
  for (const [token, quoted, bare = ''] of inner.matchAll(TOKEN)) {
    if (token === ',') {
      isWhole &&= !isOpen;
      isOpen = true;
    } else if (quoted !== undefined || bare.trim() !== '') {
      isWhole &&= isOpen;
      isOpen = false;
      found.push(elementOf(quoted, bare.trim()));
    } else isWhole &&= bare !== '';
  }
  if (isWhole && !isOpen) return found;
  throw new SqlError(SQLSTATE.invalidText, 'The array is malformed.', {
    hint: "Write it as '{first,second}', with quotes around texts that have commas.",
    location,
  });
}

function elementOf(quoted: string | undefined, bare: string): Constant {
  if (quoted !== undefined) return { kind: 'text', text: quoted.replaceAll(/\\(.)/gs, '$1') };
  return bare.toLowerCase() === 'null' ? { kind: 'null' } : { kind: 'text', text: bare };
}
