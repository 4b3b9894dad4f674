/**
 * CPU time of one impression, click or attributed activity from its route's handler to the shipper, without HTTP and without the analytics store; 1,000 line items,
 * 20,000 users, 256 events at once, after 15,000 of them.
 *
 *   node bench/events/event-parts.ts [imp|click|activity] [events, default 40000] [events a second]
 *
 * An activity has 16 touches on its path: the users of this kind are 500, who saw and clicked 8 ads each. Every event has another order reference.
 *
 * With a rate, events come when they are due, whether or not earlier ones have their response; times count from then on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { LineItem } from '../../src/domain/booking/line-item.ts';
import { PlacardError } from '../../src/domain/errors.ts';
import { hashUser } from '../../src/domain/ids/user-hash.ts';
import { ImpressionIds } from '../../src/domain/ids/impression-ids.ts';
import { sealServedAd } from '../../src/domain/events/link-token.ts';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { ALL_LIMITS } from '../../src/domain/money/reservation.ts';
import type { Principal } from '../../src/domain/tenancy/principal.ts';
import { createEventService } from '../../src/events/event-service.ts';
import {
  createTestCatalog,
  lineItem,
  linkKey,
  makeServedAd,
  userHashSecret,
} from '../../src/events/fixtures/catalog.ts';
import type { HttpRequest } from '../../src/http/shared/route.ts';
import { openLedger } from '../../src/storage/ledger/ledger-store.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';

const TOGETHER = 256;
const WARM_UP = 15_000;
/** The newest clicks, and the newest impressions, that a user's lists hold. */
const TOUCHES = 8;
/** Most times that an event is sent. */
const SENDS_MAX = 100;
/** Who may send activities of the network of the test catalog. */
const PRINCIPAL: Principal = {
  kind: 'apiKey',
  actor: 'key:1 "bench"',
  id: '1',
  workspaceId: 1,
  networkId: '1000',
  environment: 'production',
  permission: 'read-write',
  modules: ['AUDIENCE'],
  remoteAddress: '127.0.0.1',
};
const [kind = 'imp', total = '40000', rate] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'placard-event-parts-'));
const hot = openLedger({ dir: join(dataDir, 'hot'), nowMs: Date.now, log: SILENT_LOG });
const lineItems = new Map(Array.from({ length: 1_000 }, (_, n) => [String(1_000 + n), booked(String(1_000 + n))]));
const service = createEventService({
  catalog: { ...createTestCatalog(), findLineItem: (_workspaceId, id) => lineItems.get(id) },
  admitPixel: () => Promise.resolve(true),
  hot,
  olap: { insertRaw: async () => undefined } as unknown as Olap,
  linkKeys: [linkKey],
  userHashSecret,
  dataDir,
  workerIndex: 0,
  workers: 1,
  nowMs: Date.now,
  log: SILENT_LOG,
  registry: new Registry(),
});
service.start();
const activityRoute = service.protectedRoutes[0];
const ids = new ImpressionIds();
const users = kind === 'activity' ? 500 : 20_000;
let turn = 0;
let refused = 0;
for (const as of kind === 'activity' ? ['imp', 'click'] : [kind])
  await sendAll(newTokens(kind === 'activity' ? users * TOUCHES : WARM_UP), as);
const tokens = kind === 'activity' ? newOrders(Number(total)) : newTokens(Number(total));
if (kind === 'activity') await sendAll(newOrders(2_000), kind);
const before = process.cpuUsage();
const startMs = performance.now();
const times = rate === undefined ? [] : await sendDue(tokens, Number(rate));
if (rate === undefined) await sendAll(tokens, kind);
const { user, system } = process.cpuUsage(before);
const perSecond = (tokens.length * 1_000) / (performance.now() - startMs);
console.log(
  `${kind}: ${((user + system) / tokens.length).toFixed(1)} µs CPU/event (system ${(system / tokens.length).toFixed(1)}), ${perSecond.toFixed(0)}/s`,
);
if (times.length > 0) {
  const at = (share: number): string => (times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(1);
  console.log(`from when they were due: p50 ${at(0.5)} ms  p99 ${at(0.99)} ms; ${refused} refused`);
}
await service.stop(100);
await hot.close();
rmSync(dataDir, { recursive: true, force: true });

function booked(id: string): LineItem {
  const frequencyCaps = (['HOUR', 'DAY'] as const).map(
    (window) => ({ event: 'IMPRESSIONS', count: 20, window, every: 1 }) as const,
  );
  const caps = { ...lineItem.caps, impressionsPerDay: 900_000_000, spendMicrosPerDay: 9e12 };
  return { ...lineItem, id, timezone: 'Europe/Warsaw', frequencyCaps, caps };
}

function newTokens(count: number): string[] {
  return Array.from({ length: count }, () => {
    turn += 1;
    const userHash = hashUser(userHashSecret, 1, 'lu', `user-${(turn * 7_919) % users}`);
    const lineItemId = String(1_000 + ((turn * 31) % 1_000));
    const impressionId = ids.next(Date.now());
    return sealServedAd(
      makeServedAd(Date.now(), { impressionId, lineItemId, userHash, heldLimits: ALL_LIMITS }),
      linkKey,
    );
  });
}

function newOrders(count: number): string[] {
  return Array.from({ length: count }, () => {
    turn += 1;
    const lu = `user-${(turn * 7_919) % users}`;
    return JSON.stringify({ network: '1000', actgid: 'buy', event: 'purchased', cost: '12.50', ord: `o-${turn}`, lu });
  });
}

/** @param what the token of a link, or the body of an activity */
async function send(what: string, as: string): Promise<void> {
  const isActivity = as === 'activity';
  const request: HttpRequest = {
    method: isActivity ? 'POST' : 'GET',
    path: '',
    query: '',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    body: Buffer.from(isActivity ? what : ''),
    startedMs: 0,
    remoteAddress: '127.0.0.1',
    requestId: 'r',
    protocolSecure: true,
    params: { network: '1000', token: what },
    hasLeft: () => false,
  };
  if (isActivity) await activityRoute?.handler(request, PRINCIPAL);
  else await service.routes.find(({ pattern }) => pattern === `/:network/${as}/:token`)?.handler(request);
}

/** On a starved machine the disk or the hot store may be late; callers send again, too. */
async function sendUntilRecorded(what: string, as: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(what, as);
    } catch (error) {
      if (tries >= SENDS_MAX || !(error instanceof PlacardError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function sendAll(all: readonly string[], as: string): Promise<void> {
  let at = 0;
  const sendNext = async (): Promise<void> => {
    for (let one = all[at++]; one !== undefined; one = all[at++]) await sendUntilRecorded(one, as);
  };
  await Promise.all(Array.from({ length: TOGETHER }, sendNext));
}

async function sendDue(all: readonly string[], perSecond: number): Promise<number[]> {
  const beganMs = performance.now();
  const taken: number[] = [];
  const sent: Promise<void>[] = [];
  for (let at = 0; at < all.length; ) {
    for (; at < all.length; at += 1) {
      const dueMs = beganMs + (at * 1_000) / perSecond;
      if (dueMs > performance.now()) break;
      const took = (): void => void taken.push(performance.now() - dueMs);
      // A refusal of one that came while the disk stood still.
      sent.push(send(all[at] ?? '', kind).then(took, () => void (refused += 1)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(sent);
  return taken;
}
