/** Walks an LMDB store and sends what it found: `node check-process.ts <folder> <time limit in ms>`, forked by `checkHotStore`. */
import { walkHotStore } from './walk-hot-store.ts';
import type { HotStoreWalk } from './walk-hot-store.ts';

const [dir = '', timeLimitMs = '0'] = process.argv.slice(2);

function walk(): HotStoreWalk {
  try {
    return walkHotStore(dir, performance.now() + Number(timeLimitMs));
  } catch (error) {
    return { state: 'damaged', reason: error instanceof Error ? error.message : String(error) };
  }
}

// Not `process.exit`: exit hooks of the store must not touch it again.
process.send?.(walk(), undefined, undefined, () => process.kill(process.pid, 'SIGKILL'));
