import { writeSentences } from '../../../domain/booking/delivery-text.ts';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../../test/support/stores.ts';
import { sampleOpportunity, sampleSnapshot, stateOf } from '../../../../test/worlds/sample-workspace.ts';
import type {
  DecisionInspector,
  InspectedSource,
  RequestForm,
  WhatIf,
} from '../../../domain/booking/decision-inspection.ts';
import { sealServedAd } from '../../../domain/events/link-token.ts';
import type { ServedAd } from '../../../domain/events/served-ad.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { capCounterKey } from '../../../domain/money/limit.ts';
import { flatCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { openLedger } from '../../../storage/ledger/ledger-store.ts';
import { decide } from '../../decision/decide.ts';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { evidenceByCounters } from '../../value/rate-evidence.ts';
import { DecisionLog } from '../decision-log/decision-log.ts';
import { listLogFiles } from '../decision-log/decision-log-files.ts';
import { createDecisionInspector } from './decision-inspector.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const HOUR_MS = 3_600_000;
const linkKey = { keyId: 'a', secret: Buffer.alloc(32, 1) };
const stranger = { keyId: 'a', secret: Buffer.alloc(32, 2) };
const folder = createTestFolder();
const emptyFolder = createTestFolder();
const capped = lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: '4', kind: 'imp' });
let hot: HotStore;
let inspector: DecisionInspector;

/** 1 and 2 compete by price; 3 wants Germany, 4 is capped, 5 is paused, 6 wants a segment. */
const bookings = (cheapMicros: number) =>
  sampleSnapshot({
    lineItems: [
      { name: 'Dear', priceMicros: 9_000_000 },
      { name: 'Cheap', priceMicros: cheapMicros },
      { priceMicros: 20_000_000, targeting: { dimension: 'country', operator: 'is', values: ['DE'] } },
      { priceMicros: 30_000_000, caps: { impressionsLifetime: 5 } },
      { priceMicros: 50_000_000, status: 'PAUSED' },
      { priceMicros: 40_000_000, targeting: { dimension: 'segment', operator: 'is', values: ['7'] } },
    ],
    segments: [{ id: '7', generation: 1, membershipDays: 30, rule: null }],
  });
const compile = (snapshot: ReturnType<typeof bookings>): CompiledWorkspace =>
  compileWorkspace(snapshot, NOW_MS, () => {});
const compiled = compile(bookings(2_000_000));

function inspectorOver(decisionsDir: string, workspace = compiled): DecisionInspector {
  return createDecisionInspector({
    findCompiled: () => workspace,
    hot,
    userHashSecret: Buffer.alloc(32),
    findGeo: () => ({ country: '', region: '', city: '' }),
    curveOf: () => flatCurve('Europe/Warsaw'),
    freeTrafficOf: () => null,
    contextModelOf: () => null,
    linkKeys: [linkKey],
    decisionsDir,
    nowMs: () => NOW_MS,
  });
}

beforeAll(async () => {
  hot = openLedger({ dir: folder.dir, nowMs: () => NOW_MS, log: silentLog });
  await hot.addToCounters([{ key: capped, by: 5n, ttlMs: 600_000 }]);
  inspector = inspectorOver(emptyFolder.dir);
});

afterAll(async () => {
  await hot?.close();
  folder.remove();
  emptyFolder.remove();
});

const form = (given: Partial<RequestForm> = {}): RequestForm => ({
  adUnitId: '1',
  siteId: null,
  areaId: null,
  sizes: [],
  mediaTypes: [],
  country: 'PL',
  region: null,
  city: null,
  device: 'mobile',
  keyValues: {},
  segmentIds: [],
  userId: null,
  isKnownUser: true,
  npa: false,
  dealCode: null,
  ...given,
});
const whatIf = (given: Partial<WhatIf>): WhatIf => ({ lineItemId: null, adUnitId: null, ...given });

