/** A value as the Reports API gives it: numbers are texts. */
export type CellValue = string | boolean | null;
/** A row by member name; the key of a time bucket is `<member>.<granularity>`. */
export type ReportRow = Readonly<Record<string, CellValue>>;

/** One result of the Reports API. */
export interface ReportResult {
  readonly rows: readonly ReportRow[];
  /** How many rows there are without the limit. */
  readonly total: number;
  /** ISO 8601: data up to here is in. */
  readonly asOf: string | null;
  /** ISO 8601: every event that came in before is counted; null: not known. */
  readonly completeUntil: string | null;
}

/** The compact form: member names once, then values. */
export interface CompactData {
  readonly members: readonly string[];
  readonly dataset: readonly (readonly CellValue[])[];
}

/** Rows from either form of a result. */
export function readRows(data: CompactData | readonly ReportRow[]): ReportRow[] {
  if (!('members' in data)) return [...data];
  const { members, dataset } = data;
  return dataset.map((values) => Object.fromEntries(members.map((name, index) => [name, values[index] ?? null])));
}

/** A number for drawing and comparing; null for what is none. Never used for what is shown as text. */
export function toNumber(value: CellValue | undefined): number | null {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** One text for a row's group: equal for rows of the same group. */
export function groupKey(row: ReportRow, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => row[key] ?? null));
}
