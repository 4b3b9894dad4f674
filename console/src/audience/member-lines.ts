/** Longest id that the server takes, in characters. */
const ID_CHARS_MAX = 200;
/** Refused lines that are named; the others are counted. */
const REFUSED_NAMED_MAX = 20;
const USUAL_HEADER = /^"?(id|lu|aid|user_?id)"?$/i;

/** Why a line is refused. */
export type RefusedReason = 'empty' | 'too_long' | 'no_column';

/** The ids of a file, and the lines that have none. */
export interface MemberLines {
  readonly ids: readonly string[];
  /** Lines from 1, as an editor counts them; at most 20. */
  readonly refused: readonly { readonly line: number; readonly reason: RefusedReason }[];
  readonly refusedCount: number;
}

/** The columns of a file: names of its header, or numbers where it has none. */
export interface FileColumns {
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  /** The column that most likely holds the ids. */
  readonly likely: number;
}

/** Reads the columns of the first line. A file with one column has a header only where that is a usual one. */
export function readColumns(text: string): FileColumns {
  const cells = splitLine(text.slice(0, 10_000).split(/\r?\n/, 1)[0] ?? '');
  const likely = cells.findIndex((cell) => USUAL_HEADER.test(cell));
  const hasHeader = likely >= 0;
  return {
    names: cells.map((cell, at) => (hasHeader && cell !== '' ? cell : String(at + 1))),
    hasHeader,
    likely: Math.max(0, likely),
  };
}

/** The ids in one column. Empty lines are passed over; a line without an id in that column is refused. */
export function readMemberLines(text: string, column: number, hasHeader: boolean): MemberLines {
  const ids: string[] = [];
  const refused: { line: number; reason: RefusedReason }[] = [];
  let refusedCount = 0;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || (hasHeader && at === 0)) continue;
    const id = splitLine(line)[column];
    const reason = reasonOf(id);
    if (reason === null) {
      ids.push(id ?? '');
      continue;
    }
    refusedCount += 1;
    if (refused.length < REFUSED_NAMED_MAX) refused.push({ line: at + 1, reason });
  }
  return { ids, refused, refusedCount };
}

/** The body of an upload: one JSON object a line, so that no id is misread. */
export function toUploadBody(ids: readonly string[]): string {
  return ids.map((id) => JSON.stringify({ id })).join('\n');
}

function reasonOf(id: string | undefined): RefusedReason | null {
  if (id === undefined) return 'no_column';
  if (id === '') return 'empty';
  return id.length > ID_CHARS_MAX ? 'too_long' : null;
}

/** Cells of a CSV line with commas, semicolons or tabs; quotes may hold them. */
function splitLine(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain = ''] of line.matchAll(/(?:^|[,;\t])(?:\s*"((?:[^"]|"")*)"\s*|([^,;\t]*))/g))
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
  return cells;
}