async function inspect(source: InspectedSource, whatIfs: readonly WhatIf[] = [], by = inspector) {
  return by.inspect(1, { source, whatIfs, atMs: NOW_MS, seed: 1 });
}
const ofForm = (given: Partial<RequestForm> = {}, whatIfs: readonly WhatIf[] = []) =>
  inspect({ kind: 'FORM', form: form(given) }, whatIfs);

function reasonsOf(decision: Awaited<ReturnType<typeof ofForm>>['present']): Record<string, string> {
  return Object.fromEntries(decision.slots[0]?.losers.map(({ lineItemId, reason }) => [lineItemId, reason]) ?? []);
}

test('a form is decided as the bid request that it stands for, with a reason for every loser', async () => {
  const { present, bidRequest, request, logged, imagined } = await ofForm({ keyValues: { Topic: ['Cars'] } });
  expect(bidRequest).toEqual({
    id: 'inspector',
    imp: [{ id: '1', secure: 1, tagid: 'home/top', banner: { format: [{ w: 300, h: 250 }] } }],
    site: { id: 'news', domain: 'news.example' },
    device: { devicetype: 4, geo: { country: 'PL' } },
    user: { ext: { ids: { lu: 'placard-inspector' } } },
    ext: { keyvalues: { Topic: ['Cars'] } },
  });
  expect(request).toMatchObject({
    country: 'PL',
    deviceType: 'mobile',
    hasUser: true,
    keyValues: [{ key: 'topic', values: ['cars'] }],
    slots: [{ adUnitId: '1', siteId: '1' }],
  });
  expect(present.slots[0]?.winner).toMatchObject({ lineItemId: '1', name: 'Dear', bidMicros: 9_000_000 });
  expect(reasonsOf(present)).toEqual({
    2: 'lost.price',
    3: 'targeting.country',
    4: 'capped.line_item',
    5: 'paused',
    6: 'targeting.segment',
  });
  expect(present.chances).toEqual([{ slotId: '1', lineItemId: '1', name: 'Dear', percent: 100 }]);
  expect([logged, imagined]).toEqual([null, null]);
  expect((await inspect({ kind: 'BID_REQUEST', bidRequest })).present).toEqual(present);
});

test('key-values of one slot are shown and decide for it, before those of the page', async () => {
  const sports = { dimension: 'keyValue', key: 'topic', operator: 'is', values: ['sport'] } as const;
  const by = inspectorOver(
    emptyFolder.dir,
    compile(sampleSnapshot({ lineItems: [{ priceMicros: 1_000_000 }, { priceMicros: 2_000_000, targeting: sports }] })),
  );
  const imp = (id: string, own: object) => ({
    id,
    tagid: 'home/top',
    banner: { format: [{ w: 300, h: 250 }] },
    ext: { keyvalues: own },
  });
  const bidRequest = (slotId: string, own: object, topic: string) => ({
    id: 'r',
    imp: [imp(slotId, own)],
    site: { id: 'news', domain: 'news.example' },
    ext: { keyvalues: { topic, section: 'home' } },
  });
  const decided = async (request: object) => {
    const { present, request: shown } = await inspect({ kind: 'BID_REQUEST', bidRequest: request }, [], by);
    return { winner: present.slots[0]?.winner?.lineItemId, page: shown.keyValues, slot: shown.slots[0]?.keyValues };
  };
  const page = (topic: string) => [
    { key: 'topic', values: [topic] },
    { key: 'section', values: ['home'] },
  ];
  expect(await decided(bidRequest('1', { Topic: 'Sport' }, 'cars'))).toEqual({
    winner: '2',
    page: page('cars'),
    slot: page('sport'),
  });
  expect(await decided(bidRequest('1', { topic: 'cars' }, 'sport'))).toMatchObject({ winner: '1', slot: page('cars') });
  expect(await decided(bidRequest('1', {}, 'sport'))).toEqual({
    winner: '2',
    page: page('sport'),
    slot: page('sport'),
  });
});

