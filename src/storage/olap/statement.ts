/** A statement that cannot be understood; `code` is ClickHouse's. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A piece of a statement: a word, a quoted text or name, or one sign. Comments and spaces are left out. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of parentheses, brackets and braces. */
  readonly depth: number;
}

const TOKEN =
  /\s+|--[^\n]*|#[! ][^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`\\]|\\[\s\S]|``)*`|\$(\w*)\$[\s\S]*?\$\1\$|[\p{L}\p{N}_]+|[\s\S]/uy;
const OPENING = '([{';
const CLOSING = ')]}';
const syntaxError = 62;
const badArguments = 36;
const unknownParameter = 456;

/** Cuts a statement into tokens. Linear; throws `StatementError` for a quote or comment that does not end. */
function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  TOKEN.lastIndex = 0;
  for (let start = 0; start < sql.length; start = TOKEN.lastIndex) {
    const text = TOKEN.exec(sql)?.[0];
    if (text === undefined) break;
    const isSilent = /^(?:\s|--|#[! ]|\/\*)/.test(text);
    if (text.length === 1 && `'"\``.includes(text))
      throw new StatementError(syntaxError, `the quote at ${start} does not end`);
    if (isSilent) continue;
    if (text.length === 1 && CLOSING.includes(text)) depth -= 1;
    tokens.push({ text, start, end: start + text.length, depth });
    if (text.length === 1 && OPENING.includes(text)) depth += 1;
  }
  return tokens;
}

/** How a statement is to be run. */
export type StatementKind = 'read' | 'show' | 'insert' | 'kill' | 'command';

const KINDS: Readonly<Record<string, StatementKind>> = {
  SELECT: 'read',
  WITH: 'read',
  '(': 'read',
  SHOW: 'show',
  DESC: 'show',
  DESCRIBE: 'show',
  EXISTS: 'show',
  EXPLAIN: 'show',
  INSERT: 'insert',
  KILL: 'kill',
};

/** By its first word. */
export function classifyStatement(sql: string): StatementKind {
  const first = tokenize(sql)[0]?.text.toUpperCase() ?? '';
  return KINDS[first] ?? 'command';
}

/**
 * Puts the values of `{name:Type}` placeholders into the statement, each as a quoted literal cast to its type.
 * @param params by name, in the form that ClickHouse's HTTP interface has them (`param_name`): scalars escaped as in
 *   TabSeparated, arrays as `['a',1]`
 * @throws StatementError for a placeholder without a value
 */
export function bindParams(sql: string, params: ReadonlyMap<string, string>): string {
  if (!sql.includes('{')) return sql;
  let bound = '';
  let from = 0;
  const tokens = tokenize(sql);
  for (let at = 0; at < tokens.length; at += 1) {
    const [open, name, colon] = [tokens[at], tokens[at + 1], tokens[at + 2]];
    if (open?.text !== '{' || colon?.text !== ':' || name === undefined || !/^\w+$/.test(name.text)) continue;
    const close = tokens.slice(at + 3, at + 40).find((token) => token.text === '}');
    if (close === undefined) throw new StatementError(syntaxError, `the placeholder {${name.text} does not end`);
    const value = params.get(name.text);
    if (value === undefined) {
      throw new StatementError(unknownParameter, `Substitution \`${name.text}\` is not set`);
    }
    const type = sql.slice(colon.end, close.start).trim();
    bound += sql.slice(from, open.start) + writeLiteral(value, type);
    from = close.end;
    at = tokens.indexOf(close, at);
  }
  return bound + sql.slice(from);
}

function writeLiteral(value: string, type: string): string {
  if (type === 'Identifier') return `\`${unescapeTsv(value).replaceAll(/[\\`]/g, '\\$&')}\``;
  if (value === '\\N') return 'NULL';
  if (/^(?:Array|Map|Tuple)\s*\(/i.test(type)) return `CAST(${quote(value)} AS ${type})`;
  const plain = unescapeTsv(value);
  if (type === 'String') return quote(plain);
  return `CAST(${quote(plain)} AS ${type})`;
}

/** A text literal. Only `\` and `'` could end it; the rest is escaped to keep statements on one readable line. */
export function quote(text: string): string {
  const escaped = text
    .replaceAll(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `'${escaped.replaceAll('\0', '\\0')}'`;
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', '0': '\0' };

function unescapeTsv(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_all, sign: string) => TSV_ESCAPES[sign] ?? sign);
}

