import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PREFIX = 'placard-run-';
const STATE = Symbol.for('placard.testRun');
/** How long processes of a run may take to end after its last test, in milliseconds. */
const END_MS = 60_000;
/** Where Linux has a file system in memory. */
const MEMORY_DIR = '/dev/shm';
/** A run keeps its files in memory where this much is free, in bytes: some ten times what the services of a run have on disk at once. */
const MEMORY_FREE_MIN = 4 * 2 ** 30;

interface RunState {
  readonly dir: string;
  readonly formerTmp: string | undefined;
  users: number;
}

/** A process that a test run started, as the system lists it. */
export interface RunProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Gives this run a temporary folder, in which every process of its tests keeps its files (as TMPDIR). A run that was killed leaves
 * processes and files behind, which the next run ends and deletes. Projects of one run share the folder.
 * @param where 'memory': in memory where there is plenty, since stores wait for each write to a disk; TMPDIR still decides where it is set
 * @returns ends the run for one project; the last one deletes the folder
 */
export async function openTestRun(where: 'disk' | 'memory' = 'disk'): Promise<() => Promise<void>> {
  const shared = globalThis as { [STATE]?: RunState };
  if (shared[STATE] === undefined) {
    for (const parent of new Set([tmpdir(), MEMORY_DIR])) await endFormerRuns(parent);
    const parent = where === 'memory' && process.env['TMPDIR'] === undefined && hasFreeMemory() ? MEMORY_DIR : tmpdir();
    const dir = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
    // As root, PostgreSQL runs as another account, which needs access to the folder.
    chmodSync(dir, 0o755);
    shared[STATE] = { dir, formerTmp: process.env['TMPDIR'], users: 0 };
    process.env['TMPDIR'] = dir;
  }
  const state = shared[STATE];
  state.users += 1;
  return async () => {
    state.users -= 1;
    if (state.users > 0) return;
    delete shared[STATE];
    if (state.formerTmp === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = state.formerTmp;
    await closeRun(state.dir);
  };
}

/** @throws Error naming the processes that the tests of a run left behind; they are killed first */
async function closeRun(dir: string): Promise<void> {
  const deadline = performance.now() + END_MS;
  let left = listRunProcesses(dir);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(100);
    left = listRunProcesses(dir);
  }
  endAll(left);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  if (left.length === 0) return;
  const names = left.map(({ pid, command }) => `${pid} ${command}`);
  throw new Error(`tests left ${left.length} processes behind, which are killed now:\n${names.join('\n')}`);
}

/** Whether files and programs may lie in memory. */
function hasFreeMemory(): boolean {
  if (freemem() < MEMORY_FREE_MIN || !existsSync(MEMORY_DIR)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_DIR);
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts
    .find((line) => line.split(' ')[1] === MEMORY_DIR)
    ?.split(' ')[3]
    ?.split(',');
  return bavail * bsize >= MEMORY_FREE_MIN && options?.includes('noexec') === false;
}

/** Ends the processes and deletes the folders of runs whose own process has ended. */
async function endFormerRuns(parent: string): Promise<void> {
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const dir = join(parent, name);
    const left = listRunProcesses(dir);
    endAll(left);
    if (left.length > 0) console.warn(`killed ${left.length} processes that an earlier test run left behind`);
    while (listRunProcesses(dir).length > 0) await sleep(50);
    unmountIn(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** A test that fills a disk mounts a small one. A run that was killed leaves it mounted, and its folder cannot be deleted. */
function unmountIn(dir: string): void {
  if (!existsSync('/proc/mounts')) return;
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const path = line.split(' ')[1];
    if (path?.startsWith(`${dir}/`) === true) execFileSync('umount', [path]);
  }
}

/**
 * Processes that work in the folder of a run, or were started with it in their environment or arguments, without those of vitest.
 * Empty on systems without /proc.
 */
export function listRunProcesses(dir: string): RunProcess[] {
  return listPids().flatMap((pid) => {
    const command = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
    if (pid === process.pid || command === '' || /vitest/.test(command)) return [];
    const isOfRun = [command, readProc(pid, 'environ'), readFolder(pid)].some((text) => text.includes(dir));
    return isOfRun ? [{ pid, command: command.slice(0, 200) }] : [];
  });
}

function listPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Empty where the process has ended or belongs to somebody else. */
function readProc(pid: number, name: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function readFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function endAll(processes: readonly RunProcess[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