test('a decision is explained in the arm of its user, and without a user in the larger one', async () => {
  const experiment = {
    id: '7',
    rule: 'NO_LEARNING',
    sharePercent: 50,
    startsAtMs: NOW_MS - HOUR_MS,
    endsAtMs: NOW_MS + HOUR_MS,
  } as const;
  const clicked = { id: '81', name: 'Clicked', pricingModel: 'CPC', priceMicros: 1_000_000 } as const;
  const lineItems = [clicked, { id: '82', name: 'Fixed', priceMicros: 9_000_000 }];
  const of = (kind: 'imp' | 'clk') => lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: '81', kind });
  await hot.addToCounters([
    { key: of('imp'), by: 100_000n, ttlMs: 600_000 },
    { key: of('clk'), by: 3_000n, ttlMs: 600_000 },
  ]);
  const by = inspectorOver(emptyFolder.dir, compile(sampleSnapshot({ workspace: { experiment }, lineItems })));
  const winners = new Map<string, Set<string | undefined>>();
  for (let user = 0; user < 12; user += 1) {
    const asked = form({ userId: `user-${user}` });
    const { present } = await inspect({ kind: 'FORM', form: asked }, [], by);
    expect(present.arm).toMatchObject({ experimentId: '7', rule: 'NO_LEARNING' });
    const arm = present.arm?.arm ?? '';
    winners.set(arm, (winners.get(arm) ?? new Set()).add(present.slots[0]?.winner?.name));
    expect(present.chances[0]?.name).toBe(present.slots[0]?.winner?.name);
  }
  // Three clicks of a hundred are worth 30, one of a thousand is worth 1.
  expect(winners).toEqual(
    new Map([
      ['RULE', new Set(['Fixed'])],
      ['REST', new Set(['Clicked'])],
    ]),
  );
  const { present } = await inspect({ kind: 'FORM', form: form({ npa: true }) }, [], by);
  expect(present.arm?.arm).toBe('REST');
  expect((await ofForm()).present.arm).toBeNull();
});

test('segments of a form are those of the user, and without personalisation there are none', async () => {
  const member = await ofForm({ segmentIds: ['7'] });
  expect(member.present.slots[0]?.winner?.lineItemId).toBe('6');
  const { present, request } = await ofForm({ segmentIds: ['7'], npa: true });
  expect(present.slots[0]?.winner?.lineItemId).toBe('1');
  expect(request).toMatchObject({ npa: true, hasUser: false, segmentIds: [] });
});

test('imagined changes show who would win instead, and leave the bookings as they are', async () => {
  const dearer = [whatIf({ lineItemId: '2', priceMicros: 9_500_000 })];
  const { present, imagined, changes } = await ofForm({}, dearer);
  expect(present.slots[0]?.winner?.lineItemId).toBe('1');
  expect(imagined?.slots[0]?.winner).toMatchObject({ lineItemId: '2', bidMicros: 9_500_000 });
  expect(imagined?.chances).toMatchObject([{ lineItemId: '2', percent: 100 }]);
  expect(changes).toEqual([
    { slotId: '1', lineItemId: '2', name: 'Cheap', before: 'lost.price', after: 'won' },
    { slotId: '1', lineItemId: '1', name: 'Dear', before: 'won', after: 'lost.price' },
  ]);
  expect((await ofForm()).present).toEqual(present);
  expect(compiled.snapshot).toEqual(bookings(2_000_000));
});

