/**
 * The time of each part of a bid, by the functions that the worker runs, with the network and the requests of
 * `bench/bid.ts`, in one process and without HTTP. Rounds of all parts alternate; the best round of each counts, as other work of
 * the machine can only slow a round down.
 *
 *   node bench/bid-parts.ts [--line-items 1000] [--rounds 40]
 */
import { DecisionMetrics } from '../src/delivery/serving/decision-metrics.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { buildBidOpportunity } from '../src/delivery/ad-request/bid-opportunity.ts';
import { parseBidRequest } from '../src/delivery/openrtb/bid-request.ts';
import { renderBidResponse } from '../src/delivery/openrtb/bid-response.ts';
import { createBidRoutes } from '../src/delivery/serving/bid.routes.ts';
import { BidRetries } from '../src/delivery/serving/retries/bid-retries.ts';
import { RequestIdentities } from '../src/delivery/serving/retries/request-identity.ts';
import { compileWorkspace } from '../src/delivery/decision/index/compile-workspace.ts';
import { CompiledNetworks } from '../src/delivery/snapshot/compiled-networks.ts';
import { decide } from '../src/delivery/decision/decide.ts';
import { DecisionReasons } from '../src/delivery/insight/diagnosis/decision-reasons.ts';
import { readDevice, resolveGeo } from '../src/delivery/ad-request/device.ts';
import { readDsaRequest } from '../src/delivery/openrtb/dsa.ts';
import { OpportunityRecorder } from '../src/delivery/traffic/opportunity-sample.ts';
import { findNoGeo } from '../src/delivery/ad-request/geo-lookup.ts';
import { DeliveryControl } from '../src/delivery/pacing/delivery-control.ts';
import { resolvePrivacy } from '../src/delivery/ad-request/privacy.ts';
import { ReportedValues } from '../src/delivery/serving/reported-key-values.ts';
import { fillOpportunity } from '../src/delivery/serving/ad-server.ts';
import type { AdServerDeps, FilledOpportunity } from '../src/delivery/serving/ad-server.ts';
import { HostedAssets } from '../src/delivery/markup/hosted-assets.ts';
import { sealPlacement } from '../src/delivery/markup/served-placement.ts';
import { hashUserIds } from '../src/delivery/ad-request/user-identity.ts';
import { createRequestCounts } from '../src/events/recording/request-counts.ts';
import { ImpressionIds } from '../src/domain/ids/impression-ids.ts';
import { NO_KEY_VALUES } from '../src/domain/targeting/key-value.ts';
import { parseJsonBody } from '../src/http/shared/json.ts';
import type { HttpReply, HttpRequest, Route } from '../src/http/shared/route.ts';
import { openLedger } from '../src/storage/ledger/ledger-store.ts';
import { benchSnapshot } from './support/bench-snapshot.ts';
import { BID_HEADERS, bidBodies } from './support/bid-traffic.ts';

const { values } = parseArgs({
  options: { 'line-items': { type: 'string', default: '1000' }, rounds: { type: 'string', default: '40' } },
});
const CALLS = 2_048;

const dir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
const log = SILENT_LOG;
const hot = openLedger({ dir: join(dir, 'hot'), nowMs: Date.now, log: SILENT_LOG });
const compiled = compileWorkspace(benchSnapshot(Number(values['line-items'])), Date.now(), (_id, error) => {
  throw error;
});
const networks = new CompiledNetworks([compiled]);
const plans = new DeliveryControl({
  hot,
  processes: 1,
  workerIndex: 0,
  curveOf: () => undefined,
  nowMs: Date.now,
  log,
});
const olap = { insertRaw: () => Promise.resolve() } as never;
const requestCounts = createRequestCounts({
  spool: { append: () => Promise.resolve() } as never,
  nowMs: Date.now,
  log,
  metrics: { countLostRequests: () => undefined } as never,
});
const deps: AdServerDeps = {
  current: () => networks,
  hot,
  deliveryControl: plans,
  recorder: new OpportunityRecorder({
    olap,
    nowMs: Date.now,
    random: Math.random,
    log,
  }),
  findGeo: findNoGeo,
  reasons: new DecisionReasons({ olap, nowMs: Date.now, log }),
  requestCounts,
  reportedValues: new ReportedValues(),
  impressionIds: new ImpressionIds(),
  linkKeys: [{ keyId: 'k1', secret: Buffer.alloc(32, 7) }],
  userHashSecret: Buffer.alloc(32, 9),
  deliveryUrl: 'https://ads.bench.example:8444',
  metrics: new DecisionMetrics(),
  hostedAssets: new HostedAssets('https://ads.bench.example:8444'),
  nowMs: Date.now,
  random: Math.random,
  log,
};

const { workspaceId } = compiled.snapshot.workspace;
const bodies = bidBodies(Number(values['line-items'])).map((text) => Buffer.from(text));
const parsed = bodies.map((body) => parseJsonBody(body));
const requests = parsed.map(parseBidRequest);
const contexts = requests.map((request) => ({
  device: readDevice(request.device, BID_HEADERS),
  geo: resolveGeo(request.device, '127.0.0.1', findNoGeo),
  privacy: resolvePrivacy(request.privacy),
  dsa: readDsaRequest(request.dsa),
  userHash: hashUserIds(request.userIds, workspaceId, deps.userHashSecret),
}));
const opportunities = requests.map((request, at) => buildBidOpportunity(request, compiled, contexts[at] as never));
const serve = (at: number): FilledOpportunity =>
  fillOpportunity(deps, compiled, opportunities[at] as never, {
    userIds: (requests[at] as never as { userIds: never }).userIds,
    explain: false,
    requestId: '',
  }) as FilledOpportunity;
