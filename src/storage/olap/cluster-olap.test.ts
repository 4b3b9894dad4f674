import { expect, test } from 'vitest';
import { onReplicas } from './cluster-olap.ts';
import { olapDialect } from './olap-dialect.ts';
import { type Olap, OlapError, type OlapQuery } from './olap.ts';

const LAGS = 289;
const BUSY = 286;
const failure = (serverCode: number): OlapError => new OlapError('failed', 'no', { retryable: true, serverCode });
const pause = (): Promise<void> => Promise.resolve();
const query: OlapQuery = { sql: 'SELECT 1', isFinal: true };

/** A store whose calls fail with these codes first. */
function failing(codes: readonly number[]): { readonly olap: Olap; readonly calls: () => number } {
  const left = [...codes];
  let calls = 0;
  const next = (): void => {
    calls += 1;
    const code = left.shift();
    if (code !== undefined) throw failure(code);
  };
  const olap: Partial<Olap> = {
    dialect: olapDialect({ name: 'main', database: 'ads' }),
    query: async <T>() => {
      next();
      return ['row'] as T[];
    },
    stream: async function* () {
      next();
      yield Buffer.from('row');
    },
    insertRaw: async () => next(),
  };
  return { olap: onReplicas(olap as Olap, { pause }), calls: () => calls };
}

const insert = { table: 't', body: Buffer.from('{}'), token: 'a' };

async function readStream(olap: Olap, of: OlapQuery): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of olap.stream({ ...of, format: 'JSONEachRow' })) chunks.push(chunk.toString());
  return chunks;
}

test('a final read goes to another server when the first ones lag behind', async () => {
  const read = failing([LAGS, LAGS]);
  expect([await read.olap.query(query), read.calls()]).toEqual([['row'], 3]);
  const streamed = failing([LAGS, LAGS]);
  expect([await readStream(streamed.olap, query), streamed.calls()]).toEqual([['row'], 3]);
});

test('a final read gives up after eight servers that lag behind', async () => {
  const { olap, calls } = failing(Array.from({ length: 20 }, () => LAGS));
  await expect(olap.query(query)).rejects.toMatchObject({ serverCode: LAGS, retryable: true });
  expect(calls()).toBe(8);
});

test('other failures, and reads that are not final, are not tried again', async () => {
  const other = failing([60]);
  await expect(other.olap.query(query)).rejects.toMatchObject({ serverCode: 60 });
  const plain = failing([LAGS]);
  await expect(plain.olap.query({ sql: 'SELECT 1' })).rejects.toMatchObject({ serverCode: LAGS });
  expect([other.calls(), plain.calls()]).toEqual([1, 1]);
});

test('an insert waits for the insert of another machine, under the same token', async () => {
  const { olap, calls } = failing([BUSY, BUSY]);
  await olap.insertRaw(insert);
  expect(calls()).toBe(3);
});

test('an insert waits for the one before it in the same process, also for one that fails', async () => {
  const running: string[] = [];
  const steps: string[] = [];
  const gates = new Map(['a', 'b', 'c'].map((token) => [token, Promise.withResolvers<void>()]));
  const olap = onReplicas({
    insertRaw: async ({ token }: { token: string }) => {
      running.push(token);
      steps.push(running.join('+'));
      await gates.get(token)?.promise;
      running.splice(running.indexOf(token), 1);
      if (token === 'a') throw failure(60);
    },
  } as unknown as Olap);
  const all = ['a', 'b', 'c'].map((token) => olap.insertRaw({ ...insert, token }));
  for (const gate of [...gates.values()].toReversed()) gate.resolve();
  const results = await Promise.allSettled(all);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(steps).toEqual(['a', 'b', 'c']);
});
