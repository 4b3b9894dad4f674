import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { ImportError } from '../plan/import-error.ts';
import { type ReviveRow, type ReviveSource, type ReviveTable, wantedTable } from './revive-tables.ts';

/** Longest statement that is read: the default of `max_allowed_packet` of a dump is 16 MiB. */
const STATEMENT_BYTES_MAX = 64 * 1_024 * 1_024;
/** Most bytes of a dump, unpacked. */
const DUMP_BYTES_MAX = 64 * 1_024 ** 3;
/** Most time for a dump. */
const DUMP_MS_MAX = 2 * 3_600_000;

/** Reads the rows of a dump of mysqldump or mariadb-dump, plain or `.gz`, statement by statement. @throws ImportError */
export async function* readDump(path: string, prefix: string): ReviveSource {
  const file = createReadStream(path);
  const bytes = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => bytes.destroy(error));
  const columns = new Map<ReviveTable, readonly string[]>();
  const endMs = Date.now() + DUMP_MS_MAX;
  for await (const statement of splitStatements(bytes as AsyncIterable<Buffer>, endMs)) {
    const created = /^CREATE TABLE (?:IF NOT EXISTS )?`([^`]+)`/i.exec(statement);
    if (created !== null) {
      const table = wantedTable(created[1] ?? '', prefix);
      if (table !== null) columns.set(table, columnsOf(statement));
      continue;
    }
    const inserted = /^(?:INSERT|REPLACE)(?: IGNORE)? INTO `([^`]+)`\s*(\(([^)]*)\)\s*)?VALUES\s*/i.exec(statement);
    const table = inserted === null ? null : wantedTable(inserted[1] ?? '', prefix);
    if (inserted === null || table === null) continue;
    const named = inserted[3]?.split(',').map((name) => name.trim().replaceAll('`', ''));
    const names = named ?? columns.get(table);
    if (names === undefined) throw new ImportError(`The dump has rows of ${table} before its CREATE TABLE.`);
    for (const values of readTuples(statement, inserted[0].length)) {
      if (values.length !== names.length)
        throw new ImportError(`A row of ${table} has ${values.length} values for ${names.length} columns.`);
      yield { table, row: rowOf(names, values) };
    }
  }
}

function rowOf(names: readonly string[], values: readonly (string | null)[]): ReviveRow {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
}

/** Lines of columns begin with their name in backquotes; keys do not. */
function columnsOf(statement: string): string[] {
  return [...statement.matchAll(/^\s*`([^`]+)`\s+\w/gm)].map((found) => found[1] ?? '');
}

/** The statements of a dump as latin1 text, so that bytes of pictures stay as they are; texts are decoded one by one. */
async function* splitStatements(bytes: AsyncIterable<Buffer>, endMs: number): AsyncGenerator<string> {
  let rest = '';
  let scanned = 0;
  let quote = '';
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > DUMP_BYTES_MAX) throw new ImportError('The dump has more than 64 GiB.');
    if (Date.now() > endMs) throw new ImportError('The dump takes more than two hours.');
    rest += chunk.toString('latin1');
    for (;;) {
      const end = findEnd(rest, scanned, quote);
      if (end.at === null) {
        ({ scanned, quote } = end);
        break;
      }
      const statement = withoutComments(rest.slice(0, end.at));
      rest = rest.slice(end.at + 1);
      scanned = 0;
      quote = '';
      if (statement !== '') yield statement;
    }
    if (rest.length > STATEMENT_BYTES_MAX) throw new ImportError('A statement of the dump has more than 64 MiB.');
  }
}

interface End {
  /** Where the statement ends; null: not in this text. */
  readonly at: number | null;
  readonly scanned: number;
  readonly quote: string;
}

/** The next semicolon outside of quotes and comments of one line. */
function findEnd(text: string, from: number, open: string): End {
  const special = /['"`;\\\n]|--[ \t]|#/g;
  let quote = open;
  special.lastIndex = from;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const [mark] = found;
    if (mark === '\\') special.lastIndex += quote === '`' || quote === '' ? 0 : 1;
    else if (quote !== '') quote = mark === quote ? '' : quote;
    else if (mark === ';') return { at: found.index, scanned: 0, quote: '' };
    else if (mark === '#' || mark.startsWith('--')) {
      const line = text.indexOf('\n', found.index);
      if (line === -1) return { at: null, scanned: found.index, quote };
      special.lastIndex = line;
    } else if (mark !== '\n') quote = mark;
  }
  // A mark may be cut off at the end: a backslash, or a dash.
  const isCut = /[\\-]$/.test(text);
  return { at: null, scanned: isCut && quote === '' ? text.length - 1 : cutAt(text, quote), quote };
}

/** Where scanning goes on: before a run of backslashes at the end, whose meaning the next bytes decide. */
function cutAt(text: string, quote: string): number {
  if (quote === '' || quote === '`') return text.length;
  const run = /\\+$/.exec(text)?.[0].length ?? 0;
  return text.length - (run % 2);
}

function withoutComments(statement: string): string {
  return statement.replace(/^(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '').trimEnd();
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', b: '\b', Z: '\x1a' };

/** The values of `(…),(…)` from a position on. @throws ImportError */
export function* readTuples(text: string, from: number): Generator<(string | null)[]> {
  const token =
    /\s*(?:(\()|(\))|(,)|(?:_binary\s+)?'((?:[^'\\]|\\[\s\S]|'')*)'|(NULL)|0x([0-9a-fA-F]*)|(-?[0-9.]+(?:e[-+]?\d+)?))/iy;
  token.lastIndex = from;
  let values: (string | null)[] | null = null;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (found === null) throw new ImportError('The dump has a row that cannot be read.');
    const [, opens, closes, comma, quoted, isNull, hex, number] = found;
    if (opens !== undefined) values = [];
    else if (closes !== undefined) {
      if (values !== null) yield values;
      values = null;
    } else if (comma === undefined && values !== null) {
      if (quoted !== undefined) values.push(unquote(quoted));
      else if (isNull !== undefined) values.push(null);
      else values.push(hex === undefined ? (number ?? '') : Buffer.from(hex, 'hex').toString('latin1'));
    }
    if (/^\s*$/.test(text.slice(token.lastIndex, token.lastIndex + 64)) && text.length - token.lastIndex < 64) return;
  }
}

function unquote(quoted: string): string {
  return quoted.replace(/\\([\s\S])|''/g, (_all, mark: string | undefined) =>
    mark === undefined ? "'" : (ESCAPED[mark] ?? mark),
  );
}
