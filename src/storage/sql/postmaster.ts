import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '../../domain/log/log.ts';

const run = promisify(execFile);

/** How long a left-over server may take for a fast shutdown, and then for an immediate one, in milliseconds. */
const fastShutdownMs = 15_000;
const immediateShutdownMs = 5_000;
const pollMs = 20;

/** The first lines of PostgreSQL's `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** Reads `postmaster.pid` of a cluster; null when there is none, or it is only half written. */
export function readPostmasterFile(clusterDir: string): PostmasterFile | null {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' };
}

/** Records which process of ours started the server of this folder. */
export function recordOwner(postgresDir: string): void {
  const owner = { pid: process.pid, startTicks: readStartTicks(process.pid) };
  writeFileSync(join(postgresDir, 'owner.json'), JSON.stringify(owner));
}

/**
 * Ends a server that an earlier process of ours left running on this cluster (after a kill -9), with a fast shutdown.
 * @throws Error when the process that started it still runs: then somebody else is at work on this folder
 */
export async function endLeftoverPostmaster(postgresDir: string, clusterDir: string, log: Log): Promise<void> {
  const file = readPostmasterFile(clusterDir);
  if (file === null) return;
  if (!(await isPostmasterOf(file.pid, clusterDir))) {
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
    return;
  }
  const owner = readOwner(postgresDir);
  if (
    owner !== null &&
    owner.pid !== process.pid &&
    isRunning(owner.pid) &&
    readStartTicks(owner.pid) === owner.startTicks
  ) {
    throw new Error(
      `Process ${owner.pid} runs a PostgreSQL on ${clusterDir} already: stop it first, or use another data folder.`,
    );
  }
  log.event('postgres.leftover_ended', { postgresPid: file.pid, clusterDir });
  await endPostmaster(file.pid);
}

/** Fast shutdown, then immediate, then kill. Resolves when the process is gone. */
export async function endPostmaster(pid: number): Promise<void> {
  const steps: readonly (readonly [NodeJS.Signals, number])[] = [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
    ['SIGKILL', immediateShutdownMs],
  ];
  for (const [signal, waitMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (!isRunning(pid)) return;
      await sleep(pollMs);
    }
  }
  throw new Error(`PostgreSQL with pid ${pid} does not end.`);
}

/** A postmaster's working folder is its cluster; elsewhere than on Linux its command line has to tell. */
async function isPostmasterOf(pid: number, clusterDir: string): Promise<boolean> {
  if (!isRunning(pid)) return false;
  if (process.platform === 'linux') {
    try {
      return (
        readlinkSync(`/proc/${pid}/cwd`) === clusterDir &&
        readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
      );
    } catch {
      return false;
    }
  }
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(clusterDir);
}

function isRunning(pid: number): boolean {
  if (readState(pid) === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readOwner(postgresDir: string): { pid: number; startTicks: string | null } | null {
  try {
    const parsed = JSON.parse(readFileSync(join(postgresDir, 'owner.json'), 'utf8')) as {
      pid?: unknown;
      startTicks?: unknown;
    };
    if (typeof parsed.pid !== 'number') return null;
    return { pid: parsed.pid, startTicks: typeof parsed.startTicks === 'string' ? parsed.startTicks : null };
  } catch {
    return null;
  }
}

function readState(pid: number): string | null {
  return readStat(pid)?.[0] ?? null;
}

/** The start time tells a process from a later one with its pid; null where /proc is missing. */
function readStartTicks(pid: number): string | null {
  return readStat(pid)?.[19] ?? null;
}

/** The fields of /proc/<pid>/stat after the name (which may hold spaces): state first, start time 20th. */
function readStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
