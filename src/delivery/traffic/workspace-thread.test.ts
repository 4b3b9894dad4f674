import { describe, expect, test, vi } from 'vitest';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { ThreadFailed, WorkspaceThread } from './workspace-thread.ts';

/** As a connection that delivers a part and then nothing more. */
async function* hang(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('');
  await new Promise(() => {});
}

test('a job ends at its timeout even if its samples never end', async () => {
  const hot = { readCounters: async () => [] };
  const thread = new WorkspaceThread<null, null>(hot, new URL('../plan/plan-worker.ts', import.meta.url), {
    timeoutMs: 100,
  });
  const made = thread.run({ snapshot: sampleSnapshot({}), frame: null, job: null, samples: hang() });
  await expect(made).rejects.toBeInstanceOf(ThreadFailed);
});

/**
 * A thread that returns how many jobs it has begun. `endless` never ends and looks at nothing; `long` ends when nobody waits for it any more.
 */
const COUNTING = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads';
    let jobs = 0;
    parentPort.on('message', ({ kind, job }) => {
      if (kind !== 'begin') return;
      jobs += 1;
      while (job === 'endless');
      while (job === 'long' && Atomics.load(workerData.leave, 0) === 0);
      if (job === 'fault') throw new Error('A fault of the thread');
      parentPort.postMessage(job === 'long' ? { kind: 'left' } : { kind: 'done', result: jobs });
    });`)}`,
);
const IDLE_MS = 60_000;

async function* nothing(): AsyncGenerator<Uint8Array> {}

function openCounting(idleMs = IDLE_MS) {
  const thread = new WorkspaceThread<string, number>({ readCounters: async () => [] }, COUNTING, { idleMs });
  const run = (job: string, signal?: AbortSignal): Promise<number> =>
    thread.run({ snapshot: sampleSnapshot({}), frame: null, job, samples: nothing() }, signal);
  return { thread, run };
}

describe('a thread between jobs', () => {
  test('a thread works on one job after the other; without a time to wait, each job gets a new one', async () => {
    const warm = openCounting();
    expect([await warm.run('short'), await warm.run('short'), await warm.run('short')]).toEqual([1, 2, 3]);
    await warm.thread.stop();
    const cold = openCounting(0);
    expect([await cold.run('short'), await cold.run('short')]).toEqual([1, 1]);
  });

  test('a thread that waits too long for the next job ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { run, thread } = openCounting();
      expect([await run('short'), await run('short')]).toEqual([1, 2]);
      vi.advanceTimersByTime(IDLE_MS - 1);
      expect(await run('short')).toBe(3);
      vi.advanceTimersByTime(IDLE_MS);
      await thread.end();
      expect(await run('short')).toBe(1);
      await thread.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  test('a job that is given up leaves its thread to the next one; one that does not notice loses its thread', async () => {
    const { run, thread } = openCounting();
    const givenUp = async (job: string): Promise<void> => {
      const caller = new AbortController();
      const made = run(job, caller.signal);
      setImmediate(() => caller.abort(new Error('Typed on')));
      await expect(made).rejects.toThrow('Typed on');
    };
    expect(await run('short')).toBe(1);
    await givenUp('long');
    expect(await run('short')).toBe(3);
    await givenUp('endless');
    expect(await run('short')).toBe(1);
    await thread.stop();
  });

  test('a fault ends the thread and its job alone', async () => {
    const { run, thread } = openCounting();
    expect(await run('short')).toBe(1);
    await expect(run('fault')).rejects.toThrow('A fault of the thread');
    expect(await run('short')).toBe(1);
    await thread.stop();
    await expect(run('short')).rejects.toBeInstanceOf(ThreadFailed);
  });
});
