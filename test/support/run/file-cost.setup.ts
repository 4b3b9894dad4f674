import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU seconds of a test file: of its worker, and of the processes that the file started and that have ended. Linux only. */
    cpuSeconds?: number;
  }
}

/** Clock ticks per second, as Linux reports CPU time to programs. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of this process and of its ended children, with theirs; null on systems without /proc. */
function readCpuSeconds(): number | null {
  try {
    // The name of the program, in parentheses, may hold spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // utime, stime, cutime and cstime of proc(5).
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

// Setup files run again for each test file, before its modules are loaded.
const before = readCpuSeconds();

// The hooks of a setup file surround the hooks of the test file.
// Vitest passes the file behind the fixtures, of which this hook uses none.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, file) => {
  const after = readCpuSeconds();
  if (before !== null && after !== null) file.meta.cpuSeconds = after - before;
});
