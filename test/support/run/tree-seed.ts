import { execFileSync } from 'node:child_process';

/**
 * The seed of all random cases of a run: that of the environment, or one that follows from the tree of the last commit. So a run of one
 * tree can be repeated, and each commit draws other cases.
 */
export function treeSeed(): string {
  const { PROPERTY_SEED } = process.env;
  if (PROPERTY_SEED !== undefined) return PROPERTY_SEED;
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
    return String(Number.parseInt(tree.slice(0, 7), 16));
  } catch {
    // An archive of the files, without their history.
    return '1';
  }
}
