import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeCluster, startFakeCluster } from '../../../test/support/stores/fake-cluster.ts';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { countEventsBefore } from '../../events/retention/retention.olap.ts';
import { anonymiseEvents } from '../../events/retention/user-erasure.olap.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { createShipper, type Shipper } from '../../events/shipping/shipper.ts';
import { readStoredIds } from '../../events/shipping/stored-events.olap.ts';
import { listSpoolFiles, spoolFilePath } from '../../events/spool/spool-files.ts';
import { encodeSpoolLine } from '../../events/spool/spool-line.ts';
import { DataVersions } from '../../reports/cache/data-versions.olap.ts';
import { compareRollUps } from '../../reports/rollups/compare-rollups.olap.ts';
import { readCountedSums } from '../../reports/rollups/counted-sums.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { writeOlapAddress } from '../../storage/olap/olap-address.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const CLUSTER = 'placard_test';
const UNKNOWN_STATUS_OF_INSERT = 319;
const migrations = [...EVENT_OLAP_MIGRATIONS, ...DELIVERY_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
const folder = createTestFolder();
const children: ChildProcess[] = [];
let cluster: FakeCluster;
let olap: Olap;
/** Each replica by itself, whatever the cluster says. */
let replicas: Olap[] = [];

async function startReplica(name: string): Promise<string> {
  const path = fileURLToPath(new URL('../../../test/support/stores/analytics-child.ts', import.meta.url));
  const child = fork(path, [join(folder.dir, name)], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  children.push(child);
  return new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
}

beforeAll(async () => {
  const urls = await Promise.all(['a', 'b'].map(startReplica));
  replicas = urls.map((url) => openOlap({ url, log: silentLog }));
  cluster = await startFakeCluster(CLUSTER, urls);
  olap = openOlap({ url: writeOlapAddress(cluster.url, CLUSTER), log: silentLog });
  await migrateOlap({ olap, migrations, log: silentLog });
}, 300_000);
afterAll(async () => {
  await olap.close();
  for (const replica of replicas) await replica.close();
  await cluster.close();
  for (const child of children) child.kill('SIGKILL');
  folder.remove();
});
beforeEach(async () => {
  for (const at of replicas.keys()) await cluster.setLagging(at, false);
  cluster.turnTo(0);
});

let events = 0;
const DAY = '2026-11-02';

function line(ids: readonly string[], lineItemId: string): Buffer {
  const time = formatEventTime(Date.parse(`${DAY}T10:00:00Z`));
  const row = { ...EMPTY_EVENT_ROW, workspace_id: 1, kind: 'impression', time, quantity: 1 } as const;
  return Buffer.concat(
    ids.map((id) =>
      encodeSpoolLine(
        { ...row, event_id: id, impression_id: id, line_item_id: lineItemId, user_hash: '77', revenue_nanos: 1_000 },
        null,
      ),
    ),
  );
}

/** Ships events of one line item from spool files of two workers, as a machine does. */
async function ship(ids: readonly string[], lineItemId: string): Promise<void> {
  const spoolDir = join(folder.dir, `spool-${lineItemId}`);
  for (const worker of [0, 1]) {
    const dir = join(spoolDir, `w${worker}`);
    mkdirSync(dir, { recursive: true });
    const bytes = line(
      ids.filter((_id, at) => at % 2 === worker),
      lineItemId,
    );
    events += 1;
    writeFileSync(spoolFilePath(dir, `${1_700_000_000_000 + events}-0123abcdb`, 'settled', bytes.length), bytes);
  }
  const hot = openLedger({ dir: join(spoolDir, 'hot'), nowMs: Date.now, log: silentLog });
  const shipper: Shipper = createShipper({
    spoolDir,
    workerIndex: 0,
    workers: 2,
    hot,
    olap,
    log: silentLog,
    backoffMsMin: 10,
    backoffMsMax: 50,
    pollMs: 10,
    pace: { everyMs: 0, joinMs: 0 },
  });
  shipper.start();
  await expect.poll(() => shipper.stats().shippedRows).toBe(ids.length);
  await shipper.stop(60_000);
  expect([0, 1].flatMap((worker) => listSpoolFiles(join(spoolDir, `w${worker}`)))).toEqual([]);
  await hot.close();
}

/** Per replica: rows, and impressions of the first and of the last table of the chain. */
async function countOn(replica: Olap | undefined, lineItemId: string): Promise<unknown> {
  const [row] =
    (await replica?.query({
      sql: `SELECT (SELECT count() FROM events_local WHERE line_item_id = {id: String}) AS rows,
        (SELECT sum(impressions) FROM delivery_quarter_hourly_local WHERE line_item_id = toUInt64({id: String})) AS quarters,
        (SELECT sum(impressions) FROM delivery_line_item_daily_local WHERE line_item_id = toUInt64({id: String})) AS days`,
      params: { id: lineItemId },
    })) ?? [];
  return row;
}

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const counted = { rows: '5', quarters: '5', days: '5' };

describe('a cluster', () => {
  test('an insert that a replica applied, with an error as response, counts once on both replicas', async () => {
    cluster.failAfterInsert(3, UNKNOWN_STATUS_OF_INSERT);
    await ship(FIVE, '101');
    for (const replica of replicas) expect(await countOn(replica, '101')).toEqual(counted);
  });

  test('a retry that another replica gets, which lags behind, counts once', async () => {
    await cluster.setLagging(1, true);
    cluster.failAfterInsert(1, UNKNOWN_STATUS_OF_INSERT);
    const insert = {
      table: 'events_intake',
      body: Buffer.from(
        FIVE.map((id) =>
          JSON.stringify({
            event_id: id,
            workspace_id: 1,
            kind: 'impression',
            time: `${DAY} 10:00:00.000`,
            line_item_id: '102',
            quantity: 1,
          }),
        ).join('\n'),
      ),
      token: 'batch-102',
    };
    await expect(olap.insertRaw(insert)).rejects.toMatchObject({
      serverCode: UNKNOWN_STATUS_OF_INSERT,
      retryable: true,
    });
    expect(await countOn(replicas[1], '102')).toEqual({ rows: '0', quarters: '0', days: '0' });
    cluster.turnTo(1);
    await olap.insertRaw(insert);
    await cluster.setLagging(1, false);
    for (const replica of replicas) expect(await countOn(replica, '102')).toEqual(counted);
  });

  test('a final figure does not come from a replica that lags behind', async () => {
    await cluster.setLagging(1, true);
    await ship(FIVE, '103');
    const stale = await olap.query<{ n: string }>({
      sql: "SELECT count() AS n FROM events WHERE line_item_id = '103'",
    });
    cluster.turnTo(1);
    const lagging = await olap.query<{ n: string }>({
      sql: "SELECT count() AS n FROM events WHERE line_item_id = '103'",
    });
    expect([stale[0]?.n, lagging[0]?.n]).toEqual(['5', '0']);

    const final = async <T>(read: () => Promise<T>): Promise<T> => {
      cluster.turnTo(1);
      return read();
    };
    const sums = await final(() => readCountedSums(olap)({ timezone: null, fromMs: 0 }));
    expect(sums.find(({ lineItemId }) => lineItemId === '103')?.counts.imp).toBe(5n);
    const range = { from: DAY, to: '2026-11-03' };
    expect(await final(() => compareRollUps(olap, range))).toEqual([]);
    const compared = cluster.seen.filter(({ sql }) => sql.includes('facts.workspace_id) AS workspace'));
    expect(compared.every(({ settings }) => settings['select_sequential_consistency'] === '1')).toBe(true);
    const time = `${DAY} 10:00:00.000`;
    const stored = await final(() =>
      readStoredIds(
        olap,
        FIVE.map((id) => ({ id, time })),
      ),
    );
    expect(stored.size).toBe(5);
    expect(await final(() => countEventsBefore(olap, 1, Date.parse('2026-11-03')))).toBeGreaterThanOrEqual(5);
    const versions = new DataVersions({ olap, log: silentLog, nowMs: Date.now });
    expect((await final(() => versions.read(1, 'now'))).writtenAtMs).not.toBeNull();
  });

  test('an erasure changes the events on every server, and waits for each of them', async () => {
    await ship(FIVE, '104');
    expect(await anonymiseEvents(olap, 1, '77', { askEveryMs: 10 })).toBeGreaterThanOrEqual(5);
    for (const replica of replicas) {
      const rows = await replica.query({ sql: 'SELECT count() AS n FROM events_local WHERE user_hash = 77' });
      expect(rows).toEqual([{ n: '0' }]);
    }
    expect(
      cluster.seen.some(({ sql }) => sql.includes(`FROM clusterAllReplicas('${CLUSTER}', system.mutations)`)),
    ).toBe(true);
    const alter = cluster.seen.filter(({ sql }) => sql.includes('UPDATE user_hash'));
    expect(alter.map(({ sql }) => sql.includes(`ALTER TABLE events_local ON CLUSTER '${CLUSTER}'`))).toEqual([true]);
  });

  test('each insert asks for a quorum, one at a time, on the shards themselves, under a token', async () => {
    const inserts = cluster.seen.filter(({ sql }) => sql.startsWith('INSERT INTO `events_intake`'));
    expect(inserts.length).toBeGreaterThan(0);
    for (const { sql, settings } of inserts) {
      expect(settings).toMatchObject({
        distributed_foreground_insert: '1',
        insert_quorum: 'auto',
        insert_quorum_parallel: '0',
      });
      expect(sql).toContain('deduplicate_blocks_in_dependent_materialized_views = 1');
      expect(sql).toMatch(/insert_deduplication_token = '[^']+'/);
    }
  });

  test('ClickHouse parses every statement that was sent', async () => {
    const [parser] = replicas;
    for (const { sql } of cluster.seen) {
      // The rows of an insert are not sent here, and its placeholders have no values.
      const statement = sql.replace(/^(INSERT[^]*)FORMAT \w+\s*$/, '$1VALUES').replaceAll(/\{\w+:\s*[^}]+\}/g, 'NULL');
      await parser?.command(`EXPLAIN AST ${statement}`).catch((error: unknown) => {
        throw new Error(statement, { cause: error });
      });
    }
  });
});
