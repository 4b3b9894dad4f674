/** One language of an `Accept-Language` header. */
export interface AcceptedLanguage {
  /** BCP 47, lower case; '*' = any. */
  readonly tag: string;
  /** 0 (not wanted) to 1. */
  readonly quality: number;
}

const HEADER_CHARS_MAX = 1_000;

/** The languages of an `Accept-Language` header, in its order. Reads its first 1,000 characters; a malformed quality counts as 1. */
export function parseAcceptLanguage(header: string): AcceptedLanguage[] {
  return header
    .slice(0, HEADER_CHARS_MAX)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.trim().toLowerCase().split(';');
      const stated = parameters
        .map((text) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(text)?.[1])
        .find((text) => text !== undefined);
      return { tag: tag.trim(), quality: stated === undefined ? 1 : Number(stated) };
    });
}
