import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../domain/log/log.ts';
import type { Creative } from '../domain/booking/creative.ts';
import { NO_CAPS } from '../domain/booking/line-item.ts';
import type { LineItem } from '../domain/booking/line-item.ts';
import type { EventRow } from '../domain/events/event.ts';
import { hashUser } from '../domain/ids/user-hash.ts';
import { newUlid, timeOfUlid } from '../domain/ids/ids.ts';
import { sealServedAd } from '../domain/events/link-token.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import type { ServedAd } from '../domain/events/served-ad.ts';
import { startDeliveryServer } from '../http/fast/delivery-server.ts';
import type { DeliveryServer } from '../http/fast/delivery-server.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { openLedger } from '../storage/ledger/ledger-store.ts';
import { OlapError } from '../storage/olap/olap.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { createEventService, sealAgeMs } from './event-service.ts';
import { createDiskFile } from '../storage/disk-file.ts';
import type { EventService } from './event-service.ts';
import { claimOrderBill } from './activities/order-bills.ts';
import { createTestCatalog, landingUrl, linkKey, makeServedAd, userHashSecret } from './fixtures/catalog.ts';
import { sampleRequestCountKey } from './fixtures/request-count-key.ts';
import { decodeSpoolLine, encodeSpoolLine } from './spool/spool-line.ts';
import { splitLines } from './fixtures/split-lines.ts';
import { BATCHES_FOLDER, listBatchedFiles } from './shipping/batch-folders.ts';
import { listSpoolFiles, listWorkerIndexes } from './spool/spool-files.ts';
import type { SpoolFile } from './spool/spool-files.ts';
import { nameColumns } from './spool/spool-row.ts';

const log = SILENT_LOG;
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const dayMs = 86_400_000;
let root: string;
let hot: HotStore;
let service: EventService;
let server: DeliveryServer;
let nowMs: number;

/** These tests look at what reached the disk: the analytics store is down throughout. */
const olapDown = {
  insertRaw: () => Promise.reject(new OlapError('unreachable', 'down', { retryable: true })),
} as unknown as Olap;

function principal(): Principal {
  return {
    kind: 'apiKey',
    actor: 'key:1 "test"',
    id: '1',
    workspaceId: 1,
    networkId: '1000',
    environment: 'production',
    permission: 'read-write',
    modules: ['AUDIENCE'],
    remoteAddress: '127.0.0.1',
  };
}

/** The present creative. */
let shown: Partial<Creative> = {};
/** What is changed in the present line item. */
let booked: Partial<LineItem> = {};

/** The disk refuses writes with this text. */
let refusedText: string | null = null;
let isPixelAdmitted = true;

beforeEach(async () => {
  refusedText = null;
  isPixelAdmitted = true;
  shown = {};
  booked = {};
  nowMs = Date.parse('2026-11-20T10:00:00Z');
  root = mkdtempSync(join(tmpdir(), 'placard-events-'));
  hot = openLedger({ dir: join(root, 'hot'), nowMs: () => nowMs, log });
  service = createEventService({
    catalog: createTestCatalog({ creative: () => shown, lineItem: () => booked }),
    hot,
    olap: olapDown,
    linkKeys: [linkKey],
    userHashSecret,
    memberships: { record: ({ segment, userHash }) => void sightings.push(`${segment.id} ${userHash}`) },
    dataDir: root,
    workerIndex: 0,
    workers: 1,
    nowMs: () => nowMs,
    log,
    registry: new Registry(),
    createFile: async (path, dir) => {
      const file = await createDiskFile(path, dir);
      const isRefused = (bytes: Buffer): boolean => refusedText !== null && bytes.includes(refusedText);
      return { ...file, write: async (bytes, at) => (isRefused(bytes) ? 0 : file.write(bytes, at)) };
    },
    admitPixel: () => Promise.resolve(isPixelAdmitted),
    filter: { ignoredRanges: [] },
  });
  const guarded = service.protectedRoutes.map((route) => ({
    ...route,
    handler: (request: Parameters<typeof route.handler>[0]) => route.handler(request, principal()),
  }));
  server = await startDeliveryServer({
    routes: [...service.routes, ...guarded],
    transport: { mode: 'loopback', tls: null },
    port: 0,
    log,
  });
});
afterEach(async () => {
  await server.stop(100);
  await service.stop(100);
  await hot.close();
  rmSync(root, { recursive: true, force: true });
});

function send(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { 'user-agent': browser, ...(init.headers as Record<string, string> | undefined) },
  });
}

