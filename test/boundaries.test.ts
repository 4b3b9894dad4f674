/** The rules of ARCHITECTURE.md that can be read from the source: who imports whom, no cycles, sizes, and one home for each thing. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCycles, parseImports, readSourceFiles } from './support/import-graph.ts';
import type { SourceFile } from './support/import-graph.ts';

const linesMax = 400;

/** The allowed imports of a module's files. A listed module includes the modules inside of it; a module may always import itself. */
interface ModuleRule {
  readonly imports: readonly string[] | 'anything';
  /** The only packages that it may import; absent = any. */
  readonly packages?: readonly string[];
  /** It may also import the files `*.schema.ts` of every module. */
  readonly importsSchemas?: true;
}

/** Packages that compute and do no I/O. */
const purePackages = ['node:crypto', 'node:buffer', 'node:net', 'node:url', 'node:util', 'ulid'];

/** The modules of src/, by folder. A file belongs to the innermost of them. ARCHITECTURE.md shows this table. */
const modules: Readonly<Record<string, ModuleRule>> = {
  domain: { imports: [], packages: purePackages },
  config: { imports: ['domain'] },
  storage: { imports: ['domain', 'config'] },
  http: { imports: ['domain', 'config'] },
  mail: { imports: ['domain', 'config', 'storage'] },
  access: { imports: ['domain', 'http', 'storage', 'mail'] },
  cluster: { imports: ['domain', 'config', 'http', 'access', 'storage'] },
  management: { imports: ['domain', 'http', 'access', 'storage', 'mail'] },
  'delivery/decision/index': { imports: ['domain'], packages: [] },
  'delivery/value': { imports: ['domain'], packages: [] },
  'delivery/contexts': { imports: ['domain', 'storage', 'delivery/value'] },
  'delivery/decision': { imports: ['domain', 'delivery/decision/index', 'delivery/value'], packages: [] },
  'delivery/budget': { imports: ['domain', 'storage', 'delivery/decision', 'delivery/value'] },
  'delivery/traffic': { imports: ['domain', 'storage', 'delivery/decision/index'] },
  'delivery/snapshot': { imports: ['domain', 'storage', 'delivery/decision/index'] },
  'delivery/markup': { imports: ['domain', 'storage', 'delivery/decision'] },
  'delivery/preview': { imports: ['domain', 'http', 'storage', 'delivery/markup'] },
  'delivery/openrtb': { imports: ['domain', 'storage', 'delivery/decision', 'delivery/markup'] },
  'delivery/ad-request': { imports: ['domain', 'storage', 'delivery/decision/index', 'delivery/openrtb'] },
  'delivery/plan': {
    imports: [
      'domain',
      'storage',
      'delivery/decision',
      'delivery/decision/index',
      'delivery/snapshot',
      'delivery/pacing',
      'delivery/traffic',
    ],
  },
  'delivery/pacing': {
    imports: ['domain', 'storage', 'delivery/decision', 'delivery/value', 'delivery/budget', 'delivery/traffic'],
  },
  'delivery/insight/diagnosis': { imports: ['domain', 'storage', 'delivery/decision', 'delivery/traffic'] },
  'delivery/insight/forecast': {
    imports: [
      'domain',
      'storage',
      'delivery/decision',
      'delivery/plan',
      'delivery/traffic',
      'delivery/insight/diagnosis',
    ],
  },
  'delivery/insight/floors': { imports: ['domain', 'storage', 'delivery/decision', 'delivery/traffic'] },
  'delivery/insight/decision-log': {
    imports: ['domain', 'storage', 'delivery/decision', 'delivery/value', 'delivery/snapshot', 'delivery/traffic'],
  },
  'delivery/insight/availability': { imports: ['domain', 'storage', 'delivery/decision/index'] },
  'delivery/insight/inspection': {
    imports: [
      'domain',
      'storage',
      'delivery/decision',
      'delivery/decision/index',
      'delivery/value',
      'delivery/budget',
      'delivery/snapshot',
      'delivery/openrtb',
      'delivery/ad-request',
      'delivery/pacing',
      'delivery/insight/diagnosis',
      'delivery/insight/forecast',
      'delivery/insight/decision-log',
    ],
  },
  'delivery/insight': {
    imports: [
      'domain',
      'storage',
      'delivery/decision',
      'delivery/value',
      'delivery/budget',
      'delivery/traffic',
      'delivery/snapshot',
      'delivery/openrtb',
      'delivery/ad-request',
      'delivery/pacing',
      'delivery/plan',
      'delivery/contexts',
      'delivery/insight/diagnosis',
      'delivery/insight/forecast',
      'delivery/insight/floors',
      'delivery/insight/availability',
      'delivery/insight/decision-log',
      'delivery/insight/inspection',
    ],
  },
  'delivery/serving/retries': { imports: ['domain', 'http', 'delivery/openrtb'] },
  'delivery/serving': { imports: ['domain', 'http', 'storage', 'delivery'] },
  events: { imports: ['domain', 'http', 'storage'] },
  backup: { imports: ['domain', 'storage', 'events'] },
  reports: { imports: ['domain', 'http', 'storage', 'mail'] },
  'sql-endpoint': { imports: ['domain', 'http'] },
  'runtime/supervisor': { imports: ['domain', 'config', 'http', 'storage'] },
  docs: { imports: ['domain', 'http'], importsSchemas: true },
  demo: { imports: ['domain', 'access', 'storage'] },
  console: { imports: ['domain', 'http', 'storage'] },
  mcp: { imports: ['domain'] },
  cli: { imports: 'anything' },
  'runtime/compose': { imports: 'anything' },
  'main.ts': { imports: 'anything' },
};

