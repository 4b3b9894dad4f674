import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MODULE = new URL('process-priority.ts', import.meta.url).href;

/** The priorities of all threads of a process at `own` after it lowered them by each of `steps`. */
async function prioritiesAfter(own: number, steps: readonly number[]): Promise<number[]> {
  const script = `
    import { readdirSync } from 'node:fs';
    import { getPriority, setPriority } from 'node:os';
    import { lowerPriority } from '${MODULE}';
    const threads = () => readdirSync('/proc/self/task').map(Number);
    for (const thread of threads()) setPriority(thread, ${own});
    const log = { debug: (refused) => { throw refused.err; } };
    for (const levels of ${JSON.stringify(steps)}) lowerPriority(levels, log);
    process.stdout.write(JSON.stringify(threads().map((thread) => getPriority(thread))));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as number[];
}

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)(
  'a restarted worker has a higher priority at first and then lowers it for all its threads',
  async () => {
    const script = `
    import { readdirSync } from 'node:fs';
    import { readFile } from 'node:fs/promises';
    import { getPriority, setPriority } from 'node:os';
    import { raisePriority } from '${MODULE}';
    const stepBack = raisePriority(10);
    const ahead = getPriority();
    await readFile('/proc/self/stat');
    stepBack();
    const levels = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));
    process.stdout.write(JSON.stringify([ahead, Math.min(...levels)]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const own = getPriority();
    expect(JSON.parse(stdout)).toEqual([Math.max(-20, own - 10), own]);
  },
);

const isLinux = readdirSync('/').includes('proc');

test.runIf(isLinux)(
  'a part has a lower priority than at its start, with all its threads, and never below the lowest',
  async () => {
    const own = 16;
    const stepped = await prioritiesAfter(own, [2]);
    expect(stepped.length).toBeGreaterThan(1);
    expect(new Set(stepped)).toEqual(new Set([18]));
    expect(new Set(await prioritiesAfter(own, [10]))).toEqual(new Set([19]));
    expect(new Set(await prioritiesAfter(own, [0]))).toEqual(new Set([own]));
  },
);
