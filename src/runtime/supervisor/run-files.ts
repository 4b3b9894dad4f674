import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Endpoints } from './part.ts';
import type { ProcessRecord } from './process-identity.ts';

/** A process of this data folder, as written down in `<data>/run/children.json`. */
export interface ChildRecord extends ProcessRecord {
  readonly name: string;
}

function endpointsPath(dataDir: string): string {
  return join(dataDir, 'run', 'endpoints.json');
}

function lastPostgresPath(dataDir: string): string {
  return join(dataDir, 'run', 'last-postgres.json');
}

function childrenPath(dataDir: string): string {
  return join(dataDir, 'run', 'children.json');
}

/** Writes whole or not at all; readable by the owner only. */
function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return null;
  }
}

/** Tells the command line where the running instance is. Removed on an orderly stop. */
export function writeEndpoints(dataDir: string, endpoints: Endpoints): void {
  writeJson(endpointsPath(dataDir), endpoints);
}

/** The endpoints as last written; null when there are none. They may be those of an instance that was killed. */
export function readEndpoints(dataDir: string): Endpoints | null {
  const value = readJson(endpointsPath(dataDir));
  const found = value as Partial<Endpoints> | null;
  if (typeof found?.postgresUrl !== 'string' || typeof found.corePort !== 'number') return null;
  return { ...(value as Endpoints), postgresOwnerUrl: found.postgresOwnerUrl ?? null };
}

/** Records the address of the built-in PostgreSQL, with the service's password. It outlives a stop: workers begin with it at the next start. */
export function writeLastPostgres(dataDir: string, url: string): void {
  writeJson(lastPostgresPath(dataDir), { url });
}

/** The address that the built-in PostgreSQL last had; null when it never ran. It usually has the same one again. */
export function readLastPostgres(dataDir: string): string | null {
  const found = readJson(lastPostgresPath(dataDir)) as { url?: unknown } | null;
  return typeof found?.url === 'string' ? found.url : null;
}

/** Records the processes of this data folder. */
export function writeChildren(dataDir: string, children: readonly ChildRecord[]): void {
  writeJson(childrenPath(dataDir), children);
}

/** The processes as last written; what cannot be read is left out. */
export function readChildren(dataDir: string): ChildRecord[] {
  const value = readJson(childrenPath(dataDir));
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: Partial<ChildRecord> | null) => {
    const pid = entry?.pid;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 1) return [];
    return [{ name: String(entry?.name), pid, identity: typeof entry?.identity === 'string' ? entry.identity : null }];
  });
}

/** Removes both files, after an orderly stop. */
export function removeRunFiles(dataDir: string): void {
  rmSync(endpointsPath(dataDir), { force: true });
  rmSync(childrenPath(dataDir), { force: true });
}