function post(body: unknown): Promise<Response> {
  return send('/api/v1/events', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
}

/** Rows on disk without the later rows of a repeated claim. */
async function rows(): Promise<EventRow[]> {
  const spool = join(root, 'spool');
  const files = listWorkerIndexes(spool).flatMap((workerIndex) => listSpoolFiles(join(spool, `w${workerIndex}`)));
  const lines = files.flatMap((file) => splitLines(readFileSync(file.path).subarray(0, file.bytes)));
  const seen = new Set<string>();
  return lines.flatMap((text) => {
    const line = decodeSpoolLine(text);
    if (line === null || (line.claim !== null && seen.has(line.claim.key))) return [];
    if (line.claim !== null) seen.add(line.claim.key);
    return [line.row, ...line.more].map((row) => JSON.parse(nameColumns(row)) as EventRow);
  });
}

async function recorded(): Promise<string[]> {
  return (await rows()).map((row) => `${row.kind} ${row.invalid_reason}`.trim());
}

async function count(key: string): Promise<bigint> {
  return (await hot.readCounters([key]))[0] ?? 0n;
}

function link(kind: string, change: Partial<ServedAd> = {}): string {
  return `/1000/${kind}/${sealServedAd(makeServedAd(nowMs, change), linkKey)}`;
}

const companionId = newUlid(Date.parse('2026-11-20T10:00:00Z'));

/** Users that segments saw, as `<segment> <user hash>`. */
const sightings: string[] = [];

describe('the impression pixel', () => {
  test('the pixel returns a 43-byte GIF once the event is on disk', async () => {
    const reply = await send(link('imp'), { headers: { origin: 'https://pub.example' } });
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
      200,
      'image/gif',
      'no-store',
    ]);
    expect(reply.headers.get('access-control-allow-origin')).toBe('https://pub.example');
    expect((await reply.arrayBuffer()).byteLength).toBe(43);
    const [row] = await rows();
    expect(row).toMatchObject({
      workspace_id: 1,
      kind: 'impression',
      line_item_id: '21',
      size: '300x250',
      user_hash: '255',
      revenue_nanos: '12500000',
      quantity: 1,
      invalid_reason: '',
      time: '2026-11-20 10:00:00.000',
    });
  });

  test('an impression that is fired repeatedly, by GET or POST, counts once', async () => {
    const path = link('imp');
    await Promise.all([send(path), send(path), send(path, { method: 'POST', body: 'x' })]);
    expect(await count('d/1/li/21/imp/all')).toBe(1n);
    expect(await count('d/1/ca/11/spend/all')).toBe(12_500_000n);
    expect(await recorded()).toEqual(['impression']);
  });

  test.each([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
    ['an older prefetch', { headers: { purpose: 'prefetch' } }],
  ])('the pixel records nothing for %s', async (_title, init) => {
    expect((await send(link('imp'), init)).status).toBe(200);
    expect(await rows()).toEqual([]);
  });

  test.each([
    ['is forged', () => '/1000/imp/k1.AAAA'],
    ['is of another network', () => link('imp').replace('/1000/', '/1001/')],
    ['is of another environment', () => `/staging${link('imp')}`],
    ['is cut', () => link('imp').slice(0, -1)],
  ])('the pixel records nothing when the token %s, and returns the GIF all the same', async (_title, path) => {
    const reply = await send(path());
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect(await rows()).toEqual([]);
  });

  test.each([
    ['late', { decidedAtMs: Date.parse('2026-11-20T08:59:59Z') }, {}],
    ['test', { test: true }, {}],
    ['robot', {}, { headers: { 'user-agent': 'Googlebot/2.1' } }],
    ['no_user_agent', {}, { headers: { 'user-agent': '' } }],
  ])('an impression with a fault is stored as %s and not billed', async (reason, change, init) => {
    await send(link('imp', change), init);
    expect(await rows()).toMatchObject([{ kind: 'impression', invalid_reason: reason, revenue_nanos: '0' }]);
    expect(await count('d/1/li/21/imp/all')).toBe(0n);
  });

  test('a counted impression is not stored again when it is fired after its window', async () => {
    const path = link('imp');
    await send(path);
    nowMs += 2 * 3_600_000;
    await send(path);
    expect(await recorded()).toEqual(['impression']);
  });

  test('an impression by a robot does not use up the real one', async () => {
    const path = link('imp');
    await send(path, { headers: { 'user-agent': 'Googlebot/2.1' } });
    await send(path);
    expect(await recorded()).toEqual(['impression robot', 'impression']);
    expect(await count('d/1/li/21/imp/all')).toBe(1n);
  });

  test('an impression opens the frequency window of the user, except under npa', async () => {
    await send(link('imp', { npa: true, userHash: '' }));
    expect(await count('f/1/00000000000000ff/li/21/imp/1DAY')).toBe(0n);
    await send(link('imp'));
    expect(await count('f/1/00000000000000ff/li/21/imp/1DAY')).toBe(1n);
  });
});

