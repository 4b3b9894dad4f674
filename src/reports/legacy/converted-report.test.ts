import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, expect, test } from 'vitest';
import { REPORT_FILE_FORMATS } from '../../domain/reporting/report-file-formats.ts';
import { QuerySlots, SLOT_LIMITS } from '../load/query-slots.ts';
import { REPORTS_MODEL } from '../model/campaign-overview.olap.ts';
import { MemberIndex } from '../model/member-index.ts';
import { openReport, type OpenedReport } from './converted-report.ts';
import { LocalReportFiles } from './report-files.ts';

const dir = mkdtempSync(join(tmpdir(), 'converted-report-'));
afterAll(() => rmSync(dir, { recursive: true }));

const files = new LocalReportFiles(dir);
const one = new QuerySlots({ ...SLOT_LIMITS, runningMax: 1, waitingPerNetworkMax: 1 });
const reports = { files, slots: one, indexOf: () => Promise.resolve(new MemberIndex(REPORTS_MODEL)) };
const member = (name: string): string => `campaign_overview.${name}`;
const CSV = 'näme,impressions\r\nŻółć,2\r\n';
const { signal } = new AbortController();

/** A finished report with the rows of its file of JSON lines. */
async function makeReport(token: string, rows: readonly object[], measure = 'impressions') {
  const file = { token: token.padEnd(16, '0'), attempt: 1 };
  const [csv, raw] = [await files.create(file, 'csv'), await files.create(file, 'ndjson')];
  await csv.write(CSV);
  for (const row of rows) await raw.write(`${JSON.stringify(row)}\n`);
  await Promise.all([csv.finish(), raw.finish()]);
  await files.publish(file);
  const plan = {
    savedQuery: {
      measures: [member(measure), member('revenue')],
      dimensions: [member('campaign_name'), member('campaign_id')],
      filters: [],
      timeDimensions: [
        {
          dimension: member('time'),
          granularity: 'day' as const,
          dateRange: ['2026-07-01T00:00:00.000', '2026-07-01T23:59:59.999'] as const,
        },
      ],
      limit: 100,
      rowLimit: 100,
      total: true,
      timezone: 'UTC',
      cacheMode: 'no-cache' as const,
    },
  };
  const tenant = { workspaceId: 1, networkId: '1000' };
  return { plan: plan as never, tenant, file, madeAtMs: Date.parse('2026-07-02T00:00:00Z') };
}

async function bytesOf(opened: OpenedReport | null, range: { first: number; last: number } | null = null) {
  const body = await opened?.read(range, signal);
  if (body === null || body === undefined) throw new Error('The file is missing');
  return Buffer.concat(await body.toArray());
}

const row = (name: string | null, id: string, impressions: string, revenue: string) => ({
  [member('campaign_name')]: name,
  [member('campaign_id')]: id,
  [member('time.day')]: '2026-07-01T00:00:00.000',
  [member('impressions')]: impressions,
  [member('revenue')]: revenue,
});

test('a report in CSV_BOM is the CSV behind a byte order mark, and ranges of it fit together', async () => {
  const opened = await openReport(reports, await makeReport('marked', []), 'CSV_BOM');
  const whole = await bytesOf(opened);
  expect(whole).toEqual(Buffer.from(`\uFEFF${CSV}`));
  expect(opened?.sizeBytes).toBe(whole.length);
  for (let first = 0; first < 6; first += 1) {
    for (let last = first; last < 9; last += 1) {
      expect(await bytesOf(opened, { first, last })).toEqual(whole.subarray(first, last + 1));
    }
  }
});

test('a report in XLSX has numbers, times and texts as such, and a text of digits stays a text', async () => {
  const rows = [row('=1+1', '0042', '3', '1.25'), row(null, '7', '12345678901234567890', '0')];
  const opened = await openReport(reports, await makeReport('sheet', rows), 'XLSX');
  expect(opened?.sizeBytes).toBeNull();
  const { sheets } = await readXlsx(new Uint8Array(await bytesOf(opened)));
  const [head, first, second] = sheets[0]?.rows ?? [];
  const order = ['campaign_name', 'campaign_id', 'time.day', 'impressions', 'revenue'];
  const inOrder = (cells: readonly unknown[] | undefined) =>
    order.map((name) => cells?.[(head as unknown[]).indexOf(member(name))] ?? null);
  expect(inOrder(head)).toEqual(order.map(member));
  expect(inOrder(first)).toEqual(['=1+1', '0042', new Date('2026-07-01T00:00:00Z'), 3, 1.25]);
  expect(inOrder(second)).toEqual([null, '7', new Date('2026-07-01T00:00:00Z'), '12345678901234567890', 0]);
});

test('a report whose members are gone is a workbook of texts, and an empty report a workbook of its header', async () => {
  const gone = await openReport(reports, await makeReport('gone', [row('A', '1', '3', '2')], 'no_such'), 'XLSX');
  const [, cells] = (await readXlsx(new Uint8Array(await bytesOf(gone)))).sheets[0]?.rows ?? [];
  expect(cells).toEqual(['A', '1', '2026-07-01T00:00:00.000', '3', '2']);
  const empty = await openReport(reports, await makeReport('empty', []), 'XLSX');
  const { rows } = (await readXlsx(new Uint8Array(await bytesOf(empty)))).sheets[0] ?? { rows: [] };
  expect(rows).toHaveLength(1);
});

test('a workbook that nobody reads gives its slot back, and too many at once are refused', async () => {
  const opened = await openReport(reports, await makeReport('slots', [row('A', '1', '3', '2')]), 'XLSX');
  const held = await opened?.read(null, signal);
  const waiting = opened?.read(null, signal);
  await expect(opened?.read(null, signal)).rejects.toMatchObject({ code: 'overloaded' });
  held?.destroy();
  const next = await waiting;
  expect(one.stats()).toEqual({ running: 1, waiting: 0 });
  await next?.toArray();
  await expect.poll(() => one.stats()).toEqual({ running: 0, waiting: 0 });
});

test('a report without files opens in no form', async () => {
  const missing = { ...(await makeReport('present', [])), file: { token: 'missing000000000', attempt: 1 } };
  for (const format of REPORT_FILE_FORMATS) expect(await openReport(reports, missing, format)).toBeNull();
});
