/** The imports between files of the repository, read with a real parser and resolved to files. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { parseAst } from 'rolldown/parseAst';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** One import, export-from, `import()` or import type of a file. */
export interface Import {
  /** The specifier in the text. */
  readonly specifier: string;
  /** Path of the imported file from the repository's root, whether it exists or not; null for a package. */
  readonly target: string | null;
}

/** A TypeScript file and what it imports. */
export interface SourceFile {
  /** Path from the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const readBefore = new Map<string, readonly SourceFile[]>();

/** Every TypeScript file below a folder of the repository, read once a process. */
export function readSourceFiles(folder: string): readonly SourceFile[] {
  const files = readBefore.get(folder) ?? readFolder(folder);
  readBefore.set(folder, files);
  return files;
}

function readFolder(folder: string): SourceFile[] {
  return listFiles(join(root, folder)).map((absolute) => {
    const text = readFileSync(absolute, 'utf8');
    const path = toPath(absolute);
    return { path, text, imports: parseImports(path, text) };
  });
}

/** The imports of a file with this path and text. @throws SyntaxError for text that is not TypeScript */
export function parseImports(path: string, text: string): Import[] {
  const specifiers = readStaticSpecifiers(path, text) ?? walkSpecifiers(path, text);
  return [...specifiers].map((specifier) => ({ specifier, target: resolveImport(path, specifier) }));
}

/** What the parser does not list with the imports and exports of a file: `import()`, import types, `export {} from`, imports inside of `declare module`. */
const unlisted = /\bimport\s*[(/]|\bexport\s*(?:type\s*)?\{\s*\}|\bdeclare\s+module\b/;

/** Those that the parser lists, which is much cheaper than its tree; null: there may be others, or it is not TypeScript. */
function readStaticSpecifiers(path: string, text: string): Set<string> | null {
  if (unlisted.test(text)) return null;
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0 || module.dynamicImports.length > 0) return null;
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest)),
  ];
  return new Set(requests.flatMap((request) => (request === null ? [] : [request.value])));
}

function walkSpecifiers(path: string, text: string): Set<string> {
  const lang = path.endsWith('.tsx') ? 'tsx' : 'ts';
  const specifiers = new Set<string>();
  collectSpecifiers(parseAst(text, { lang, astType: 'ts' }, path), specifiers);
  return specifiers;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === 'node_modules' ? [] : listFiles(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

function toPath(absolute: string): string {
  return relative(root, absolute).replaceAll('\\', '/');
}

const importingNodes: ReadonlySet<unknown> = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function collectSpecifiers(node: unknown, found: Set<string>): void {
  if (Array.isArray(node)) {
    for (const each of node) collectSpecifiers(each, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, source } = node as { type?: unknown; source?: { value?: unknown } | null };
  if (importingNodes.has(type) && typeof source?.value === 'string') found.add(source.value);
  for (const value of Object.values(node)) if (typeof value === 'object') collectSpecifiers(value, found);
}

/** Null for a package. */
function resolveImport(path: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  return toPath(resolve(root, dirname(path), specifier));
}

/** Groups of nodes that reach each other, each group and the list of groups sorted. */
export function findCycles(edges: Iterable<readonly [from: string, to: string]>): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    const known = targets.get(from);
    if (known === undefined) targets.set(from, new Set([to]));
    else known.add(to);
  }
  const reached = new Map([...targets.keys()].map((node) => [node, reach(node, targets)]));
  const groups = new Map<string, string[]>();
  for (const [node, others] of reached) {
    if (!others.has(node)) continue;
    const group = [...others].filter((other) => reached.get(other)?.has(node)).sort();
    if (group.length > 1) groups.set(group.join(), group);
  }
  return [...groups.values()].sort((left, right) => left.join().localeCompare(right.join()));
}

/** All nodes that can be reached from a node in one step or more. */
export function reach(start: string, targets: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of targets.get(node) ?? [])
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
  return found;
}
