import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import { isSameProcessRunning, signalProcess } from './process-identity.ts';
import { type ChildRecord, readChildren } from './run-files.ts';

/** The name under which PostgreSQL is recorded: it is stopped last, and in another way than our own processes. */
export const POSTGRES_NAME = 'postgres';

const pollMs = 50;

/** What to end, and within which time. */
export interface LeftoversOptions {
  readonly dataDir: string;
  readonly timeoutMs: number;
  readonly log: Log;
}

/**
 * Ends the leftover processes of a killed instance: first our own processes (they see that their supervisor is gone and stop by themselves,
 * flushing what they hold), then PostgreSQL. Processes that do not end within `timeoutMs` are killed.
 */
export async function endLeftovers({ dataDir, timeoutMs, log }: LeftoversOptions): Promise<void> {
  const alive = readChildren(dataDir).filter(isSameProcessRunning);
  if (alive.length === 0) return;
  log.event('process.leftovers_ended', { left: alive.map((child) => `${child.name} (${child.pid})`) });
  const parts = alive.filter((child) => child.name !== POSTGRES_NAME);
  const stores = alive.filter((child) => child.name === POSTGRES_NAME);
  await endProcesses(parts, 'SIGTERM', timeoutMs);
  // SIGINT is PostgreSQL's fast shutdown: sessions are ended, data is written, nothing is lost.
  await endProcesses(stores, 'SIGINT', timeoutMs);
}

/** Asks processes to end, and kills those that have not after `timeoutMs`. */
export async function endProcesses(
  children: readonly ChildRecord[],
  signal: NodeJS.Signals,
  timeoutMs: number,
): Promise<void> {
  for (const child of children.filter(isSameProcessRunning)) signalProcess(child.pid, signal);
  if (await waitForEnd(children, timeoutMs)) return;
  for (const child of children.filter(isSameProcessRunning)) signalProcess(child.pid, 'SIGKILL');
  await waitForEnd(children, timeoutMs);
}

async function waitForEnd(children: readonly ChildRecord[], timeoutMs: number): Promise<boolean> {
  const untilMs = performance.now() + timeoutMs;
  while (children.some(isSameProcessRunning)) {
    if (performance.now() >= untilMs) return false;
    await sleep(pollMs);
  }
  return true;
}
