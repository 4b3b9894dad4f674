import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../test/support/stores.ts';
import { acquireShippingLease, openShippingLease } from '../events/shipping/shipping-lease.ts';
import { listSpoolFiles } from '../events/spool/spool-files.ts';
import { type CutCluster, type CutNode, withClusterCut } from './cluster-cut.ts';
import { beginCut, listCutNodes } from './cluster-cut.sql.ts';
import { CutFollower } from './follow-cut.ts';

const OFTEN_MS = 10;
let database: TestDatabase;
let folder: ReturnType<typeof createTestFolder>;
let nodes: Node[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
  nodes = [];
  for (const table of ['backup_cut', 'backup_cut_nodes'] as const) await database.db.deleteFrom(table).execute();
  folder.remove();
});

/** A machine whose shipper stores its files when the test lets it, unless another process holds the lease. */
class Node {
  readonly id: string;
  readonly stored: string[] = [];
  readonly #dataDir: string;
  readonly #follower: CutFollower;
  readonly #lease;
  readonly #timer: NodeJS.Timeout;
  #files = 0;
  ships = true;

  constructor(id: string) {
    this.id = id;
    this.#dataDir = join(folder.dir, id);
    mkdirSync(join(this.spoolDir, 'w0'), { recursive: true });
    this.#lease = openShippingLease({ spoolDir: this.spoolDir, nowMs: Date.now });
    const waits = { everyMs: OFTEN_MS, busyEveryMs: OFTEN_MS };
    this.#follower = new CutFollower({
      sql: database.db,
      nodeId: id,
      dataDir: this.#dataDir,
      log: silentLog,
      ...waits,
    });
    this.#timer = setInterval(() => this.#ship(), OFTEN_MS);
    this.#follower.start();
    nodes.push(this);
  }

  get spoolDir(): string {
    return join(this.#dataDir, 'spool');
  }

  /** An event is acknowledged: its line is in the open file. */
  acknowledge(): string {
    const fileId = `17000000${String((this.#files += 1)).padStart(5, '0')}-0000000ab`;
    writeFileSync(join(this.spoolDir, 'w0', `${fileId}.open`), '{}\n');
    return fileId;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#follower.stop();
  }

  /** A file is sealed at one time, counted at another, and stored at a third. */
  #ship(): void {
    if (!this.ships || !this.#lease.isHeld()) return;
    for (const file of listSpoolFiles(join(this.spoolDir, 'w0'))) {
      if (file.state === 'settled') {
        rmSync(file.path);
        this.stored.push(file.fileId);
      } else renameSync(file.path, join(file.dir, `${file.fileId}.${file.bytes}.settled`));
    }
  }
}

const found = (...ids: readonly Node[]): CutNode[] =>
  ids.map(({ id }) => ({ id, host: `${id}.example`, startedAt: '2026-01-01T00:00:00Z' }));

function clusterOf(listed: () => readonly CutNode[], waits: CutCluster['waits'] = {}): CutCluster {
  return { db: database.db, listNodes: async () => listed(), nowMs: Date.now, progress: () => undefined, waits };
}

test('a cut holds every node once all that it acknowledged before is stored, and lets it ship on afterwards', async () => {
  const both = [new Node('nodeaaaaaa'), new Node('nodebbbbbb')];
  for (const node of both) node.ships = false;
  const before = both.map((node) => node.acknowledge());
  const states: string[][] = [];
  let isHeld = false;
  const running = withClusterCut(
    clusterOf(() => found(...both)),
    async () => {
      isHeld = true;
      expect(both.map(({ stored }) => stored[0])).toEqual(before);
      const during = both.map((node) => node.acknowledge());
      await expect
        .poll(() => both.map(({ spoolDir }) => openShippingLease({ spoolDir, nowMs: Date.now }).isHeld()))
        .toEqual([false, false]);
      states.push(...both.map(({ stored }) => [...stored]));
      return during;
    },
  );
  await expect
    .poll(async () => (await database.db.selectFrom('backup_cut_nodes').selectAll().execute()).map(({ step }) => step))
    .toEqual(['draining', 'draining']);
  expect(isHeld).toBe(false);
  for (const node of both) node.ships = true;
  const { result, nodes: cutNodes } = await running;
  expect(states).toEqual(before.map((fileId) => [fileId]));
  expect(cutNodes.map(({ id }) => id)).toEqual(both.map(({ id }) => id));
  await expect.poll(() => both.map(({ stored }) => stored[1])).toEqual(result);
});