describe('a viewable event', () => {
  test('a viewable event counts after its impression, or a moment before it', async () => {
    const ad = makeServedAd(nowMs);
    const token = sealServedAd(ad, linkKey);
    const early = send(`/1000/view/${token}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
    await send(`/1000/imp/${token}`);
    await early;
    expect(await count('d/1/li/21/view/all')).toBe(1n);
  });

  test('a viewable event without an impression is stored as unmatched', async () => {
    await send(link('view'));
    expect(await recorded()).toEqual(['viewable unmatched']);
    expect(await count('d/1/li/21/view/all')).toBe(0n);
  });

  test('a viewable event earns the price of a vCPM line item', async () => {
    const token = sealServedAd(makeServedAd(nowMs, { pricingModel: 'VCPM' }), linkKey);
    await send(`/1000/imp/${token}`);
    await send(`/1000/view/${token}`);
    expect((await rows()).map((row) => row.revenue_nanos)).toEqual(['0', '12500000']);
  });
});

describe('video and measurable events', () => {
  test('video and measurable events are recorded once each', async () => {
    const token = sealServedAd(makeServedAd(nowMs), linkKey);
    for (const event of ['start', 'first_quartile', 'start']) await send(`/1000/video/${event}/${token}`);
    await send(`/1000/measurable/${token}`);
    expect(await recorded()).toEqual(['video_start', 'video_first_quartile', 'measurable']);
  });

  test('the first error of an ad counts, with the code that the player put into the link', async () => {
    const token = sealServedAd(makeServedAd(nowMs), linkKey);
    for (const code of [402, 900]) await send(`/1000/video/error/${token}?code=${code}`);
    expect(await rows()).toMatchObject([{ kind: 'video_error', item_count: 402 }]);
  });

  test('a video event of an unknown name gets 404', async () => {
    expect((await send(link('video/nonsense'))).status).toBe(404);
  });
});

describe('a completed view', () => {
  const CPCV = { pricingModel: 'CPCV', priceMicros: 40_000, creativeFormat: 'VIDEO' } as const;
  const tokenOf = (change: Partial<ServedAd> = {}): string =>
    sealServedAd(makeServedAd(nowMs, { ...CPCV, ...change }), linkKey);
  const watch = async (token: string): Promise<void> => {
    for (const event of ['start', 'first_quartile', 'midpoint', 'third_quartile', 'complete'])
      await send(`/1000/video/${event}/${token}`);
  };

  test('a completed view earns the price of a CPCV line item once, and no other event of the ad earns it', async () => {
    const token = tokenOf();
    await send(`/1000/imp/${token}`);
    await send(`/1000/view/${token}`);
    await watch(token);
    await watch(token);
    const earned = (await rows()).filter((row) => row.revenue_nanos !== '0');
    expect(earned).toMatchObject([{ kind: 'video_complete', revenue_nanos: '40000000', invalid_reason: '' }]);
    for (const owner of ['li/21', 'ca/11', 'ad/7']) {
      expect(await count(`d/1/${owner}/cpl/all`)).toBe(1n);
      expect(await count(`d/1/${owner}/spend/all`)).toBe(40_000_000n);
    }
  });

  test('a completed view without an impression is stored as unmatched and earns nothing, and a repeat after it earns', async () => {
    const token = tokenOf();
    await send(`/1000/video/complete/${token}`);
    expect(await recorded()).toEqual(['video_complete unmatched']);
    expect(await count('d/1/li/21/spend/all')).toBe(0n);
    await send(`/1000/imp/${token}`);
    await send(`/1000/video/complete/${token}`);
    expect(await count('d/1/li/21/cpl/all')).toBe(1n);
    expect(await count('d/1/li/21/spend/all')).toBe(40_000_000n);
  });

  test.each(['CPM', 'VCPM', 'CPC', 'CPA', 'FLAT'] as const)(
    'a completed view is counted and earns nothing under %s',
    async (pricingModel) => {
      const token = tokenOf({ pricingModel });
      await send(`/1000/imp/${token}`);
      const before = await count('d/1/li/21/spend/all');
      await watch(token);
      expect(await count('d/1/li/21/cpl/all')).toBe(1n);
      expect(await count('d/1/li/21/spend/all')).toBe(before);
    },
  );
});

describe('a click', () => {
  test('a click is recorded, and redirected to the landing address of the creative', async () => {
    const reply = await send(link('click'));
    expect([reply.status, reply.headers.get('location')]).toEqual([302, 'https://acme.example/']);
    expect(await recorded()).toEqual(['click']);
    expect(await count('d/1/li/21/clk/all')).toBe(1n);
  });

  test.each([
    ['the creative, not to a former address', landingUrl, 'https://acme.example/'],
    ['the creative, not to another address', 'https://evil.example/', 'https://acme.example/'],
    ['the creative, not to a changed query', `${landingUrl}&y=2`, 'https://acme.example/'],
    ['the creative, not to a script', 'javascript:alert(1)', 'https://acme.example/'],
    ['the creative when nothing follows the slash', '', 'https://acme.example/'],
  ])('a click goes to %s', async (_title, target, location) => {
    const reply = await send(`${link('click')}/${target}`);
    expect([reply.status, reply.headers.get('location')]).toEqual([302, location]);
  });

  test.each<[string, Partial<Creative>, number]>([
    ['paused', { status: 'PAUSED' }, 302],
    ['waiting for review', { reviewState: 'PENDING' }, 302],
    ['rejected', { reviewState: 'REJECTED' }, 410],
    ['archived', { status: 'ARCHIVED' }, 410],
  ])('a click on a creative that is %s is recorded and gets %s', async (_title, change, status) => {
    shown = change;
    const reply = await send(`${link('click')}/${landingUrl}`, { headers: { 'accept-language': 'pl, en;q=0.5' } });
    expect([reply.status, reply.headers.get('set-cookie')]).toEqual([status, null]);
    expect(await recorded()).toEqual(['click']);
    if (status !== 410) return;
    expect([reply.headers.get('location'), reply.headers.get('content-language')]).toEqual([null, 'pl']);
    const page = await reply.text();
    expect(page).toContain('<meta name="robots" content="noindex">');
    expect(page).not.toMatch(/https?:|href/);
  });

  test('a click on an unknown creative gets the page of an ended ad', async () => {
    const reply = await send(`${link('click', { creativeId: '99' })}/${landingUrl}`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8']);
  });

  test('a click with a forged token gets a JSON 404 without any address', async () => {
    const reply = await send(`/1000/click/k1.AAAA/${landingUrl}`);
    expect([reply.status, reply.headers.get('location')]).toEqual([404, null]);
    expect(await reply.json()).toMatchObject({ error: 'not_found' });
    expect(await rows()).toEqual([]);
  });

  test('a click is billed once per impression, and repeats are stored as such up to a bound', async () => {
    const path = link('click', { pricingModel: 'CPC', priceMicros: 500_000 });
    for (let times = 0; times < 25; times += 1) await send(path);
    const kinds = await recorded();
    expect(kinds.filter((kind) => kind === 'click')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'click repeat')).toHaveLength(20);
    expect(await count('d/1/li/21/spend/all')).toBe(500_000_000n);
  });

  test('a click after 30 days gets the page of an ended ad, and is stored as late', async () => {
    const reply = await send(link('click', { decidedAtMs: nowMs - 31 * dayMs }));
    expect(reply.status).toBe(410);
    expect(await recorded()).toEqual(['click late']);
  });

  test('a click by HEAD redirects and records nothing', async () => {
    expect((await send(link('click'), { method: 'HEAD' })).status).toBe(302);
    expect(await rows()).toEqual([]);
  });
});

describe('a companion', () => {
  test.each([
    ['CPM', 12_500_000n],
    ['VCPM', 12_500_000n],
    ['FLAT', 12_500_000_000n],
  ] as const)(
    'a companion counts as an impression of its own creative, and only its master earns %s',
    async (pricingModel, earned) => {
      const change = { pricingModel, creativeId: '32', companion: true };
      for (const kind of ['imp', 'view']) await send(link(kind, { ...change, impressionId: companionId }));
      expect(await rows()).toMatchObject([
        { kind: 'impression', creative_id: '32', line_item_id: '21', revenue_nanos: '0', invalid_reason: '' },
        { kind: 'viewable', creative_id: '32', line_item_id: '21', revenue_nanos: '0', invalid_reason: '' },
      ]);
      for (const owner of ['li/21', 'ca/11', 'ad/7'])
        for (const kind of ['imp', 'view', 'spend']) expect(await count(`d/1/${owner}/${kind}/all`)).toBe(0n);
      expect(await count('f/1/00000000000000ff/li/21/imp/1DAY')).toBe(0n);
      const master = sealServedAd(makeServedAd(nowMs, { pricingModel }), linkKey);
      for (const kind of ['imp', 'view']) await send(`/1000/${kind}/${master}`);
      expect(await count('d/1/li/21/imp/all')).toBe(1n);
      expect(await count('d/1/li/21/spend/all')).toBe(earned);
    },
  );

  test('a click on a companion earns what any click of its line item earns', async () => {
    const change = { pricingModel: 'CPC', priceMicros: 500_000, companion: true } as const;
    await send(link('click', change));
    expect(await rows()).toMatchObject([{ kind: 'click', revenue_nanos: '500000000', invalid_reason: '' }]);
    expect(await count('d/1/li/21/clk/all')).toBe(1n);
    expect(await count('d/1/li/21/spend/all')).toBe(500_000_000n);
  });

  test('a companion leaves no impression to credit, and only its master does', async () => {
    const userHash = hashUser(userHashSecret, 1, 'lu', 'user-1');
    await send(link('imp', { userHash, companion: true }));
    await post({ network: '1000', actgid: 'buy', event: 'order', cost: '10', ord: 'A-9', lu: 'user-1' });
    expect((await rows()).at(-1)).toMatchObject({ kind: 'activity', attribution: '' });
  });
});

describe('the activity pixel API', () => {
  const event = { network: '1000', actgid: 'buy', event: 'purchased', cost: '129.99', ord: 'A-1' };

  test('the API accepts an event and recognizes its repeat by the order reference', async () => {
    const first = await post(event);
    const { eventId } = (await first.json()) as { eventId: string };
    expect([first.status, eventId]).toEqual([202, expect.stringMatching(/^a:/)]);
    const again = await post({ ...event, cost: '5' });
    expect([again.status, await again.json()]).toEqual([200, { eventId, status: 'duplicate' }]);
    expect((await post({ ...event, event: 'returned' })).status).toBe(202);
    expect((await post({ ...event, ord: 'A-2' })).status).toBe(202);
    expect((await rows()).map((row) => row.value_micros)).toEqual(['129990000', '129990000', '129990000']);
  });

  test('the API adds users to the segments that their event qualifies for, once and never under npa', async () => {
    sightings.length = 0;
    const ordered = { ...event, event: 'order', lu: 'ann' };
    await post(ordered);
    await post(ordered);
    await post({ ...ordered, ord: 'A-3', npa: true });
    await post({ ...ordered, ord: 'A-4', lu: undefined });
    await post({ ...ordered, ord: 'A-5', event: 'returned' });
    expect(sightings).toEqual([`71 ${hashUser(userHashSecret, 1, 'lu', 'ann')}`]);
  });

  test('the API counts one of many copies that arrive together', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(event)));
    expect(replies.filter((reply) => reply.status === 202)).toHaveLength(1);
  });

  test.each([
    [{ network: '1001' }, 403, 'insufficient_permissions'],
    [{ actgid: 'nope' }, 404, 'unknown_activity'],
    [{ cost: '12,5' }, 400, 'validation_failed'],
    [{ cost: '-0.01' }, 400, 'validation_failed'],
    [{ currency: 'EUR' }, 400, 'validation_failed'],
  ])('the API responds to %o with %d %s', async (change, status, code) => {
    const reply = await post({ ...event, ...change });
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([status, code]);
    expect(await rows()).toEqual([]);
  });

  test('the API attributes by click id, and counts the conversion of the line item', async () => {
    const keyValues = { '5': 'sport' };
    const ad = makeServedAd(nowMs, { pricingModel: 'CPA', priceMicros: 3_000_000, npa: true, userHash: '', keyValues });
    await send(`/1000/click/${sealServedAd(ad, linkKey)}`);
    nowMs += 3_600_000;
    await post({ ...event, clickId: ad.impressionId });
    expect((await rows()).at(-2)).toMatchObject({
      kind: 'activity',
      activity_id: '41',
      attribution: 'click',
      line_item_id: '21',
      creative_id: '31',
      impression_id: ad.impressionId,
      revenue_nanos: '3000000000',
      user_hash: '0',
      key_values: keyValues,
    });
    expect(await count('d/1/li/21/conv/all')).toBe(1n);
    expect(await count('d/1/li/21/spend/all')).toBe(3_000_000_000n);
  });

  describe('an order of a line item that is paid by conversions', () => {
    const cpa = { pricingModel: 'CPA', priceMicros: 10_000_000 } as const;
    const names = ['cart_seen', 'address_given', 'paid', 'purchased'];

    async function click(change: Partial<ServedAd> = {}): Promise<string> {
      const ad = makeServedAd(nowMs, { ...cpa, npa: true, userHash: '', ...change });
      await send(`/1000/click/${sealServedAd(ad, linkKey)}`);
      return ad.impressionId;
    }

    const earned = async (): Promise<string[]> =>
      (await rows()).filter(({ kind }) => kind === 'activity').map((row) => row.revenue_nanos);

    // Conformance: P3
    test('an order earns once, whatever events it passes, and each of them counts', async () => {
      const clickId = await click();
      for (const name of names) expect((await post({ ...event, event: name, clickId })).status).toBe(202);
      expect(await earned()).toEqual(['10000000000', '0', '0', '0']);
      expect(await count('d/1/li/21/spend/all')).toBe(10_000_000_000n);
      expect(await count('d/1/li/21/conv/all')).toBe(4n);
      await post({ ...event, clickId, ord: 'A-2' });
      expect(await count('d/1/li/21/spend/all')).toBe(20_000_000_000n);
    });

    // Conformance: P3
    test('an order earns by the activity and event that its line item names, and no other is credited', async () => {
      booked = { countedActivities: [{ activityId: '41', events: ['paid'] }] };
      const clickId = await click();
      for (const name of names) expect((await post({ ...event, event: name, clickId })).status).toBe(202);
      expect(await earned()).toEqual(['0', '0', '10000000000', '0']);
      const credited = (await rows()).filter(({ kind }) => kind === 'activity').map((row) => row.line_item_id);
      expect(credited).toEqual(['', '', '21', '']);
      expect(await count('d/1/li/21/conv/all')).toBe(1n);
      booked = { countedActivities: [{ activityId: '42', events: [] }] };
      await post({ ...event, clickId, ord: 'A-2' });
      expect(await count('d/1/li/21/spend/all')).toBe(10_000_000_000n);
      expect(await count('d/1/li/21/conv/all')).toBe(1n);
    });

    test('each conversion counts once for its creative where the line item maximises conversions', async () => {
      const rate = async () => [await count('d/1/cr/31.conv/imp/all'), await count('d/1/cr/31.conv/conv/all')];
      await post({ ...event, clickId: await click() });
      expect(await rate()).toEqual([0n, 0n]);
      booked = { creativeRotation: 'OPTIMISED', optimisationGoal: 'CONVERSIONS' };
      const clickId = await click();
      await send(`/1000/imp/${sealServedAd(makeServedAd(nowMs), linkKey)}`);
      for (const name of ['cart_seen', 'paid', 'paid']) await post({ ...event, event: name, clickId, ord: 'A-3' });
      expect(await rate()).toEqual([1n, 2n]);
    });

    test('an order earns once when its events arrive together, and are sent again', async () => {
      const clickId = await click();
      /** An event that waited in vain for another one of its order is sent again. */
      const postOnce = async (name: string): Promise<number> => {
        let status = 503;
        while (status === 503) ({ status } = await post({ ...event, event: name, clickId }));
        return status;
      };
      expect(await Promise.all(names.map(postOnce))).toEqual([202, 202, 202, 202]);
      expect(await Promise.all(names.map(postOnce))).toEqual([200, 200, 200, 200]);
      expect((await earned()).sort()).toEqual(['0', '0', '0', '10000000000']);
      expect(await count('d/1/li/21/spend/all')).toBe(10_000_000_000n);
    });

    test('an order earns by the first of its events that a budget allows', async () => {
      booked = { caps: { ...NO_CAPS, spendMicrosLifetime: 9_000_000 } };
      const clickId = await click();
      await post({ ...event, event: 'cart_seen', clickId });
      booked = {};
      for (const name of ['address_given', 'paid']) await post({ ...event, event: name, clickId });
      expect(await earned()).toEqual(['0', '10000000000', '0']);
      expect(await count('d/1/li/21/spend/all')).toBe(10_000_000_000n);
    });

    test('events of an order that arrive together reserve nothing for longer than they need', async () => {
      booked = { caps: { ...NO_CAPS, spendMicrosLifetime: 20_000_000 } };
      const clickId = await click();
      await Promise.all(names.map((name) => post({ ...event, event: name, clickId })));
      await post({ ...event, event: 'paid', clickId });
      await post({ ...event, clickId, ord: 'A-2' });
      expect(await count('d/1/li/21/spend/all')).toBe(20_000_000_000n);
    });

    test('the same order reference of another advertiser is another order', async () => {
      await post({ ...event, clickId: await click() });
      const order = { workspaceId: 1, advertiserId: '7', ord: event.ord };
      expect(await claimOrderBill(hot, order, 'a:other')).toBe(false);
      expect(await claimOrderBill(hot, { ...order, advertiserId: '8' }, 'a:other')).toBe(true);
      expect(await claimOrderBill(hot, { ...order, workspaceId: 2 }, 'a:other')).toBe(true);
    });

    test('an order whose bill an event held that never reached the disk is accepted, and earns after a minute', async () => {
      const clickId = await click();
      const order = { workspaceId: 1, advertiserId: '7', ord: event.ord };
      expect(await claimOrderBill(hot, order, `a:${newUlid(nowMs)}`)).toBe(true);
      expect((await post({ ...event, clickId })).status).toBe(202);
      expect(await earned()).toEqual([]);
      expect((await rows()).filter(({ kind }) => kind === 'touch')).toEqual([]);
      nowMs += 60_001;
      service.start();
      await expect.poll(earned).toEqual(['10000000000']);
      expect((await post({ ...event, clickId })).status).toBe(200);
    });
  });

  test('the API attributes by user to the last impression within a day, and not after it', async () => {
    const { hashUser } = await import('../domain/ids/user-hash.ts');
    const userHash = hashUser(userHashSecret, 1, 'lu', 'user-1');
    await send(link('imp', { userHash }));
    nowMs += dayMs;
    await post({ ...event, lu: 'user-1' });
    nowMs += 1;
    await post({ ...event, lu: 'user-1', ord: 'A-2' });
    await post({ ...event, lu: 'user-1', ord: 'A-3', npa: true, ts: nowMs - 1_000 });
    expect((await rows()).slice(1).map((row) => row.attribution)).toEqual(['view', 'only', '', '']);
  });

  test('an event without an order reference counts once per user and interval', async () => {
    const { ord: _ord, ...anonymous } = event;
    const first = (await (await post({ ...anonymous, lu: 'u' })).json()) as { eventId: string };
    const again = await post({ ...anonymous, lu: 'u' });
    expect([again.status, await again.json()]).toEqual([200, { eventId: first.eventId, status: 'duplicate' }]);
    expect((await post({ ...anonymous, lu: 'other' })).status).toBe(202);
    nowMs += 61_000;
    expect((await post({ ...anonymous, lu: 'u' })).status).toBe(202);
    expect((await post(anonymous)).status).toBe(202);
    expect((await post(anonymous)).status).toBe(202);
  });

  test('an event that the disk refused and that is sent again under another id leaves no touch of its first try', async () => {
    const { ord: _ord, ...anonymous } = event;
    const ad = makeServedAd(nowMs);
    await send(`/1000/click/${sealServedAd(ad, linkKey)}`);
    refusedText = '"activity"';
    expect((await post({ ...anonymous, clickId: ad.impressionId, lu: 'u' })).status).toBe(503);
    refusedText = null;
    expect((await post({ ...anonymous, clickId: ad.impressionId, lu: 'u' })).status).toBe(202);
    expect((await rows()).map(({ kind, attribution }) => `${kind} ${attribution}`)).toEqual([
      'click ',
      'activity click',
      'touch only',
    ]);
  });

  test('an event is accepted beside one that holds its interval, and counts when that one did not reach the disk within a minute', async () => {
    const { hashUser } = await import('../domain/ids/user-hash.ts');
    const { ord: _ord, ...anonymous } = event;
    const key = `ar/1/41/${hashUser(userHashSecret, 1, 'lu', 'u')}/purchased`;
    const holder = newUlid(nowMs);
    // Ids of a process never step back.
    nowMs = timeOfUlid(holder);
    await hot.set(key, `a:${holder}`, 120_000);
    expect((await post({ ...anonymous, lu: 'u' })).status).toBe(202);
    expect(await rows()).toEqual([]);
    nowMs += 60_001;
    service.start();
    await expect.poll(recorded).toEqual(['activity']);
  });

  test('the API replaces unpaired surrogates in an event, which stores refuse', async () => {
    const order = { network: '1000', actgid: 'buy', event: 'order', cost: '10', ord: 'A\ud800', lu: 'user-1' };
    expect((await post({ ...order, products: [{ name: 'x\ud83d' }, '🙂'] })).status).toBe(202);
    expect(await rows()).toMatchObject([{ order_reference: 'A\ufffd', products: '[{"name":"x\ufffd"},"🙂"]' }]);
  });

  test('the pixel of a page is counted where its activity accepts it, and says in a header why it is not', async () => {
    const refusedFor = async (path: string): Promise<string | null> => {
      const reply = await send(path);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/gif']);
      return reply.headers.get('x-placard-refused');
    };
    expect(await refusedFor('/1000/activity?actgid=open&event=signup&cost=1.5&lu=u')).toBeNull();
    expect(await recorded()).toEqual(['activity']);
    expect(await refusedFor('/1000/activity?actgid=buy&event=signup')).toBe('insufficient_permissions');
    expect(await refusedFor('/1000/activity?actgid=nope&event=signup')).toBe('unknown_activity');
    expect(await refusedFor('/1000/activity?actgid=open&event=signup&cost=x')).toBe('validation_failed');
    expect(await refusedFor('/9/activity')).toBe('not_found');
    isPixelAdmitted = false;
    expect(await refusedFor('/1000/activity?actgid=open&event=signup')).toBe('rate_limit_exceeded');
    expect(await recorded()).toEqual(['activity']);
  });
});

test('request counts are summed and reach the disk as one row per key', async () => {
  const key = sampleRequestCountKey();
  for (let times = 0; times < 1_000; times += 1) service.requestCounts.add('all', 1, () => ({ ...key }));
  service.requestCounts.add('21', 2, () => ({ ...key, kind: 'served', lineItemId: '21' }));
  service.requestCounts.add('sport', 3, () => ({ ...key, keyValues: { '5': 'sport' } }));
  await service.stop(100);
  expect((await rows()).map((row) => [row.kind, row.quantity, row.line_item_id, row.key_values])).toEqual([
    ['request', 1_000, '', undefined],
    ['served', 2, '21', undefined],
    ['request', 3, '', { '5': 'sport' }],
  ]);
});

test('spool files are sealed later while many wait for the analytics store, and promptly again once it has them', async () => {
  expect([0, 499, 500, 2_000].map(sealAgeMs)).toEqual([0, 0, 60_000, 600_000]);
  const dir = join(root, 'spool', 'w0');
  const line = encodeSpoolLine({ event_id: 'waiting' }, null);
  const waiting = Array.from({ length: 500 }, (_none, at) =>
    join(dir, `${1_700_000_000_000 + at}-0123abcdb.${line.length}.settled`),
  );
  for (const path of waiting) writeFileSync(path, line);
  service.start();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await send(link('imp'));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(newestState()).toBe('open');
  rmSync(join(root, 'spool', BATCHES_FOLDER), { recursive: true });
  for (const path of waiting) rmSync(path, { force: true });
  await expect.poll(newestState).toBe('settled');
});

test('few spool files are sealed while many wait to be counted, and waiting lines are counted promptly once the hot store is back', async () => {
  const { countLines, countRest } = hot;
  const unavailable = (): Promise<never> => Promise.reject(new Error('unavailable'));
  Object.assign(hot, { countLines: unavailable, countRest: unavailable });
  const dir = join(root, 'spool', 'w0');
  for (let at = 1_700_000_000_000; at < 1_700_000_000_500; at += 1) {
    const line = encodeSpoolLine({ event_id: `${at}` }, { key: `e/${at}`, ttlMs: dayMs, increments: [], pushes: [] });
    writeFileSync(join(dir, `${at}-0123abcdb.${line.length}.sealed`), line);
  }
  service.start();
  await send(link('imp'));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(newestState()).toBe('open');
  Object.assign(hot, { countLines, countRest });
  await expect.poll(newestState).toBe('settled');
  expect(spoolFiles().length).toBeGreaterThanOrEqual(500);
});

/** The files of worker 0, those in batches too, oldest first. */
function spoolFiles(): SpoolFile[] {
  const spoolDir = join(root, 'spool');
  const files = [...listSpoolFiles(join(spoolDir, 'w0')), ...listBatchedFiles(spoolDir, 'w0')];
  return files.sort((a, b) => (a.fileId < b.fileId ? -1 : 1));
}

function newestState(): string | undefined {
  return spoolFiles().at(-1)?.state;
}
