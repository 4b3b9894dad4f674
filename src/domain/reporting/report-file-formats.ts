/** A form in which a finished report can be downloaded and mailed. */
export type ReportFileFormat = 'CSV' | 'CSV_BOM' | 'XLSX';

/** What the download, the mail and the API say of a form. */
export interface ReportFileForm {
  /** The value of `?format=` in the address of the download; unique. */
  readonly parameter: string;
  /** Of the file's name, without a dot. */
  readonly extension: string;
  readonly contentType: string;
  /** For the management API. */
  readonly description: string;
}

const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** One row for each form. The writers of `reports/legacy/converted-report.ts` and the words of the console have a row for each, too. */
export const REPORT_FILE_FORMS: Readonly<Record<ReportFileFormat, ReportFileForm>> = {
  CSV: {
    parameter: 'csv',
    extension: 'csv',
    contentType: CSV_TYPE,
    description: 'CSV in UTF-8 with a header row.',
  },
  CSV_BOM: {
    parameter: 'csv-bom',
    extension: 'csv',
    contentType: CSV_TYPE,
    description: 'CSV that begins with a byte order mark, by which Excel reads it as UTF-8.',
  },
  XLSX: {
    parameter: 'xlsx',
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    description: 'A workbook of Excel: numbers, times and texts are cells of their kind.',
  },
};

/** The names of all forms. */
export const REPORT_FILE_FORMATS = Object.keys(REPORT_FILE_FORMS) as readonly ReportFileFormat[];

/** The form of schedules that name none, and of downloads without `?format=`. */
export const DEFAULT_FILE_FORMAT: ReportFileFormat = 'CSV';

/** The form that `?format=` names; null: none has this parameter. */
export function formatOfParameter(parameter: string): ReportFileFormat | null {
  return REPORT_FILE_FORMATS.find((format) => REPORT_FILE_FORMS[format].parameter === parameter) ?? null;
}

/** The address of a download in a form. @param address without a query; it gives the default form as it is */
export function addressInFormat(address: string, format: ReportFileFormat): string {
  return format === DEFAULT_FILE_FORMAT ? address : `${address}?format=${REPORT_FILE_FORMS[format].parameter}`;
}