const served = opportunities.map((_one, at) => serve(at));
const filled = served.flatMap((one, at) => (one.placements.length === 0 ? [] : [at]));
const [bidRoute] = createBidRoutes(deps, new BidRetries({ nowMs: Date.now }));
const identities = new RequestIdentities(deps.userHashSecret);

/** Request ids differ, as in production: a repeated id is not counted. */
let turn = 0;
function httpRequest(at: number): HttpRequest {
  turn += 1;
  const body = Buffer.from(bodies[at] as Buffer);
  body.write(String(turn).padStart(10, '0'), 20);
  return {
    method: 'POST',
    path: '/2000/bid',
    query: '',
    headers: BID_HEADERS,
    body,
    startedMs: performance.now(),
    remoteAddress: '127.0.0.1',
    requestId: 'bench',
    protocolSecure: false,
    params: { network: compiled.snapshot.workspace.networkId },
    hasLeft: () => false,
  };
}

/** Joins the pieces of a response, as the server does first. */
function bytesOf(reply: ReturnType<Route['handler']> | undefined): number {
  const body = (reply as HttpReply | undefined)?.body;
  return typeof body === 'string' ? Buffer.byteLength(body) : 0;
}

type Part = readonly [name: string, share: number, run: (at: number) => unknown];
const parts: Part[] = [
  ['parse JSON (as the bare server)', 0, (at) => JSON.parse((bodies[at] as Buffer).toString())],
  ['parse JSON, with its limits', 1, (at) => parseJsonBody(bodies[at] as Buffer)],
  ['read the bid request', 1, (at) => parseBidRequest(parsed[at])],
  [
    'device, geo, privacy, DSA',
    1,
    (at) => {
      const request = requests[at] as (typeof requests)[number];
      return [
        readDevice(request.device, BID_HEADERS),
        resolveGeo(request.device, '127.0.0.1', findNoGeo),
        resolvePrivacy(request.privacy),
        readDsaRequest(request.dsa),
      ];
    },
  ],
  [
    'hash the user id',
    1,
    (at) => hashUserIds((requests[at] as (typeof requests)[number]).userIds, workspaceId, deps.userHashSecret),
  ],
  ['make the opportunity', 1, (at) => buildBidOpportunity(requests[at] as never, compiled, contexts[at] as never)],
  [
    'decide',
    1,
    (at) =>
      decide(compiled, opportunities[at] as never, {
        state: plans.newState(Date.now()),
        nowMs: Date.now(),
        random: Math.random,
      }),
  ],
  [
    'seal the links of an ad',
    filled.length / bodies.length,
    (at) => {
      const one = filled[at % filled.length] as number;
      const placement = served[one]?.placements[0]?.placement as never;
      const { linkKeys, deliveryUrl, hostedAssets } = deps;
      return sealPlacement(placement, opportunities[one] as never, compiled.snapshot.workspace, {
        linkKey: linkKeys[0] as never,
        deliveryUrl,
        hostedAssets,
        nowMs: Date.now(),
        newId: () => deps.impressionIds.next(Date.now()),
        keyValuesOf: () => NO_KEY_VALUES,
      });
    },
  ],
  ['serve: decide, seal, count, reserve', 0, serve],
  [
    'render the response as JSON',
    filled.length / bodies.length,
    (at) => {
      const one = filled[at % filled.length] as number;
      return renderBidResponse({
        request: requests[one] as never,
        workspace: compiled.snapshot.workspace,
        currency: { code: compiled.snapshot.workspace.currency, rate: null },
        dsa: (contexts[one] as never as { dsa: never }).dsa,
        deliveryHost: 'ads.bench.example',
        served: served[one]?.placements ?? [],
      });
    },
  ],
  ['make the request object (bench only)', 0, httpRequest],
  [
    'identify the request',
    1,
    (at) => {
      const { id, userIds } = requests[at] as (typeof requests)[number];
      const remoteAddress = '127.0.0.1';
      return identities.of({
        content: bodies[at] as Buffer,
        id,
        workspaceId,
        userIds,
        headers: BID_HEADERS,
        remoteAddress,
      });
    },
  ],
  ['the whole handler', 0, (at) => bytesOf(bidRoute?.handler(httpRequest(at)))],
];

const best = parts.map(() => Number.POSITIVE_INFINITY);
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const [index, [, , run]] of parts.entries()) {
    const startMs = performance.now();
    for (let call = 0; call < CALLS; call += 1) run(call % bodies.length);
    best[index] = Math.min(best[index] as number, ((performance.now() - startMs) * 1_000) / CALLS);
  }
  await requestCounts.flush();
  await plans.maintain();
}
console.log(
  `${values['line-items']} line items, ${filled.length} of ${bodies.length} requests filled; best of ${values.rounds} rounds of ${CALLS} calls`,
);
let sum = 0;
for (const [index, [name, share]] of parts.entries()) {
  const micros = best[index] as number;
  sum += micros * share;
  console.log(
    `${name.padEnd(40)} ${micros.toFixed(2).padStart(7)} µs${share > 0 && share < 1 ? `  × ${share}` : ''}${share === 0 ? '  (not in the sum)' : ''}`,
  );
}
console.log(`${'sum of the parts'.padEnd(40)} ${sum.toFixed(2).padStart(7)} µs`);
await plans.stop();
await hot.close();
rmSync(dir, { recursive: true, force: true });
