/** The types of the packed packages in an empty folder: with two compilers, in every module resolution. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installTogether, pack, type Packed, plainEnvironment, ROOT, run } from './support/packages.ts';

const COMPILERS = {
  'TypeScript 5': 'test/typescript-5/node_modules/typescript/bin/tsc',
  'TypeScript 7': 'node_modules/typescript/bin/tsc',
};
const PACKAGES = ['client', 'tag', 'react', 'prebid'] as const;
const OUTPUT_MAX = 50_000_000;
const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
let dir: string;
let folder: string;
let packed: readonly Packed[];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'placard-types-'));
  packed = await Promise.all(PACKAGES.map((name) => pack(`sdk/${name}`, dir)));
  const names = ['react', 'react-dom', '@types/react'];
  const others = Object.fromEntries(names.map((name) => [name, versionOf(name)]));
  folder = await installTogether(join(dir, 'empty'), packed, others);
  for (const name of ['use.mts', 'use.cts'])
    copyFileSync(fileURLToPath(new URL(`programs/${name}`, import.meta.url)), join(folder, name));
  copyFileSync(join(folder, 'use.mts'), join(folder, 'bundled.ts'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The messages of the compiler, declarations of packages included; empty when there are none. */
async function compile(compiler: string, file: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const given = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const fixed =
    '--noEmit --strict --exactOptionalPropertyTypes --target es2022 --lib es2022,dom,dom.iterable --types react';
  const args = [join(ROOT, compiler), ...fixed.split(' '), ...given, file];
  const options = { cwd: folder, env: plainEnvironment(), maxBuffer: OUTPUT_MAX };
  return run(process.execPath, args, options).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

const MODES = [
  ['node16', 'use.mts', { module: 'node16', moduleResolution: 'node16' }],
  ['nodenext', 'use.mts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['nodenext, required by CommonJS', 'use.cts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['bundler', 'bundled.ts', { module: 'esnext', moduleResolution: 'bundler' }],
] as const;

describe.each(Object.entries(COMPILERS))('%s', (_name, compiler) => {
  test.each(MODES)('the types of the packages hold in the resolution %s', async (_mode, file, settings) => {
    expect(await compile(compiler, file, settings)).toBe('');
  });

  test('a CommonJS file in node16, where a module cannot be required, is told so', async () => {
    const messages = await compile(compiler, 'use.cts', { module: 'node16', moduleResolution: 'node16' });
    expect(messages).toMatch(/TS1479|TS1541|TS1471/);
  });
});

type Target = string | { readonly [condition: string]: Target };

/** The files that an export names, each with its conditions. */
function targetsOf(target: Target, conditions: readonly string[] = []): [readonly string[], string][] {
  if (typeof target === 'string') return [[conditions, target]];
  return Object.entries(target).flatMap(([name, inner]) => targetsOf(inner, [...conditions, name]));
}

describe.each(PACKAGES)('the package %s', (name) => {
  const installed = (): string => join(folder, 'node_modules/@placard', name);
  const manifest = (): Record<string, unknown> =>
    JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8')) as Record<string, unknown>;

  test('every address that it exports leads to a file, types before code', () => {
    const exports = manifest()['exports'] as Record<string, Target>;
    for (const [address, target] of Object.entries(exports)) {
      const targets = targetsOf(target);
      for (const [, file] of targets) expect(existsSync(join(installed(), file)), `${address}: ${file}`).toBe(true);
      const order = targets.map(([conditions]) => conditions.at(-1));
      if (order.includes('types')) expect(order[0]).toBe('types');
      for (const [conditions, file] of targets)
        expect(file.endsWith('.d.ts'), `${address}: ${file}`).toBe(conditions.at(-1) === 'types');
    }
  });

  test('it has its licence and version, is an ES module, and holds neither tests nor sources', () => {
    const { license, version, type, devDependencies } = manifest();
    expect([license, type, devDependencies]).toEqual(['Apache-2.0', 'module', undefined]);
    const { version: own } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(version).toBe(own);
    const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
    expect(files).toContain('README.md');
    expect(readFileSync(join(installed(), 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
    expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$|tsconfig/.test(file))).toEqual([]);
  });
});

test.each(['tag.min.js', 'gpt.min.js'])('the tag’s package holds the script %s that delivery serves', (name) => {
  const script = readFileSync(join(folder, 'node_modules/@placard/tag', name), 'utf8');
  expect(script).toBe(readFileSync(join(ROOT, 'sdk/tag', name), 'utf8'));
});

test('the React package renders on a server', async () => {
  const program = `import { AdSlot, PlacardScript } from '@placard/react';
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    const slot = createElement(AdSlot, { id: 'top', adUnit: 'home/top', sizes: [[970, 250]], fallback: 'No ad' });
    console.log(renderToString(slot), renderToString(createElement(PlacardScript, { src: '/tag.js', network: '1000' })));`;
  writeFileSync(join(folder, 'render.mjs'), program);
  const { stdout } = await run(process.execPath, ['render.mjs'], { cwd: folder, env: plainEnvironment() });
  expect(stdout.trim()).toBe('<div id="top"><div data-ad-fallback="" hidden="">No ad</div></div>');
});

describe('the command of the Prebid package', () => {
  const copy = async (target: string): Promise<number> =>
    run('npx', ['--no-install', 'placard-prebid', target], { cwd: folder, env: plainEnvironment() }).then(
      () => 0,
      (error: unknown) => (error as { code: number }).code,
    );

  test('the command copies the adapter and its metadata into a source of Prebid.js', async () => {
    const target = await installTogether(join(dir, 'Prebid.js'), []);
    for (const name of ['src', 'modules', 'metadata/modules']) await run('mkdir', ['-p', join(target, name)]);
    writeFileSync(join(target, 'package.json'), '{"name":"prebid.js"}');
    expect(await copy(target)).toBe(0);
    for (const name of ['modules/placardBidAdapter.js', 'metadata/modules/placardBidAdapter.json']) {
      expect(readFileSync(join(target, name), 'utf8')).toBe(readFileSync(join(ROOT, 'sdk/prebid', name), 'utf8'));
      expect(statSync(join(target, name)).size).toBeGreaterThan(100);
    }
  });

  test('the command refuses any other folder', async () => {
    expect(await copy(folder)).toBe(2);
    expect(existsSync(join(folder, 'modules'))).toBe(false);
  });
});
