import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Content hashes of the tree's files, by path. */
export type Hashes = Readonly<Record<string, string>>;

const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;
const SOURCE = /\.(?:ts|tsx|mts|mjs|js)$/;

/** All files that git tracks or would add; null outside of a git checkout, where nothing is known of changes. */
export function hashTree(): Hashes | null {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  try {
    const listed = execFileSync('git', args, {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const paths = listed.split('\0').filter((path) => path !== '' && existsSync(path));
    return Object.fromEntries(paths.map((path) => [path, createHash('sha1').update(readFileSync(path)).digest('hex')]));
  } catch {
    return null;
  }
}

/** The files that a check read when it last passed, by the check's name. */
export class PassedChecks {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  read(name: string): Hashes | null {
    const file = this.#file(name);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Hashes) : null;
  }

  write(name: string, hashes: Hashes): void {
    writeFileSync(this.#file(name), JSON.stringify(hashes));
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.passed.json`);
  }
}

/** Paths that were added, changed or removed between two trees. */
export function diffHashes(before: Hashes, after: Hashes): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]);
}

/** The source files among `changed`, and all files that import them, directly or through others. */
export function withImporters(changed: readonly string[], tree: Hashes): string[] {
  const importers = new Map<string, string[]>();
  for (const path of Object.keys(tree).filter((one) => SOURCE.test(one))) {
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(RELATIVE_IMPORT)) {
      const target = normalize(join(dirname(path), specifier));
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [path]);
      else known.push(path);
    }
  }
  const found = new Set(changed.filter((path) => SOURCE.test(path)));
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return [...found].filter((path) => path in tree);
}