/** Where a top-level clause word stands, looked for from the end. */
function findClause(tokens: readonly Token[], word: string): number {
  return tokens.findLastIndex((token) => token.depth === 0 && token.text.toUpperCase() === word);
}

/** The output format that the statement itself names, with its word. */
export function readFormat(sql: string): string | null {
  const tokens = tokenize(sql);
  const at = findClause(tokens, 'FORMAT');
  const name = tokens[at + 1];
  if (at < 1 || name === undefined || !/^\w+$/.test(name.text)) return null;
  const rest = tokens.slice(at + 2).filter((token) => token.text !== ';');
  return rest.length === 0 || rest[0]?.text.toUpperCase() === 'SETTINGS' ? name.text : null;
}

/** Adds settings to the statement's own SETTINGS clause, or makes one in front of FORMAT. What the statement says itself wins. */
export function addSettings(sql: string, settings: ReadonlyMap<string, string>): string {
  if (settings.size === 0) return sql;
  const text = [...settings].map(([name, value]) => `${checkName(name)} = ${quote(value)}`).join(', ');
  const tokens = tokenize(sql);
  const own = tokens[findClause(tokens, 'SETTINGS')];
  if (own !== undefined) return `${sql.slice(0, own.end)} ${text}, ${sql.slice(own.end)}`;
  const format = readFormat(sql) === null ? undefined : tokens[findClause(tokens, 'FORMAT')];
  if (format !== undefined) return `${sql.slice(0, format.start)}SETTINGS ${text} ${sql.slice(format.start)}`;
  const last = tokens.at(-1);
  const end = last?.text === ';' ? last.start : sql.length;
  return `${sql.slice(0, end)}\nSETTINGS ${text}`;
}

function checkName(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,127}$/i.test(name))
    throw new StatementError(badArguments, `"${name}" is not a name of a setting`);
  return name;
}

/** An `INSERT INTO t (a, b) SETTINGS … FORMAT X` whose rows come apart from it. */
export interface InsertStatement {
  readonly table: string;
  readonly columns: readonly string[] | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly format: string;
}

/** Reads an insert that ends with `FORMAT name`; null for any other (`VALUES`, `SELECT`). */
export function readInsert(sql: string): InsertStatement | null {
  const tokens = tokenize(sql).filter((token) => token.text !== ';');
  const format = readFormat(sql);
  const formatAt = findClause(tokens, 'FORMAT');
  if (format === null || findClause(tokens, 'SELECT') !== -1 || findClause(tokens, 'VALUES') !== -1) return null;
  let at = tokens[1]?.text.toUpperCase() === 'INTO' ? 2 : 1;
  if (tokens[at]?.text.toUpperCase() === 'TABLE') at += 1;
  let table = unquoteName(tokens[at]);
  at += 1;
  if (tokens[at]?.text === '.') {
    table += `.${unquoteName(tokens[at + 1])}`;
    at += 2;
  }
  const columns: string[] = [];
  const hasColumns = tokens[at]?.text === '(';
  if (hasColumns) {
    for (at += 1; at < formatAt && tokens[at]?.text !== ')'; at += 1) {
      if (tokens[at]?.text !== ',') columns.push(unquoteName(tokens[at]));
    }
  }
  const settingsAt = findClause(tokens, 'SETTINGS');
  return { table, columns: hasColumns ? columns : null, settings: readSettings(tokens, settingsAt), format };
}

function unquoteName(token: Token | undefined): string {
  const name = token === undefined ? '' : token.text.replace(/^(["`])(.*)\1$/s, '$2');
  if (!/^\w+$/.test(name))
    throw new StatementError(syntaxError, `"${token?.text ?? ''}" is not a plain name of a table or column`);
  return name;
}

function readSettings(tokens: readonly Token[], settingsAt: number): Record<string, string> {
  const settings: Record<string, string> = {};
  if (settingsAt === -1) return settings;
  for (let at = settingsAt + 1; tokens[at + 1]?.text === '='; at += 4) {
    const name = tokens[at]?.text ?? '';
    const value = tokens[at + 2]?.text ?? '';
    settings[checkName(name)] ??= value.startsWith("'") ? unescapeTsv(value.slice(1, -1)) : value;
  }
  return settings;
}
