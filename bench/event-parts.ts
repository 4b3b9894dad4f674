/**
 * CPU time of one impression or click from its route's handler to the shipper, without HTTP and without the analytics store; 1,000 line items,
 * 20,000 users, 256 events at once, after 15,000 of them.
 *
 *   node bench/event-parts.ts [imp|click] [events, default 40000]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { LineItem } from '../src/domain/booking/line-item.ts';
import { ImpressionIds } from '../src/domain/ids/impression-ids.ts';
import { sealServedAd } from '../src/domain/events/link-token.ts';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { ALL_LIMITS } from '../src/domain/money/reservation.ts';
import { createEventService } from '../src/events/event-service.ts';
import { createTestCatalog, lineItem, linkKey, makeServedAd, userHashSecret } from '../src/events/fixtures/catalog.ts';
import { openHotStore } from '../src/storage/hot/open-hot-store.ts';
import type { Olap } from '../src/storage/olap/olap.ts';

const TOGETHER = 256;
const WARM_UP = 15_000;
const [kind = 'imp', total = '40000'] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'placard-event-parts-'));
const hot = openHotStore({ dir: join(dataDir, 'hot'), nowMs: Date.now, log: SILENT_LOG });
const lineItems = new Map(Array.from({ length: 1_000 }, (_, n) => [String(1_000 + n), booked(String(1_000 + n))]));
const service = createEventService({
  catalog: { ...createTestCatalog(), findLineItem: (_workspaceId, id) => lineItems.get(id) },
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
const route = service.routes.find(({ pattern }) => pattern === `/:network/${kind}/:token`);
const ids = new ImpressionIds();
let turn = 0;
await sendAll(newTokens(WARM_UP));
const tokens = newTokens(Number(total));
const before = process.cpuUsage();
const startMs = performance.now();
await sendAll(tokens);
const { user, system } = process.cpuUsage(before);
const perSecond = (tokens.length * 1_000) / (performance.now() - startMs);
console.log(
  `${kind}: ${((user + system) / tokens.length).toFixed(1)} µs CPU/event (system ${(system / tokens.length).toFixed(1)}), ${perSecond.toFixed(0)}/s`,
);
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
    const userHash = ((turn * 7_919) % 20_000).toString(16).padStart(16, '0');
    const lineItemId = String(1_000 + ((turn * 31) % 1_000));
    const impressionId = ids.next(Date.now());
    return sealServedAd(
      makeServedAd(Date.now(), { impressionId, lineItemId, userHash, heldLimits: ALL_LIMITS }),
      linkKey,
    );
  });
}

async function sendAll(all: readonly string[]): Promise<void> {
  let at = 0;
  const sendNext = async (): Promise<void> => {
    for (let token = all[at++]; token !== undefined; token = all[at++]) {
      await route?.handler({
        method: 'GET',
        path: '',
        query: '',
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
        body: Buffer.alloc(0),
        startedMs: 0,
        remoteAddress: '127.0.0.1',
        requestId: 'r',
        protocolSecure: true,
        params: { network: '1000', token },
      });
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, sendNext));
}
