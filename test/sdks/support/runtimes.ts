/** Runtimes of JavaScript beside the one of this repository, from the npm registry. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvironment, run } from './packages.ts';

/** A runtime: the package that brings it, the program in it, and its arguments before a file. */
export interface Runtime {
  readonly name: string;
  /** Null: the runtime of this repository. */
  readonly installed: { readonly dependency: string; readonly version: string; readonly program: string } | null;
  readonly args: readonly string[];
  /** What its version begins with. */
  readonly version: RegExp;
}

const npmNode = (version: string) => ({ dependency: 'node', version, program: 'node_modules/node/bin/node' });

/** Every runtime that the packages are tried on. */
export const RUNTIMES: readonly Runtime[] = [
  { name: 'Node 22', installed: npmNode('22.23.3'), args: [], version: /^v22\./ },
  { name: 'Node 24', installed: npmNode('24.21.0'), args: [], version: /^v24\./ },
  { name: 'Node 26', installed: null, args: [], version: /^v26\./ },
  {
    name: 'Bun',
    installed: { dependency: 'bun', version: '1.4.5', program: 'node_modules/bun/bin/bun.exe' },
    args: [],
    version: /^1\./,
  },
  {
    name: 'Deno',
    installed: { dependency: 'deno', version: '2.9.6', program: 'node_modules/deno/deno' },
    args: ['run', '--no-remote', '--allow-net', '--allow-read', '--allow-env'],
    version: /^deno 2\./,
  },
];

const INSTALL_TIMEOUT_MS = 150_000;

/** The path of the runtime's program, or why it cannot be had: no such binary for this machine, or the registry does not respond. */
export async function obtain(runtime: Runtime, dir: string): Promise<{ path: string } | { reason: string }> {
  if (runtime.installed === null) return { path: process.execPath };
  const { dependency, version, program } = runtime.installed;
  const folder = join(dir, runtime.name.replace(' ', '-'));
  mkdirSync(folder);
  const manifest = { private: true, dependencies: { [dependency]: version }, allowScripts: { [dependency]: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const path = join(folder, program);
  try {
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress'];
    await run('npm', args, { cwd: folder, env: plainEnvironment(), timeout: INSTALL_TIMEOUT_MS });
    const { stdout } = await run(path, ['--version'], { env: plainEnvironment() });
    if (runtime.version.test(stdout)) return { path };
    return { reason: `${program} says that it is ${stdout.trim()}` };
  } catch (error) {
    return { reason: (error as Error).message.split('\n').slice(0, 2).join(' ').slice(0, 300) };
  }
}
