/** Whether a text can be stored as it is: PostgreSQL has no U+0000, and UTF-8 no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * The path of the first text in a JSON value, names of members included, that cannot be stored, such as `input.values.0`; null when
 * there is none. The value's nesting is bounded by whoever read it.
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
