/** The names and texts of a file, as the rules of language see them. Code is read with oxc's parser. */
import { type Comment, parseSync } from 'oxc-parser';
import { isNode, lineReader, type Node, nodesOf, stringOf, testFunctionOf, walk } from './syntax.ts';

export type PieceKind = 'name' | 'verb' | 'prose' | 'title';

/** A name or text of a file. Line breaks inside of `text` are those of the file, so that a match can be told its line. */
export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
  /** Line of the piece's first character, from 1. */
  readonly line: number;
}

const functionTypes: ReadonlySet<string> = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'TSFunctionType']);
const declarationsById: ReadonlySet<string> = new Set([
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSEnumDeclaration',
  'TSEnumMember',
]);
const members: ReadonlySet<string> = new Set(['TSPropertySignature', 'PropertyDefinition', 'TSParameterProperty']);
const methods: ReadonlySet<string> = new Set(['MethodDefinition', 'TSMethodSignature']);
/** Attributes whose value nobody reads as text. */
const mutedAttributes =
  /^(?:className|class|id|d|viewBox|style|key|type|role|href|src|rel|transform|points|fill|stroke.*)$/;
const sqlWords =
  /\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE|CREATE|ALTER|WHERE|GROUP BY|ORDER BY|VALUES|PARTITION|PREWHERE|JOIN|LIMIT|CAST|COALESCE|INTERVAL|DEFAULT|LISTEN|NOTIFY|GRANT|REVOKE|FROM|SETTINGS|ENGINE|toDate|sumIf)\b/;
const graphqlDocument = /^\s*(?:query|mutation|subscription|fragment)?\b[^{}]*\{[^]*\}\s*$/;
const proseLike = /[A-Za-z]{2,}[,:;]? [a-z]{2,}/;

