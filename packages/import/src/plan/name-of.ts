/** A name that the API takes: on one line, at most 200 characters, not empty. */
export function nameOf(text: string, otherwise: string): string {
  const name = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
  return name === '' ? otherwise : name;
}
