import type { BulkRow, DeliveryStatus } from '../api/desk-list.ts';
import { DELIVERY_STATUSES } from '../api/desk-list.ts';
import { decimalOf } from '../booking/booking-draft.ts';
import { csvLine } from '../lens/csv.ts';
import { say } from '../messages/say.ts';
import type { BulkChange, BulkPlan } from './bulk-plan.ts';

/** Columns of the file, in their order; those after `id` and `version` can be changed in a spreadsheet. */
const COLUMNS = [
  'id',
  'version',
  'name',
  'status',
  'starts_at',
  'ends_at',
  'price',
  'pricing_model',
  'goal',
  'goal_kind',
  'goal_period',
  'labels',
] as const;
type Column = (typeof COLUMNS)[number];

/** The most rows of a file that is read. */
export const CSV_ROWS_MAX = 10_000;
const LABEL_SEPARATOR = '|';

/** Line items as a file that {@link readCsv} reads again. */
export function writeCsv(rows: readonly BulkRow[]): string[] {
  return [csvLine(COLUMNS), ...rows.map((row) => csvLine(COLUMNS.map((column) => textOf(row, column))))];
}

function textOf(row: BulkRow, column: Column): string {
  const texts: Readonly<Record<Column, string>> = {
    id: row.id,
    version: String(row.version),
    name: row.name,
    status: row.status,
    starts_at: row.startsAt ?? '',
    ends_at: row.endsAt ?? '',
    price: row.price,
    pricing_model: row.pricingModel,
    goal: row.goal === null ? '' : String(row.goal.amount),
    goal_kind: row.goal?.kind ?? '',
    goal_period: row.goal?.period ?? '',
    labels: row.labels.join(LABEL_SEPARATOR),
  };
  return texts[column];
}

/** One line of a file: the texts of the columns that it has. */
export type CsvRow = Readonly<Partial<Record<Column, string>>>;

/** What is wrong with a file as a whole: the name of its message. */
export type CsvFault = 'csv.no_id' | 'csv.no_rows' | 'csv.too_many';

/** Reads a file with a heading line. Unknown columns are left out. */
export function readCsv(text: string): readonly CsvRow[] | CsvFault {
  const [heading = [], ...lines] = parseCsv(text.replace(/^\uFEFF/, ''));
  const names = heading.map((name) => name.trim().toLowerCase());
  if (!names.includes('id')) return 'csv.no_id';
  const rows = lines
    .filter((fields) => fields.some((field) => field !== ''))
    .map((fields) =>
      Object.fromEntries(
        names.flatMap((name, at) => (isColumn(name) ? [[name, plain(fields[at] ?? '')] as const] : [])),
      ),
    );
  if (rows.length === 0) return 'csv.no_rows';
  return rows.length > CSV_ROWS_MAX ? 'csv.too_many' : rows;
}

function isColumn(name: string): name is Column {
  return (COLUMNS as readonly string[]).includes(name);
}

/** Takes off the apostrophe that keeps a spreadsheet from running a text. */
function plain(text: string): string {
  return /^'[=+\-@\t\r＝＋－＠]/.test(text) ? text.slice(1) : text;
}

/** The fields of each line (RFC 4180); a semicolon separates where the heading has no comma. */
export function parseCsv(text: string): string[][] {
  const separator = (text.split('\n', 1)[0] ?? '').includes(',') ? ',' : ';';
  const lines: string[][] = [];
  let fields: string[] = [];
  let field = '';
  let isQuoted = false;
  const endField = (): void => {
    fields.push(field);
    field = '';
  };
  const endLine = (): void => {
    endField();
    lines.push(fields);
    fields = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === separator) endField();
    else if (character === '\n') endLine();
    else if (character !== '\r') field += character;
  }
  if (field !== '' || fields.length > 0) endLine();
  return lines;
}

/** What a file changes: only cells that differ from what the line item is now. */
export function planCsv(lines: readonly CsvRow[], known: ReadonlyMap<string, BulkRow>): BulkPlan {
  const changes = lines.flatMap((line) => changeOf(line, known.get(line.id ?? '')) ?? []);
  const changed = new Set(changes.map(({ id }) => id));
  return {
    title: say('csv.title', { count: changes.length }),
    verb: say('bulk.apply', { count: changes.length }),
    done: (count) => say('bulk.done', { count }),
    changes,
    staying: lines
      .filter(({ id = '' }) => !changed.has(id))
      .map(({ id = '', name }) => known.get(id)?.name ?? say('csv.unknown', { id: name ?? id })),
  };
}

function changeOf(line: CsvRow, row: BulkRow | undefined): BulkChange | null {
  if (row === undefined) return null;
  const parts = FIELDS.flatMap((read) => read(line, row) ?? []);
  if (parts.length === 0) return null;
  const version = Number(line.version ?? '');
  return {
    id: row.id,
    name: row.name,
    // The version of the file: what somebody else changed since is not overwritten.
    version: Number.isSafeInteger(version) && version > 0 ? version : row.version,
    before: parts.map(({ before }) => before).join('; '),
    after: parts.map(({ after }) => after).join('; '),
    input: Object.assign({}, ...parts.map(({ input }) => input)) as Record<string, unknown>,
    undo: Object.assign({}, ...parts.map(({ undo }) => undo)) as Record<string, unknown>,
  };
}

type Part = Pick<BulkChange, 'before' | 'after' | 'input' | 'undo'>;
type CellParser = (line: CsvRow, row: BulkRow) => Part | null;

/** A field whose text in the file is another one than it is now. @param input what the API gets */
function part(
  [line, row]: readonly [CsvRow, BulkRow],
  column: Column,
  input: (text: string) => object,
  undo: object,
): Part | null {
  const text = line[column]?.trim();
  const before = textOf(row, column);
  if (text === undefined || text === before) return null;
  const none = say('value.none');
  return {
    before: before === '' ? none : before,
    after: text === '' ? none : text,
    input: input(text) as Record<string, unknown>,
    undo: undo as Record<string, unknown>,
  };
}

/** Texts that the API refuses go to it as they are: it says what is wrong with them. */
const FIELDS: readonly CellParser[] = [
  (line, row) => part([line, row], 'name', (name) => ({ name }), { name: row.name }),
  (line, row) => {
    const status = statusOf(line.status);
    return status === null
      ? null
      : part([{ ...line, status }, row], 'status', () => ({ status }), { status: row.status });
  },
  (line, row) => part([line, row], 'starts_at', (at) => ({ startsAt: instant(at) }), { startsAt: row.startsAt }),
  (line, row) => part([line, row], 'ends_at', (at) => ({ endsAt: instant(at) }), { endsAt: row.endsAt }),
  (line, row) =>
    Number(line.price) === Number(row.price)
      ? null
      : part([line, row], 'price', (price) => ({ price: decimalOf(price) ?? row.price }), { price: row.price }),
  (line, row) =>
    row.goal === null
      ? null
      : part([line, row], 'goal', (amount) => ({ goal: { ...row.goal, amount: Number(amount) } }), { goal: row.goal }),
  (line, row) =>
    part(
      [line, row],
      'labels',
      (text) => ({
        labels: text
          .split(LABEL_SEPARATOR)
          .map((one) => one.trim())
          .filter((one) => one !== ''),
      }),
      {
        labels: row.labels,
      },
    ),
];

function statusOf(text: string | undefined): DeliveryStatus | null {
  return DELIVERY_STATUSES.find((one) => one === text?.trim().toUpperCase()) ?? null;
}

function instant(text: string): string | null {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
