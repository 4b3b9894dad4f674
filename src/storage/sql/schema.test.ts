import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { parseSync } from 'oxc-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The interfaces and type aliases of a file of table types. */
interface TypeFile {
  readonly interfaces: ReadonlyMap<
    string,
    { readonly bases: readonly string[]; readonly columns: Map<string, string> }
  >;
  readonly aliases: ReadonlyMap<string, string>;
}

/** The tables of {@link Database}, each with its columns: name → "null" or "not null". */
function readDeclaredTables(): Record<string, Record<string, string>> {
  const files = [
    'schema',
    'access-schema',
    'bulk-job-schema',
    'cluster-schema',
    'quota-schema',
    'product-schema',
    'report-schema',
    'team-schema',
    'webhook-schema',
    'annotation-schema',
  ].map(readTypes);
  const find = (name: string) => {
    for (const file of files) {
      const found = file.interfaces.get(name);
      if (found !== undefined) return { file, found };
    }
    throw new Error(`no interface ${name}`);
  };
  const membersOf = (name: string): [string, string, TypeFile][] => {
    const { file, found } = find(name);
    const own = [...found.columns].map(([column, type]): [string, string, TypeFile] => [column, type, file]);
    return [...found.bases.flatMap(membersOf), ...own];
  };
  return Object.fromEntries(
    membersOf('Database').map(([table, type]) => [
      table,
      Object.fromEntries(
        membersOf(type).map(([column, text, file]) => [column, isNullable(text, file) ? 'null' : 'not null']),
      ),
    ]),
  );
}

/** Whether a column of this type may be read as null: null is in the type itself, or in the first argument of `ColumnType`. */
function isNullable(type: string, file: TypeFile): boolean {
  const alias = file.aliases.get(/^\w+/.exec(type)?.[0] ?? '');
  const whole = alias === undefined ? type : `${alias} ${/^\w+(<.*>)$/s.exec(type)?.[1] ?? ''}`;
  const read = /^(?:ColumnType|Generated)<([^,>]*(?:<[^>]*>)?[^,>]*)/.exec(whole)?.[1] ?? whole;
  return /\bnull\b/.test(read) || (/^ColumnType<T\b/.test(whole) && /\bnull\b/.test(type));
}

function readTypes(name: string): TypeFile {
  const text = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8');
  const textOf = (node: unknown): string => text.slice((node as Node).start, (node as Node).end);
  const interfaces = new Map<string, { bases: string[]; columns: Map<string, string> }>();
  const aliases = new Map<string, string>();
  for (const statement of parseSync(`${name}.ts`, text).program.body as unknown as Node[]) {
    const node = (statement['declaration'] ?? statement) as Node;
    if (node.type === 'TSTypeAliasDeclaration') aliases.set(textOf(node['id']), textOf(node['typeAnnotation']));
    if (node.type !== 'TSInterfaceDeclaration') continue;
    const bases = (node['extends'] as Node[]).map((base) => textOf(base['expression']));
    const members = (node['body'] as Node)['body'] as Node[];
    const columns = members.map((member): [string, string] => [
      textOf(member['key']),
      textOf((member['typeAnnotation'] as Node)['typeAnnotation']),
    ]);
    interfaces.set(textOf(node['id']), { bases, columns: new Map(columns) });
  }
  return { interfaces, aliases };
}

test('the table types list every table and column of the database, nullable where the column is', async () => {
  const { rows } = await sql<{ table_name: string; column_name: string; is_nullable: string }>`
    SELECT table_name, column_name, is_nullable FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely_%' ORDER BY table_name, ordinal_position`.execute(
    database.owner,
  );
  const stored: Record<string, Record<string, string>> = {};
  for (const { table_name: table, column_name: column, is_nullable: nullable } of rows) {
    (stored[table] ??= {})[column] = nullable === 'YES' ? 'null' : 'not null';
  }
  expect(readDeclaredTables()).toEqual(stored);
});
