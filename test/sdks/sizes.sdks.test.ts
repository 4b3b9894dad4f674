/** What a page or function pays for a part of a package: bundled, unused code removed, minified, compressed. READMEs state these sizes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installTogether, pack, ROOT } from './support/packages.ts';

let dir: string;
let folder: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'placard-sizes-'));
  const names = ['client', 'tag', 'react'];
  const packed = await Promise.all(names.map((name) => pack(`sdk/${name}`, dir)));
  folder = await installTogether(join(dir, 'empty'), packed);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function bytesOf(program: string): Promise<number> {
  const input = join(folder, 'entry.mjs');
  writeFileSync(input, program);
  const bundle = await rolldown({ input, platform: 'browser', external: [/^react/], logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'es', minify: true });
  await bundle.close();
  return gzipSync(output[0].code, { level: 9 }).length;
}

/** Rows of a README: `| \`import { … } from '…'\` | 1.2 kB |`. */
const stated = ['client', 'react'].flatMap((name) =>
  [
    ...readFileSync(join(ROOT, 'sdk', name, 'README.md'), 'utf8').matchAll(/^\| `(import [^`]+)` \| ([\d.]+) kB \|$/gm),
  ].map(([, program, kilobytes]) => ({ program: program ?? '', kilobytes: Number(kilobytes) })),
);

test('the READMEs state the sizes of their parts', () => {
  expect(stated.length).toBeGreaterThanOrEqual(4);
});

test.each(stated)('$program weighs what its README states, $kilobytes kB', async ({ program, kilobytes }) => {
  const names = [...program.matchAll(/\{ ?(.*?) ?\}/g)].map(([, inside]) => inside).join();
  const bytes = await bytesOf(`${program};\nconsole.log(${names});`);
  // Rounded up to a tenth; a bundler's new version may make a little difference.
  expect(bytes / 1000).toBeLessThanOrEqual(kilobytes + 0.05);
  expect(bytes / 1000).toBeGreaterThan(kilobytes - 0.25);
});