/** The innermost module of a file; null where the table has none. */
function moduleOf(path: string): string | null {
  const parts = path.split('/').slice(1);
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('/');
    if (name in modules) return name;
  }
  return null;
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|-contract\.ts$|\/fixtures\//.test(path);
}

function isInside(module: string, outer: string): boolean {
  return module === outer || module.startsWith(`${outer}/`);
}

function forbiddenImports({ path, imports }: SourceFile): string[] {
  const module = moduleOf(path);
  const rule = module === null ? undefined : modules[module];
  if (module === null || rule === undefined) return [`${path}: its folder is not in the table of modules`];
  return imports.flatMap(({ specifier, target }) => {
    const isAllowed =
      target === null
        ? rule.packages === undefined || rule.packages.includes(specifier)
        : target.startsWith('src/') && !isTest(target) && mayImport(module, rule, target);
    return isAllowed ? [] : [`${path}: ${module} imports ${target ?? specifier}`];
  });
}

function mayImport(module: string, rule: ModuleRule, target: string): boolean {
  const imported = moduleOf(target);
  if (imported === null) return false;
  if (imported === module || rule.imports === 'anything') return true;
  if (rule.importsSchemas === true && target.endsWith('.schema.ts')) return true;
  return rule.imports.some((outer) => isInside(imported, outer));
}

