import Negotiator from 'negotiator';
import { PlacardError } from '../../domain/errors.ts';
import type { ExportColumn } from './export-columns.ts';
import type { RowValue } from './row-format.ts';

/** A form in which whole results are streamed. */
export type ExportFormat = 'csv' | 'ndjson' | 'arrow' | 'parquet' | 'xlsx';

/** Writes all rows, which come in slices. */
export type WriteRows = (
  columns: readonly ExportColumn[],
  slices: AsyncIterable<readonly (readonly RowValue[])[]>,
) => AsyncGenerator<string | Uint8Array>;

/** One form. */
export interface ExportForm {
  /** Of the response. */
  readonly contentType: string;
  /** By which it can be asked for. */
  readonly mediaTypes: readonly string[];
  readonly extension: string;
  /** Loads the writer, and with it the library that it needs. */
  readonly load: () => Promise<WriteRows>;
}

const text = async () => import('./write-text.ts');

export const EXPORT_FORMS: Readonly<Record<ExportFormat, ExportForm>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    mediaTypes: ['text/csv'],
    extension: 'csv',
    load: async () => (await text()).writeCsv,
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    mediaTypes: ['application/x-ndjson', 'application/ndjson'],
    extension: 'ndjson',
    load: async () => (await text()).writeNdjson,
  },
  arrow: {
    contentType: 'application/vnd.apache.arrow.stream',
    mediaTypes: ['application/vnd.apache.arrow.stream'],
    extension: 'arrows',
    load: async () => (await import('./write-arrow.ts')).writeArrow,
  },
  parquet: {
    contentType: 'application/vnd.apache.parquet',
    mediaTypes: ['application/vnd.apache.parquet', 'application/parquet', 'application/x-parquet'],
    extension: 'parquet',
    load: async () => (await import('./write-parquet.ts')).writeParquet,
  },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    extension: 'xlsx',
    load: async () => (await import('./write-xlsx.ts')).writeXlsx,
  },
};

const JSON_TYPE = 'application/json';
const FORMAT_OF: ReadonlyMap<string, ExportFormat> = new Map(
  Object.entries(EXPORT_FORMS).flatMap(([format, { mediaTypes }]) =>
    mediaTypes.map((type) => [type, format as ExportFormat] as const),
  ),
);
/** JSON comes first: it is what a wildcard means. */
const OFFERED = [JSON_TYPE, ...FORMAT_OF.keys()];
const ACCEPT_LENGTH_MAX = 1_000;

/** The form that an Accept header prefers (RFC 9110 §12.5.1); null: JSON. `none`: it accepts none of those that there are. */
export function exportFormatOf(accept: string | undefined): ExportFormat | null | 'none' {
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE || accept.length > ACCEPT_LENGTH_MAX)
    return null;
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes(OFFERED);
  if (best === undefined) return accept.includes('/') ? 'none' : null;
  return FORMAT_OF.get(best) ?? null;
}

/** Whether JSON will do as well. */
export function acceptsJson(accept: string | undefined): boolean {
  return new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaTypes([JSON_TYPE]).length > 0;
}

/** The refusal of a request that accepts none of the forms. @param isMulti several queries, which have no form but JSON */
export function notAcceptable(isMulti: boolean): PlacardError {
  const forms = isMulti
    ? [JSON_TYPE]
    : [JSON_TYPE, ...Object.values(EXPORT_FORMS).map(({ mediaTypes }) => mediaTypes[0])];
  return new PlacardError('not_acceptable', `Accept names no form of this response. Send one of: ${forms.join(', ')}.`);
}
