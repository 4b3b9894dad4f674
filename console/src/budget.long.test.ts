import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AREA_NAMES } from './messages/areas.ts';
import { EN_DESK } from './messages/en/desk.ts';
import { EN_FRAME } from './messages/en/frame.ts';

const FIRST_LOAD_BYTES_MAX = 300 * 1024;
const root = fileURLToPath(new URL('..', import.meta.url));
const vite = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url));

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

let folder: string;
let manifest: Readonly<Record<string, Chunk>>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'placard-console-'));
  const { NODE_ENV: _test, ...env } = process.env;
  execFileSync(process.execPath, [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'], {
    cwd: root,
    env,
  });
  manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as typeof manifest;
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A chunk and everything that is loaded with it. */
function closure(names: readonly string[]): Set<string> {
  const all = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (all.has(name)) continue;
    all.add(name);
    open.push(...(manifest[name]?.imports ?? []));
  }
  return all;
}

function gzipBytes(names: ReadonlySet<string>): number {
  const files = new Set([...names].map((name) => manifest[name]?.file ?? ''));
  return [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
}

/** The file with the texts of an area, in the folder of its language or one below; absent: the language has none. */
function textsOf(language: string, area: string): string | undefined {
  return Object.keys(manifest).find(
    (name) => name.startsWith(`src/messages/${language}/`) && name.endsWith(`/${area}.ts`),
  );
}

/** The English files of the areas that each page names in the router. */
function areasByPage(): ReadonlyMap<string, readonly string[]> {
  const router = readFileSync(join(root, 'src/app/router.tsx'), 'utf8');
  const calls = [...router.matchAll(/\bpage\(\s*\(\) => import\('\.\.\/([^']+)'\),\s*'\w+',\s*\[([^\]]*)\]/g)];
  expect(calls.length).toBe([...router.matchAll(/\bpage\(/g)].length);
  const areas = Map.groupBy(calls, ([, path]) => `src/${path}`);
  const fileOf = (area: string): string | readonly string[] => textsOf('en', area.replaceAll("'", '').trim()) ?? [];
  return new Map(
    [...areas].map(
      ([path, same]) => [path, same.flatMap(([, , names = '']) => names.split(',').flatMap(fileOf))] as const,
    ),
  );
}

const entryOf = (): string => Object.keys(manifest).find((name) => manifest[name]?.isEntry === true) ?? '';

test('the first load of any page with its texts, charts apart, is at most 300 kB of compressed JavaScript', () => {
  const areas = areasByPage();
  const pages = (manifest[entryOf()]?.dynamicImports ?? []).filter((name) => !name.startsWith('src/messages/'));
  expect(pages.length).toBeGreaterThan(8);
  expect(pages.filter((page) => areas.get(page) === undefined)).toEqual([]);
  const sizes = Object.fromEntries(
    pages.map((page) => [page, gzipBytes(closure([entryOf(), page, ...(areas.get(page) ?? [])]))]),
  );
  expect(Object.entries(sizes).filter(([, bytes]) => bytes > FIRST_LOAD_BYTES_MAX)).toEqual([]);
});

test('the entry has the English texts of the frame alone, and every area is a file of its own', () => {
  const built = [...closure([entryOf()])].map((name) => readFileSync(join(folder, manifest[name]?.file ?? ''), 'utf8'));
  expect(built.some((text) => text.includes(EN_FRAME['a11y.skip']))).toBe(true);
  expect(built.some((text) => text.includes(EN_DESK['attention.empty']))).toBe(false);
  expect(AREA_NAMES.filter((area) => textsOf('pl', area) === undefined)).toEqual([]);
});

test('no page but one that draws a chart loads the chart library', () => {
  const chart = Object.keys(manifest).find((name) => name.endsWith('charts/chart-view.tsx')) ?? '';
  expect(manifest[chart]).toBeDefined();
  const before = closure([entryOf(), ...(manifest[entryOf()]?.dynamicImports ?? [])]);
  expect(before.has(chart)).toBe(false);
  expect(
    [...before]
      .map((name) => readFileSync(join(folder, manifest[name]?.file ?? ''), 'utf8'))
      .some((text) => text.includes('echarts')),
  ).toBe(false);
});

test('the document holds no inline script and names no other origin', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
  expect(
    [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]).filter((url) => !url?.startsWith('/')),
  ).toEqual([]);
});
