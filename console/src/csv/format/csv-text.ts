import Papa from 'papaparse';

/** The most rows of a file that is read. */
export const CSV_ROWS_MAX = 10_000;
/** Files above this many bytes are not read. */
export const CSV_BYTES_MAX = 50_000_000;

const BOM = '\uFEFF';
/** Separators, the one that wins a tie first. */
const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** A file as lines of cells. */
export interface CsvTable {
  readonly separator: Separator;
  readonly heading: readonly string[];
  readonly rows: readonly CsvLine[];
}

/** One line of a file. */
export interface CsvLine {
  /** As a spreadsheet counts: the heading is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** What is wrong with a file as a whole: the end of its message's name, and what the message says. */
export interface CsvFault {
  readonly fault: 'not_utf8' | 'too_large' | 'no_rows' | 'too_many' | 'quote' | 'twice' | 'no_columns';
  readonly what: string;
}

/** The text of a file. UTF-8 only, so that no name is ever stored with broken letters. */
export async function readText(file: Blob): Promise<string | CsvFault> {
  if (file.size > CSV_BYTES_MAX) return { fault: 'too_large', what: '' };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return { fault: 'not_utf8', what: '' };
  }
}

/** Reads a text with a heading line (RFC 4180); commas, semicolons or tabs separate. Line breaks in cells become `\n`. */
export function readTable(text: string): CsvTable | CsvFault {
  const plain = text.replaceAll(/\r\n?/g, '\n');
  const separator = separatorOf(plain.split('\n', 1)[0] ?? '');
  const { data, errors } = Papa.parse<string[]>(plain, { delimiter: separator, newline: '\n' });
  const unquoted = errors.find(({ type }) => type === 'Quotes');
  if (unquoted !== undefined) return { fault: 'quote', what: String((unquoted.row ?? 0) + 1) };
  const [first = [], ...lines] = data;
  const heading = first.map((name) => name.trim().toLowerCase());
  const twice = heading.find((name, at) => name !== '' && heading.indexOf(name) !== at);
  if (twice !== undefined) return { fault: 'twice', what: twice };
  const rows = lines
    .map((cells, at) => ({ line: at + 2, cells: cells.map(withoutGuard) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (rows.length === 0) return { fault: 'no_rows', what: '' };
  return rows.length > CSV_ROWS_MAX ? { fault: 'too_many', what: '' } : { separator, heading, rows };
}

/** The one that the heading has most of. */
function separatorOf(heading: string): Separator {
  const count = (one: string): number => heading.split(one).length;
  return SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** A text that a spreadsheet would run as a formula, and one that looks as if it had been guarded from that. */
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

function withGuard(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function withoutGuard(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}

/** The pieces of a file that {@link readTable} reads again as it was. The mark at its start tells spreadsheets that it is UTF-8. */
export function writeTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  separator: Separator = ',',
): string[] {
  const lines = [heading, ...rows].map((cells) => cells.map(withGuard));
  return [BOM, Papa.unparse(lines, { delimiter: separator, newline: '\r\n' }), '\r\n'];
}
