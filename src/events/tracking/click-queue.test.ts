import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { sealServedAd } from '../../domain/events/link-token.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import type { Log } from '../../domain/log/log.ts';
import type { HttpReply } from '../../http/shared/route.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { OlapError } from '../../storage/olap/olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { createEventService } from '../event-service.ts';
import type { EventService } from '../event-service.ts';
import { createTestCatalog, linkKey, makeServedAd, userHashSecret } from '../fixtures/catalog.ts';
import { splitLines } from '../fixtures/split-lines.ts';
import { listSpoolFiles } from '../spool/spool-files.ts';
import { decodeSpoolLine } from '../spool/spool-line.ts';
import { createDiskFile } from '../../storage/disk-file.ts';
import { nameColumns } from '../spool/spool-row.ts';
import { createClickQueue } from './click-queue.ts';

const olapDown = {
  insertRaw: () => Promise.reject(new OlapError('unreachable', 'down', { retryable: true })),
} as unknown as Olap;

let root: string;
let hot: HotStore;
let registry: Registry;
let service: EventService;
let nowMs: number;
let isDiskFull: boolean;
let landing: string;
let logged: string[];
const log: Log = { event: (code) => void logged.push(code) };

beforeEach(() => {
  nowMs = Date.parse('2026-11-20T10:00:00.000Z');
  isDiskFull = false;
  landing = 'https://acme.example/';
  logged = [];
  root = mkdtempSync(join(tmpdir(), 'placard-clicks-'));
  hot = openLedger({ dir: join(root, 'hot'), nowMs: () => nowMs, log });
  registry = new Registry();
  service = createEventService({
    catalog: createTestCatalog({ creative: () => ({ clickUrl: landing }) }),
    admitPixel: () => Promise.resolve(true),
    hot,
    olap: olapDown,
    linkKeys: [linkKey],
    userHashSecret,
    dataDir: root,
    workerIndex: 0,
    workers: 1,
    nowMs: () => nowMs,
    log,
    registry,
    createFile: async (path, dir) => {
      if (isDiskFull) throw new Error('ENOSPC');
      const file = await createDiskFile(path, dir);
      return { ...file, write: async (bytes, at) => (isDiskFull ? 0 : file.write(bytes, at)) };
    },
  });
});
afterEach(async () => {
  await service.stop(100);
  await hot.close();
  rmSync(root, { recursive: true, force: true });
});

async function click(ad: ServedAd): Promise<HttpReply | undefined> {
  const route = service.routes.find((one) => one.pattern === '/:network/click/:token');
  return route?.handler({
    method: 'GET',
    path: '',
    query: '',
    headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
    body: Buffer.alloc(0),
    startedMs: 0,
    remoteAddress: '127.0.0.1',
    requestId: 'r',
    protocolSecure: true,
    params: { network: '1000', token: sealServedAd(ad, linkKey) },
    hasLeft: () => false,
  });
}

const newAd = (): ServedAd => makeServedAd(nowMs);

function recordedClicks(): { id: string; time: string; reason: string }[] {
  const dir = join(root, 'spool', 'w0');
  return listSpoolFiles(dir)
    .flatMap((file) => splitLines(readFileSync(file.path)))
    .map((line) => JSON.parse(nameColumns(decodeSpoolLine(line)?.row ?? '')) as Record<string, string>)
    .filter(({ kind }) => kind === 'click')
    .map((row) => ({ id: row['event_id'] ?? '', time: row['time'] ?? '', reason: row['invalid_reason'] ?? '' }));
}

const metric = async (name: string): Promise<number | undefined> =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value;

test('clicks on a full disk redirect at once, and each is counted once, for the time of the click, when the disk has space', async () => {
  const ads = [newAd(), newAd(), newAd()];
  isDiskFull = true;
  for (const ad of ads)
    expect(await click(ad)).toMatchObject({ status: 302, headers: { location: 'https://acme.example/' } });
  expect(await click(ads[0] as ServedAd)).toMatchObject({ status: 302 });
  expect(await metric('placard_clicks_waiting')).toBe(4);
  expect(await service.readiness()).toContainEqual(
    expect.objectContaining({ name: 'clicks', ok: true, degraded: true }),
  );
  nowMs += 90_000;
  isDiskFull = false;
  await expect.poll(recordedClicks, { timeout: 60_000 }).toHaveLength(4);
  const recorded = recordedClicks();
  expect(recorded.map(({ time }) => time)).toEqual(Array.from({ length: 4 }, () => '2026-11-20 10:00:00.000'));
  expect(recorded.filter(({ reason }) => reason === '').map(({ id }) => id)).toEqual(
    ads.map(({ impressionId }) => `${impressionId}:clk`),
  );
  const { lineItemId } = ads[0] as ServedAd;
  await expect.poll(() => hot.readCounters([`d/1/li/${lineItemId}/clk/all`])).toEqual([3n]);
  expect(await metric('placard_clicks_lost_total')).toBe(0);
  await expect.poll(() => logged).toContain('click.recorded_late');
});

test('clicks that wait when the service stops on a full disk are counted as lost', async () => {
  isDiskFull = true;
  await click(newAd());
  await click(newAd());
  await service.stop(100);
  expect(await metric('placard_clicks_lost_total')).toBe(2);
  expect(await metric('placard_clicks_waiting')).toBe(0);
  expect(logged.filter((code) => code.startsWith('click.'))).toEqual(['click.waiting', 'click.lost']);
});

test('clicks beyond the bound of the queue, and clicks that can never be recorded, are counted as lost', async () => {
  let lost = 0;
  let failure: Error | null = new PlacardError('unavailable');
  const recorded: number[] = [];
  const queue = createClickQueue({
    adEvents: {
      click: async (_ad, _reason, timeMs = 0) => {
        if (failure !== null) throw failure;
        recorded.push(timeMs);
      },
    },
    log,
    countLost: (clicks) => (lost += clicks),
    clicksMax: 3,
    retryMs: 1,
  });
  for (let timeMs = 1; timeMs <= 5; timeMs += 1) await queue.record({ ad: newAd(), reason: '', timeMs });
  expect([queue.waiting(), lost]).toEqual([3, 2]);
  failure = null;
  await expect.poll(() => queue.waiting()).toBe(0);
  expect(recorded).toEqual([1, 2, 3]);
  failure = new Error('a row that no store takes');
  await queue.record({ ad: newAd(), reason: '', timeMs: 6 });
  expect([queue.waiting(), lost]).toEqual([0, 3]);
  await queue.stop();
  failure = new PlacardError('unavailable');
  await queue.record({ ad: newAd(), reason: '', timeMs: 7 });
  expect([queue.waiting(), lost]).toEqual([0, 4]);
});

test('a landing page is told what was booked, and where the ad stood', async () => {
  landing = 'https://acme.example/?utm_campaign=${CAMPAIGN_ID}&c=${LINE_ITEM_ID}.%%CREATIVE_ID%%&u=${AD_UNIT_ID}';
  const ad = newAd();
  const { campaignId, lineItemId, creativeId, adUnitId } = ad;
  const location = `https://acme.example/?utm_campaign=${campaignId}&c=${lineItemId}.${creativeId}&u=${adUnitId}`;
  expect(await click(ad)).toMatchObject({ status: 302, headers: { location } });
});
