/** The rules of ARCHITECTURE.md that can be read from the source: who imports whom, no cycles, sizes, and one home for each thing. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCycles, parseImports, readSourceFiles, type SourceFile } from './support/import-graph.ts';

const linesMax = 400;
const folderFilesMax = 25;

/** The allowed imports of a module's files. A listed module includes the modules inside of it; a module may always import itself. */
interface ModuleRule {
  readonly imports: readonly string[] | 'anything';
  /** The only packages that it may import; absent = any. */
  readonly packages?: readonly string[];
  /** It may also import the files `*.schema.ts` of every module. */
  readonly importsSchemas?: true;
  /** Files of other folders of the repository that it may import. */
  readonly files?: readonly string[];
}

/** A folder of the repository with its modules by their paths in it. */
interface Tree {
  readonly root: string;
  readonly modules: Readonly<Record<string, ModuleRule>>;
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
  'delivery/unwrap': { imports: ['domain', 'http', 'delivery/markup'] },
  'delivery/preview': { imports: ['domain', 'http', 'storage', 'delivery/markup'] },
  'delivery/openrtb': { imports: ['domain', 'storage', 'delivery/decision', 'delivery/markup'] },
  'delivery/ad-request': { imports: ['domain', 'storage', 'delivery/decision/index', 'delivery/openrtb'] },
  'delivery/players': {
    imports: ['domain', 'delivery/decision', 'delivery/decision/index', 'delivery/openrtb', 'delivery/ad-request'],
  },
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
  'delivery/insight/forecast-records': {
    imports: [
      'domain',
      'storage',
      'delivery/snapshot',
      'delivery/pacing',
      'delivery/traffic',
      'delivery/insight/forecast',
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
  'runtime/log': { imports: ['domain', 'config'] },
  'runtime/supervisor': { imports: ['domain', 'config', 'http', 'storage', 'runtime/log'] },
  'runtime/hot-store': { imports: ['domain', 'storage', 'events', 'runtime/supervisor'] },
  docs: { imports: ['domain', 'http'], importsSchemas: true },
  demo: { imports: ['domain', 'access', 'storage'] },
  console: { imports: ['domain', 'http', 'storage'] },
  mcp: {
    imports: ['domain'],
    files: [
      'packages/adcp/src/api/seller-context.ts',
      'packages/adcp/src/public-tools.ts',
      'packages/adcp/src/seller-server.ts',
    ],
  },
  cli: {
    imports: 'anything',
    files: [
      'bin/health.mjs',
      'packages/import/src/import-csv.ts',
      'packages/import/src/import-gam.ts',
      'packages/import/src/import-revive.ts',
      'packages/import/src/write-report.ts',
    ],
  },
  'runtime/compose': { imports: 'anything' },
  'main.ts': { imports: 'anything' },
};

const service: Tree = { root: 'src', modules };

/** What every page of the console may import. */
const consoleBase = ['messages', 'reports', 'api', 'ui', 'session', 'format'];

/** The modules of console/src, lowest first. A file of a folder inside of a module belongs to the module unless the table has the folder. */
const consoleModules: Readonly<Record<string, ModuleRule>> = {
  'messages/en': { imports: [], packages: [] },
  'messages/de': { imports: ['messages/en'], packages: [] },
  'messages/pl': { imports: ['messages/en'], packages: [] },
  messages: { imports: ['messages/en', 'messages/de', 'messages/pl'] },
  reports: { imports: ['messages'], packages: [] },
  'api/transport': { imports: ['messages'] },
  'api/account': { imports: ['messages', 'api/transport'] },
  'api/reports': { imports: ['messages', 'reports', 'api/transport'], files: ['sdk/client/src/schema.ts'] },
  'api/bookings': {
    imports: ['messages', 'api/transport', 'api/account'],
    files: ['sdk/client/src/schema.ts'],
  },
  'api/inventory': {
    imports: ['messages', 'api/transport', 'api/reports', 'api/bookings'],
    files: ['sdk/client/src/schema.ts'],
  },
  ui: { imports: ['messages', 'api/transport'] },
  session: { imports: ['messages', 'api', 'ui'] },
  format: { imports: ['messages', 'reports', 'api'] },
  'saved-views': { imports: consoleBase },
  pickers: { imports: consoleBase },
  charts: { imports: consoleBase },
  targeting: { imports: [...consoleBase, 'pickers'] },
  tables: { imports: [...consoleBase, 'pickers'] },
  changes: { imports: [...consoleBase, 'pickers', 'targeting', 'tables'] },
  delivery: { imports: [...consoleBase, 'charts'] },
  team: { imports: consoleBase },
  schedules: { imports: consoleBase },
  lens: { imports: [...consoleBase, 'saved-views', 'charts', 'schedules'] },
  'csv/format': { imports: [...consoleBase, 'targeting'] },
  csv: { imports: [...consoleBase, 'targeting', 'changes', 'csv/format'] },
  booking: { imports: [...consoleBase, 'targeting', 'delivery'] },
  'line-item': {
    imports: [...consoleBase, 'pickers', 'targeting', 'tables', 'changes', 'delivery', 'team', 'booking'],
  },
  order: { imports: [...consoleBase, 'pickers', 'changes', 'delivery', 'line-item'] },
  desk: {
    imports: [
      ...consoleBase,
      'saved-views',
      'pickers',
      'targeting',
      'tables',
      'changes',
      'delivery',
      'team',
      'csv',
      'line-item',
      'order',
    ],
  },
  today: { imports: [...consoleBase, 'tables', 'changes', 'delivery', 'agents'] },
  audience: { imports: [...consoleBase, 'pickers', 'charts', 'tables'] },
  catalog: { imports: [...consoleBase, 'pickers', 'targeting', 'tables', 'changes', 'delivery', 'csv', 'audience'] },
  creative: { imports: [...consoleBase, 'tables', 'changes', 'delivery', 'line-item'] },
  review: { imports: [...consoleBase, 'tables', 'delivery'] },
  agents: { imports: [...consoleBase, 'tables'] },
  studio: { imports: [...consoleBase, 'tables', 'line-item', 'creative'] },
  inspector: { imports: [...consoleBase, 'pickers', 'targeting', 'delivery'] },
  inventory: { imports: [...consoleBase, 'pickers', 'targeting', 'delivery', 'inspector'] },
  integrate: { imports: [...consoleBase, 'pickers'] },
  activity: { imports: [...consoleBase, 'changes'] },
  settings: { imports: [...consoleBase, 'pickers', 'activity'] },
  webhooks: { imports: [...consoleBase, 'activity'] },
  'sign-in': { imports: consoleBase },
  dashboards: {
    imports: [
      ...consoleBase,
      'saved-views',
      'pickers',
      'tables',
      'changes',
      'delivery',
      'lens',
      'line-item',
      'desk',
      'today',
    ],
  },
  app: { imports: 'anything' },
  'main.tsx': { imports: 'anything' },
};

const consoleTree: Tree = { root: 'console/src', modules: consoleModules };

/** The innermost module of a file; null where the table has none. */
function moduleOf(path: string, { root, modules: known }: Tree = service): string | null {
  const parts = path.slice(root.length + 1).split('/');
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('/');
    if (name in known) return name;
  }
  return null;
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\.setup\.ts$|-contract\.ts$|-arbitraries\.ts$|\/fixtures\//.test(path);
}

function isInside(module: string, outer: string): boolean {
  return module === outer || module.startsWith(`${outer}/`);
}

function forbiddenImports({ path, imports }: SourceFile, tree: Tree = service): string[] {
  const module = moduleOf(path, tree);
  const rule = module === null ? undefined : tree.modules[module];
  if (module === null || rule === undefined) return [`${path}: its folder is not in the table of modules`];
  return imports.flatMap(({ specifier, target }) => {
    const isAllowed =
      target === null
        ? rule.packages === undefined || rule.packages.includes(specifier)
        : rule.files?.includes(target) === true ||
          (target.startsWith(`${tree.root}/`) && !isTest(target) && mayImport(module, target, tree));
    return isAllowed ? [] : [`${path}: ${module} imports ${target ?? specifier}`];
  });
}

function mayImport(module: string, target: string, tree: Tree): boolean {
  const rule = tree.modules[module];
  const imported = moduleOf(target, tree);
  if (rule === undefined || imported === null) return false;
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

function listEdges(files: readonly SourceFile[], root: string): [from: string, to: string][] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }): [string, string][] =>
      target === null || !target.startsWith(`${root}/`) ? [] : [[path, target]],
    ),
  );
}

