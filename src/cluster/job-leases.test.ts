import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, silentLog, type TestDatabase } from '../../test/support/stores.ts';
import { type JobTerms, RecurringJob } from '../domain/time/recurring-job.ts';
import { openPostgres } from '../storage/sql/postgres.ts';
import { JobLeases } from './job-leases.ts';
import { PAUSE_LEASE } from '../storage/marks/pause-lease.ts';
import { endPauseOfRestore, listLeases } from './job-leases.sql.ts';
import { withLease } from './with-lease.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const running: JobLeases[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((leases) => leases.stop()));
  await database.db.deleteFrom('job_leases').execute();
  await database.db.deleteFrom('job_runners').execute();
});

/** Runs of all processes: how many are in hand, and the most that ever were. */
class Witness {
  inHand = 0;
  most = 0;
  readonly runs: string[] = [];
}

class WitnessedJob extends RecurringJob {
  readonly node: string;
  readonly witness: Witness;

  constructor(node: string, witness: Witness) {
    super({ firstMs: 0, everyMs: 5 });
    this.node = node;
    this.witness = witness;
  }

  async run(): Promise<void> {
    this.witness.inHand += 1;
    this.witness.most = Math.max(this.witness.most, this.witness.inHand);
    this.witness.runs.push(this.node);
    await sleep(1);
    this.witness.inHand -= 1;
  }

  protected logFailure(): void {
    this.witness.inHand -= 1;
  }
}

interface Process {
  readonly node: string;
  readonly part?: 'core' | 'jobs';
  readonly witness: Witness;
  readonly periodMs?: number;
  readonly leaseMs?: number;
  readonly isOpen?: () => boolean;
  readonly shared?: { start(): void; stop(): Promise<void> }[];
  readonly waitsWhenRestored?: boolean;
  readonly job?: { start(terms: JobTerms): void; stop(): Promise<void> };
  readonly sql?: TestDatabase['db'];
  readonly name?: string;
  readonly everyMs?: number;
}

function begin({ node, part = 'core', witness, periodMs, shared = [], ...more }: Process): JobLeases {
  const { isOpen = () => true, leaseMs = 60_000, sql = database.db, name = 'work', everyMs = 10 } = more;
  const { waitsWhenRestored = false } = more;
  const job = more.job ?? new WitnessedJob(node, witness);
  const leases = new JobLeases({
    sql,
    nodeId: node,
    part,
    leased: [{ name, periodMs: periodMs ?? null, job, waitsWhenRestored }],
    shared: shared.map((one) => ({ job: one, waitsWhenRestored })),
    isOpen,
    log: silentLog,
    registry: new Registry(),
    everyMs,
    leaseMs,
  });
  running.push(leases);
  leases.start();
  return leases;
}

const holders = (all: readonly JobLeases[]): number => all.filter((one) => one.holds('work')).length;

test('a job runs in one of three cores, never in two at once, and goes on in another one when that core stops', async () => {
  const witness = new Witness();
  const cores = ['a', 'b', 'c'].map((node) => begin({ node, witness }));
  await expect.poll(() => witness.runs.length).toBeGreaterThan(5);
  expect(holders(cores)).toBe(1);
  const first = cores.find((core) => core.holds('work'));
  const before = witness.runs.length;
  await first?.stop();
  await expect.poll(() => new Set(witness.runs.slice(before + 1)).size).toBe(1);
  expect(new Set(witness.runs).size).toBe(2);
  expect(witness.most).toBe(1);
  expect((await listLeases(database.db)).map(({ nodeId, isHeld }) => [nodeId, isHeld])).toEqual([
    [witness.runs.at(-1), true],
  ]);
});

test('the job of a process that is gone without a word is taken when its lease has ended, not before', async () => {
  const until = (wait: string) =>
    database.db
      .insertInto('job_leases')
      .values({ name: 'work', runner_id: 'gone', node_id: 'gone', held_until: new Date(Date.parse(wait)) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ held_until: new Date(Date.parse(wait)) }))
      .execute();
  await until('2100-01-01');
  const witness = new Witness();
  const core = begin({ node: 'a', witness });
  const looks = async () => (await database.db.selectFrom('job_runners').selectAll().execute()).length;
  await expect.poll(looks).toBe(1);
  await core.run();
  expect([core.holds('work'), witness.runs]).toEqual([false, []]);
  await until('2000-01-01');
  await expect.poll(() => witness.runs.length).toBeGreaterThan(0);
});

test('cores leave all jobs to a process that runs nothing else, and take them back when it is gone', async () => {
  const witness = new Witness();
  const shared = { started: 0, stopped: 0 };
  const item = {
    start: () => {
      shared.started += 1;
    },
    stop: async () => {
      shared.stopped += 1;
    },
  };
  const core = begin({ node: 'core', witness, shared: [item] });
  await expect.poll(() => core.holds('work')).toBe(true);
  const jobs = begin({ node: 'jobs', part: 'jobs', witness });
  await expect.poll(() => jobs.holds('work')).toBe(true);
  expect(core.holds('work')).toBe(false);
  await expect.poll(() => shared).toEqual({ started: 1, stopped: 1 });
  await jobs.stop();
  await expect.poll(() => core.holds('work')).toBe(true);
  expect([witness.most, shared]).toEqual([1, { started: 2, stopped: 1 }]);
});

