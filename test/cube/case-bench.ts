/** A real store with the fixture of the cases, and the report routes over it. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { PlacardError } from '../../src/domain/errors.ts';
import type { Principal } from '../../src/domain/tenancy/principal.ts';
import { toProblem } from '../../src/http/shared/problem.ts';
import { ResultCache } from '../../src/reports/cache/result-cache.ts';
import { QuerySlots } from '../../src/reports/load/query-slots.ts';
import { ReportLoads } from '../../src/reports/load/report-loads.ts';
import { MemberIndex } from '../../src/reports/model/member-index.ts';
import { registerReportRoutes } from '../../src/reports/reports.routes.ts';
import { runAnalyticsServer } from '../../src/storage/olap/analytics-process.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';
import { type CaseBench, NOW_OF_ROUTES_MS } from './case-runner.ts';
import { FIXTURE_MODEL, FIXTURE_TABLE } from './fixture-cube.ts';

export interface OpenBench extends CaseBench {
  close(): Promise<void>;
}

/** Starts it; `rows` are SQL tuples in the fixture's column order. */
export async function openCaseBench(rows: readonly string[]): Promise<OpenBench> {
  const log = SILENT_LOG;
  const dir = await mkdtemp(join(tmpdir(), 'placard-cube-cases-'));
  const server = await runAnalyticsServer({ dir, password: randomBytes(16).toString('hex'), log });
  const olap = openOlap({ url: server.url, log });
  await olap.command(FIXTURE_TABLE);
  await olap.command(`INSERT INTO campaign_overview VALUES ${rows.join(', ')}`);
  const index = new MemberIndex(FIXTURE_MODEL);
  const engine = { olap, slots: new QuerySlots() };
  const loads = new ReportLoads({
    engine,
    cache: new ResultCache(),
    versions: { read: () => Promise.resolve({ readAtMs: Date.now(), writtenAtMs: null, ofRange: () => 'fixture' }) },
    namesVersion: () => '',
    log,
    nowMs: Date.now,
  });
  const app = fastify();
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id);
    return reply.code(problem.status).headers(problem.headers).send(problem.body);
  });
  registerReportRoutes(app, {
    authenticate: (request) => Promise.resolve(authenticate(request.headers.authorization)),
    networkOf: () => Promise.resolve({ timezone: 'UTC', currency: 'USD' }),
    indexOf: () => Promise.resolve(index),
    loads,
    exports: engine,
    nowMs: () => NOW_OF_ROUTES_MS,
  });
  await app.ready();
  const close = async (): Promise<void> => {
    await app.close();
    loads.close();
    await closeStore(olap, server.stop, dir);
  };
  return { app, close };
}

async function closeStore(olap: Olap, stop: () => Promise<void>, dir: string): Promise<void> {
  await olap.close();
  await stop();
  await rm(dir, { recursive: true, force: true });
}

function authenticate(authorization: string | undefined): Principal {
  if (authorization === undefined) throw new PlacardError('authentication_required');
  if (authorization !== 'valid') throw new PlacardError('invalid_credentials');
  return {
    kind: 'apiKey',
    actor: 'key:1 "cases"',
    id: '1',
    workspaceId: 1,
    networkId: '1',
    environment: 'production',
    permission: 'read-only',
    modules: null,
    remoteAddress: '127.0.0.1',
  };
}
