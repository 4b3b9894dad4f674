const LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The texts as alternatives of a sentence, such as "IMAGE or HTML". */
export function either(texts: readonly string[]): string {
  return LIST.format(texts);
}