const NO_CAP = { impressionsPerDay: null, clicksPerDay: null, clicksLifetime: null } as const;
const NO_MONEY_CAP = { spendMicrosPerDay: null, spendMicrosLifetime: null } as const;
test.each([
  ['a cap that is lifted', { lineItemId: '4', caps: { ...NO_CAP, ...NO_MONEY_CAP, impressionsLifetime: null } }, '4'],
  ['a cap that is raised', { lineItemId: '4', caps: { ...NO_CAP, ...NO_MONEY_CAP, impressionsLifetime: 6 } }, '4'],
  ['a pause that ends', { lineItemId: '5', status: 'ACTIVE' }, '5'],
  ['a winner that is paused', { lineItemId: '1', status: 'PAUSED' }, '2'],
  ['a higher tier', { lineItemId: '2', type: 'SPONSORSHIP', sharePercent: 100 }, '2'],
  ['a floor above all prices', { adUnitId: '1', floorMicros: 60_000_000 }, null],
] as const)('an imagined change changes the winner: %s', async (_title, change, winner) => {
  const { imagined } = await ofForm({}, [whatIf(change)]);
  expect(imagined?.slots[0]?.winner?.lineItemId ?? null).toBe(winner);
});

test('an id that the network does not have is named by its path', async () => {
  await expect(ofForm({ adUnitId: '99' })).rejects.toMatchObject({ fields: [{ path: 'input.form.adUnitId' }] });
  await expect(ofForm({}, [whatIf({ lineItemId: '99', priceMicros: 1 })])).rejects.toMatchObject({
    fields: [{ path: 'input.whatIf.0.lineItemId', code: 'unknown' }],
  });
});

