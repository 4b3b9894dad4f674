/** A delivery worker of a machine of its own: decisions and events on stores that other machines share. Prints its port. */
import { Registry } from 'prom-client';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { createEventService } from '../../src/events/event-service.ts';
import type { EventService } from '../../src/events/event-service.ts';
import { startDeliveryServer } from '../../src/http/fast/delivery-server.ts';
import { openRedisHotStore } from '../../src/storage/hot/redis-hot-store.ts';
import { OlapError } from '../../src/storage/olap/olap.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';
import { openChangeFeed } from '../../src/storage/sql/change-feed.ts';
import { openPostgres } from '../../src/storage/sql/postgres.ts';
import { createDeliveryService } from '../../src/delivery/serving/delivery-service.ts';

const [dataDir = '', postgresUrl = '', redisUrl = '', keyPrefix = ''] = process.argv.slice(2);
const log = SILENT_LOG;
const secrets = {
  linkKeys: [{ keyId: 'n', secret: Buffer.alloc(32, 5) }],
  userHashSecret: Buffer.alloc(32, 6),
};
/** Tests read counts from the hot store: rows wait in the spool. */
const olapDown = {
  insertRaw: () => Promise.reject(new OlapError('unreachable', 'unavailable', { retryable: true })),
} as unknown as Olap;
const hot = openRedisHotStore({ url: redisUrl, log, keyPrefix });
const sql = openPostgres({ url: postgresUrl, log, poolMax: 2, statementTimeoutMs: 10_000 });
const delivery = createDeliveryService({
  sql: sql.db,
  watchChanges: (handlers) => openChangeFeed({ url: postgresUrl, channel: 'placard_change', log, ...handlers }),
  hot,
  secrets,
  requestCounts: () => events.requestCounts,
  deliveryUrl: 'https://ads.example',
  consoleUrl: 'https://desk.example',
  dataDir,
  writesSnapshotFile: false,
  nowMs: Date.now,
  random: Math.random,
  log,
});
const events: EventService = createEventService({
  catalog: delivery.catalog,
  admitPixel: () => Promise.resolve(true),
  hot,
  olap: olapDown,
  ...secrets,
  dataDir,
  workerIndex: 0,
  workers: 1,
  nowMs: Date.now,
  log,
  registry: new Registry(),
});
await delivery.start();
events.start();
const routes = [...delivery.routes, ...events.routes];
const server = await startDeliveryServer({ routes, transport: { mode: 'loopback', tls: null }, port: 0, log });
process.once('disconnect', () => process.exit());
process.send?.({ port: server.port });
