/** The rules of ARCHITECTURE.md that a reader of the source can check: who imports whom, sizes, and one home for each thing. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const sourceRoot = join(root, 'src');
const linesMax = 400;

/** Which other rooms of src/ a room may import. A room may always import itself. `cli`, `runtime/compose` and main.ts: anything. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  config: ['domain'],
  storage: ['domain', 'config'],
  http: ['domain', 'config'],
  mail: ['domain', 'config', 'storage'],
  access: ['domain', 'http', 'storage', 'mail'],
  management: ['domain', 'http', 'access', 'storage', 'mail'],
  delivery: ['domain', 'http', 'storage'],
  events: ['domain', 'http', 'storage'],
  reports: ['domain', 'http', 'storage', 'mail'],
  'runtime/supervisor': ['domain', 'config', 'http', 'storage'],
  demo: ['domain', 'access', 'storage'],
  console: ['domain', 'http', 'storage'],
  docs: ['domain', 'http'],
};
/** Schemas of bodies stand beside what checks them; docs may import those files of every room, so that no copy of one is needed. */
const schemaFile = /\.schema\.ts$/;
const freeRooms: ReadonlySet<string> = new Set(['cli', 'main.ts', 'runtime/compose']);
/** What domain may import from outside: nothing that does I/O. */
const purePackages: ReadonlySet<string> = new Set([
  'node:crypto',
  'node:buffer',
  'node:net',
  'node:url',
  'node:util',
  'ulid',
]);

