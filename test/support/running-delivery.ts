import { join } from 'node:path';
import { createTestDatabase, createTestFolder, silentLog } from './stores.ts';
import type { TestDatabase } from './stores.ts';
import type { RequestCountKey } from '../../src/domain/events/event.ts';
import type { LinkKey } from '../../src/domain/events/served-ad.ts';
import type { Principal } from '../../src/domain/tenancy/principal.ts';
import type { Route } from '../../src/http/shared/route.ts';
import { startDeliveryServer } from '../../src/http/fast/delivery-server.ts';
import type { HotStore } from '../../src/storage/hot/hot-store.ts';
import { openLedger } from '../../src/storage/ledger/ledger-store.ts';
import { openChangeFeed } from '../../src/storage/sql/change-feed.ts';
import { createDeliveryService } from '../../src/delivery/serving/delivery-service.ts';
import type { DeliveryService } from '../../src/delivery/serving/delivery-service.ts';

export const LINK_KEY: LinkKey = { keyId: 'a', secret: Buffer.alloc(32, 7) };

/** Delivery on real stores behind a real server on 127.0.0.1. */
export interface RunningDelivery {
  readonly database: TestDatabase;
  readonly hot: HotStore;
  readonly delivery: DeliveryService;
  readonly url: string;
  /** The errors of videos that no player has met, as creative and code. */
  readonly videoErrors: [creativeId: string, code: number][];
  /** All request counts, in order. */
  readonly counted: { key: RequestCountKey; quantity: number }[];
  /** The caller that the ad request API sees. */
  principal: Principal;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts delivery on a fresh database; `seed` fills it first. */
export async function runDelivery(seed: (database: TestDatabase) => Promise<void>): Promise<RunningDelivery> {
  const database = await createTestDatabase();
  await seed(database);
  const folder = createTestFolder();
  const hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: Date.now, log: silentLog });
  const counted: RunningDelivery['counted'] = [];
  const videoErrors: RunningDelivery['videoErrors'] = [];
  const delivery = createDeliveryService({
    recordVideoError: (ad, code) => videoErrors.push([ad.creativeId, code]),
    vastAllowedRanges: ['127.0.0.1'],
    sql: database.db,
    watchChanges: (handlers) =>
      openChangeFeed({ url: database.url, channel: 'placard_change', log: silentLog, ...handlers }),
    hot,
    secrets: { linkKeys: [LINK_KEY], userHashSecret: Buffer.alloc(32, 9) },
    requestCounts: () => ({ add: (_sum, quantity, key) => counted.push({ key: key(), quantity }) }),
    deliveryUrl: 'https://ads.example',
    consoleUrl: 'https://desk.example',
    dataDir: folder.dir,
    writesSnapshotFile: true,
    nowMs: Date.now,
    random: Math.random,
    log: silentLog,
  });
  await delivery.start();
  const holder = { principal: samplePrincipal({}) };
  const protectedRoutes = delivery.protectedRoutes.map(
    (route): Route => ({ ...route, handler: (request) => route.handler(request, holder.principal) }),
  );
  const server = await startDeliveryServer({
    routes: [...delivery.routes, ...protectedRoutes],
    transport: { mode: 'loopback', tls: null },
    port: 0,
    log: silentLog,
  });
  const url = `http://127.0.0.1:${server.port}`;
  return Object.assign(holder, {
    database,
    hot,
    delivery,
    url,
    counted,
    videoErrors,
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    stop: async () => {
      await server.stop(100);
      await delivery.stop();
      await hot.close();
      await database.close();
      folder.remove();
    },
  });
}

/** A read-write DELIVERY key of network 1000. */
export function samplePrincipal(overrides: Partial<Principal>): Principal {
  return {
    kind: 'apiKey',
    actor: 'key:1 "test"',
    id: '1',
    workspaceId: 1,
    networkId: '1000',
    environment: 'production',
    permission: 'read-write',
    modules: null,
    remoteAddress: '127.0.0.1',
    ...overrides,
  };
}