/** Blanks what is code inside of prose: code spans, addresses and paths. Keeps length and lines. */
export function blankCode(text: string): string {
  const blank = (match: string): string => match.replace(/[^\n]/g, ' ');
  return text
    .replace(/^( *)(```|~~~)[^]*?^\1\2/gm, blank)
    .replace(/`[^`]*`/g, blank)
    .replace(/\]\([^)\n]*\)/g, blank)
    .replace(/<[^>\n]*>/g, blank)
    .replace(/(?:https?:)?[\w.{}<>$:-]*\/[\w.{}<>$:/*-]+/g, blank);
}

/** The words of an identifier or file name in lower case: `findPlaceById`, `find-place` and `FIND_PLACE` begin with "find place". */
export function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}

class PieceCollector {
  readonly pieces: Piece[] = [];
  private readonly lineOf: (offset: number) => number;

  constructor(text: string) {
    this.lineOf = lineReader(text);
  }

  addComment(comment: Comment): void {
    const text = comment.value.replace(/^( *)\*/gm, '$1 ');
    this.pieces.push({ kind: 'prose', text: blankCode(text), line: this.lineOf(comment.start) });
  }

  addText(text: string, node: Node, kind: 'prose' | 'title' = 'prose'): void {
    if (kind === 'prose' && (!proseLike.test(text) || sqlWords.test(text) || graphqlDocument.test(text))) return;
    this.pieces.push({ kind, text: kind === 'title' ? text : blankCode(text), line: this.lineOf(node.start) });
  }

  addName(node: unknown, isFunction = false): void {
    if (!isNode(node)) return;
    const name = node['name'] ?? node['value'];
    if (typeof name !== 'string' || (node.type !== 'Identifier' && node.type !== 'PrivateIdentifier')) return;
    this.pieces.push({ kind: isFunction ? 'verb' : 'name', text: wordsOf(name), line: this.lineOf(node.start) });
  }

  /** The names that a pattern binds. A property that keeps the name of what it is taken from was declared elsewhere. */
  addBindings(pattern: unknown, isFunction = false): void {
    if (!isNode(pattern)) return;
    if (pattern.type === 'Identifier') this.addName(pattern, isFunction);
    else if (pattern.type === 'AssignmentPattern') this.addBindings(pattern['left']);
    else if (pattern.type === 'RestElement') this.addBindings(pattern['argument']);
    else if (pattern.type === 'TSParameterProperty') this.addBindings(pattern['parameter']);
    else if (pattern.type === 'ArrayPattern')
      for (const element of nodesOf(pattern['elements'])) this.addBindings(element);
    else if (pattern.type === 'ObjectPattern') {
      for (const property of nodesOf(pattern['properties'])) {
        if (property.type === 'RestElement') this.addBindings(property);
        else if (property['shorthand'] !== true) this.addBindings(property['value']);
      }
    }
  }
}

/** Adds the names that a node declares. */
function collectNames(node: Node, to: PieceCollector): void {
  if (node.type === 'VariableDeclarator') {
    const init = node['init'];
    to.addBindings(node['id'], isNode(init) && functionTypes.has(init.type));
  } else if (node.type === 'FunctionDeclaration') to.addName(node['id'], true);
  else if (declarationsById.has(node.type)) to.addName(node['id']);
  else if (methods.has(node.type)) to.addName(node['key'], true);
  else if (members.has(node.type)) to.addName(node['key'], holdsFunction(node));
  else if (node.type === 'ImportSpecifier') collectAlias(node, to);
  if ('params' in node && node.type !== 'TSTypeParameterInstantiation')
    for (const one of nodesOf(node['params'])) to.addBindings(one);
}

function collectAlias(node: Node, to: PieceCollector): void {
  const [imported, local] = [node['imported'], node['local']];
  if (isNode(imported) && isNode(local) && imported['name'] !== local['name']) to.addName(local);
}

function holdsFunction(node: Node): boolean {
  const annotation = node['typeAnnotation'];
  const type = isNode(annotation) ? annotation['typeAnnotation'] : undefined;
  const value = node['value'];
  return (isNode(type) && functionTypes.has(type.type)) || (isNode(value) && functionTypes.has(value.type));
}

/** Adds a node's text; false when its children hold nothing more to look at. */
function collectTexts(node: Node, to: PieceCollector, isTestFile: boolean): boolean {
  if (node.type === 'TSLiteralType' || node.type === 'TaggedTemplateExpression') return false;
  if (node.type === 'JSXAttribute') {
    const name = node['name'];
    return !isNode(name) || !mutedAttributes.test(String(name['name']));
  }
  if (isTestFile && node.type === 'CallExpression' && testFunctionOf(node) === 'test') {
    const first = nodesOf(node['arguments'])[0];
    const title = stringOf(first);
    if (first !== undefined && title !== null) to.addText(title, first, 'title');
  }
  const text = node.type === 'JSXText' ? String(node['value']) : stringOf(node);
  if (text !== null) to.addText(text, node);
  return true;
}

/** The pieces of a TypeScript file. @throws Error when it cannot be parsed. */
export function readCode(path: string, text: string): Piece[] {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? 'cannot be parsed'}`);
  const collector = new PieceCollector(text);
  const isTestFile = /\.test\.tsx?$/.test(path);
  for (const comment of comments) collector.addComment(comment);
  walk(program as unknown as Node, (node) => {
    collectNames(node, collector);
    return collectTexts(node, collector, isTestFile);
  });
  return collector.pieces;
}

/** The pieces of a Markdown text: its prose as one piece. */
export function readMarkdown(text: string): Piece[] {
  return [{ kind: 'prose', text: blankCode(text), line: 1 }];
}

/** The descriptions of a GraphQL schema. */
export function readGraphqlSchema(text: string): Piece[] {
  const lineOf = lineReader(text);
  return [...text.matchAll(/"""([^]*?)"""|"((?:[^"\\\n]|\\.)*)"/g)].map((match) => ({
    kind: 'prose' as const,
    text: blankCode(match[1] ?? match[2] ?? ''),
    line: lineOf(match.index),
  }));
}

/** The descriptions, summaries and titles of an OpenAPI document in JSON, one property a line. */
export function readOpenApi(text: string): Piece[] {
  return text.split('\n').flatMap((line, at) => {
    const match = /^\s*"(?:description|summary|title)": "(.*)",?$/.exec(line);
    return match === null ? [] : [{ kind: 'prose' as const, text: blankCode(match[1] ?? ''), line: at + 1 }];
  });
}

/** The words of a file's own name. */
export function readFileName(path: string): Piece {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { kind: 'name', text: wordsOf(name.replace(/\.\w+$/, '')), line: 1 };
}