/** Blanks comments, leaving strings, templates and line breaks as they are. A regular expression that holds a quote is read as code up to its line's end. */
function blankComments(text: string): string {
  const token =
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|\/\*[\s\S]*?\*\/|\/(?![*/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|\/\/[^\n]*/g;
  return text.replace(token, (match) =>
    match.startsWith('//') || match.startsWith('/*') ? match.replace(/[^\n]/g, ' ') : match,
  );
}

/** The first line of code that `pattern` matches, as "path:line: text"; null when none does. */
function findLine({ path, text }: SourceFile, pattern: RegExp): string | null {
  if (!pattern.test(text)) return null;
  const code = blankComments(text);
  const match = pattern.exec(code);
  if (match === null) return null;
  const line = code.slice(0, match.index).split('\n').length;
  return `${path}:${line}: ${match[0].replace(/\s+/g, ' ').slice(0, 80)}`;
}

const sqlText =
  /['"`]\s*(?:SELECT\s[^'"`]*?\bFROM\b|WITH\s+\w+\s+AS\s*\(|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(?:TABLE|INDEX|UNIQUE|MATERIALIZED|VIEW|DATABASE)\b|ALTER\s+TABLE\s|LISTEN\s|NOTIFY\s)/;
const queryBuilder = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\s*\(|\bsql(?:<[^>`]*>)?`/;

function misplacedSql(file: SourceFile): string[] {
  if (/\.(?:sql|olap)\.ts$/.test(file.path) || moduleOf(file.path) === 'storage') return [];
  const found = findLine(file, sqlText) ?? findLine(file, queryBuilder);
  return found === null ? [] : [found];
}

function listEdges(files: readonly SourceFile[]): [from: string, to: string][] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }): [string, string][] =>
      target === null || !target.startsWith('src/') ? [] : [[path, target]],
    ),
  );
}

const sources = readSourceFiles('src');
const production = sources.filter((file) => !isTest(file.path));

describe('imports', () => {
  test('a module imports only the modules that the table allows, and production imports no test code', () => {
    expect(production.flatMap(forbiddenImports)).toEqual([]);
  });

  test('ARCHITECTURE.md shows the table of modules', () => {
    const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
    const shown = [...page.matchAll(/^\| (`[^|]*?`) \| [^|]* \| ([^|]*) \|$/gm)].flatMap(([, names = '', imports]) =>
      [...names.matchAll(/`(?<name>[^`]+?)\/?`/g)].map(({ groups }) => `${groups?.['name']}: ${imports}`),
    );
    const listOf = (module: string, { imports, importsSchemas }: ModuleRule): string => {
      if (imports === 'anything') return imports;
      const inner = (name: string): string => name.replace(/^delivery\//, module.startsWith('delivery/') ? '' : '$&');
      const names = imports.length === 0 ? 'nothing' : imports.map(inner).join(', ');
      return importsSchemas === true ? `${names}, and \`*.schema.ts\` of any module` : names;
    };
    const table = Object.entries(modules).map(([name, rule]) => `${name}: ${listOf(name, rule)}`);
    expect(shown.filter((row) => (row.split(':')[0] ?? '') in modules).sort()).toEqual(table.sort());
  });

  test('files never import each other in a circle, not even for types', () => {
    expect(findCycles(listEdges(production))).toEqual([]);
  });

  test('folders never import each other in a circle, not even for types', () => {
    const edges = listEdges(production).map(([from, to]) => [dirname(from), dirname(to)] as const);
    expect(findCycles(edges.filter(([from, to]) => from !== to))).toEqual([]);
  });

  test('relative imports name an existing file with its extension', () => {
    const files = new Set(sources.map(({ path }) => path));
    const broken = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, target }) =>
          target?.startsWith('src/')
            ? !files.has(target)
            : target !== null && !/\.(?:ts|tsx|mjs|json)$/.test(specifier),
        )
        .map(({ specifier }) => `${path}: ${specifier}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('the rules of the house', () => {
  test('environment variables are read only in src/config', () => {
    const found = production
      .filter(({ path }) => moduleOf(path) !== 'config')
      .map((file) => findLine(file, /\bprocess\.env\b/));
    expect(found.filter((line) => line !== null)).toEqual([]);
  });

  test('only the command line writes to the console', () => {
    const found = production
      .filter(({ path }) => moduleOf(path) !== 'cli')
      .map((file) => findLine(file, /\bconsole\.(?:log|error|warn|info|debug)\b/));
    expect(found.filter((line) => line !== null)).toEqual([]);
  });

  test('SQL exists only in *.sql.ts, *.olap.ts and storage', () => {
    expect(production.flatMap(misplacedSql)).toEqual([]);
  });

  test(`no source file is longer than ${linesMax} lines`, () => {
    const long = production.flatMap((file) => {
      const lines = file.text.split('\n').length - 1;
      return lines > linesMax ? [`${file.path}: ${lines} lines`] : [];
    });
    expect(long).toEqual([]);
  });

  test('no file has a meaningless name (utils, helpers, common, manager, index)', () => {
    const vague = sources.filter((file) =>
      /[/.-](?:utils?|helpers?|common|manager)(?:[.-][a-z]+)*\.tsx?$|\/index\.tsx?$/.test(file.path),
    );
    expect(vague.map((file) => file.path)).toEqual([]);
  });

  test('no file exports everything that another one exports', () => {
    const barrels = production.map((file) => findLine(file, /\bexport\s+\*\s+from\b/));
    expect(barrels.filter((line) => line !== null)).toEqual([]);
  });
});

describe('the check of the rules', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text, imports: parseImports(path, text) });

  test.each([
    ['delivery may not import events', 'src/delivery/serving/a.ts', "import { x } from '../../events/b.ts';"],
    [
      'decision may not import what is built on it',
      'src/delivery/decision/a.ts',
      "import { x } from '../budget/b.ts';",
    ],
    ['a type counts', 'src/delivery/decision/index/a.ts', "import type { X } from '../b.ts';"],
    ['decision may not import a package', 'src/delivery/decision/a.ts', "import { x } from 'node:fs';"],
    ['an unknown folder of delivery is refused', 'src/delivery/a.ts', 'export const x = 1;'],
    ['domain may not import config', 'src/domain/a.ts', "import type { S } from '../config/settings.ts';"],
    ['domain may not import a package', 'src/domain/a.ts', "import { z } from 'zod';"],
    ['a dynamic import counts', 'src/reports/a.ts', "const m = await import('../management/b.ts');"],
    ['the type of an import counts', 'src/reports/a.ts', "let m: typeof import('../management/b.ts');"],
    ['a re-export counts', 'src/reports/a.ts', "export { x } from '../management/b.ts';"],
    ['an import over several lines counts', 'src/http/a.ts', "import {\n  x,\n} from '../storage/b.ts';"],
    ['docs may import of a module only what is a schema', 'src/docs/a.ts', "import { x } from '../events/schema.ts';"],
    [
      'only docs may import the schemas of others',
      'src/events/a.ts',
      "import { x } from '../delivery/openrtb/a.schema.ts';",
    ],
    ['an import of the composing folder counts', 'src/access/a.ts', "import { x } from '../runtime/compose/a.ts';"],
    ['production may not import fixtures', 'src/cli/a.ts', "import { x } from '../events/fixtures/b.ts';"],
    ['production may not import test code', 'src/cli/a.ts', "import { x } from '../../test/worlds/oracle.ts';"],
  ])('the check finds a forbidden import: %s', (_title, path, text) => {
    expect(forbiddenImports(file(path, text))).toHaveLength(1);
  });

  test.each([
    ['a comment does not import', 'src/domain/a.ts', "// import { x } from '../http/b.ts';\n/* from '../http/c.ts' */"],
    ['a text does not import', 'src/domain/a.ts', 'export const x = "import { x } from \'../http/b.ts\'";'],
    ['supervisor may import storage', 'src/runtime/supervisor/a.ts', "import { x } from '../../storage/b.ts';"],
    ['docs may import the schema of a body', 'src/docs/a.ts', "import { x } from '../events/a.schema.ts';"],
    ['a module may import itself', 'src/events/a.ts', "import { x } from './b.ts';"],
    ['serving joins delivery', 'src/delivery/serving/a.ts', "import { x } from '../decision/index/b.ts';"],
  ])('the check accepts an allowed import: %s', (_title, path, text) => {
    expect(forbiddenImports(file(path, text))).toEqual([]);
  });

  test('a circle is found with any imports that lead into and out of it', () => {
    const edges = [
      ['in', 'b'],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['c', 'out'],
    ] as const;
    expect(findCycles(edges)).toEqual([['a', 'b', 'c']]);
    expect(findCycles(edges.filter(([from]) => from !== 'c'))).toEqual([]);
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
