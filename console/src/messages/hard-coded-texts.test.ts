/** No text that a person reads stands outside of the catalogue, and none is looked up before the language is known. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const LETTERS = /\p{L}{2,}/u;
/** Commands and the like, which are the same in every language, are in these elements. */
const CODE: ReadonlySet<string> = new Set(['Code', 'Kbd', 'code', 'kbd']);
/** Names that are the same in every language. */
const NAMES: ReadonlySet<string> = new Set(['Placard']);
/** Properties of components and of notices whose value a person reads or hears. */
const READ_PROPERTIES: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'description',
  'error',
  'heading',
  'hint',
  'label',
  'lead',
  'legend',
  'message',
  'placeholder',
  'summary',
  'text',
  'title',
]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** A name in the source: an identifier, or a text in its place. */
interface Named {
  readonly name?: string;
  readonly value?: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** The texts that an expression may have as its value. */
function writtenTexts(node: unknown): string[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : [];
    case 'TemplateLiteral':
      return (node['quasis'] as readonly Node[]).map((part) => String((part['value'] as { raw: string }).raw));
    case 'ConditionalExpression':
      return [...writtenTexts(node['consequent']), ...writtenTexts(node['alternate'])];
    case 'LogicalExpression':
      return [...writtenTexts(node['left']), ...writtenTexts(node['right'])];
    case 'JSXExpressionContainer':
      return writtenTexts(node['expression']);
    case 'JSXText':
      return [String(node['value'])];
    default:
      return [];
  }
}

function nameOf(node: Node): string {
  const name = (node['name'] ?? node['key']) as Named | undefined;
  return name?.name ?? name?.value ?? '';
}

function tagOf(node: Node): string {
  return (node['openingElement'] as { readonly name?: Named } | undefined)?.name?.name ?? '';
}

/** What a node itself says to a person without the catalogue. */
function textsOf(node: Node): string[] {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return CODE.has(tagOf(node)) ? [] : (node['children'] as readonly unknown[]).flatMap(writtenTexts);
  if (node.type === 'JSXAttribute' && READ_PROPERTIES.has(nameOf(node))) return writtenTexts(node['value']);
  // A property of an object may be a key of the catalogue, such as `nav.today`, or a value: sentences have spaces.
  if (node.type === 'Property' && READ_PROPERTIES.has(nameOf(node)))
    return writtenTexts(node['value']).filter((text) => nameOf(node).startsWith('aria-') || /\p{L} \p{L}/u.test(text));
  return [];
}

const isFunction = (node: Node): boolean => /Function/.test(node.type) || node.type === 'PropertyDefinition';

function isSaying(node: Node): boolean {
  const callee = node['callee'];
  return node.type === 'CallExpression' && isNode(callee) && callee['name'] === 'say';
}

/** The faults of one file: `line: what`. */
function faultsOf(path: string, source: string): string[] {
  const faults: string[] = [];
  const report = (node: Node, what: string): void => {
    faults.push(`${path}:${source.slice(0, node.start).split('\n').length}: ${what}`);
  };
  const visit = (value: unknown, isInFunction: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, isInFunction);
    if (!isNode(value)) return;
    for (const text of textsOf(value)) if (LETTERS.test(text) && !NAMES.has(text.trim())) report(value, text.trim());
    if (!isInFunction && isSaying(value)) report(value, 'say() before the language is known');
    for (const child of Object.values(value)) visit(child, isInFunction || isFunction(value));
  };
  visit(parseAst(source, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts', astType: 'ts' }, path), false);
  return faults;
}

function sources(): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

test('no text of a page is written outside of the catalogue', () => {
  const faults = sources().flatMap((path) => faultsOf(relative(root, path), readFileSync(path, 'utf8')));
  expect(faults).toEqual([]);
});

test('texts in elements, properties, choices and templates are found', () => {
  const source = `
    const head = say('a');
    export function Page({ on, n }) {
      notifications.show({ message: 'It is saved.', color: 'red' });
      return <main title="Hello">Hello <b aria-label={on ? 'Yes please' : say('b')}>{\`\${n} rows\`}</b>{on && 'Now'}</main>;
    }`;
  expect(faultsOf('a.tsx', source)).toEqual([
    'a.tsx:2: say() before the language is known',
    'a.tsx:4: It is saved.',
    'a.tsx:5: Hello',
    'a.tsx:5: Now',
    'a.tsx:5: Hello',
    'a.tsx:5: rows',
    'a.tsx:5: Yes please',
  ]);
});
