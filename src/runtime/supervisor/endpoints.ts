import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { writeOlapAddress } from '../../storage/olap/olap-address.ts';
import { readOrCreate } from '../../storage/secrets.ts';
import { pickKeptPort, resolvePort } from './free-port.ts';
import type { Endpoints } from './part.ts';

/** Which parts this `placard serve` runs. */
export type ServeRole = 'all' | 'core' | 'delivery' | 'jobs';

/** The roles that can be asked for. */
export const SERVE_ROLES: readonly ServeRole[] = ['all', 'core', 'delivery', 'jobs'];

/** Whether delivery workers run in it. */
export function hasWorkers(role: ServeRole): boolean {
  return role === 'all' || role === 'delivery';
}

/** Whether it makes the cluster and migrates the stores. */
export function hasCore(role: ServeRole): boolean {
  return role === 'all' || role === 'core';
}

/** Thrown when a part runs alone without its stores; names the settings that are missing. */
export class MissingStoresError extends Error {
  constructor(role: ServeRole, names: readonly string[]) {
    super(
      `"placard serve --role ${role}" runs one part of many machines, which share their stores by address: set ${names.join(', ')}. Without --role everything runs here and needs none of them.`,
    );
    this.name = 'MissingStoresError';
  }
}

/** @throws MissingStoresError when `role` is not `all` and a store has no address */
export function checkStores(settings: Settings, role: ServeRole): void {
  if (role === 'all') return;
  const names = [
    settings.postgresUrl === null ? 'PLACARD_POSTGRES_URL' : '',
    settings.clickhouseUrl === null ? 'PLACARD_CLICKHOUSE_URL' : '',
    settings.redisUrl === null ? 'PLACARD_REDIS_URL' : '',
  ].filter((name) => name !== '');
  if (names.length > 0) throw new MissingStoresError(role, names);
}

/** The database of the built-in analytics store, and its user. */
const analyticsUser = 'placard';

/**
 * Resolves ports and addresses. The addresses of PostgreSQL stay empty until the built-in PostgreSQL has started.
 * The address of the built-in analytics store is fixed here, so that it stays the same when that process is started again.
 * @throws PortUnavailableError
 */
export async function resolveEndpoints(
  settings: Settings,
  role: ServeRole,
  { secretsDir }: { readonly secretsDir: string },
): Promise<Endpoints> {
  const { bind } = settings;
  const usesCore = role !== 'delivery';
  const usesDelivery = hasWorkers(role);
  const corePort = usesCore ? await resolvePort(settings.corePort, bind, 'PLACARD_CORE_PORT') : settings.corePort;
  const deliveryPort = usesDelivery
    ? await resolvePort(settings.deliveryPort, bind, 'PLACARD_DELIVERY_PORT')
    : settings.deliveryPort;
  const hasEndpoint = hasCore(role) && settings.sqlPort !== null;
  const sqlPort = hasEndpoint ? await resolvePort(settings.sqlPort ?? 0, bind, 'PLACARD_SQL_PORT') : null;
  const scheme = settings.tls === 'loopback' ? 'http' : 'https';
  return {
    bind,
    corePort,
    deliveryPort,
    sqlPort,
    corePublicUrl: settings.corePublicUrl ?? `${scheme}://localhost:${corePort}`,
    deliveryPublicUrl: settings.deliveryPublicUrl ?? `${scheme}://localhost:${deliveryPort}`,
    postgresUrl: settings.postgresUrl ?? '',
    postgresOwnerUrl: migrationsAddress(settings),
    clickhouseUrl: analyticsAddress(settings) ?? (await makeAnalyticsUrl(secretsDir)),
    redisUrl: settings.redisUrl,
  };
}

/** The address of PostgreSQL for migrations and backups, which need a session and all rights; null: that of the service. */
export function migrationsAddress({ postgresOwnerUrl, postgresDirectUrl }: Settings): string | null {
  return postgresOwnerUrl ?? postgresDirectUrl;
}

/** The address of a ClickHouse that the settings name, with its cluster; null: the built-in store. */
export function analyticsAddress({ clickhouseUrl, clickhouseCluster }: Settings): string | null {
  return clickhouseUrl === null ? null : writeOlapAddress(clickhouseUrl, clickhouseCluster);
}

async function makeAnalyticsUrl(secretsDir: string): Promise<string> {
  const password = readOrCreate(
    secretsDir,
    'analytics-password',
    () => `${crypto.randomUUID().replaceAll('-', '')}\n`,
  ).trim();
  const port = await pickKeptPort('127.0.0.1', 'PLACARD_CLICKHOUSE_URL');
  return `http://${analyticsUser}:${password}@127.0.0.1:${port}`;
}

/** The folder of generated secrets in a data folder. */
export function secretsDirOf(dataDir: string): string {
  return join(dataDir, 'secrets');
}
