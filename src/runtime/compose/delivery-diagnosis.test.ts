import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { STAGED_CAUSES, type StagedCause, type StagedIds } from '../../../test/worlds/staged-causes.ts';
import { LINK_KEY } from '../../../test/support/running-delivery.ts';
import { DELIVERY_TEXTS } from '../../domain/booking/delivery-texts.ts';
import { frequencyCounterKey } from '../../domain/frequency/frequency-key.ts';
import { hashUser } from '../../domain/ids/user-hash.ts';
import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import { createInsightService, type InsightService } from '../../delivery/insight/insight-service.ts';
import { createDeliveryService, type DeliveryService } from '../../delivery/serving/delivery-service.ts';
import { startDeliveryServer } from '../../http/fast/delivery-server.ts';
import { createTestManagement, type TestManagement } from '../../management/fixtures/test-management.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { openChangeFeed } from '../../storage/sql/change-feed.ts';

const SECRET = Buffer.alloc(32, 9);
/** Each line item's own requests are 1 % of all. */
const IN_REACH = 10;
const REQUESTS = 1_000;
/** Between two requests: what explaining may take is saved meanwhile. */
const STEP_MS = 2_000;

const folder = createTestFolder();
let api: TestManagement;
let hot: HotStore;
let analytics: TestOlapDatabase;
let insight: InsightService;
const staged = new Map<string, StagedIds>();

interface Text {
  readonly code: string;
  readonly values: readonly { readonly name: string; readonly value: string }[];
}

interface Diagnosis {
  readonly code: string;
  readonly sentence: string;
  readonly texts: readonly Text[];
  readonly adviceText: Text | null;
  readonly inReach: number;
  readonly change: {
    readonly code: string;
    readonly sentence: string;
    readonly text: Text | null;
    readonly mutation: string | null;
    readonly document: string | null;
    readonly variables: Readonly<Record<string, unknown>> | null;
    readonly missing: readonly string[];
    readonly impressions: number | null;
  } | null;
  readonly rivals: readonly { readonly name: string }[];
}

beforeAll(async () => {
  hot = openLedger({ dir: `${folder.dir}/hot`, nowMs: () => api.clock.nowMs, log: silentLog });
  analytics = await createTestOlapDatabase();
  await migrateOlap({ olap: analytics.olap, migrations: DELIVERY_OLAP_MIGRATIONS, log: silentLog });
  api = await createTestManagement({ hot, insightOf: () => insight.insight });
  for (const [number, cause] of STAGED_CAUSES.entries()) staged.set(cause.name, await book(cause, number));
  const delivery = createDeliveryService({ ...commonDeps(), ...deliveryDeps() });
  await delivery.start();
  await sendTraffic(delivery);
  await delivery.stop();
  insight = createInsightService({ ...commonDeps(), olap: analytics.olap, userHashSecret: SECRET, linkKeys: [] });
  await insight.start();
}, 600_000);

afterAll(async () => {
  await insight?.stop();
  await api?.close();
  await hot?.close();
  await analytics?.close();
  folder.remove();
});

function commonDeps() {
  const { database, clock } = api;
  return {
    sql: database.db,
    watchChanges: (handlers: object) =>
      openChangeFeed({ url: database.url, channel: 'placard_change', log: silentLog, ...handlers } as never),
    hot,
    dataDir: folder.dir,
    readNetworkHours: () => Promise.resolve([]),
    readAdUnitDays: () => Promise.resolve([]),
    nowMs: () => clock.nowMs,
    random: Math.random,
    log: silentLog,
  };
}

function deliveryDeps() {
  return {
    olap: analytics.olap,
    secrets: { linkKeys: [LINK_KEY], userHashSecret: SECRET },
    requestCounts: () => ({ add: () => undefined }),
    deliveryUrl: 'https://ads.example',
    consoleUrl: 'https://desk.example',
    writesSnapshotFile: false,
  };
}

