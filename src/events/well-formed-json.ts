/** As JSON writes half a character; as it writes a text of a backslash and these letters, too. */
const HALF_CHARACTER = /\\ud[89a-f]/;

/** JSON of a value without half characters, which no store takes: in texts they are U+FFFD then; members with such names are left out. */
export function wellFormedJson(value: object): string {
  const text = JSON.stringify(value);
  return HALF_CHARACTER.test(text) ? JSON.stringify(value, mend) : text;
}

function mend(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name.isWellFormed()));
}
