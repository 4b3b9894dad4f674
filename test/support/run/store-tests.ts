import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A test that reaches such a module starts a store, the service, or another process. */
const STARTERS = /(^|\/)test\/support\/(stores|on-demand|placard-process|lean-placard|redis-servers)\.ts$/;
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;
/** Modules of the program start nothing when a test loads them. */
const PRODUCTION = /^(src|console\/src|sdk)\/(?!.*(\.test\.|-contract\.ts$|\.setup\.ts$|\/fixtures\/))/;

/** Whether a file, or test code that it imports, starts a store or a process. @param seen files of this search */
function reachesStarter(path: string, seen: Set<string>): boolean {
  if (STARTERS.test(path)) return true;
  // A specifier in the text of a test may name no file.
  if (seen.has(path) || PRODUCTION.test(path) || !existsSync(path)) return false;
  seen.add(path);
  const text = readFileSync(path, { encoding: 'utf8' });
  for (const [, specifier = ''] of text.matchAll(RELATIVE_IMPORT)) {
    const target = normalize(join(dirname(path), specifier));
    if (/\.tsx?$/.test(target) && reachesStarter(target, seen)) return true;
  }
  return false;
}

/** Test files under `folders` that need a store or a process, as paths from the working folder. The other test files are pure. */
export function listStoreTests(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
    .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
    .filter((path) => reachesStarter(path, new Set()));
}
