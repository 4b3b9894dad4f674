/** Every text is loaded where it is said: the entry has the frame's, a page and its parts those of the areas that they name. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { beforeAll, expect, test } from 'vitest';
import { readAreas } from './all-texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const NO_AREAS: ReadonlySet<string> = new Set();
/** Functions that load code together with the areas in their last argument. */
const LOADERS: ReadonlySet<string> = new Set(['page', 'later', 'laterCode', 'loadPart']);

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A module that is loaded when it is needed, with the areas that are loaded with it. */
interface LaterImport {
  readonly path: string;
  readonly areas: ReadonlySet<string>;
}

/** What one module says and imports. */
interface Source {
  readonly keys: ReadonlySet<string>;
  readonly imports: readonly string[];
  readonly later: readonly LaterImport[];
}

/** The area of each text. */
const areaOf = new Map<string, string>();
const sources = new Map<string, Source>();

beforeAll(async () => {
  for (const [area, texts] of await readAreas('en')) for (const key of Object.keys(texts)) areaOf.set(key, area);
});

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const children = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The keys that a literal or a template may name: `error.${code}` names all that begin with `error.`. */
function keysOf(node: Node): string[] {
  if (node.type === 'Literal') return [String(node['value'])].filter((key) => areaOf.has(key));
  if (node.type !== 'TemplateLiteral') return [];
  const parts = (node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]).map(
    ({ value }) => value.cooked,
  );
  if (parts[0]?.includes('.') !== true) return [];
  const pattern = new RegExp(`^${parts.map((part) => escape(part)).join('.+')}$`);
  return [...areaOf.keys()].filter((key) => pattern.test(key));
}

/** The areas that a call such as `page(load, name, ['desk'])` names. */
function areasOf(node: Node): ReadonlySet<string> | null {
  if (node.type !== 'CallExpression' || !LOADERS.has(String((node['callee'] as Node)['name']))) return null;
  const last = (node['arguments'] as readonly Node[]).at(-1);
  // A loader's own call of another one passes its parameter on.
  if (last?.type === 'Identifier') return null;
  if (last?.type !== 'ArrayExpression') throw new Error('areas are not written down as an array');
  return new Set((last['elements'] as readonly Node[]).map((element) => String(element['value'])));
}

/** The console's own module that a node imports; null where it imports none, or only types. */
function importedBy(node: Node, from: string): string | null {
  const name = (node['source'] as Node | null | undefined)?.['value'];
  if (typeof name !== 'string' || !name.startsWith('.') || !/\.tsx?$/.test(name)) return null;
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return null;
  const path = join(dirname(from), name);
  // The catalogue itself says nothing.
  return path.startsWith(join(root, 'messages/')) ? null : path;
}

function parse(path: string, text: string): Source {
  const keys = new Set<string>();
  const imports: string[] = [];
  const later: LaterImport[] = [];
  const visit = (node: Node, areas: ReadonlySet<string>): void => {
    if (node.type.startsWith('TSType')) return;
    const imported = importedBy(node, path);
    if (imported !== null && node.type === 'ImportExpression') later.push({ path: imported, areas });
    else if (imported !== null) imports.push(imported);
    for (const key of keysOf(node)) keys.add(key);
    for (const child of children(node)) visit(child, areasOf(node) ?? areas);
  };
  visit(
    parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts', astType: 'ts' }, path) as unknown as Node,
    NO_AREAS,
  );
  return { keys, imports, later };
}

function sourceOf(path: string): Source {
  const known = sources.get(path) ?? parse(path, readFileSync(path, 'utf8'));
  sources.set(path, known);
  return known;
}

/** A module and all that is loaded with it at once. */
function loadedWith(path: string): Set<string> {
  const all = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (all.has(next)) continue;
    all.add(next);
    open.push(...sourceOf(next).imports);
  }
  return all;
}

interface Finding {
  /** Texts that are said and not loaded. */
  readonly missing: Set<string>;
  /** Texts that are said anywhere. */
  readonly said: Set<string>;
  readonly visited: Set<string>;
}

/** What a module and its later parts say, and which of it is in no area that is loaded by then. */
function walk(path: string, loaded: ReadonlySet<string>, finding: Finding): void {
  const name = `${path} with ${[...loaded].sort().join(', ')}`;
  if (finding.visited.has(name)) return;
  finding.visited.add(name);
  for (const one of loadedWith(path)) {
    const keys = [...sourceOf(one).keys];
    for (const key of keys) finding.said.add(key);
    for (const [area, missing] of Map.groupBy(keys, (key) => areaOf.get(key) ?? ''))
      if (!loaded.has(area))
        finding.missing.add(`${relative(root, path)} lacks ${area}: ${relative(root, one)} says ${missing.join(', ')}`);
    for (const part of sourceOf(one).later) walk(part.path, new Set([...loaded, ...part.areas]), finding);
  }
}

function findFrom(path: string): Finding {
  const finding: Finding = { missing: new Set(), said: new Set(), visited: new Set() };
  walk(path, new Set(['frame', 'faults']), finding);
  return finding;
}

test('every page loads the areas of the texts that it and its parts say', () => {
  const { missing, visited } = findFrom(join(root, 'main.tsx'));
  expect(visited.size).toBeGreaterThan(40);
  expect([...missing].sort()).toEqual([]);
});

test('no page loads an area of which it says nothing', () => {
  const idle = sourceOf(join(root, 'app/router.tsx')).later.flatMap(({ path, areas }) => {
    const said = new Set([...findFrom(path).said].map((key) => areaOf.get(key)));
    return [...areas].filter((area) => !said.has(area)).map((area) => `${relative(root, path)}: ${area}`);
  });
  expect(idle).toEqual([]);
});

test('every text is said somewhere', () => {
  const { said } = findFrom(join(root, 'main.tsx'));
  expect([...areaOf.keys()].filter((key) => !said.has(key))).toEqual([]);
});

test('no two areas have a text of the same name', async () => {
  const areas = await readAreas('en');
  expect([...areas.values()].reduce((sum, texts) => sum + Object.keys(texts).length, 0)).toBe(areaOf.size);
});

test('literal keys, keys of templates, and imports with their areas are found; types are left out', () => {
  const source = `
    import type { A } from './type.ts';
    import { B } from '../desk/b.tsx';
    import { say } from '../messages/say.ts';
    const KEY: MessageKey = 'nav.desk';
    type T = 'nav.today';
    const Part = later(async () => (await import('./part.tsx')).Part, ['lens', 'team']);
    const chart = () => import('./chart.tsx');
    export const f = (to) => say(\`scheme.to_\${to}\`) + to;`;
  const { keys, imports, later } = parse(join(root, 'app/a.tsx'), source);
  expect([...keys].sort()).toEqual(['nav.desk', 'scheme.to_dark', 'scheme.to_light']);
  expect(imports.map((path) => relative(root, path))).toEqual(['desk/b.tsx']);
  expect(later.map(({ path, areas }) => [relative(root, path), [...areas]])).toEqual([
    ['app/part.tsx', ['lens', 'team']],
    ['app/chart.tsx', []],
  ]);
});
