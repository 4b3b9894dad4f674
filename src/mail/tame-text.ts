const NAME_LENGTH_MAX = 80;
/** Texts that mail programs turn into links. */
const LINK_LIKE = /:\/\/|www\.|@|[\p{L}\p{N}-]\.\p{L}{2,}|[\p{L}\p{N}]\/[\p{L}\p{N}]/iu;

/**
 * A text that somebody else wrote, on one line, without control and direction characters, shortened. Where it could be read as a
 * link or an address, `instead` replaces it: nobody can put a link of theirs into our mail.
 */
export function tameName(text: string, instead: string, lengthMax = NAME_LENGTH_MAX): string {
  const line = oneLine(text).slice(0, lengthMax);
  return line === '' || LINK_LIKE.test(line.normalize('NFKC')) ? instead : line;
}

/** Without line breaks, control, format and direction characters: none of them reaches a header or hides in a text. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
