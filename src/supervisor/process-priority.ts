import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Logger } from 'pino';

/**
 * Lets every other process of the machine go first (nice levels, 1 to 19): all threads that run by now, and those that they start.
 * On Linux a priority belongs to a thread, elsewhere to the process. Best effort: what the system refuses is logged.
 */
export function lowerPriority(levels: number, log: Logger): void {
  for (const thread of readThreads()) {
    try {
      setPriority(thread, levels);
    } catch (error) {
      log.debug({ err: error, thread }, 'could not lower the priority of a thread');
    }
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
