import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BASELINE } from '../../src/storage/sql/migrations/list.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MIGRATIONS = 'src/storage/sql/migrations';

/** The program before the newest SQL migration was added. */
export interface PreviousProgram {
  readonly commit: string;
  /** The migration that it does not know, by file name. */
  readonly newMigration: string;
  /** Its src/main.ts. */
  readonly mainPath: string;
}

/**
 * Unpacks the last commit before the newest SQL migration into `dir`, with the installed packages of this tree, and those that this tree no longer
 * needs from the registry.
 * Null where no migration has come since the baseline, and where the history does not reach so far, as in a shallow clone.
 */
export function unpackPreviousProgram(dir: string): PreviousProgram | null {
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/[0-9]*.sql.ts`);
  if (added === null || added === '') return null;
  // The commit at the edge of a shallow clone adds every file; it has no parent here.
  const commit = git('rev-parse', '--verify', '--quiet', `${added}^`);
  if (commit === null) return null;
  // The promise begins with the baseline: programs before it make tables that it has.
  if (git('cat-file', '-e', `${commit}:${MIGRATIONS}/${BASELINE}.sql.ts`) === null) return null;
  const files = git('diff', '--name-only', '--diff-filter=A', commit, added, '--', MIGRATIONS) ?? '';
  const tree = join(dir, 'previous');
  mkdirSync(tree);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 512 * 1_048_576 });
  execFileSync('tar', ['-x', '-C', tree], { input: archive });
  linkPackages(tree, join(dir, 'previous-packages'));
  return {
    commit: commit.slice(0, 12),
    newMigration: files.split('\n').at(-1)?.split('/').at(-1) ?? '',
    mainPath: join(tree, 'src', 'main.ts'),
  };
}

/** Gives a program its packages: those of this tree, and what it needs beside them, which is installed in a folder of its own. */
function linkPackages(tree: string, aside: string): void {
  const own = join(ROOT, 'node_modules');
  const target = join(tree, 'node_modules');
  const { dependencies = {} } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as {
    dependencies?: Readonly<Record<string, string>>;
  };
  const missing = Object.entries(dependencies).filter(([name]) => !existsSync(join(own, name)));
  if (missing.length === 0) return symlinkSync(own, target);
  mkdirSync(aside);
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', aside];
  execFileSync('npm', ['install', ...options, ...missing.map((one) => one.join('@'))], {
    cwd: aside,
    stdio: 'inherit',
    timeout: 300_000,
  });
  for (const folder of [own, join(aside, 'node_modules')])
    for (const name of packagesIn(folder)) {
      const link = join(target, name);
      mkdirSync(dirname(link), { recursive: true });
      if (!existsSync(link)) symlinkSync(join(folder, name), link);
    }
}

function packagesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((one) => `${name}/${one}`) : [name],
    );
}

/** Null when git is missing or says no. */
function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
