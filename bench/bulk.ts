/**
 * How fast a bulk job of the management API upserts line items, and what each row costs: CPU µs of this process (without TLS and sockets) and
 * of PostgreSQL.
 *
 *   npm run bench:bulk -- [rows, default 100000]
 *
 * Starts a PostgreSQL of its own and removes it afterwards. Each row has a price, a goal, dates, a frequency cap and targeting.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { requirePermission, type AuthenticatedPrincipal } from '../src/access/permissions/permissions.ts';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { QUOTA_NAMES, type QuotaName } from '../src/domain/tenancy/quota.ts';
import { createCoreServer } from '../src/http/core/core-server.ts';
import { registerBulkJobs } from '../src/management/bulk-jobs/bulk-job.routes.ts';
import { BulkJobRunner } from '../src/management/bulk-jobs/bulk-job-runner.ts';
import { startEmbeddedPostgres } from '../src/storage/sql/embedded-postgres.ts';
import { migrate } from '../src/storage/sql/migrate.ts';
import { openPostgres, type Sql } from '../src/storage/sql/postgres.ts';
import { cpuMicros, cpuMicrosOfTree } from './support/load.ts';

const CAMPAIGNS = 100;
const rows = Number(process.argv[2] ?? 100_000);
const log = SILENT_LOG;

async function seed({ db }: Sql): Promise<void> {
  await sql`INSERT INTO networks (id, name) VALUES (1000, 'Bench')`.execute(db);
  await sql`INSERT INTO workspaces (id, network_id, environment) VALUES (1, 1000, 'production')`.execute(db);
  await sql`INSERT INTO api_keys (workspace_id, id, name, permission, digest, prefix, last_four, created_by)
    VALUES (1, 1, 'bench', 'admin', '\\x00', '', '', '')`.execute(db);
  await sql`INSERT INTO advertisers (workspace_id, id, name) VALUES (1, 1, 'A')`.execute(db);
  await sql`INSERT INTO campaigns (workspace_id, id, advertiser_id, name, external_id)
    SELECT 1, i, 1, 'campaign ' || i, 'c' || i FROM generate_series(1, ${CAMPAIGNS}::int) AS i`.execute(db);
  await sql`ANALYZE`.execute(db);
}

function linesOf(change: (index: number) => object): string {
  const row = (index: number) => ({
    externalId: `order-${index}`,
    campaignExternalId: `c${1 + (index % CAMPAIGNS)}`,
    name: `Line item ${index}`,
    type: 'STANDARD',
    price: '4.20',
    goal: { kind: 'IMPRESSIONS', amount: 100_000, period: 'LIFETIME' },
    startsAt: '2030-01-01T00:00:00Z',
    endsAt: '2030-02-01T00:00:00Z',
    frequencyCaps: [{ count: 3, window: 'DAY' }],
    targeting: { test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL', 'DE'] } },
    ...change(index),
  });
  return Array.from({ length: rows }, (_row, index) => JSON.stringify(row(index))).join('\n');
}

const principal: AuthenticatedPrincipal = {
  kind: 'apiKey',
  actor: 'key:1 "bench"',
  id: '1',
  workspaceId: 1,
  networkId: '1000',
  environment: 'production',
  permission: 'admin',
  modules: null,
  remoteAddress: '',
};

async function openServer(postgres: Sql): Promise<FastifyInstance> {
  const { app } = await createCoreServer({
    transport: { mode: 'loopback', tls: null },
    log,
    host: '127.0.0.1',
    port: 0,
  } as never);
  await registerBulkJobs(app, {
    sql: postgres.db,
    nowMs: Date.now,
    requireSpace: () => Promise.resolve(),
    authenticate: async (_request, { operation }) => {
      requirePermission(principal, operation);
      return principal;
    },
  });
  await app.ready();
  return app;
}

/** Runs one part and prints its rate and cost. */
async function measure<T>(name: string, postgresPid: number, work: () => Promise<T>): Promise<T> {
  const before = { ours: cpuMicros(process.pid), postgres: cpuMicrosOfTree(postgresPid), ms: performance.now() };
  const outcome = await work();
  const seconds = (performance.now() - before.ms) / 1_000;
  const ours = (cpuMicros(process.pid) - before.ours) / rows;
  const theirs = (cpuMicrosOfTree(postgresPid) - before.postgres) / rows;
  console.log(
    `${name.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s ${Math.round(rows / seconds)
      .toString()
      .padStart(8)} rows/s ${ours.toFixed(0).padStart(8)} µs ${theirs.toFixed(0).padStart(12)} µs`,
  );
  return outcome;
}

async function runJob(
  app: FastifyInstance,
  runner: BulkJobRunner,
  part: { name: string; query: string; body: string; pid: number },
) {
  const { name, query, body, pid } = part;
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  const payload = gzipSync(body);
  const { id } = await measure(`${name}: upload`, pid, async () => {
    const response = await app.inject({
      method: 'POST',
      url: `/bulk-jobs?resource=lineItems${query}`,
      headers,
      payload,
    });
    if (response.statusCode !== 202) throw new Error(response.body);
    return response.json<{ id: string }>();
  });
  await measure(`${name}: job`, pid, async () => {
    await runner.run();
    await runner.idle();
  });
  const job = await app.inject({ url: `/bulk-jobs/${id}` });
  const results = await measure(`${name}: results`, pid, () => app.inject({ url: `/bulk-jobs/${id}/results` }));
  const { state, succeeded } = job.json<{ state: string; succeeded: number }>();
  if (state !== 'completed' || succeeded !== rows) throw new Error(`${job.body}\n${results.body.slice(0, 1_000)}`);
}

const dir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
const server = await startEmbeddedPostgres({ dataDir: dir, log });
const postgres = openPostgres({ url: server.ownerUrl, log, poolMax: 8, statementTimeoutMs: 30_000 });
try {
  await migrate({ db: postgres.db, log });
  await seed(postgres);
  const app = await openServer(postgres);
  const quotas = Object.fromEntries(QUOTA_NAMES.map((name) => [name, 1e9])) as Record<QuotaName, number>;
  const stores = { sql: postgres.db, hot: null, secrets: { pepper: Buffer.alloc(32) }, quotas, nowMs: Date.now, log };
  const runner = new BulkJobRunner(stores);
  const body = linesOf(() => ({}));
  console.log(`${rows} line items, ${(body.length / rows).toFixed(0)} bytes each`);
  console.log('part                            time           rate   this process   PostgreSQL');
  await runJob(app, runner, { name: 'check', query: '&validateOnly=true', body, pid: server.pid });
  await runJob(app, runner, { name: 'create', query: '', body, pid: server.pid });
  await runJob(app, runner, { name: 'repeat', query: '', body, pid: server.pid });
  const changed = linesOf((index) => ({ name: `Renamed ${index}` }));
  await runJob(app, runner, { name: 'change', query: '', body: changed, pid: server.pid });
  await app.close();
} finally {
  await postgres.close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
