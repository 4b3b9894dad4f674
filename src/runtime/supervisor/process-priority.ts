import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Log } from '../../domain/log/log.ts';
import type { PartRole } from './part.ts';

/**
 * How far each part lowers its priority below ads (nice levels). The lower, the sooner a worker that wakes up beside a busy thread runs
 * first (ADR 0012); at fifteen the analytics store still gets a thirtieth of a core that a worker fills, and all of any other.
 */
export const LEVELS_BEHIND_ADS: Readonly<Record<PartRole, number>> = { delivery: 0, core: 5, jobs: 10, analytics: 15 };

const LOWEST = 19;
const HIGHEST = -20;

/**
 * Lowers the priority of this process by this many nice levels: all threads that run by now, and those that they start. On Linux a priority
 * belongs to a thread, elsewhere to the process. Best effort: what the system refuses is logged.
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

/** How far the priority of a restarted worker is raised while it starts: about nine times the share of a process at level 0. */
export const LEVELS_AHEAD_AT_RESTART = 10;

/**
 * Raises the priority by this many nice levels, where the system allows that (root, CAP_SYS_NICE, a limit on nice). Threads that start
 * meanwhile inherit it. @returns a function that resets all threads of this process to the former level of the main thread; null where the
 * system refuses
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
