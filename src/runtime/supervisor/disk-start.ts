import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../domain/log/log.ts';
import { hasWorkers, type ServeRole } from './endpoints.ts';
import type { Endpoints } from './part.ts';
import { readLastPostgres } from './run-files.ts';

/** The facts that decide whether delivery workers start from the disk. */
export interface DiskStartOptions {
  readonly settings: Settings;
  readonly role: ServeRole;
  readonly log: Log;
  readonly canStartFromDisk?: (settings: Settings, endpoints: Endpoints) => Promise<boolean>;
}

/** The address of PostgreSQL to start workers with from the disk; null: they start after the core. */
export async function findLastPostgres(options: DiskStartOptions, endpoints: Endpoints): Promise<string | null> {
  const { settings, role, canStartFromDisk, log } = options;
  const url = settings.postgresUrl ?? readLastPostgres(settings.dataDir);
  if (!hasWorkers(role) || url === null || canStartFromDisk === undefined) return null;
  try {
    return (await canStartFromDisk(settings, endpoints)) ? url : null;
  } catch (error) {
    log.event('service.disk_not_usable', { err: error });
    return null;
  }
}
