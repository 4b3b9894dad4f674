import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askGraphql } from './graphql.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;
let sent = 0;

beforeEach(() => {
  sent = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The server refuses so many requests before it responds. */
function refuse(times: number, code: string): void {
  vi.stubGlobal('fetch', () => {
    sent += 1;
    const body = sent > times ? { data: { answer: 42 } } : { error: code, message: 'Busy.' };
    return Promise.resolve(new Response(JSON.stringify(body), { status: sent > times ? 200 : 503 }));
  });
}

test('a request that the server is too busy to begin is sent again', async () => {
  refuse(3, 'overloaded');
  const asked = askGraphql(SCOPE, '{ answer }');
  await vi.runAllTimersAsync();
  expect(await asked).toEqual({ answer: 42 });
  expect(sent).toBe(4);
});

test('a server that stays too busy is believed in the end', async () => {
  refuse(100, 'overloaded');
  const asked = askGraphql(SCOPE, '{ answer }').catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await asked).toMatchObject({ code: 'overloaded' });
  expect(sent).toBe(8);
});

test('a request that may have begun is not sent again', async () => {
  refuse(1, 'unavailable');
  const asked = askGraphql(SCOPE, 'mutation { answer }').catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await asked).toMatchObject({ code: 'unavailable' });
  expect(sent).toBe(1);
});
