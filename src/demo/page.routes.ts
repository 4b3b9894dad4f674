import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import { PlacardError } from '../domain/errors.ts';
import { formatNanos } from '../domain/money/money.ts';
import type { Olap } from '../storage/olap/olap.ts';
import type { Database } from '../storage/sql/schema.ts';
import { DEMO_ACTGID, DEMO_NETWORK_ID, DEMO_SITES } from './booking.ts';
import { type CountedRow, readCounted } from './counted.olap.ts';
import { type DemoFile, readDemoFile } from './demo-file.ts';
import { readDemoNames } from './demo-names.sql.ts';

/** Dependencies of the demo page's server. */
export interface DemoPageDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly dataDir: string;
  readonly deliveryPublicUrl: string;
  /** PEM of the certificate authority of our own endpoints, or null. */
  readonly ca: string | null;
}

const FILES = [
  { path: '/demo', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/demo/demo.css', file: 'demo.css', type: 'text/css; charset=utf-8' },
  { path: '/demo/demo.js', file: 'demo.js', type: 'text/javascript; charset=utf-8' },
] as const;

const ADS_MAX = 20;
const REPORT_CACHE_MS = 1000;

/** The demo page and the few addresses that its script asks: a publisher's page and its backend, in small. */
export async function registerDemoPage(app: FastifyInstance, deps: DemoPageDeps): Promise<void> {
  await app.register(async (scope) => {
    // Without the demo network none of these addresses exists.
    scope.addHook('onRequest', async () => {
      needDemo(deps);
    });
    addDemoRoutes(scope, deps);
  });
}

function addDemoRoutes(app: FastifyInstance, deps: DemoPageDeps): void {
  for (const { path, file, type } of FILES) {
    app.get(path, async (_request, reply) =>
      sendFile(reply, new URL(`page/${file}`, import.meta.url), { type, csp: contentPolicy(deps) }),
    );
  }
  app.get('/demo/config.json', async (_request, reply) => {
    await reply.header('cache-control', 'no-store').send({
      deliveryUrl: deps.deliveryPublicUrl,
      bidUrl: `${deps.deliveryPublicUrl}/${DEMO_NETWORK_ID}/bid`,
      vastUrl: `${deps.deliveryPublicUrl}/${DEMO_NETWORK_ID}/vast`,
      site: { id: DEMO_SITES[0]?.code, domain: DEMO_SITES[0]?.domain, page: `https://www.${DEMO_SITES[0]?.domain}/` },
    });
  });
  const today = cacheFor(REPORT_CACHE_MS, () => reportToday(app, needDemo(deps)));
  app.get<{ Querystring: { ads?: unknown } }>('/demo/counted.json', async (request, reply) => {
    const names = await readDemoNames(deps.sql);
    const rows = await readCounted(deps.olap, names.workspaceId, readIds(request.query.ads));
    await reply
      .header('cache-control', 'no-store')
      .send({ currency: names.currency, ads: countsByAd(rows, names.lineItems), today: await today() });
  });
  app.post('/demo/convert', async (request, reply) => {
    await reply.code(202).send(await sendConversion(deps, request.body));
  });
}

function readIds(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return text
    .split(',')
    .filter((id) => /^[0-9A-Z]{26}$/.test(id))
    .slice(0, ADS_MAX);
}

function contentPolicy(deps: DemoPageDeps): string {
  const delivery = deps.deliveryPublicUrl;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: ${delivery}`,
    `media-src ${delivery}`,
    `connect-src 'self' ${delivery}`,
    `frame-src ${delivery}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function sendFile(reply: FastifyReply, url: URL, { type, csp }: { type: string; csp: string }): Promise<void> {
  const body = await readFile(url);
  await reply
    .header('content-type', type)
    .header('content-security-policy', csp)
    .header('cache-control', 'no-cache')
    .send(body);
}

function needDemo(deps: DemoPageDeps): DemoFile {
  const demo = readDemoFile(deps.dataDir);
  if (demo === null)
    throw new PlacardError('not_found', 'The demo network is not there; "placard demo --reset" makes it.');
  return demo;
}

function countsByAd(
  rows: readonly CountedRow[],
  names: ReadonlyMap<string, string>,
): Record<string, Record<string, unknown>> {
  const ads: Record<string, Record<string, unknown> & { nanos: bigint }> = {};
  for (const row of rows) {
    const ad = (ads[row.impression_id] ??= {
      lineItem: names.get(row.line_item_id) ?? row.line_item_id,
      tier: row.line_item_type,
      nanos: 0n,
    });
    if (row.invalid_reason === '') {
      ad[row.kind] = Number(row.events);
      ad.nanos += BigInt(row.revenue);
    } else {
      ad['filtered'] = row.invalid_reason;
    }
  }
  return Object.fromEntries(
    Object.entries(ads).map(([id, { nanos, ...ad }]) => [id, { ...ad, revenue: formatNanos(nanos) }]),
  );
}

/** Queries the Reports API as a publisher's backend would: at its public address, with the demo's header credentials. */
async function reportToday(app: FastifyInstance, demo: DemoFile): Promise<Record<string, string>> {
  const query = {
    measures: ['campaign_overview.impressions', 'campaign_overview.clicks', 'campaign_overview.revenue'],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
  };
  const response = await app.inject({
    method: 'POST',
    url: `/reports/${demo.networkId}/v1/load`,
    headers: {
      'x-internal-auth-login': demo.credentials.login,
      'x-internal-auth-token': demo.credentials.token,
      'content-type': 'application/json',
      'x-forwarded-proto': 'https',
    },
    payload: { query },
  });
  const [row] = (response.json<{ data?: Record<string, string | null>[] }>().data ?? []) as [
    Record<string, string | null>?,
  ];
  const read = (name: string): string => row?.[`campaign_overview.${name}`] ?? '0';
  return { impressions: read('impressions'), clicks: read('clicks'), revenue: read('revenue') };
}

/** Records a purchase of the page's user through the activity pixel API, as the publisher's backend would. */
async function sendConversion(deps: DemoPageDeps, body: unknown): Promise<unknown> {
  const lu = (body as { lu?: unknown } | null)?.lu;
  if (typeof lu !== 'string' || lu.length === 0 || lu.length > 128)
    throw new PlacardError('invalid_request', 'lu must be the page user’s id.');
  const demo = needDemo(deps);
  const event = {
    network: demo.networkId,
    actgid: DEMO_ACTGID,
    event: 'purchased',
    cost: '49.90',
    ord: `demo-${Date.now()}`,
    lu,
  };
  return postJson(`${demo.urls.pixel}/api/v1/events`, {
    authorization: `Bearer ${demo.keys.audience}`,
    body: JSON.stringify(event),
    ca: deps.ca,
  });
}

function postJson(
  url: string,
  { authorization, body, ca }: { authorization: string; body: string; ca: string | null },
): Promise<unknown> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = send(
      url,
      {
        method: 'POST',
        timeout: 5000,
        headers: { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        ...(ca === null ? {} : { ca }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(Buffer.concat(chunks).toString()));
          else reject(new PlacardError('unavailable', `The activity pixel API returned ${response.statusCode}.`));
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')));
    outgoing.on('error', (error) =>
      reject(new PlacardError('unavailable', 'The activity pixel API could not be reached.', { cause: error })),
    );
    outgoing.end(body);
  });
}

function cacheFor<T>(ttlMs: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly untilMs: number } | null = null;
  return () => {
    if (kept === null || kept.untilMs < performance.now()) kept = { value: read(), untilMs: performance.now() + ttlMs };
    return kept.value;
  };
}
