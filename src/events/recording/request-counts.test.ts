import { expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { sampleRequestCountKey } from '../fixtures/request-count-key.ts';
import { createRequestCounts } from './request-counts.ts';
import { decodeSpoolLine } from '../spool/spool-line.ts';
import { nameColumns } from '../spool/spool-row.ts';

const KEY = sampleRequestCountKey();

/** Counts that write into `lines`; the spool refuses lines that `refuses` says. */
function makeCounts(refuses: (row: string) => boolean = () => false) {
  const lines: string[] = [];
  let lost = 0;
  const counts = createRequestCounts({
    spool: {
      append: (line: Buffer) => {
        const row = nameColumns(decodeSpoolLine(line.toString().trimEnd())?.row ?? '');
        if (refuses(row)) return Promise.reject(new Error('full'));
        lines.push(row);
        return Promise.resolve('position');
      },
    } as never,
    nowMs: () => 1_800_000_000_000,
    log: SILENT_LOG,
    metrics: { countLostRequests: (by: number) => (lost += by) } as never,
  });
  return { counts, lines, lost: () => lost };
}

test('thousands of sums are written in steps, and other work runs in between', async () => {
  const { counts, lines } = makeCounts();
  for (let n = 0; n < 3_000; n += 1) counts.add(String(n), 2, () => ({ ...KEY, adUnitId: String(n + 1) }));
  let turns = 0;
  const tick = (): void => {
    turns += 1;
    timer = setImmediate(tick);
  };
  let timer = setImmediate(tick);
  await counts.flush();
  clearImmediate(timer);
  expect(lines).toHaveLength(3_000);
  expect(lines.map((row) => (JSON.parse(row) as { quantity: number }).quantity)).toEqual(Array(3_000).fill(2));
  expect(turns).toBeGreaterThan(3_000 / 128);
});

test('requests counted while sums are written belong to the next sums, and stopping waits for all', async () => {
  const { counts, lines } = makeCounts();
  for (let n = 0; n < 1_000; n += 1) counts.add(String(n), 1, () => KEY);
  void counts.flush();
  counts.add('0', 5, () => KEY);
  await counts.stop();
  const quantities = lines.map((row) => (JSON.parse(row) as { quantity: number }).quantity);
  expect(quantities).toEqual([...Array(1_000).fill(1), 5]);
});

test('only the sums that the spool refuses are counted as lost', async () => {
  const { counts, lines, lost } = makeCounts((row) => row.includes('"ad_unit_id":"7"'));
  counts.add('6', 10, () => ({ ...KEY, adUnitId: '6' }));
  counts.add('7', 20, () => ({ ...KEY, adUnitId: '7' }));
  await counts.flush();
  expect(lines).toHaveLength(1);
  expect(lost()).toBe(20);
});