/** The rows of a table of modules in ARCHITECTURE.md, as `module: what it may import`. */
function readShownTable(tree: Tree): string[] {
  const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
  const [service = '', console = ''] = page.split('### The console');
  const part = tree.root === 'src' ? service : console;
  const shown = [...part.matchAll(/^\| (`[^|]*?`) \| [^|]* \| ([^|]*) \|$/gm)].flatMap(([, names = '', imports]) =>
    [...names.matchAll(/`(?<name>[^`]+?)\/?`/g)].map(({ groups }) => `${groups?.['name']}: ${imports}`),
  );
  return shown.filter((row) => (row.split(':')[0] ?? '') in tree.modules).sort();
}

/** How ARCHITECTURE.md writes what a module may import. */
function writeImports(module: string, { imports, importsSchemas, files = [] }: ModuleRule): string {
  if (imports === 'anything') return imports;
  const inner = (name: string): string => name.replace(/^delivery\//, module.startsWith('delivery/') ? '' : '$&');
  const isPage = consoleBase.every((name) => imports.includes(name));
  const listed = isPage ? ['base', ...imports.filter((name) => !consoleBase.includes(name))] : imports.map(inner);
  const names = [...listed, ...files.map((file) => `\`${file}\``)];
  const text = names.length === 0 ? 'nothing' : names.join(', ');
  return importsSchemas === true ? `${text}, and \`*.schema.ts\` of any module` : text;
}

