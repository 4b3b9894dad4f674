import { REPORT_FILE_FORMS } from '../domain/reporting/report-file-formats.ts';
import { ReportAddress } from '../reports/load/load.schema.ts';
import { json } from './operation.ts';
import type { Body, Operation } from './operation.ts';

const UNCHANGED = { 'If-None-Match': 'An earlier ETag: 304 with an empty body until something changes.' } as const;
const TAGGED = { ETag: 'ETag of this content; send it as If-None-Match.' } as const;

/** The forms of a whole result (src/reports/load/export-formats.ts). */
const EXPORT_TYPES: readonly Body[] = [
  'text/csv',
  'application/x-ndjson',
  'application/vnd.apache.arrow.stream',
  'application/vnd.apache.parquet',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
].map((type) => ({ type }));

/** The responses of both ways to load a report. */
const ROWS: Operation['responses'] = {
  200: {
    means:
      'Rows as JSON; as CSV, NDJSON, Arrow, Parquet or XLSX (Accept) every row as a stream, without the limit of 50,000 (plain queries only; a ' +
      'stream that breaks off before its end is incomplete). Cube clients (queryType multi) whose query takes longer than some seconds get ' +
      '{"error": "Continue wait"}: ask again at once; all others get 504.',
    body: [json('ReportAnswer'), ...EXPORT_TYPES],
    headers: {
      ...TAGGED,
      'X-Data-As-Of': 'When the newest counted batch of events reached the store, ISO 8601.',
    },
  },
  304: { means: 'Nothing has changed since If-None-Match.', headers: TAGGED },
};

const described = (method: 'get' | 'post', path: 'dry-run' | 'sql', id: string, summary: string): Operation => ({
  origin: 'core',
  method,
  path: `/reports/{network}/v1/${path}`,
  id: method === 'post' ? id : `${id}ByAddress`,
  tag: 'Reports',
  summary,
  opening: 'keyOrCredentials',
  ...(method === 'post' ? { request: json('ReportRequest') } : { address: ReportAddress }),
  responses: {
    200: { means: 'As Cube describes it.', body: json(path === 'sql' ? 'ReportStatements' : 'ReportDryRun') },
  },
  errors: method === 'post' ? [400, 413, 415] : [400],
});

const PART_TYPES: readonly Body[] = [{ type: 'text/csv' }, { type: 'application/x-ndjson' }];
const FILE_TYPES: readonly Body[] = [...PART_TYPES, { type: REPORT_FILE_FORMS.XLSX.contentType }];

const download = (path: string, id: string, summary: string): Operation => ({
  origin: 'core',
  method: 'get',
  path,
  id,
  tag: 'Report files',
  summary,
  details:
    'CSV with a header row, or what format names. Byte ranges work except for xlsx; compressed on request. A slash at the end of the address is allowed.',
  opening: id === 'downloadReport' ? 'credentials' : 'keyOrCredentials',
  query: { format: 'csv (default), csv-bom: CSV behind a byte order mark, xlsx, or raw: one JSON object a line.' },
  headers: {
    ...UNCHANGED,
    Range: 'bytes=…',
    'If-Range': 'An earlier ETag: the whole file when it has changed.',
  },
  responses: {
    200: { means: 'The whole file.', body: FILE_TYPES, headers: TAGGED },
    206: { means: 'The requested part.', body: PART_TYPES, headers: TAGGED },
    304: { means: 'Nothing has changed since If-None-Match.', headers: TAGGED },
  },
  errors: [404, 410, 416],
  deprecated: id === 'downloadReport',
});

/** The Reports API. */
export const REPORT_OPERATIONS: readonly Operation[] = [
  {
    origin: 'core',
    method: 'post',
    path: '/reports/{network}/v1/load',
    id: 'loadReport',
    tag: 'Reports',
    summary: 'Rows of a query.',
    details:
      'Every query needs a dateRange of at most 90 days. The address works as apiUrl of @cubejs-client/core. Besides the members of all ' +
      "networks there are the network's own: kv_… for keys that are reported, activity_… for its activities (see /meta).",
    opening: 'keyOrCredentials',
    request: json('ReportRequest'),
    headers: UNCHANGED,
    responses: ROWS,
    errors: [400, 406, 413, 415, 504],
  },
  {
    origin: 'core',
    method: 'get',
    path: '/reports/{network}/v1/load',
    id: 'loadReportByAddress',
    tag: 'Reports',
    summary: 'Rows of a query from the address.',
    opening: 'keyOrCredentials',
    address: ReportAddress,
    headers: UNCHANGED,
    responses: ROWS,
    errors: [400, 406, 504],
  },
  ...(['post', 'get'] as const).flatMap((method) => [
    described(method, 'dry-run', 'dryRunReport', 'What a query asks for, without running it (Cube: dryRun).'),
    described(method, 'sql', 'reportStatement', 'The statement of a query, without running it (Cube: sql).'),
  ]),
  {
    origin: 'core',
    method: 'get',
    path: '/reports/{network}/v1/meta',
    id: 'reportMeta',
    tag: 'Reports',
    summary: 'Every measure and dimension of the network, with title and description.',
    opening: 'keyOrCredentials',
    responses: { 200: { means: 'What can be queried.', body: json('ReportMeta') } },
    errors: [],
  },
  download('/reports/download/{token}', 'downloadReport', 'The file of a finished report task.'),
  download('/reports/runs/{token}', 'downloadScheduledReport', 'The file of a scheduled report.'),
];
