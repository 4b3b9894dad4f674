/** Whether a text can be stored as it is: PostgreSQL has no U+0000, and UTF-8 no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * The path of the first text in a JSON value, names of members included, that cannot be stored, such as `input.values.0`; null when
 * there is none. The value's nesting is bounded by its parser.
 */
export function findUnstorableText(value: unknown, path: string): string | null {
  if (typeof value === 'string') return isStorableText(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = isStorableText(name) ? findUnstorableText(inner, path === '' ? name : `${path}.${name}`) : path;
    if (found !== null) return found;
  }
  return null;
}

/** Half a character as JSON writes it; a text of a backslash and these letters looks the same to it. */
export const HALF_CHARACTER = /\\u[dD][89a-fA-F]/;

/** A JSON value whose texts, names of members included, have U+FFFD for half characters. Its nesting is bounded by its parser. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]));
}
