import { expect, test } from 'vitest';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { ThreadFailed, WorkspaceThread } from './workspace-thread.ts';

/** As a connection that delivers a part and then nothing more. */
async function* hang(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('');
  await new Promise(() => {});
}

test('a job ends at its timeout even if its samples never end', async () => {
  const hot = { readCounters: async () => [] };
  const thread = new WorkspaceThread<null, null>(hot, new URL('../plan/plan-worker.ts', import.meta.url), 100);
  const made = thread.run({ snapshot: sampleSnapshot({}), frame: null, job: null, samples: hang() });
  await expect(made).rejects.toBeInstanceOf(ThreadFailed);
});
