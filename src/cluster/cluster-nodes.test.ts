import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../test/support/stores.ts';
import { copySettings, reloadSettings } from '../config/reload-settings.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { loadSecrets } from '../storage/secrets.ts';
import { adoptNode } from './adopt-node.ts';
import { lockCluster } from './cluster.sql.ts';
import { ClusterGate } from './cluster-gate.ts';
import { newJoinToken, parseJoinToken } from './cluster-key.ts';
import { readClusterStatus } from './cluster-status.ts';
import { ClusterWatch } from './cluster-watch.ts';
import { joinCluster, replaceSecrets } from './join-cluster.ts';
import { createJoinToken, revokeJoinToken } from './join-tokens.sql.ts';
import { holdCluster, rotateClusterKey, rotateLinkKeys } from './rotate-secret.ts';

const FILES = ['link-keys', 'pepper', 'user-hash', 'audit-signing-key', 'cluster-key'];
const SHARED = {
  PLACARD_CLICKHOUSE_URL: 'http://clickhouse.example/placard',
  PLACARD_REDIS_URL: 'redis://redis.example',
};
let database: TestDatabase;
let folders: ReturnType<typeof createTestFolder>[];
let hotStore: Pick<HotStore, 'get' | 'applyOnce'> & { readonly values: Map<string, string> };

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  folders = [];
  hotStore = makeHotStore();
});
afterEach(async () => {
  for (const table of ['cluster', 'cluster_secrets', 'cluster_nodes', 'cluster_join_tokens'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(database.db);
  for (const folder of folders) folder.remove();
});
afterAll(() => database.close());

function makeHotStore(): typeof hotStore {
  const values = new Map<string, string>();
  return {
    values,
    get: async (key) => values.get(key) ?? null,
    applyOnce: async ({ key, value }) => {
      const found = values.get(key);
      if (found === undefined) values.set(key, value);
      return { first: found === undefined, value: found ?? value };
    },
  };
}

function makeNode(env: Readonly<Record<string, string>> = {}): Settings {
  const folder = createTestFolder();
  folders.push(folder);
  return readSettings({ PLACARD_DATA: folder.dir, PLACARD_POSTGRES_URL: database.url, ...SHARED, ...env });
}

const depsOf = (settings: Settings) => ({ sql: database.db, settings, part: 'core' as const, log: silentLog });
const joinAs = (settings: Settings) => joinCluster(depsOf(settings));
const locked: <T>(work: Parameters<typeof lockCluster<T>>[1]) => Promise<T> = (work) => lockCluster(database.db, work);
const read = ({ dataDir }: Settings, name: string) => readFileSync(join(dataDir, 'secrets', name), 'utf8');

async function makeToken(settings: Settings, wish: { uses?: number; lifeMs?: number } = {}): Promise<string> {
  return locked(async (trx) => {
    const { clusterKey } = await holdCluster(trx, settings);
    return createJoinToken(trx, { clusterKey, uses: 1, lifeMs: 60_000, createdBy: 'test', ...wish });
  });
}

function watch(settings: Settings, hot = hotStore): { gate: ClusterGate; job: ClusterWatch } {
  const gate = new ClusterGate(settings.dataDir, 'core');
  const addresses = { clickhouseUrl: settings.clickhouseUrl ?? '', redisUrl: settings.redisUrl };
  const secrets = loadSecrets(settings.dataDir);
  const base = { ...depsOf(settings), hot, secrets, addresses, gate, reports: true, registry: new Registry() };
  return { gate, job: new ClusterWatch(base) };
}

/** Two nodes that agree. */
async function makeTwo(): Promise<{ first: Settings; second: Settings }> {
  const first = makeNode();
  await joinAs(first);
  await watch(first).job.run();
  const second = makeNode({ PLACARD_JOIN_TOKEN: await makeToken(first) });
  await joinAs(second);
  await watch(second).job.run();
  return { first, second };
}

test('a node with a token gets every secret of the first, in files that only their owner reads', async () => {
  const { first, second } = await makeTwo();
  for (const name of FILES) {
    expect(read(second, name), name).toBe(read(first, name));
    expect(statSync(join(second.dataDir, 'secrets', name)).mode & 0o777).toBe(0o600);
  }
  expect(await readClusterStatus(database.db)).toMatchObject({
    ok: true,
    nodes: [{ state: 'ready' }, { state: 'ready' }],
  });
});

test('a copy of a data folder is refused while the first runs, and serves once that one has stopped', async () => {
  const first = makeNode();
  await joinAs(first);
  const running = watch(first);
  await running.job.run();
  const copy = makeNode();
  cpSync(first.dataDir, copy.dataDir, { recursive: true });
  const copied = watch(copy);
  await copied.job.run();
  expect(copied.gate.problems).toEqual([
    expect.stringMatching(/^node \w+ runs on the machine .+ as well: this data folder is a copy/),
  ]);
  // What the copy does and says is not the first one's end.
  await copied.job.stop();
  await running.job.run();
  expect(running.gate.isOpen).toBe(true);
  expect((await readClusterStatus(database.db))?.nodes).toMatchObject([{ state: 'ready' }]);
  await running.job.stop();
  const again = watch(copy);
  await again.job.run();
  expect(again.gate.isOpen).toBe(true);
});

const CLOCKS: readonly (readonly [aheadMs: number, expected: object])[] = [
  [1_500, {}],
  [3_000, { degraded: true }],
  [-3_000, { degraded: true }],
  [7_200_000, { ok: false }],
];

test.each(CLOCKS)('a node whose clock is %d ms ahead of that of PostgreSQL says %o', async (aheadMs, expected) => {
  const node = makeNode();
  await joinAs(node);
  const { gate, job } = watch(node);
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  await job.run();
  const [, clock] = gate.checks();
  expect({ ok: clock?.ok, degraded: clock?.degraded }).toEqual({ ok: true, degraded: undefined, ...expected });
  expect(Math.abs(gate.clock.skewMs - aheadMs)).toBeLessThan(1_000);
});

test('cluster status compares settings as they are after a reload', async () => {
  const live = Object.values(await makeTwo()).map(copySettings);
  const watches = live.map((settings) => watch(settings));
  const limitWarnings = async (): Promise<string[]> => {
    for (const { job } of watches) await job.run();
    return (await readClusterStatus(database.db))?.warnings.filter((one) => one.startsWith('limits')) ?? [];
  };
  expect(await limitWarnings()).toEqual([]);
  for (const [at, settings] of live.entries()) {
    const env = { PLACARD_DATA: settings.dataDir, PLACARD_POSTGRES_URL: database.url, ...SHARED };
    reloadSettings(settings, readSettings({ ...env, PLACARD_ASSET_MEGABYTES: '77' }));
    expect(await limitWarnings()).toHaveLength(1 - at);
  }
});

test('rows of PostgreSQL hold no secret in the clear', async () => {
  const { first } = await makeTwo();
  await makeToken(first);
  const texts = await Promise.all(
    ['cluster', 'cluster_secrets', 'cluster_nodes', 'cluster_join_tokens'].map(async (table) => {
      const { rows } = await sql<{ text: string }>`SELECT t::text AS text FROM ${sql.table(table)} t`.execute(
        database.db,
      );
      return rows.map(({ text }) => text).join('\n');
    }),
  );
  const stored = texts.join('\n');
  for (const name of FILES) {
    const secret = read(first, name).trim();
    const [, hex = secret] = secret.split(':');
    for (const form of [hex, Buffer.from(hex).toString('hex')]) expect(stored, name).not.toContain(form);
  }
});

test('a token opens nothing when it is used, expired, revoked, forged or cut off', async () => {
  const { first, second } = await makeTwo();
  const tokens = {
    used: second.joinToken ?? '',
    expired: await makeToken(first, { lifeMs: -1 }),
    revoked: await makeToken(first),
    forged: `${(await makeToken(first)).slice(0, 30)}${(await makeToken(first)).slice(30)}`,
    unknown: newJoinToken(),
    ended: (await makeToken(first)).slice(0, -1),
  };
  await locked((trx) => revokeJoinToken(trx, parseJoinToken(tokens.revoked)?.id ?? ''));
  const refusal = async (token: string): Promise<string> =>
    replaceSecrets(depsOf(makeNode()), token).then(
      () => 'joined',
      (error: Error) => error.message,
    );
  expect(await refusal(tokens.used)).toMatch(/was used already/);
  expect(await refusal(tokens.expired)).toMatch(/expired at/);
  expect(await refusal(tokens.revoked)).toMatch(/was revoked/);
  expect(await refusal(tokens.forged)).toMatch(/is not whole/);
  expect(await refusal(tokens.unknown)).toMatch(/is not one of this cluster/);
  expect(await refusal(tokens.ended)).toMatch(/is not whole/);
});

test('the key under a token is gone from PostgreSQL after its last use and its revocation', async () => {
  const first = makeNode();
  await joinAs(first);
  const [twice, revoked] = [await makeToken(first, { uses: 2 }), await makeToken(first)];
  const sealed = async (text: string) =>
    database.db
      .selectFrom('cluster_join_tokens')
      .select(['sealed', 'uses_left'])
      .where('id', '=', parseJoinToken(text)?.id ?? '')
      .executeTakeFirstOrThrow();
  await joinAs(makeNode({ PLACARD_JOIN_TOKEN: twice }));
  expect(await sealed(twice)).toMatchObject({ uses_left: 1, sealed: expect.any(Buffer) });
  await joinAs(makeNode({ PLACARD_JOIN_TOKEN: twice }));
  await locked((trx) => revokeJoinToken(trx, parseJoinToken(revoked)?.id ?? ''));
  expect(await sealed(twice)).toEqual({ uses_left: 0, sealed: null });
  expect(await sealed(revoked)).toMatchObject({ sealed: null });
});

test('a node without secrets and without a token makes none of its own', async () => {
  await joinAs(makeNode());
  const bare = makeNode();
  await expect(joinAs(bare)).rejects.toThrow(/placard cluster token/);
  expect(FILES.filter((name) => existsSync(join(bare.dataDir, 'secrets', name)))).toEqual([]);
});

test('nodes of an older version with the same secrets become one cluster by themselves', async () => {
  const [first, second] = [makeNode(), makeNode()];
  loadSecrets(first.dataDir);
  mkdirSync(join(second.dataDir, 'secrets'));
  for (const name of ['link-keys', 'pepper', 'user-hash'])
    writeFileSync(join(second.dataDir, 'secrets', name), read(first, name));
  await joinAs(first);
  await joinAs(second);
  for (const name of FILES) expect(read(second, name), name).toBe(read(first, name));
});

test('a node with another pepper is closed and says so, until it takes the secrets of the cluster', async () => {
  const { first, second } = await makeTwo();
  writeFileSync(join(second.dataDir, 'secrets', 'pepper'), `${'5'.repeat(64)}\n`);
  const { gate, job } = watch(second);
  await job.run();
  expect(gate.problems).toEqual([expect.stringMatching(/^its pepper \(fingerprint .*"placard cluster join"/)]);
  expect(() => gate.requireOpen()).toThrow(/differs from the rest of its cluster/);
  expect(gate.checks()[0]).toMatchObject({ name: 'cluster', ok: false, detail: expect.stringContaining('pepper') });
  expect(await readClusterStatus(database.db)).toMatchObject({ ok: false });
  // A restart without PostgreSQL begins with the last verdict.
  expect(new ClusterGate(second.dataDir, 'core').isOpen).toBe(false);
  expect(await replaceSecrets(depsOf(second), null)).toEqual(['pepper']);
  const restarted = watch(second);
  await restarted.job.run();
  expect(restarted.gate.isOpen).toBe(true);
  expect(new ClusterGate(second.dataDir, 'core').isOpen).toBe(true);
  expect(read(second, 'pepper')).toBe(read(first, 'pepper'));
});

test('the verdict of one part of a node does not open the other, and is stored once the disk takes it', () => {
  const { dataDir } = makeNode();
  const core = new ClusterGate(dataDir, 'core');
  const delivery = new ClusterGate(dataDir, 'delivery');
  writeFileSync(join(dataDir, 'run'), 'in the way of the folder');
  expect(core.decide(['its audit-signing-key is not'])).toBe(true);
  expect(() => core.store()).toThrow();
  rmSync(join(dataDir, 'run'));
  core.store();
  delivery.decide([]);
  delivery.store();
  expect(new ClusterGate(dataDir, 'core').problems).toEqual(['its audit-signing-key is not']);
  expect(new ClusterGate(dataDir, 'delivery').isOpen).toBe(true);
});

test('a node with secrets of its own and a token that opens nothing is closed', async () => {
  const { second } = await makeTwo();
  const stranger = makeNode({ PLACARD_JOIN_TOKEN: second.joinToken ?? '' });
  loadSecrets(stranger.dataDir);
  const { gate, job } = watch(stranger);
  await job.run();
  expect(gate.problems).toEqual([expect.stringMatching(/^this node does not have the cluster key/)]);
});

test('a node with another hot store or bucket is closed, and adopting it turns the cluster round', async () => {
  const { first, second } = await makeTwo();
  const moved = readSettings({
    ...SHARED,
    PLACARD_DATA: second.dataDir,
    PLACARD_POSTGRES_URL: database.url,
    PLACARD_S3_URL: 'https://s3.example/files',
    PLACARD_S3_ACCESS_KEY_ID: 'AKIA',
    PLACARD_S3_SECRET_KEY: 'secret',
  });
  const other = makeHotStore();
  const { gate, job } = watch(moved, other);
  await job.run();
  expect(gate.problems).toEqual([
    expect.stringMatching(/^its hot store \(Redis redis\.example\).*PLACARD_REDIS_URL/),
    expect.stringMatching(/^its bucket \(https:\/\/s3\.example\/files\) is not the cluster's \(none\).*PLACARD_S3_URL/),
  ]);
  expect(other.values.size).toBe(0);
  other.values.set('cluster-mark', 'other');
  await job.run();
  await locked((trx) => adoptNode(trx, moved));
  await job.run();
  expect(gate.problems).toEqual([]);
  const left = watch(first);
  await left.job.run();
  expect(left.gate.isOpen).toBe(false);
});

test('a node that begins with a copy of the secrets of another is a node of its own', async () => {
  const first = makeNode();
  await joinAs(first);
  await watch(first).job.run();
  const second = makeNode();
  cpSync(join(first.dataDir, 'secrets'), join(second.dataDir, 'secrets'), { recursive: true });
  await joinAs(second);
  const { gate, job } = watch(second, makeHotStore());
  await job.run();
  expect(gate.problems).toEqual([expect.stringMatching(/^its hot store/)]);
  expect((await readClusterStatus(database.db))?.nodes).toHaveLength(2);
});

test('a hot store that lost everything gets its mark back from a node that runs', async () => {
  const { first } = await makeTwo();
  const { gate, job } = watch(first);
  await job.run();
  const mark = hotStore.values.get('cluster-mark');
  hotStore.values.clear();
  await job.run();
  expect([gate.isOpen, hotStore.values.get('cluster-mark')]).toEqual([true, mark]);
});

test('a node that is alone may move to other stores', async () => {
  const { first, second } = await makeTwo();
  await watch(second).job.stop();
  const { gate, job } = watch(first, makeHotStore());
  await job.run();
  expect(gate.problems).toEqual([]);
});

test('a new link key reaches the other node before it signs, and the keys before it stay', async () => {
  const { first, second } = await makeTwo();
  const before = read(second, 'link-keys');
  const nowMs = 1_000_000;
  const { keyId } = await locked((trx) =>
    rotateLinkKeys(trx, { settings: first, signsFromMs: nowMs + 600_000, nowMs }),
  );
  const { gate, job } = watch(second);
  await job.run();
  expect(gate.isOpen).toBe(true);
  expect(read(second, 'link-keys')).toBe(`${before}${read(first, 'link-keys').slice(before.length)}`);
  expect(read(second, 'link-keys')).toMatch(new RegExp(`\n${keyId}:[0-9a-f]{64}:1600000\n$`));
});

test('a new cluster key reaches nodes that have the former one, and no node after a rotation without overlap', async () => {
  const { first, second } = await makeTwo();
  const former = read(second, 'cluster-key');
  await locked((trx) => rotateClusterKey(trx, { settings: first, until: new Date(Date.now() + 60_000) }));
  await watch(first).job.run();
  const one = watch(second);
  await one.job.run();
  expect([one.gate.isOpen, read(second, 'cluster-key')]).toEqual([true, read(first, 'cluster-key')]);
  expect(read(first, 'cluster-key')).not.toBe(former);
  rmSync(join(second.dataDir, 'secrets', 'pepper'));
  await joinAs(second);
  expect(read(second, 'pepper')).toBe(read(first, 'pepper'));
  await locked((trx) => rotateClusterKey(trx, { settings: first, until: null }));
  await one.job.run();
  expect(one.gate.problems).toEqual([expect.stringMatching(/^the cluster key of this node/)]);
});

test('a rotation of the cluster key that PostgreSQL does not keep leaves the node with the former one', async () => {
  const node = makeNode();
  await joinAs(node);
  const former = read(node, 'cluster-key');
  const rotating = locked(async (trx) => {
    await rotateClusterKey(trx, { settings: node, until: null });
    throw new Error('the connection broke');
  });
  await expect(rotating).rejects.toThrow('the connection broke');
  const { gate, job } = watch(node);
  await job.run();
  expect([gate.problems, read(node, 'cluster-key')]).toEqual([[], former]);
  await locked((trx) => rotateClusterKey(trx, { settings: node, until: null }));
  await job.run();
  expect(gate.problems).toEqual([]);
  expect(read(node, 'cluster-key')).not.toBe(former);
});

test('a token from before a rotation without overlap opens nothing, and a node with another key makes no secrets', async () => {
  const { first, second } = await makeTwo();
  const tokens = [await makeToken(first), await makeToken(first)];
  await locked((trx) => rotateClusterKey(trx, { settings: first, until: null }));
  const bare = makeNode({ PLACARD_JOIN_TOKEN: tokens[0] ?? '' });
  await expect(joinAs(bare)).rejects.toThrow(/holds a former key/);
  const before = FILES.map((name) => read(second, name));
  await expect(replaceSecrets(depsOf(second), tokens[1] ?? '')).rejects.toThrow(/holds a former key/);
  expect(FILES.map((name) => read(second, name))).toEqual(before);
  const wrong = makeNode({ PLACARD_CLUSTER_KEY: 'ab'.repeat(32) });
  await expect(joinAs(wrong)).rejects.toThrow(/is not the cluster's/);
  for (const { dataDir } of [bare, wrong])
    expect(FILES.filter((name) => existsSync(join(dataDir, 'secrets', name)))).toEqual([]);
});

test('secrets of a vault are not in PostgreSQL, and a node whose vault differs is closed', async () => {
  const pepper = 'ab'.repeat(32);
  const first = makeNode({ PLACARD_SECRETS_PEPPER: pepper });
  const { writeSecretsOfSettings } = await import('./secret-files.ts');
  writeSecretsOfSettings(first);
  await joinAs(first);
  await watch(first).job.run();
  const row = await database.db
    .selectFrom('cluster_secrets')
    .selectAll()
    .where('name', '=', 'pepper')
    .executeTakeFirstOrThrow();
  expect(row.sealed).toBeNull();
  const token = await makeToken(first, { uses: 2 });
  const bare = makeNode({ PLACARD_JOIN_TOKEN: token });
  await expect(joinAs(bare)).rejects.toThrow(/pepper comes from a vault/);
  const other = makeNode({ PLACARD_JOIN_TOKEN: token, PLACARD_SECRETS_PEPPER: 'cd'.repeat(32) });
  writeSecretsOfSettings(other);
  await joinAs(other);
  const { gate, job } = watch(other);
  await job.run();
  expect(gate.problems).toEqual([expect.stringContaining('set PLACARD_SECRETS_PEPPER as on the other nodes')]);
});