const sources = readSourceFiles('src');
const production = sources.filter((file) => !isTest(file.path));

/** Folders of code whose files and folders never import in a circle. */
const codeRoots = ['src', 'console/src', 'packages/adcp/src', 'packages/import/src', 'sdk', 'bench', 'scripts'];
const code = codeRoots.flatMap((root) => readSourceFiles(root));

/**
 * Folders with more files than a folder may have, and how many they have. A number may only fall. In src, tests do not count: they sit beside the code.
 * Migrations are left out: each is a file for ever.
 */
const crowdedFolders: Readonly<Record<string, number>> = {
  'src/cli': 36,
  'src/delivery/decision/index': 35,
  'src/management/kernel': 50,
  'src/runtime/compose': 34,
  'src/runtime/supervisor': 30,
  'src/storage/hot': 28,
};

describe('imports', () => {
  test.each([service, consoleTree])(
    'a module of $root imports only the modules that the table allows, and production imports no test code',
    (tree) => {
      const files = readSourceFiles(tree.root).filter(({ path }) => !isTest(path));
      expect(files.flatMap((file) => forbiddenImports(file, tree))).toEqual([]);
    },
  );

  test.each([service, consoleTree])('ARCHITECTURE.md shows the table of the modules of $root', (tree) => {
    const table = Object.entries(tree.modules).map(([name, rule]) => `${name}: ${writeImports(name, rule)}`);
    expect(readShownTable(tree)).toEqual(table.sort());
  });

  test.each([
    ['packages/adcp/src', /^(?:node:|(?:@modelcontextprotocol\/server|zod)$)/],
    ['packages/import/src', /^(?:node:|(?:hucre\/xlsx|mysql2|papaparse|zod)$)/],
  ])('%s uses the public API alone: it imports its own files, Node.js and a few libraries', (folder, allowed) => {
    const own = readSourceFiles(folder).filter(({ path }) => !isTest(path));
    const foreign = own.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, target }) =>
          target === null ? !allowed.test(specifier) : !target.startsWith(`${folder}/`),
        )
        .map(({ specifier }) => `${path}: ${specifier}`),
    );
    expect(foreign).toEqual([]);
  });

  test('two files of src import the packages: a command and the address of the seller', () => {
    const users = production.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target?.startsWith('packages/') === true)
        .map(({ target }) => `${path}: ${target}`),
    );
    expect(users).toEqual([
      'src/cli/import.ts: packages/import/src/import-csv.ts',
      'src/cli/import.ts: packages/import/src/import-revive.ts',
      'src/cli/import.ts: packages/import/src/import-gam.ts',
      'src/cli/import.ts: packages/import/src/write-report.ts',
      'src/mcp/adcp.routes.ts: packages/adcp/src/public-tools.ts',
      'src/mcp/adcp.routes.ts: packages/adcp/src/api/seller-context.ts',
      'src/mcp/adcp.routes.ts: packages/adcp/src/seller-server.ts',
    ]);
  });

  test.each(codeRoots)('files of %s never import each other in a circle, not even for types', (root) => {
    const files = readSourceFiles(root).filter(({ path }) => !isTest(path));
    expect(findCycles(listEdges(files, root))).toEqual([]);
  });

  test.each(codeRoots)('folders of %s never import each other in a circle, not even for types', (root) => {
    const files = readSourceFiles(root).filter(({ path }) => !isTest(path));
    const edges = listEdges(files, root).map(([from, to]) => [dirname(from), dirname(to)] as const);
    expect(findCycles(edges.filter(([from, to]) => from !== to))).toEqual([]);
  });

  test('relative imports name an existing file with its extension', () => {
    const files = new Set(code.map(({ path }) => path));
    const broken = code.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target !== null && /^(?:src|console\/src)\//.test(target) && /\.tsx?$/.test(target))
        .filter(({ target }) => target !== null && !files.has(target))
        .map(({ specifier }) => `${path}: ${specifier}`),
    );
    const bare = code.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, target }) => target !== null && !/\.(?:ts|tsx|mjs|js|json|css)$/.test(specifier))
        .map(({ specifier }) => `${path}: ${specifier}`),
    );
    expect([...broken, ...bare]).toEqual([]);
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

  test(`no folder has more than ${folderFilesMax} files of TypeScript directly in it`, () => {
    const counted = [...code, ...readSourceFiles('test')].filter(
      ({ path }) => !path.startsWith('src/') || !isTest(path),
    );
    const crowded = [...Map.groupBy(counted, ({ path }) => dirname(path))].flatMap(([folder, files]) => {
      if (folder === 'src/storage/sql/migrations' || files.length <= folderFilesMax) return [];
      return [[folder, files.length] as const];
    });
    expect(Object.fromEntries(crowded)).toEqual(crowdedFolders);
  });

  test('no file has a meaningless name (utils, helpers, common, manager, index)', () => {
    const vague = code.filter((file) =>
      /[/.-](?:utils?|helpers?|common|manager)(?:[.-][a-z]+)*\.tsx?$|\/index\.tsx?$/.test(file.path),
    );
    expect(vague.map((file) => file.path)).toEqual([]);
  });

  test('no file exports everything that another one exports', () => {
    const barrels = code.map((file) => (isTest(file.path) ? null : findLine(file, /\bexport\s+\*\s+from\b/)));
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
    ['a table may not import a page', 'console/src/tables/a.ts', "import { x } from '../desk/b.ts';"],
    ['requests may not import components', 'console/src/api/bookings/a.ts', "import { x } from '../../ui/b.tsx';"],
    ['a later part counts', 'console/src/ui/a.ts', "const m = () => import('../desk/b.tsx');"],
    [
      'the console may not import the service',
      'console/src/format/a.ts',
      "import { x } from '../../../src/domain/b.ts';",
    ],
    ['texts may not import a package', 'console/src/messages/en/a.ts', "import { x } from 'react';"],
    ['an unknown folder is refused', 'console/src/other/a.ts', 'export const x = 1;'],
  ])('the check finds a forbidden import of the console: %s', (_title, path, text) => {
    expect(forbiddenImports(file(path, text), consoleTree)).toHaveLength(1);
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