test('a cut fails when a worker of a node ships meanwhile', async () => {
  const node = new Node('nodeaaaaaa');
  const cut = withClusterCut(
    clusterOf(() => found(node)),
    async () => {
      acquireShippingLease({ spoolDir: node.spoolDir, nowMs: Date.now });
    },
  );
  await expect(cut).rejects.toThrow('nodeaaaaaa (nodeaaaaaa.example): a worker shipped events during the backup');
});

test('a cut names the node that does not respond, the one whose events are not stored, and one that starts meanwhile', async () => {
  const node = new Node('nodeaaaaaa');
  const absent = { id: 'nodecccccc', host: 'c.example', startedAt: '2026-01-01T00:00:00Z' };
  const nothing = async (): Promise<void> => undefined;
  const silent = withClusterCut(
    clusterOf(() => [...found(node), absent], { respondMs: 300 }),
    nothing,
  );
  await expect(silent).rejects.toThrow('nodecccccc (c.example) did not take part');
  node.ships = false;
  node.acknowledge();
  const stuck = withClusterCut(
    clusterOf(() => found(node), { drainMs: 300 }),
    nothing,
  );
  await expect(stuck).rejects.toThrow('1 spool files wait for the analytics store');
  node.ships = true;
  let looks = 0;
  const late = withClusterCut(
    clusterOf(() => ((looks += 1) === 1 ? [] : found(node))),
    nothing,
  );
  await expect(late).rejects.toThrow('started during the backup');
});

test('nodes ship on when a backup dies, and a second backup is refused until then', async () => {
  const node = new Node('nodeaaaaaa');
  const cluster = clusterOf(() => found(node));
  const second = withClusterCut(cluster, async () => {
    await expect(withClusterCut(cluster, async () => undefined)).rejects.toThrow('Another backup');
    const [row] = await listCutNodes(
      database.db,
      (await database.db.selectFrom('backup_cut').selectAll().executeTakeFirstOrThrow()).cut_id,
    );
    expect(row?.step).toBe('held');
    // As if its process were gone: it neither renews the cut nor ends it.
    await database.db
      .updateTable('backup_cut')
      .set({ held_until: new Date(0) })
      .execute();
    const fileId = node.acknowledge();
    await expect.poll(() => node.stored).toContain(fileId);
  });
  await expect(second).rejects.toThrow('out of reach for too long');
});

test.each([
  ['before its nodes are ready', { drainMs: 600_000 }, true],
  ['while it copies', {}, false],
])('a backup says that another one began %s', async (_name, waits, isStuck) => {
  const node = new Node('nodeaaaaaa');
  node.ships = !isStuck;
  node.acknowledge();
  // As if this process had been stopped for longer than its cut was held.
  const replace = async (): Promise<void> => {
    await database.db
      .updateTable('backup_cut')
      .set({ held_until: new Date(0) })
      .execute();
    expect(await beginCut(database.db, { cutId: randomUUID(), nodeIds: [node.id], heldMs: 30_000 })).toBe(true);
  };
  const cut = withClusterCut(
    clusterOf(() => found(node), waits),
    () => replace(),
  );
  const refused = expect(cut).rejects.toThrow(
    isStuck ? 'Another backup of this cluster began' : 'nodes shipped events',
  );
  if (isStuck) {
    await expect
      .poll(async () =>
        (await database.db.selectFrom('backup_cut_nodes').selectAll().execute()).map(({ step }) => step),
      )
      .toEqual(['draining']);
    await replace();
  }
  await refused;
});
