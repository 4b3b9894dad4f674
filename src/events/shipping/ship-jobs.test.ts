import { expect, test } from 'vitest';
import { type Job, acquireInTurn } from './ship-jobs.ts';

test('a job begins before the next one is made, however many callers ask', async () => {
  const story: string[] = [];
  async function* list(): AsyncGenerator<Job> {
    for (const id of ['one', 'two', 'three']) {
      story.push(`made ${id}`);
      yield { id, run: async () => void story.push(`began ${id}`) };
    }
  }
  const acquire = acquireInTurn(list());
  const work = async (): Promise<void> => {
    for (let next = await acquire(); next.done !== true; next = await acquire()) await next.value.run();
  };
  await Promise.all([work(), work(), work()]);
  expect(story).toEqual(['made one', 'began one', 'made two', 'began two', 'made three', 'began three']);
});
