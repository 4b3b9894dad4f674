import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('the work of one workspace runs one after the other, and that of another one beside it', async () => {
  const turns = new Turns<number>();
  const first = Promise.withResolvers<void>();
  const began: string[] = [];
  const start = (workspaceId: number, name: string, until?: Promise<void>) =>
    turns.run(workspaceId, async () => {
      began.push(name);
      await until;
      return name;
    });
  const all = [start(1, 'one', first.promise), start(1, 'two'), start(2, 'other')];
  expect(await all[2]).toBe('other');
  expect(began).toEqual(['one', 'other']);
  first.resolve();
  expect(await Promise.all(all)).toEqual(['one', 'two', 'other']);
});

test('a caller who leaves gives up the turn, and a failure keeps nobody else waiting', async () => {
  const turns = new Turns<number>();
  const caller = new AbortController();
  const failed = turns.run(1, () => Promise.reject(new Error('The store is down')));
  const left = turns.run(1, () => Promise.resolve('left'), caller.signal);
  const stays = turns.run(1, () => Promise.resolve('stays'));
  caller.abort(new Error('The caller left'));
  await expect(failed).rejects.toThrow('The store is down');
  await expect(left).rejects.toThrow('The caller left');
  expect(await stays).toBe('stays');
});
