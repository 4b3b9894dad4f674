/** PostgreSQL is killed under three processes with changes and a leased job, and comes back at another port, as after a failover. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JobLeases } from '../../src/cluster/job-leases.ts';
import { RecurringJob } from '../../src/domain/time/recurring-job.ts';
import { type ChangeFeed, openChangeFeed } from '../../src/storage/sql/change-feed.ts';
import { migrateAsOwner } from '../../src/storage/sql/migrate.ts';
import { openPostgres, type Sql } from '../../src/storage/sql/postgres.ts';
import { type OwnPostgres, startOwnPostgres } from '../cluster/own-stores.ts';
import { createTestFolder, silentLog } from '../support/stores.ts';

const FAILOVERS = 3;
const LEASE_MS = 4_000;
const WAIT = { timeout: 150_000, interval: 50 };
const folder = createTestFolder();
const machines: Machine[] = [];
let postgres: OwnPostgres;

/** Runs of the job, of all processes. */
const witness = { inHand: 0, most: 0, runs: 0 };

class WitnessedJob extends RecurringJob {
  constructor() {
    super({ firstMs: 0, everyMs: 20 });
  }

  async run(): Promise<void> {
    witness.inHand += 1;
    witness.most = Math.max(witness.most, witness.inHand);
    await pause(5);
    witness.runs += 1;
    witness.inHand -= 1;
  }

  protected logFailure(): void {
    witness.inHand -= 1;
  }
}

/** A process of a node: a pool, a feed of changes, a candidate for the job, and somebody who makes changes. */
class Machine {
  readonly confirmed: string[] = [];
  connections = 0;
  readonly #name: string;
  readonly #sql: Sql;
  readonly #leases: JobLeases;
  readonly #url: string;
  #feed: ChangeFeed | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isEnding = false;

  constructor(name: string, url: string) {
    this.#name = name;
    this.#url = url;
    this.#sql = openPostgres({ url, log: silentLog, poolMax: 4, statementTimeoutMs: 10_000 });
    this.#leases = new JobLeases({
      sql: this.#sql.db,
      nodeId: name,
      part: 'core',
      leased: [{ name: 'work', periodMs: null, job: new WitnessedJob(), waitsWhenRestored: false }],
      shared: [],
      isOpen: () => true,
      log: silentLog,
      registry: new Registry(),
      everyMs: 100,
      leaseMs: LEASE_MS,
    });
  }

  get holds(): boolean {
    return this.#leases.holds('work');
  }

  async start(): Promise<void> {
    const onReconnect = (): void => void (this.connections += 1);
    const handlers = { onChange: () => undefined, onReconnect, log: silentLog };
    this.#feed = await openChangeFeed({ url: this.#url, channel: 'placard_change', ...handlers });
    this.#leases.start();
    this.#writing = this.#write();
  }

  async #write(): Promise<void> {
    for (let at = 0; !this.#isEnding; at += 1) {
      const name = `${this.#name}-${at}`;
      const row = { name, content: Buffer.from(name) };
      const insert = this.#sql.db.insertInto('asset_files').values(row).execute();
      if (await insert.then(() => true).catch(() => false)) this.confirmed.push(name);
      await pause(5);
    }
  }

  /** Ends the changes. */
  async rest(): Promise<void> {
    this.#isEnding = true;
    await this.#writing;
  }

  async readNames(): Promise<string[]> {
    return (await this.#sql.db.selectFrom('asset_files').select('name').execute()).map(({ name }) => name);
  }

  async end(): Promise<void> {
    await this.rest();
    await this.#leases.stop();
    await this.#feed?.close();
    await this.#sql.close();
  }
}

beforeAll(async () => {
  // PostgreSQL's account needs access.
  chmodSync(folder.dir, 0o755);
  postgres = await startOwnPostgres(join(folder.dir, 'postgres'));
  const { url, ownerUrl } = await postgres.addProxy();
  await migrateAsOwner({ postgresUrl: url, postgresOwnerUrl: ownerUrl }, silentLog);
  for (const name of ['nodea', 'nodeb', 'nodec']) machines.push(new Machine(name, (await postgres.addProxy()).url));
  for (const machine of machines) await machine.start();
}, 300_000);

afterAll(async () => {
  for (const machine of machines) await machine.end();
  await postgres.end();
  folder.remove();
}, 120_000);

test('after each failover every process works again, the job never runs twice at once, and no confirmed change is lost', async () => {
  for (let times = 1; times <= FAILOVERS; times += 1) {
    const before = { runs: witness.runs, confirmed: machines.map(({ confirmed }) => confirmed.length) };
    await expect.poll(() => witness.runs, WAIT).toBeGreaterThan(before.runs + 5);
    for (const [at, machine] of machines.entries())
      await expect.poll(() => machine.confirmed.length, WAIT).toBeGreaterThan((before.confirmed[at] ?? 0) + 20);
    const connections = machines.map((machine) => machine.connections);
    await postgres.restart('kill');
    for (const [at, machine] of machines.entries())
      await expect.poll(() => machine.connections, WAIT).toBeGreaterThan(connections[at] ?? 0);
  }
  const { runs } = witness;
  await expect.poll(() => witness.runs, WAIT).toBeGreaterThan(runs + 5);
  for (const machine of machines) await machine.rest();
  const stored = new Set(await machines[0]?.readNames());
  expect(machines.flatMap(({ confirmed }) => confirmed).filter((name) => !stored.has(name))).toEqual([]);
  expect(witness.most).toBe(1);
  expect(machines.filter(({ holds }) => holds).length).toBeLessThanOrEqual(1);
}, 600_000);
