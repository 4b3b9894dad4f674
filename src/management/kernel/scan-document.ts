/** What a scan of a document's text finds before it is parsed. */
export interface DocumentScan {
  /** The most levels of nested brackets of any kind. */
  readonly levels: number;
  readonly comments: number;
}

/**
 * Scans a document for its brackets, outside of strings and comments as the parser reads them. It reads each character once, whatever
 * the text: an unknown text must not keep the process. After an error of syntax the result does not matter.
 */
export function scanDocument(source: string): DocumentScan {
  let open = 0;
  let levels = 0;
  let comments = 0;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '{' || sign === '[' || sign === '(') {
      open += 1;
      levels = Math.max(levels, open);
    } else if (sign === '}' || sign === ']' || sign === ')') {
      open -= 1;
    } else if (sign === '#') {
      comments += 1;
      at = endOfLine(source, at);
    } else if (sign === '"') {
      at = source.startsWith('"""', at) ? endOfBlock(source, at + 3) : endOfString(source, at + 1);
    }
  }
  return { levels, comments };
}

/** The last character of a comment. */
function endOfLine(source: string, from: number): number {
  let at = from;
  while (at < source.length && source[at] !== '\n' && source[at] !== '\r') at += 1;
  return at;
}

/** The quotation mark that ends a string, or the end of its line. */
function endOfString(source: string, from: number): number {
  let at = from;
  for (; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '"' || sign === '\n' || sign === '\r') return at;
    if (sign === '\\') at += 1;
  }
  return at;
}

/** The last character of a block string: three quotation marks without a backslash before them end it. */
function endOfBlock(source: string, from: number): number {
  let at = source.indexOf('"""', from);
  while (at > 0 && source[at - 1] === '\\') at = source.indexOf('"""', at + 3);
  return at < 0 ? source.length : at + 2;
}