interface SourceFile {
  /** Path from the repository's root, with forward slashes. */
  readonly path: string;
  readonly room: string;
  readonly text: string;
  /** The text with comments blanked; strings kept; same length and lines. */
  readonly code: string;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return listFiles(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

/** Blanks comments, leaving strings, templates and line breaks as they are. A regular expression that holds a quote is read as code up to its line's end. */
function blankComments(text: string): string {
  const token =
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|\/\*[\s\S]*?\*\/|\/(?![*/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|\/\/[^\n]*/g;
  return text.replace(token, (match) =>
    match.startsWith('//') || match.startsWith('/*') ? match.replace(/[^\n]/g, ' ') : match,
  );
}

function importsOf(code: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|(?:^|\n)\s*import\s+)(['"])([^'"\n]+)\1/g;
  return [...code.matchAll(pattern)].map((match) => match[2] ?? '');
}

function roomOf(pathFromSource: string): string {
  const [first = '', second = ''] = pathFromSource.split('/');
  return first === 'runtime' ? `${first}/${second}` : first;
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|-contract\.ts$|\/fixtures\//.test(path);
}

function readSources(): SourceFile[] {
  return listFiles(sourceRoot).map((absolute) => {
    const text = readFileSync(absolute, 'utf8');
    const fromSource = relative(sourceRoot, absolute).replaceAll('\\', '/');
    return { path: `src/${fromSource}`, room: roomOf(fromSource), text, code: blankComments(text) };
  });
}

/** The first line of `code` that `pattern` matches, as "path:line: text"; null when none does. */
function findLine(file: SourceFile, pattern: RegExp): string | null {
  const match = pattern.exec(file.code);
  if (match === null) return null;
  const line = file.code.slice(0, match.index).split('\n').length;
  return `${file.path}:${line}: ${match[0].replace(/\s+/g, ' ').slice(0, 80)}`;
}

function forbiddenImports(file: SourceFile): string[] {
  if (freeRooms.has(file.room)) return [];
  const allowed = mayImport[file.room];
  if (allowed === undefined) return [`${file.path}: src/${file.room} is no room of the table in ARCHITECTURE.md`];
  return importsOf(file.code).flatMap((specifier) => {
    if (!specifier.startsWith('.')) {
      if (file.room === 'domain' && !purePackages.has(specifier)) return [`${file.path}: domain imports ${specifier}`];
      return [];
    }
    const target = relative(sourceRoot, resolve(root, dirname(file.path), specifier)).replaceAll('\\', '/');
    if (target.startsWith('..')) return [`${file.path}: imports ${specifier}, which is outside of src/`];
    const room = roomOf(target);
    const isDescribed = file.room === 'docs' && schemaFile.test(target);
    return room === file.room || allowed.includes(room) || isDescribed
      ? []
      : [`${file.path}: ${file.room} imports ${room} (${specifier})`];
  });
}

const sqlText =
  /['"`]\s*(?:SELECT\s[^'"`]*?\bFROM\b|WITH\s+\w+\s+AS\s*\(|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(?:TABLE|INDEX|UNIQUE|MATERIALIZED|VIEW|DATABASE)\b|ALTER\s+TABLE\s|LISTEN\s|NOTIFY\s)/;
const queryBuilder = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\s*\(|\bsql(?:<[^>`]*>)?`/;

function misplacedSql(file: SourceFile): string[] {
  if (/\.(?:sql|olap)\.ts$/.test(file.path) || file.room === 'storage') return [];
  const found = findLine(file, sqlText) ?? findLine(file, queryBuilder);
  return found === null ? [] : [found];
}

const sources = readSources();
const production = sources.filter((file) => !isTest(file.path));

describe('the rules of the house', () => {
  test('a room imports only the rooms that the table allows', () => {
    expect(production.flatMap(forbiddenImports)).toEqual([]);
  });

  test('relative imports name an existing file with its extension', () => {
    const broken = sources.flatMap((file) =>
      importsOf(file.code)
        .filter((specifier) => specifier.startsWith('.') && !/\.(?:ts|tsx|mjs|json)$/.test(specifier))
        .map((specifier) => `${file.path}: ${specifier}`),
    );
    expect(broken).toEqual([]);
  });

  test('environment variables are read in src/config only', () => {
    const found = production.filter((file) => file.room !== 'config').map((file) => findLine(file, /\bprocess\.env\b/));
    expect(found.filter((line) => line !== null)).toEqual([]);
  });

  test('only the command line writes to the console', () => {
    const found = production
      .filter((file) => file.room !== 'cli')
      .map((file) => findLine(file, /\bconsole\.(?:log|error|warn|info|debug)\b/));
    expect(found.filter((line) => line !== null)).toEqual([]);
  });

  test('SQL lives in *.sql.ts, *.olap.ts and storage only', () => {
    expect(production.flatMap(misplacedSql)).toEqual([]);
  });

  test(`no source file is longer than ${linesMax} lines`, () => {
    const long = production.flatMap((file) => {
      const lines = file.text.split('\n').length - 1;
      return lines > linesMax ? [`${file.path}: ${lines} lines`] : [];
    });
    expect(long).toEqual([]);
  });

  test('no file is named after nothing (utils, helpers, common, manager, index)', () => {
    const vague = sources.filter((file) =>
      /[/.-](?:utils?|helpers?|common|manager)(?:[.-][a-z]+)*\.tsx?$|\/index\.tsx?$/.test(file.path),
    );
    expect(vague.map((file) => file.path)).toEqual([]);
  });

  test('no file re-exports another one whole', () => {
    const barrels = production.map((file) => findLine(file, /\bexport\s+\*\s+from\b/));
    expect(barrels.filter((line) => line !== null)).toEqual([]);
  });
});

describe('the reader of the rules', () => {
  const file = (path: string, text: string): SourceFile => ({
    path,
    room: roomOf(path.replace(/^src\//, '')),
    text,
    code: blankComments(text),
  });

  test.each([
    ['delivery may not import events', 'src/delivery/a.ts', "import { x } from '../events/b.ts';"],
    ['domain may not import config', 'src/domain/a.ts', "import type { S } from '../config/settings.ts';"],
    ['domain may not import a package', 'src/domain/a.ts', "import { z } from 'zod';"],
    ['a dynamic import counts', 'src/reports/a.ts', "const m = await import('../management/b.ts');"],
    ['an import over several lines counts', 'src/http/a.ts', "import {\n  x,\n} from '../storage/b.ts';"],
    ['docs may import of a room only what is a schema', 'src/docs/a.ts', "import { x } from '../events/schema.ts';"],
    ['only docs may import the schemas of others', 'src/events/a.ts', "import { x } from '../delivery/a.schema.ts';"],
    ['an import of the composing file counts', 'src/access/a.ts', "import { x } from '../runtime/compose/a.ts';"],
  ])('%s', (_title, path, text) => {
    expect(forbiddenImports(file(path, text))).toHaveLength(1);
  });

  test.each([
    ['a comment is no import', 'src/domain/a.ts', "// import { x } from '../http/b.ts';\n/* from '../http/c.ts' */"],
    ['supervisor may import storage', 'src/runtime/supervisor/a.ts', "import { x } from '../../storage/b.ts';"],
    ['docs may import the schema of a body', 'src/docs/a.ts', "import { x } from '../events/a.schema.ts';"],
    ['a room may import itself', 'src/events/a.ts', "import { x } from './b.ts';"],
  ])('%s', (_title, path, text) => {
    expect(forbiddenImports(file(path, text))).toEqual([]);
  });

  test.each([
    ['text', 'const q = `\n  SELECT a\n  FROM b`;'],
    ['a query builder', "await db.selectFrom('campaign').execute();"],
    ['a tagged template', 'await sql<Row>`select 1`.execute(db);'],
  ])('SQL as %s is found outside of its home', (_title, text) => {
    expect(misplacedSql(file('src/management/campaign.ts', text))).toHaveLength(1);
    expect(misplacedSql(file('src/management/campaign.sql.ts', text))).toEqual([]);
  });
});