test('a run that is in hand when a process stops is finished before another process takes the job', async () => {
  const witness = new Witness();
  const release = Promise.withResolvers<void>();
  const order: string[] = [];
  const slow = {
    start: () => void order.push('first began'),
    stop: async () => {
      await release.promise;
      order.push('first ended');
    },
  };
  const first = begin({ node: 'a', witness, job: slow });
  await expect.poll(() => first.holds('work')).toBe(true);
  const next = { start: () => void order.push('second began'), stop: async () => undefined };
  const second = begin({ node: 'b', witness, job: next });
  const stopping = first.stop();
  await second.run();
  await second.run();
  expect(order).toEqual(['first began']);
  release.resolve();
  await stopping;
  await expect.poll(() => order).toEqual(['first began', 'first ended', 'second began']);
});

test('a process without PostgreSQL begins no run once its lease may have ended', async () => {
  const witness = new Witness();
  const own = openPostgres({ url: database.url, log: silentLog, poolMax: 2, statementTimeoutMs: 20_000 });
  const terms: JobTerms[] = [];
  let stops = 0;
  const job = {
    start: (given: JobTerms) => void terms.push(given),
    stop: async () => {
      stops += 1;
    },
  };
  // Many, because a timer that fires a fraction of a millisecond early is not seen each time.
  const names = Array.from({ length: 40 }, (_, index) => `work ${index}`);
  const all = names.map((name) => begin({ node: name, witness, job, sql: own.db, leaseMs: 500, everyMs: 100, name }));
  await expect.poll(() => all.every((leases, index) => leases.holds(`work ${index}`))).toBe(true);
  await own.close();
  await expect.poll(() => terms.some((one) => one.mayRun())).toBe(false);
  await expect.poll(() => stops).toBe(terms.length);
  expect(all.some((leases, index) => leases.holds(`work ${index}`))).toBe(false);
});

test('a node that differs from its cluster runs no jobs', async () => {
  const witness = new Witness();
  let isOpen = false;
  const core = begin({ node: 'a', witness, isOpen: () => isOpen });
  await core.run();
  expect([core.holds('work'), await listLeases(database.db)]).toEqual([false, []]);
  isOpen = true;
  await expect.poll(() => core.holds('work')).toBe(true);
});

test('a daily job that has run today is not run again by the next holder', async () => {
  const witness = new Witness();
  const first = begin({ node: 'a', witness, periodMs: 86_400_000 });
  await expect.poll(() => witness.runs.length).toBeGreaterThan(0);
  const ranAt = async () => (await database.db.selectFrom('job_leases').select('ran_at').executeTakeFirst())?.ran_at;
  await expect.poll(ranAt).not.toBe(null);
  await first.stop();
  const terms: JobTerms[] = [];
  const job = { start: (given: JobTerms) => void terms.push(given), stop: async () => undefined };
  begin({ node: 'b', witness, periodMs: 86_400_000, job });
  await expect.poll(() => terms.length).toBe(1);
  expect(terms[0]?.notBeforeMs).toBeGreaterThan(80_000_000);
});

test('work that is done once leaves no lease, also when it ends during a renewal', async () => {
  for (let round = 0; round < 20; round += 1) {
    let waits = 0;
    const once = { sql: database.db, nodeId: 'a', name: 'once', onWait: () => (waits += 1), renewEveryMs: 1 };
    await withLease(once, () => expect.poll(() => waits, { interval: 1 }).toBeGreaterThan(3));
    expect(await listLeases(database.db)).toEqual([]);
  }
});

test('on a restored copy, jobs that tell others wait until they are released, and others run', async () => {
  await database.db
    .insertInto('job_leases')
    .values({ name: PAUSE_LEASE, runner_id: 'restore', node_id: 'restore', held_until: new Date('2100-01-01') })
    .execute();
  const [quiet, own] = [new Witness(), new Witness()];
  let sent = 0;
  const mail = { start: () => void (sent += 1), stop: () => Promise.resolve() };
  const waiting = begin({ node: 'a', witness: quiet, name: 'webhooks', waitsWhenRestored: true, shared: [mail] });
  begin({ node: 'a', witness: own, name: 'curves' });
  await expect.poll(() => own.runs.length).toBeGreaterThan(2);
  await expect.poll(() => waiting.isPaused).toBe(true);
  expect([quiet.runs.length, sent]).toEqual([0, 0]);
  expect((await listLeases(database.db)).map(({ name }) => name)).toEqual(['curves']);
  expect(await endPauseOfRestore(database.db)).toBe(true);
  await expect.poll(() => quiet.runs.length).toBeGreaterThan(0);
  await expect.poll(() => sent).toBe(1);
  expect([waiting.isPaused, await endPauseOfRestore(database.db)]).toEqual([false, false]);
});