async function create(type: string, input: object): Promise<string> {
  const member = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const data = await api.data<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${member} { id } } }`,
    { input },
  );
  return data[`create${type}`]?.[member]?.id ?? '';
}

const CREATIVE = {
  name: 'Banner',
  width: 300,
  height: 250,
  reviewState: 'APPROVED',
  clickUrl: 'https://acme.example/',
  content: { html: { html: '<b>n</b>' } },
};

/** Books one staged cause through the management API. */
async function book(cause: StagedCause, number: number): Promise<StagedIds> {
  const name = `${number} ${cause.name}`;
  const site = await create('Site', { code: `s${number}`, name, domain: `s${number}.example` });
  const sizes = [{ width: 300, height: 250 }];
  const adUnit = await create('AdUnit', { siteId: site, name: `u${number}`, sizes, ...cause.adUnit });
  const segment = await create('Segment', { name });
  const deal = cause.deal === undefined ? '' : await create('Deal', { code: dealCode(number), name, ...cause.deal });
  if (cause.floor !== undefined) await create('Floor', { name, siteId: site, floor: cause.floor });
  const advertiser = await create('Advertiser', { name, ...cause.advertiser });
  const campaign = await create('Campaign', { name, advertiserId: advertiser, status: 'ACTIVE', ...cause.campaign });
  const ids = { site, adUnit, segment, deal, advertiser, campaign, lineItem: '' };
  const onSite = { test: { dimension: 'SITE', values: [site] } };
  const further = cause.target?.(ids);
  const own = typeof cause.lineItem === 'function' ? cause.lineItem(ids) : cause.lineItem;
  const targeting = further === undefined ? onSite : { all: [onSite, further] };
  const lineItem = await create('LineItem', {
    ...lineItemInput({ name, campaignId: campaign, targeting }, own),
    ...(deal === '' ? {} : { dealId: deal }),
  });
  if (cause.creative !== null) {
    const creative = await create('Creative', { ...CREATIVE, lineItemId: lineItem, ...cause.creative });
    if (cause.creatives !== undefined)
      await create('Creative', { ...CREATIVE, lineItemId: lineItem, ...cause.creatives });
    if (cause.archived === 'Creative') await archive('Creative', creative);
  }
  if (cause.rival !== undefined) {
    const rivals = await create('Campaign', { name: 'Rivals', advertiserId: advertiser, status: 'ACTIVE' });
    const input = lineItemInput({ name: `Rival ${number}`, campaignId: rivals, targeting: onSite }, cause.rival);
    await create('Creative', { ...CREATIVE, lineItemId: await create('LineItem', input) });
  }
  const others = { LineItem: lineItem, Advertiser: advertiser, Deal: deal, AdUnit: adUnit, Segment: segment };
  if (cause.archived !== undefined && cause.archived !== 'Creative')
    await archive(cause.archived, others[cause.archived]);
  await count(cause, { ...ids, lineItem });
  return { ...ids, lineItem };
}

function lineItemInput(base: object, own: object | undefined): object {
  return { type: 'PRICE', price: '5.00', status: 'ACTIVE', ...base, ...own };
}

const dealCode = (number: number): string => `staged-${number}`;

async function archive(type: string, id: string): Promise<void> {
  await api.data(`mutation ($id: ID!) { update${type}(id: $id, input: { status: ARCHIVED }) { __typename } }`, { id });
}

async function count({ counted, seen, seenLabel }: StagedCause, ids: StagedIds): Promise<void> {
  const userHash = hashUser(SECRET, 1, 'lu', 'user');
  const cap = { event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1 } as const;
  if (seenLabel !== undefined) {
    const key = frequencyCounterKey({ workspaceId: 1, userHash, scope: 'la', id: encodeURIComponent(seenLabel), cap });
    await hot.addToCounters([{ key, by: 1n, ttlMs: 86_400_000 }]);
    const input = { labelCaps: [{ label: seenLabel, frequencyCaps: [{ count: 1, window: 'DAY' }] }] };
    await api.data('mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { id } }', { input });
  }
  if (counted !== undefined) {
    const id = { li: ids.lineItem, ca: ids.campaign, ad: ids.advertiser }[counted.scope];
    const subject = { workspaceId: 1, scope: counted.scope, id, kind: counted.kind };
    const key = counted.day === true ? dayCounterKey(subject, '2026-11-20') : lifetimeCounterKey(subject);
    await hot.addToCounters([{ key, by: counted.by, ttlMs: 86_400_000 }]);
  }
  if (seen !== undefined) {
    const key = frequencyCounterKey({ workspaceId: 1, userHash, scope: 'li', id: ids.lineItem, cap });
    await hot.addToCounters([{ key, by: BigInt(seen), ttlMs: 86_400_000 }]);
  }
}

/** Requests of every site, each staged line item's own being 1 %, in a mixed order. */
async function sendTraffic({ routes }: DeliveryService): Promise<void> {
  const transport = { mode: 'loopback', tls: null } as const;
  const server = await startDeliveryServer({ routes, transport, port: 0, log: silentLog });
  const own = STAGED_CAUSES.flatMap((_cause, number) => Array.from({ length: IN_REACH }, () => number));
  const all = [...own, ...Array.from({ length: REQUESTS - own.length }, () => -1)];
  for (const at of all.keys()) {
    const number = all[(at * 617) % all.length] ?? -1;
    api.clock.nowMs += STEP_MS;
    const response = await fetch(`http://127.0.0.1:${server.port}/1000/bid`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(makeRequest(number, at)),
    });
    await response.arrayBuffer();
    if (response.status >= 400) throw new Error(`Request ${at} got ${response.status}`);
  }
  await server.stop(100);
}

