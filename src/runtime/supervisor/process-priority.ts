import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Log } from '../../domain/log/log.ts';
import type { PartRole } from './part.ts';

/**
 * How far each part steps back behind ads (nice levels). The further, the sooner a worker that wakes up beside a busy thread goes first
 * (ADR 0012); at fifteen the analytics store still gets a thirtieth of a core that a worker fills, and all of any other.
 */
export const LEVELS_BEHIND_ADS: Readonly<Record<PartRole, number>> = { delivery: 0, core: 5, analytics: 15 };

const LOWEST = 19;
const HIGHEST = -20;

/**
 * Steps back so many nice levels from where this process is: all threads that run by now, and those that they start. On Linux a
 * priority belongs to a thread, elsewhere to the process. Best effort: what the system refuses is logged.
 */
export function lowerPriority(levels: number, log: Log): void {
  if (levels === 0) return;
  for (const thread of readThreads()) {
    try {
      setPriority(thread, Math.min(LOWEST, getPriority(thread) + levels));
    } catch (error) {
      log.event('process.priority_unchanged', { err: error, thread });
    }
  }
}

/** How far a worker that was killed goes ahead while it starts again: about nine times the share of a process at level 0. */
export const LEVELS_AHEAD_AT_RESTART = 10;

/**
 * Goes ahead so many nice levels, where the system allows that (root, CAP_SYS_NICE, a limit on nice). Threads that are started
 * meanwhile go ahead, too.
 * @returns takes all threads of this process back to where the main thread was; null where the system refuses
 */
export function raisePriority(levels: number): (() => void) | null {
  try {
    const before = getPriority();
    setPriority(Math.max(HIGHEST, before - levels));
    return () => {
      for (const thread of readThreads()) stepBack(thread, before);
    };
  } catch {
    return null;
  }
}

/** A thread may have ended meanwhile. */
function stepBack(thread: number, level: number): void {
  try {
    if (getPriority(thread) < level) setPriority(thread, level);
  } catch {
    return;
  }
}

/** Thread ids of this process; elsewhere than on Linux the process itself, as 0. */
function readThreads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}
