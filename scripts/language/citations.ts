/** Which tests cite which points of the interface: `// Conformance: B14, B3` in the line above a `test` or `describe`. */
import { parseSync } from 'oxc-parser';
import { isNode, lineReader, type Node, stringOf, testFunctionOf, walk } from './syntax.ts';

export interface Citation {
  readonly ids: readonly string[];
  /** Title of the test below, with placeholders of its rows as they are; null when no test begins in the next line. */
  readonly title: string | null;
  readonly line: number;
}

/** The citations of a test file, from top to bottom. */
export function readCitations(path: string, text: string): Citation[] {
  const { program, comments } = parseSync(path, text);
  const lineOf = lineReader(text);
  const titles = new Map<number, string>();
  walk(program as unknown as Node, (node) => {
    if (node.type !== 'CallExpression' || testFunctionOf(node) === null) return true;
    const first = Array.isArray(node['arguments']) ? (node['arguments'] as unknown[])[0] : undefined;
    const title = isNode(first) ? stringOf(first) : null;
    if (title !== null && !titles.has(lineOf(node.start))) titles.set(lineOf(node.start), title);
    return true;
  });
  return comments.flatMap((comment) => {
    const match = /^ Conformance: ([A-Z]\d+(?:, [A-Z]\d+)*)$/.exec(comment.value);
    const line = lineOf(comment.start);
    return match === null ? [] : [{ ids: (match[1] ?? '').split(', '), title: titles.get(line + 1) ?? null, line }];
  });
}