function makeRequest(number: number, at: number): object {
  const cause = STAGED_CAUSES[number];
  const site = number < 0 ? `other${at % 7}` : `s${number}`;
  const imp = { id: '1', tagid: `u${number}`, banner: { format: [{ w: 300, h: 250 }] }, ...cause?.imp };
  const request = {
    id: `r${at}`,
    imp: [imp],
    site: { id: site, domain: `${site}.example`, page: `https://${site}.example/`, ext: { kwrd: ['news'] } },
    device: { geo: { country: 'POL' }, devicetype: 2, ua: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' },
    user: { ext: { ids: { lu: 'user' } }, ...cause?.user },
    ext: { keyvalues: { section: 'news' } },
    ...cause?.root,
  };
  return JSON.parse(JSON.stringify(request).replaceAll('"staged"', JSON.stringify(dealCode(number)))) as object;
}

async function diagnoseOf(name: string): Promise<Diagnosis> {
  const data = await api.data<{ lineItem: { deliveryDiagnosis: Diagnosis } }>(
    `query ($id: ID!) { lineItem(id: $id) { deliveryDiagnosis {
      code sentence texts { ...All } adviceText { ...All } inReach rivals { name }
      change { code sentence text { ...All } mutation document variables missing impressions }
    } } } fragment All on DeliveryText { code values { name value } }`,
    { id: staged.get(name)?.lineItem },
  );
  return data.lineItem.deliveryDiagnosis;
}

/** Values that a text names and does not have; those in brackets may be unknown. */
function missingValues({ code, values }: Text): string[] {
  const english: string = DELIVERY_TEXTS[code.toLowerCase() as keyof typeof DELIVERY_TEXTS];
  const named = [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const held = values.filter(({ value }) => value !== '').map(({ name }) => name);
  return named.filter((name) => name !== 'asked' && !held.includes(name)).map((name) => `${code}: ${name}`);
}

describe('a line item with 1 % of the traffic in reach', () => {
  test.each(STAGED_CAUSES.map((cause) => [cause.name, cause] as const))(
    'the diagnosis names the staged cause: %s',
    async (name, cause) => {
      const diagnosis = await diagnoseOf(name);
      expect(diagnosis.code, diagnosis.sentence).toMatch(new RegExp(`^${cause.code.replaceAll('.', '\\.')}`));
      const { change, texts, adviceText } = diagnosis;
      const said = [...texts, adviceText, change?.text ?? null].filter((text) => text !== null);
      expect(texts.length, 'the sentence as data').toBeGreaterThan(0);
      expect(said.flatMap(missingValues)).toEqual([]);
      // The console shows the text of the change, or else the advice.
      if (change !== null) expect(change.text, change.sentence).not.toBeNull();
      if (cause.code === 'delivering') {
        expect(change).toBeNull();
        return;
      }
      expect(change?.code).toBe(diagnosis.code);
      if (cause.isOutside === true) return;
      expect(change).toMatchObject({ missing: [] });
      // The button sends the document as it is; here it only validates.
      const document = (change?.document ?? '').replace('input: $input', 'input: $input, validateOnly: true');
      const response = await api.ask(document, { variables: change?.variables });
      expect(response.body.errors).toBeUndefined();
    },
  );
});
