/**
 * `npm pack` runs this first: writes `lib/`, the program as JavaScript, because Node.js does not run TypeScript that is installed below
 * `node_modules`. `lib/` lies as deep as `src/`, so that relative addresses of other files hold in both.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const [from, to] = [join(root, 'src'), join(root, 'lib')];
/** Addresses of modules that threads and processes begin with; the compiler rewrites those of imports. */
const MODULE_ADDRESS = /(new URL\('[^']+)\.ts(', import\.meta\.url\))/g;
/** Files that only tests read. */
const TEST_FOLDER = /(?:^|\/)(?:cases|fixtures)\//;

rmSync(to, { recursive: true, force: true });
execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'tsconfig.package.json')], { stdio: 'inherit' });
const built = join(to, '.built');
cpSync(join(built, 'src'), to, { recursive: true });
// The packages lie beside the program, as in the repository, and their JavaScript in folders of their own.
const packages = ['packages/adcp', 'packages/import'].map((folder) => [`${folder}/src/`, `${folder}/lib/`] as const);
for (const [ownFolder, libFolder] of packages) {
  rmSync(join(root, libFolder), { recursive: true, force: true });
  cpSync(join(built, ownFolder), join(root, libFolder), { recursive: true });
}
rmSync(built, { recursive: true });
for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.js'))) {
  const text = readFileSync(join(to, name), 'utf8');
  const rewritten = packages.reduce(
    (moved, [ownFolder, libFolder]) => moved.replaceAll(ownFolder, libFolder),
    text.replaceAll(MODULE_ADDRESS, '$1.js$2'),
  );
  if (rewritten !== text) writeFileSync(join(to, name), rewritten);
}
const others = readdirSync(from, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1));
for (const name of others.filter((one) => !TEST_FOLDER.test(one))) cpSync(join(from, name), join(to, name));