test('a third inspection of one network at a time is refused', async () => {
  const results = await Promise.allSettled([ofForm(), ofForm(), ofForm()]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(results[2]).toMatchObject({ reason: { code: 'unavailable' } });
  await expect(ofForm()).resolves.toBeDefined();
});

const ad = (given: Partial<ServedAd> = {}): ServedAd => ({
  impressionId: '01JD4Q8Z0000000000000000AB',
  workspaceId: 1,
  advertiserId: '1',
  campaignId: '1',
  lineItemId: '2',
  lineItemType: 'PRICE',
  creativeId: '200',
  creativeFormat: 'IMAGE',
  companion: false,
  dealId: '',
  advertisingProductId: '',
  siteId: '1',
  areaId: '',
  adUnitId: '1',
  width: 300,
  height: 250,
  country: 'PL',
  region: '',
  deviceType: 'mobile',
  os: 'Android',
  browser: 'Chrome',
  keyValues: {},
  npa: false,
  userHash: '00112233aabbccdd',
  householdHash: '',
  pricingModel: 'CPM',
  priceMicros: 12_000_000,
  decidedAtMs: NOW_MS - 2 * HOUR_MS,
  test: false,
  heldLimits: 0,
  chosenBy: [],
  ...given,
});
const whyLink = (served: ServedAd, key = linkKey): InspectedSource => ({
  kind: 'WHY_LINK',
  link: `https://ads.example/1000/why/${sealServedAd(served, key)}`,
});

/** Logs a decision of two hours ago, when line item 2 was the dearest. */
async function logDecision(dir: string, options: { workspaceId?: number; requestId?: string } = {}): Promise<void> {
  const { workspaceId = 1, requestId = 'auction-1' } = options;
  const snapshot = bookings(12_000_000);
  const then = compile({ ...snapshot, workspace: { ...snapshot.workspace, workspaceId } });
  const nowMs = NOW_MS - 2 * HOUR_MS;
  const log = new DecisionLog({
    dir,
    workerIndex: workspaceId,
    perSecond: () => 1_000,
    retentionMs: 100 * HOUR_MS,
    bytesMax: 1e9,
    nowMs: () => nowMs,
    log: silentLog,
  });
  const opportunity = sampleOpportunity({ workspaceId });
  const recording = log.open(then, opportunity, nowMs, false);
  recording?.nameRequest(requestId);
  const { counter } = stateOf({ [capped]: 5 });
  const state = recording?.begin(
    {
      counter,
      capCount: (check, day) => counter(capCounterKey(check, day)),
      isUsedUp: () => false,
      rate: (asked, parent) => evidenceByCounters(asked, parent, counter),
      hasWorths: () => false,
      lifts: () => null,
      unitBar: () => null,
      pace: () => ({ mayDeliver: true, urgency: 0 }),
    },
    () => 0.5,
  );
  if (state === undefined) throw new Error('not sampled');
  recording?.finish(decide(then, opportunity, { state, nowMs, random: state.random }));
  await log.flush();
}

test('the link of an ad finds its logged decision, which comes out the same on the bookings of that time', async () => {
  const { dir, remove } = createTestFolder();
  await logDecision(dir);
  const by = inspectorOver(dir);
  const found = await inspect(whyLink(ad()), [], by);
  expect(found.logged).toMatchObject({
    isSame: true,
    differences: [],
    at: new Date(NOW_MS - 2 * HOUR_MS),
    chances: [],
  });
  expect(found.logged?.slots[0]?.winner).toMatchObject({ lineItemId: '2', bidMicros: 12_000_000 });
  expect(reasonsOf(found.logged as never)).toMatchObject({ 1: 'lost.price', 4: 'capped.line_item', 5: 'paused' });
  expect(found.present.slots[0]?.winner, 'with the present bookings').toMatchObject({ lineItemId: '1' });
  expect(found.ad).toMatchObject({ lineItemId: '2', lineItemName: 'Cheap', priceMicros: 12_000_000 });
  expect(JSON.stringify(found), 'no user').not.toContain('00112233aabbccdd');

  const imagined = await inspect(whyLink(ad()), [whatIf({ lineItemId: '2', status: 'PAUSED' })], by);
  expect(imagined.imagined?.slots[0]?.winner?.lineItemId).toBe('1');
  expect(imagined.changes).toMatchObject([
    { lineItemId: '1', after: 'won' },
    { lineItemId: '2', before: 'won', after: 'paused' },
  ]);
  remove();
});

test('a logged decision is found by the id of its request, and only by its own network', async () => {
  const { dir, remove } = createTestFolder();
  await logDecision(dir, { requestId: 'auction-"1"' });
  await logDecision(dir, { workspaceId: 2, requestId: 'of-another-network' });
  const by = inspectorOver(dir);
  const asked = (requestId: string) => inspect({ kind: 'REQUEST_ID', requestId }, [], by);
  expect((await asked('auction-"1"')).logged?.slots[0]?.winner?.lineItemId).toBe('2');
  await expect(asked('of-another-network')).rejects.toMatchObject({ code: 'not_found' });
  await expect(asked('auction-2')).rejects.toMatchObject({ code: 'not_found' });
  remove();
});

test('a damaged line of the log is passed over', async () => {
  const { dir, remove } = createTestFolder();
  await logDecision(dir);
  const [file] = await listLogFiles(dir);
  appendFileSync(join(dir, file?.name ?? ''), '{"snapshot":"x","workspaceId":1,"atMs":1,"requestId":"cut","oppor');
  await expect(inspect({ kind: 'REQUEST_ID', requestId: 'cut' }, [], inspectorOver(dir))).rejects.toMatchObject({
    code: 'not_found',
  });
  remove();
});

test('a request like that of an ad that was not logged is decided as of now, and a note says so', async () => {
  const { logged, present, remarks, bidRequest } = await inspect(whyLink(ad()));
  expect(logged).toBeNull();
  expect(present.slots[0]?.winner?.lineItemId).toBe('1');
  expect(bidRequest).toMatchObject({ device: { devicetype: 4, geo: { country: 'PL' } } });
  expect(writeSentences(remarks)[0]).toContain('PLACARD_DECISION_LOG_PER_SECOND');
});

test.each([
  ['a forged link', whyLink(ad(), stranger)],
  ['a link of another network', whyLink(ad({ workspaceId: 2 }))],
  ['a text without a token', { kind: 'WHY_LINK', link: 'https://ads.example/1000/why/' } as const],
])('%s is not found', async (_title, source) => {
  await expect(inspect(source)).rejects.toMatchObject({ code: 'not_found' });
});
