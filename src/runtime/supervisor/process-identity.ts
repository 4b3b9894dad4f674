import { readFileSync, readlinkSync } from 'node:fs';

/**
 * The identity that tells a process from a later one with the same pid: the machine's boot and the start time in clock ticks, from /proc
 * (Linux). Null when it cannot be read: then only the pid counts.
 */
export function readProcessIdentity(pid: number): string | null {
  try {
    const fields = readStat(`/proc/${pid}/stat`);
    // Field 22 of the whole line.
    const startTicks = fields[19];
    const isZombie = fields[0] === 'Z';
    if (startTicks === undefined || isZombie) return null;
    return `${readBootId()}:${startTicks}`;
  } catch {
    return null;
  }
}

/** The clock ticks of /proc have this length on every Linux that node runs on, in milliseconds. */
const TICK_MS = 10;

/** Processor time of a process's main thread, which runs its event loop, in milliseconds. Null when it cannot be read. */
export function readMainThreadMs(pid: number): number | null {
  try {
    const fields = readStat(`/proc/${pid}/task/${pid}/stat`);
    // Fields 14 and 15 of the whole line: in user mode and in the kernel.
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    return null;
  }
}

/** How long a process's main thread was ready to run and got no processor so far, in milliseconds. Null when it cannot be read. */
export function readWaitedMs(pid: number): number | null {
  try {
    // Nanoseconds on a processor, nanoseconds of waiting for one, times that it ran.
    const [, waitedNanos] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    const ms = Number(waitedNanos) / 1e6;
    return Number.isFinite(ms) ? ms : null;
  } catch {
    return null;
  }
}

/** The fields of a stat file from the third on. The name in parentheses, which is the second, may hold spaces and parentheses. */
function readStat(path: string): string[] {
  const stat = readFileSync(path, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * Where processes can be told by their pid: this boot of this machine, and the container in it. Null when it cannot be read: then every
 * process counts as one of this machine.
 */
export function readProcessSpace(): string | null {
  try {
    return `${readBootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

let bootId: string | null = null;

function readBootId(): string {
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return bootId;
}

/** A process as recorded earlier. */
export interface ProcessRecord {
  readonly pid: number;
  /** From `readProcessIdentity`; null when unavailable. */
  readonly identity: string | null;
}

/** Records a process that runs now. */
export function recordProcess(pid: number): ProcessRecord {
  return { pid, identity: readProcessIdentity(pid) };
}

/** True when the recorded process itself, not a later one with its pid, still runs. A zombie does not run. */
export function isSameProcessRunning(record: ProcessRecord): boolean {
  if (record.identity !== null && process.platform === 'linux')
    return readProcessIdentity(record.pid) === record.identity;
  try {
    process.kill(record.pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends a signal; false when there is no such process (any more). */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
