/** What `npm pack` makes of this repository's packages, installed into empty folders. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of this repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Runs a program and returns what it wrote. */
export const run = promisify(execFile);
/** Packing builds the console and copies a gigabyte: minutes on a busy machine. */
export const TIMEOUT_MS = 600_000;
const OUTPUT_MAX = 50_000_000;

/** The environment without what `npm run` adds: it names this repository. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_(?:cache|registry)$)|PLACARD_|NODE_ENV$|NODE_OPTIONS$|VITEST)/i.test(name),
  );
  return Object.fromEntries(own);
}

/** A packed package. */
export interface Packed {
  readonly file: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Runs `npm pack` in a folder of this repository; the file goes into `dir`. */
export async function pack(folder: string, dir: string): Promise<Packed> {
  const cwd = join(ROOT, folder);
  await run('npm', ['pack', '--pack-destination', dir], { cwd, env: plainEnvironment(), maxBuffer: OUTPUT_MAX });
  const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as { name: string; version: string };
  const { name, version } = manifest;
  return { name, manifest, file: join(dir, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`) };
}

/**
 * Installs it into a new folder, with the versions of this repository's lock file: a test that asked the registry for the newest ones would
 * say something else every day. Returns the folder.
 */
export async function install({ file, name, manifest }: Packed, dir: string): Promise<string> {
  const folder = join(dir, name.replace('@placard/', ''));
  mkdirSync(folder);
  const own = { name: 'empty', version: '1.0.0', dependencies: { [name]: `file:${file}` } };
  const { allowScripts, packages } = readRepository();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...own, allowScripts }));
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  const { devDependencies: _dev, scripts: _scripts, workspaces: _workspaces, ...installed } = manifest;
  const dependencies = manifest['dependencies'] === undefined ? {} : packages;
  const locked = {
    '': own,
    ...dependencies,
    [`node_modules/${name}`]: { ...installed, resolved: `file:${file}`, integrity },
  };
  const lock = { ...own, lockfileVersion: 3, requires: true, packages: locked };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const args = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress'];
  await run('npm', args, { cwd: folder, env: plainEnvironment(), maxBuffer: OUTPUT_MAX });
  return folder;
}

/** Installs packed packages and `dependencies` into a new folder, as a stranger does: without a lock file. Returns the folder. */
export async function installTogether(
  folder: string,
  packed: readonly Packed[],
  dependencies: Readonly<Record<string, string>> = {},
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const files = Object.fromEntries(packed.map(({ name, file }) => [name, `file:${file}`]));
  const manifest = { name: 'empty', version: '1.0.0', private: true, dependencies: { ...files, ...dependencies } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress'];
  await run('npm', args, { cwd: folder, env: plainEnvironment(), maxBuffer: OUTPUT_MAX });
  return folder;
}

interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** What a program of this repository needs to run: the locked packages, and which of them run a script when they are installed. */
function readRepository(): { allowScripts: unknown; packages: Record<string, Locked> } {
  const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { allowScripts: unknown };
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const needed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
  );
  return { allowScripts, packages: Object.fromEntries(needed) };
}
