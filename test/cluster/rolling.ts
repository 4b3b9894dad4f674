/**
 * `npm run test:rolling`: two cores and three delivery nodes are restarted one after the other, again and again, under management calls, bids and
 * events, behind balancers that follow `/readyz`. Not one response may be an error. `ROLLING_ROUNDS=20` restarts each of them 20 times.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from '../support/stores/redis-servers.ts';
import { openTestRun } from '../support/test-run.ts';
import { bookLoad } from '../torture/booking.ts';
import { Journal } from '../torture/journal.ts';
import { countKinds, untilAcknowledged } from '../torture/load-checks.ts';
import { Load } from '../torture/load.ts';
import { randomOf } from '../torture/random.ts';
import { verify } from '../torture/verify.ts';
import { Cluster } from './cluster.ts';
import { type ManagementLoad, startManagementLoad } from './management-load.ts';

const ROUNDS = Number(process.env['ROLLING_ROUNDS'] ?? '3');
const USERS = 6;
const PAUSE_MS = 100;
const SIZE = { cores: 2, deliveryNodes: 3, workers: 1, drainSeconds: 5 };

async function roll(cluster: Cluster, dir: string): Promise<boolean> {
  await cluster.startNodes();
  const { management } = cluster;
  const booking = await bookLoad(management);
  const journal = new Journal(join(dir, 'journal.log'), cluster.linkKeys);
  // Contacts may be a moment behind: what a conversion is credited to is not the question here.
  journal.recordBlindSpot(0, Number.POSITIVE_INFINITY);
  const load = new Load({
    deliveryUrl: () => cluster.deliveryUrl,
    ca: () => null,
    networkId: management.networkId,
    apiKey: cluster.audienceKey,
    booking,
    journal,
    random: randomOf(1),
    users: USERS,
    pauseMs: PAUSE_MS,
    countsBids: true,
  });
  load.start();
  const calls = startManagementLoad({
    coreUrl: () => cluster.coreUrl,
    adminKey: cluster.adminKey,
    advertiserId: booking.advertiserId,
  });
  await untilAcknowledged(journal, 'the start');
  const startedMs = performance.now();
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const node of [...cluster.cores, ...cluster.delivery]) {
      await node.stop();
      await node.start();
      await cluster.untilReady();
      await untilAcknowledged(journal, node.name);
    }
    const { requests } = load;
    console.log(
      `round ${round}/${ROUNDS}: ${requests} bids, ${journal.acknowledged.size} events, ${journal.refused} failed; ${calls.calls()} management calls, ${countOf(calls)} failed`,
    );
  }
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  await load.stop();
  await calls.stop();
  const { acknowledged, stored, problems } = await verify(cluster.compared, journal, booking);
  console.log(
    `${ROUNDS * (SIZE.cores + SIZE.deliveryNodes)} restarts in ${seconds} s: ${load.requests} bids, ${acknowledged} events`,
  );
  console.log(`${stored.length} stored (${countKinds(stored)})`);
  for (const [why, count] of journal.refusals) console.log(`failed: ${why}: ${count}`);
  for (const [why, count] of calls.failures()) console.log(`management failed: ${why}: ${count}`);
  for (const problem of problems.slice(0, 20)) console.log(problem);
  return journal.refused === 0 && calls.failures().size === 0 && problems.length === 0 && stored.length > 0;
}

function countOf(calls: ManagementLoad): number {
  return [...calls.failures().values()].reduce((sum, count) => sum + count, 0);
}

const redisBinary = findRedisServer();
if (redisBinary === null) {
  console.log('SKIPPED: rolling restarts need a redis-server or valkey-server on the PATH; there is none');
  process.exit(0);
}
const endRun = await openTestRun();
const dir = mkdtempSync(join(tmpdir(), 'rolling-'));
// As root, PostgreSQL runs as another account, which needs access to the folder.
chmodSync(dir, 0o755);
let cluster: Cluster | null = null;
let isRight = false;
try {
  cluster = await Cluster.prepare(dir, redisBinary, SIZE);
  isRight = await roll(cluster, dir);
} catch (error) {
  console.error(error);
} finally {
  await cluster?.end();
  rmSync(dir, { recursive: true, force: true });
  await endRun();
}
console.log(isRight ? 'no request failed, and every event was counted once' : 'FAILED');
process.exit(isRight ? 0 : 1);
