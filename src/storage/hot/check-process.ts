/** Walks an LMDB store and sends what it found: `node check-process.ts <folder> <time limit in ms>`, forked by `checkHotStore`. */
import type { CheckMessage, HotStoreCheckResult } from './check-hot-store.ts';
import { walkHotStore } from './walk-hot-store.ts';

const [dir = '', timeLimitMs = '0'] = process.argv.slice(2);
/** The error code of LMDB when too many processes read the store. */
const LMDB_CODE_FULL = -30_790;

function walk(): HotStoreCheckResult {
  try {
    return walkHotStore(dir, performance.now() + Number(timeLimitMs));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { state: isOfSystem(error) ? 'unchecked' : 'damaged', reason };
  }
}

/** Numbers of the operating system are positive (no permission, no memory, too many files); LMDB's own are not. */
function isOfSystem(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' && (code > 0 || code === LMDB_CODE_FULL);
}

function send(message: CheckMessage, done: () => void): void {
  process.send?.(message, undefined, undefined, done);
}

// Not `process.exit`: exit hooks of the store must not touch it again.
send('begun', () => send(walk(), () => process.kill(process.pid, 'SIGKILL')));
