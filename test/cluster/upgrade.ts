/**
 * `npm run test:upgrade`: the program before the newest SQL migration runs on a PostgreSQL that this tree migrated: management, ads, events and reports
 * work. Then this tree's program runs beside it under the same load. Every event is counted once.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../support/http-client.ts';
import { findRedisServer } from '../support/stores/redis-servers.ts';
import { openTestRun } from '../support/test-run.ts';
import { bookLoad } from '../torture/booking.ts';
import { Journal } from '../torture/journal.ts';
import { checkLoad, countKinds, untilAcknowledged } from '../torture/load-checks.ts';
import { Load } from '../torture/load.ts';
import { createManagement } from '../torture/management.ts';
import { randomOf } from '../torture/random.ts';
import type { StoredEvent } from '../torture/stored-events.ts';
import { pause } from '../torture/tortured-server.ts';
import { verify } from '../torture/verify.ts';
import { Cluster } from './cluster.ts';
import type { ClusterNode } from './cluster-node.ts';
import { type PreviousProgram, unpackPreviousProgram } from './previous-program.ts';

const LIMIT_MS = 600_000;
const REPORT_WAIT_MS = 60_000;
const EVENTS_EACH = 150;
const SIZE = { cores: 2, deliveryNodes: 2, workers: 1, drainSeconds: 1 };

/** Creates, changes, reads and archives through one core. */
async function useManagement(node: ClusterNode, { networkId, adminKey }: { networkId: string; adminKey: string }) {
  const management = createManagement({ coreUrl: () => node.url, networkId, adminKey });
  const id = await management.create('Advertiser', { name: `Of ${node.name}` });
  const name = `Renamed by ${node.name}`;
  await management.graphql(
    'mutation ($id: ID!, $input: UpdateAdvertiserInput!) { updateAdvertiser(id: $id, input: $input) { advertiser { id } } }',
    { id, input: { name } },
  );
  const read = 'query ($id: ID!) { advertiser(id: $id) { name } }';
  const { advertiser } = await management.graphql<{ advertiser: { name: string } }>(read, { id });
  if (advertiser.name !== name) throw new Error(`${node.name} does not see its own change`);
  await management.graphql('mutation ($id: ID!) { archiveAdvertiser(id: $id) { advertiser { id } } }', { id });
  console.log(`${node.name}: management works`);
}

/** Waits until a report of this core has as many impressions as are stored. */
async function compareReport(cluster: Cluster, node: ClusterNode, stored: readonly StoredEvent[]): Promise<string[]> {
  const { networkId, credentials } = cluster.cores[0]?.running.demo ?? { networkId: '', credentials: null };
  const wanted = stored.filter(({ kind, lineItemId }) => kind === 'impression' && lineItemId !== '');
  const lineItems = [...new Set(wanted.map(({ lineItemId }) => lineItemId))];
  const member = (name: string): string => `campaign_overview.${name}`;
  const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
  const dateRange = [day(Date.now() - 86_400_000), day(Date.now() + 86_400_000)];
  const client = createClient(null);
  try {
    for (const untilMs = performance.now() + REPORT_WAIT_MS; ; await pause(200)) {
      const response = await client.send(`${node.url}/reports/${networkId}/v1/load`, {
        headers: {
          'x-internal-auth-login': credentials?.login ?? '',
          'x-internal-auth-token': credentials?.token ?? '',
        },
        json: {
          query: {
            measures: [member('impressions')],
            timeDimensions: [{ dimension: member('time'), dateRange }],
            filters: [{ member: member('line_item_id'), operator: 'equals', values: lineItems }],
          },
        },
      });
      const found = response.json<{ data?: Record<string, string>[] }>().data?.[0]?.[member('impressions')];
      if (Number(found) === wanted.length) {
        console.log(`${node.name}: its report has all ${wanted.length} impressions`);
        return [];
      }
      if (performance.now() > untilMs)
        return [
          `the report of ${node.name} has ${found} impressions of ${wanted.length}: ${response.text.slice(0, 300)}`,
        ];
    }
  } finally {
    client.close();
  }
}

async function untilMore(journal: Journal, name: string): Promise<void> {
  const wanted = journal.acknowledged.size + EVENTS_EACH;
  while (journal.acknowledged.size < wanted) await untilAcknowledged(journal, name);
}

