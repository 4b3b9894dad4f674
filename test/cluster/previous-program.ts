import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
 * Unpacks the last commit before the newest SQL migration into `dir`, with the installed packages of this tree.
 * Null where the history does not reach so far, as in a shallow clone.
 */
export function unpackPreviousProgram(dir: string): PreviousProgram | null {
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/[0-9]*.sql.ts`);
  if (added === null || added === '') return null;
  // The commit at the edge of a shallow clone adds every file; it has no parent here.
  const commit = git('rev-parse', '--verify', '--quiet', `${added}^`);
  if (commit === null) return null;
  const files = git('diff', '--name-only', '--diff-filter=A', commit, added, '--', MIGRATIONS) ?? '';
  const tree = join(dir, 'previous');
  mkdirSync(tree);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 512 * 1_048_576 });
  execFileSync('tar', ['-x', '-C', tree], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  return {
    commit: commit.slice(0, 12),
    newMigration: files.split('\n').at(-1)?.split('/').at(-1) ?? '',
    mainPath: join(tree, 'src', 'main.ts'),
  };
}

/** Null when git is missing or says no. */
function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
