/** The parts of a parsed file that the checks of `npm run check` read: nodes, strings, titles of tests, lines. */
import { visitorKeys } from 'oxc-parser';

/** The members of a node of the parsed tree that are read; the tree's own types have a member for each kind of node. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

export function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Calls `visit` with each node, parents first; below a node for which it returns false nothing is visited. */
export function walk(node: Node, visit: (node: Node) => boolean): void {
  if (!visit(node)) return;
  for (const key of visitorKeys[node.type] ?? []) {
    const child = node[key];
    if (isNode(child)) walk(child, visit);
    else for (const one of nodesOf(child)) walk(one, visit);
  }
}

/** Tells the line of an offset of a text, from 1. */
export function lineReader(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** The text of a string or template, its values left out; null for anything else. */
export function stringOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = nodesOf(node['quasis']);
  return quasis.map((quasi) => (quasi['value'] as { cooked?: string }).cooked ?? '').join('N');
}

const testFunctions: ReadonlySet<string> = new Set(['test', 'it', 'describe']);

/** Which test function a call is of (`test.each(…)('title')` is of `test`); null when it is of none. */
export function testFunctionOf(call: Node): string | null {
  let callee: unknown = call['callee'];
  while (isNode(callee)) {
    if (callee.type === 'Identifier') return testFunctions.has(String(callee['name'])) ? String(callee['name']) : null;
    if (callee.type === 'MemberExpression') callee = callee['object'];
    else if (callee.type === 'CallExpression') callee = callee['callee'];
    else if (callee.type === 'TaggedTemplateExpression') callee = callee['tag'];
    else return null;
  }
  return null;
}