async function upgrade(cluster: Cluster, previous: PreviousProgram, dir: string): Promise<boolean> {
  const [oldCore, newCore] = cluster.cores;
  const [oldDelivery, newDelivery] = cluster.delivery;
  if (oldCore === undefined || newCore === undefined || oldDelivery === undefined || newDelivery === undefined)
    throw new Error('The cluster lacks a node');
  await oldCore.start();
  const token = await cluster.makeToken(SIZE.cores + SIZE.deliveryNodes - 1);
  const { networkId, keys } = oldCore.running.demo;
  const access = { networkId, adminKey: keys.admin };
  await oldCore.stop();
  console.log(`PostgreSQL has the schema of this tree, with ${previous.newMigration}`);

  await oldCore.start({}, previous.mainPath);
  await oldDelivery.start({ PLACARD_JOIN_TOKEN: token }, previous.mainPath);
  cluster.watchReadiness();
  await cluster.untilReady([oldCore, oldDelivery]);
  await useManagement(oldCore, access);
  const booking = await bookLoad(cluster.management);
  const journal = new Journal(join(dir, 'journal.log'), cluster.linkKeys);
  // Contacts may be a moment behind: what a conversion is credited to is not the question here.
  journal.recordBlindSpot(0, Number.POSITIVE_INFINITY);
  const load = new Load({
    deliveryUrl: () => cluster.deliveryUrl,
    ca: () => null,
    networkId,
    apiKey: cluster.audienceKey,
    booking,
    journal,
    random: randomOf(1),
    users: 4,
    pauseMs: 40,
    countsBids: true,
  });
  load.start();
  await untilMore(journal, 'the previous program');
  console.log(`the previous program alone: ${load.requests} bids, ${journal.acknowledged.size} events`);

  await newCore.start({ PLACARD_JOIN_TOKEN: token });
  await newDelivery.start({ PLACARD_JOIN_TOKEN: token });
  await cluster.untilReady();
  for (const core of [newCore, oldCore]) await useManagement(core, access);
  await untilMore(journal, 'the present program');
  await load.stop();
  console.log(`with the present program beside it: ${load.requests} bids, ${journal.acknowledged.size} events`);
  const { acknowledged, stored, problems } = await verify(cluster.compared, journal, booking);
  const found = [...problems, ...checkLoad(journal, stored).filter((one) => !one.includes('flat_day'))];
  for (const core of [oldCore, newCore]) found.push(...(await compareReport(cluster, core, stored)));
  console.log(`${acknowledged} events acknowledged, ${stored.length} stored (${countKinds(stored)})`);
  for (const [why, count] of journal.refusals) console.log(`failed: ${why}: ${count}`);
  for (const problem of found.slice(0, 20)) console.log(problem);
  return journal.refused === 0 && found.length === 0;
}

const redisBinary = findRedisServer();
if (redisBinary === null) {
  console.log('SKIPPED: two programs side by side need a redis-server or valkey-server on the PATH; there is none');
  process.exit(0);
}
const endRun = await openTestRun();
const dir = mkdtempSync(join(tmpdir(), 'upgrade-'));
// As root, PostgreSQL runs as another account, which needs access to the folder.
chmodSync(dir, 0o755);
const previous = unpackPreviousProgram(dir);
let cluster: Cluster | null = null;
let isRight = false;
try {
  if (previous === null) {
    console.log('skipped: no migration since the baseline, or no history');
    isRight = true;
  } else {
    console.log(`the previous program is that of commit ${previous.commit}`);
    cluster = await Cluster.prepare(dir, redisBinary, SIZE);
    const limit = pause(LIMIT_MS).then(() => Promise.reject(new Error(`It took longer than ${LIMIT_MS / 1_000} s`)));
    isRight = await Promise.race([upgrade(cluster, previous, dir), limit]);
  }
} catch (error) {
  console.error(error);
} finally {
  await cluster?.end();
  rmSync(dir, { recursive: true, force: true });
  await endRun();
}
console.log(isRight ? 'the previous program runs on the present schema' : 'FAILED');
process.exit(isRight ? 0 : 1);
