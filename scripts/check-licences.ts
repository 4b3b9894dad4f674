/**
 * Part of `npm run check`: the licence of every package of the lock file, for production and for development, is one that this project
 * takes. Reads the lock file, and package.json where the lock file does not tell. Exit code 1 with one line for each package that is not.
 */
import { readFileSync } from 'node:fs';

const ALLOWED = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 Apache-2.0 MPL-2.0 PostgreSQL OFL-1.1'.split(' '),
);

/** Packages under other licences, each with why it is taken all the same. */
const EXCEPTIONS: Readonly<Record<string, { readonly licence: string; readonly because: string }>> = {
  isbot: { licence: 'Unlicense', because: 'a list of patterns of user agents, in the public domain' },
  'dom-walk': {
    licence: 'none named',
    because:
      'development only; its file LICENCE holds the MIT licence, which package.json names in the old member `licenses`',
  },
  'png-js': { licence: 'none named', because: 'its file LICENSE holds the MIT licence; its package.json names none' },
  pako: { licence: '(MIT AND Zlib)', because: 'development only; Zlib asks for no more than MIT does' },
};

/** How an exception calls a package whose package.json names no licence. */
const UNNAMED = 'none named';

/** Packages of other platforms, which are not installed here: they are built from the same source as the package that names them. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^@biomejs\/cli-/, '@biomejs/biome'],
  [/^@chdb\/lib-/, 'chdb'],
  [/^@msgpackr-extract\//, 'msgpackr-extract'],
  [/^@oxc-parser\/binding-/, 'oxc-parser'],
  [/^@oxlint-tsgolint\//, 'oxlint-tsgolint'],
  [/^@oxlint\/binding-/, 'oxlint'],
];

interface LockedPackage {
  readonly license?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
}

const OWN = /^(node_modules\/@placard\/|console$|sdk\/)/;
const root = new URL('../', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

function licenceOf(path: string, locked: LockedPackage): string | undefined {
  if (locked.license !== undefined) return locked.license;
  try {
    const text = readFileSync(new URL(`${path}/package.json`, root), 'utf8');
    return (JSON.parse(text) as { license?: string }).license;
  } catch {
    const family = locked.optional === true ? FAMILIES.find(([names]) => names.test(nameOf(path))) : undefined;
    return family === undefined ? undefined : packages[`node_modules/${family[1]}`]?.license;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** SPDX: one of `A OR B`, all of `A AND B`; nothing is nested deeper in what we use. */
function isAllowed(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, '');
  if (plain.includes(' OR ') && plain.includes(' AND ')) return false;
  const allowed = (licence: string): boolean => ALLOWED.has(licence.trim());
  return plain.includes(' OR ') ? plain.split(' OR ').some(allowed) : plain.split(' AND ').every(allowed);
}

const used = new Set<string>();
const refused = Object.entries(packages).flatMap(([path, locked]) => {
  if (path === '' || OWN.test(path) || locked.link === true) return [];
  const licence = licenceOf(path, locked);
  const name = nameOf(path);
  if (licence !== undefined && isAllowed(licence)) return [];
  if (EXCEPTIONS[name] !== undefined && EXCEPTIONS[name].licence === (licence ?? UNNAMED)) {
    used.add(name);
    return [];
  }
  return [`${name}: ${licence ?? 'no licence is named'}`];
});
const unused = Object.keys(EXCEPTIONS).filter((name) => !used.has(name));
for (const line of refused) console.log(`${line}: not a licence that this project takes (scripts/check-licences.ts)`);
for (const name of unused) console.log(`${name}: the exception is not needed any more`);
process.exitCode = refused.length + unused.length > 0 ? 1 : 0;
