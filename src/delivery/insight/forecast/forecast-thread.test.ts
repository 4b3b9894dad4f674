import { expect, test } from 'vitest';
import { sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import type { ThreadInput } from '../../traffic/workspace-thread.ts';
import { ForecastThreads } from './forecast-thread.ts';

/** A thread that returns its job; the job `endless` never ends and leaves no turn to anything else. */
const ECHO = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ kind, job }) => {
      if (kind !== 'begin') return;
      while (job === 'endless');
      parentPort.postMessage({ kind: 'done', result: job });
    });`)}`,
);

const open = () =>
  new ForecastThreads<string, string>({ readCounters: async () => [] }, { module: ECHO, title: 'echoes' });

async function* nothing(): AsyncGenerator<Uint8Array> {}

const jobOf = (job: string, loaded: string[] = []) => {
  return async (): Promise<ThreadInput<string>> => {
    loaded.push(job);
    return { snapshot: sampleSnapshot({}), frame: null, job, samples: nothing() };
  };
};

test('a forecast whose caller leaves ends at once, and the next one begins', async () => {
  const threads = open();
  const caller = new AbortController();
  const endless = threads.run(1, jobOf('endless'), caller.signal);
  const next = threads.run(1, jobOf('next'));
  setImmediate(() => caller.abort(new Error('The caller left')));
  await expect(endless).rejects.toThrow('The caller left');
  expect(await next).toBe('next');
  await threads.stop();
});

test('a forecast that is given up while it waits is never loaded, and another takes its turn', async () => {
  const threads = open();
  const [first, second] = [new AbortController(), new AbortController()];
  const loaded: string[] = [];
  const running = threads.run(1, jobOf('endless', loaded), first.signal);
  const givenUp = threads.run(1, jobOf('given up', loaded), second.signal);
  const kept = threads.run(1, jobOf('kept', loaded));
  await expect(threads.run(1, jobOf('one too many', loaded))).rejects.toMatchObject({ code: 'unavailable' });
  second.abort(new Error('Typed on'));
  await expect(givenUp).rejects.toThrow('Typed on');
  const late = threads.run(1, jobOf('late', loaded));
  first.abort(new Error('Typed on'));
  await expect(running).rejects.toThrow('Typed on');
  expect(await Promise.all([kept, late])).toEqual(['kept', 'late']);
  expect(loaded).toEqual(['endless', 'kept', 'late']);
  await threads.stop();
});
