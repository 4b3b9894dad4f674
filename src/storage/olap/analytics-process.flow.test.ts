import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { openOlap } from './clickhouse.ts';
import type { Olap } from './olap.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly olap: Olap;
}

async function start(name: string): Promise<Started> {
  const path = fileURLToPath(new URL('../../../test/support/stores/analytics-child.ts', import.meta.url));
  const child = fork(path, [`${folder.dir}/${name}`], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  running.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
  return { child, url, olap: openOlap({ url, log: silentLog }) };
}

const table = 'CREATE TABLE IF NOT EXISTS t (id UInt64) ENGINE = MergeTree ORDER BY id';
const count = async (olap: Olap) => (await olap.query<{ n: string }>({ sql: 'SELECT count() AS n FROM t' }))[0]?.n;
const body = (from: number, rows: number) =>
  Buffer.from(Array.from({ length: rows }, (_one, at) => `{"id":${from + at}}\n`).join(''));

test('an acknowledged batch is there after kill -9, and counts once when it is sent again', async () => {
  const first = await start('crash');
  await first.olap.command(table);
  await first.olap.insertRaw({ table: 't', body: body(0, 1_000), token: 'a' });
  const unsure = first.olap
    .insertRaw({ table: 't', body: body(1_000, 200_000), token: 'b' })
    .catch((error: unknown) => error);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await unsure;
  await first.olap.close();
  const second = await start('crash');
  for (const token of ['a', 'b']) {
    const rows = token === 'a' ? body(0, 1_000) : body(1_000, 200_000);
    await second.olap.insertRaw({ table: 't', body: rows, token });
  }
  expect(await count(second.olap)).toBe('201000');
  await second.olap.close();
});

/** Binary rows of {@link table}: the number, name and type of its columns, then the values. */
const binaryBody = (ids: readonly number[]) => {
  const values = Buffer.alloc(ids.length * 8);
  for (const [at, id] of ids.entries()) values.writeBigUInt64LE(BigInt(id), at * 8);
  return Buffer.concat([Buffer.from('\u0001\u0002id\u0006UInt64'), values]);
};
const binary = { table: 't', columns: ['id'], format: 'RowBinaryWithNamesAndTypes' } as const;

test('binary rows are inserted by way of a file, once for a token, and leave no file behind', async () => {
  const dir = join(folder.dir, 'binary');
  const inserts = join(dir, 'inserts');
  mkdirSync(inserts, { recursive: true });
  writeFileSync(join(inserts, '1'), 'of a process that was killed');
  const { olap } = await start('binary');
  expect(readdirSync(inserts)).toEqual([]);
  await olap.command(table);
  for (const token of ['a', 'a', 'b']) await olap.insertRaw({ ...binary, body: binaryBody([1, 2]), token });
  expect(await count(olap)).toBe('4');
  const torn = binaryBody([3]).subarray(0, -1);
  await expect(olap.insertRaw({ ...binary, body: torn, token: 'c' })).rejects.toMatchObject({ retryable: false });
  rmSync(inserts, { recursive: true });
  const unwritable = olap.insertRaw({ ...binary, body: binaryBody([3]), token: 'd' });
  await expect(unwritable).rejects.toMatchObject({ code: 'failed', retryable: true });
  mkdirSync(inserts);
  await olap.insertRaw({ ...binary, body: binaryBody([3]), token: 'd' });
  expect([await count(olap), readdirSync(inserts)]).toEqual(['5', []]);
  await olap.close();
});

test('a second process on the same folder is refused, and the first one goes on', async () => {
  const first = await start('shared');
  writeFileSync(join(folder.dir, 'shared', 'inserts', '1'), 'rows of the first one');
  await expect(start('shared')).rejects.toThrow('it ended with');
  expect(await first.olap.query({ sql: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  expect(readdirSync(join(folder.dir, 'shared', 'inserts'))).toEqual(['1']);
  await first.olap.close();
});

test('it ends in order when its parent goes away, also while a statement runs', async () => {
  const { child, olap } = await start('orphan');
  await olap.command(table);
  const insert = olap.insertRaw({ table: 't', body: body(0, 300_000), token: 'a' }).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
  child.disconnect();
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  await insert;
  await olap.close();
});

describe('its HTTP interface', () => {
  async function call(
    url: string,
    path: string,
    options: { method?: string; body?: string; auth?: string | null } = {},
  ) {
    const { hostname, port, password } = new URL(url);
    const auth = options.auth === null ? undefined : (options.auth ?? `placard:${password}`);
    return new Promise<{ status: number; code: string | undefined; text: string }>((resolve, reject) => {
      const sent = request(
        { hostname, port, path, method: options.method ?? 'POST', ...(auth === undefined ? {} : { auth }) },
        (response) => {
          response.toArray().then((chunks: Buffer[]) => {
            const code = response.headers['x-clickhouse-exception-code'];
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: response.statusCode ?? 0, code: code === undefined ? undefined : String(code), text });
          }, reject);
        },
      );
      sent.once('error', reject);
      sent.end(options.body);
    });
  }

  test('analytics process refuses bad requests, and names the reason as ClickHouse does', async () => {
    const { url, olap } = await start('http');
    expect(await call(url, '/ping', { method: 'GET', auth: null })).toMatchObject({ status: 200, text: 'Ok.\n' });
    expect(await call(url, '/', { auth: null, body: 'SELECT 1' })).toMatchObject({ status: 403, code: '516' });
    expect(await call(url, '/', { auth: 'placard:wrong', body: 'SELECT 1' })).toMatchObject({
      status: 403,
      code: '516',
    });
    expect(await call(url, '/?query=SELECT%201', { method: 'GET' })).toMatchObject({ status: 200, text: '1\n' });
    expect(await call(url, '/?query=DROP%20TABLE%20t', { method: 'GET' })).toMatchObject({ status: 500, code: '164' });
    expect(await call(url, '/other', { body: 'SELECT 1' })).toMatchObject({ status: 404 });
    expect(
      await call(url, '/?max_execution_time=0.2', { body: 'SELECT count() FROM numbers(1e11) WHERE number % 7 = 3' }),
    ).toMatchObject({
      status: 408,
      code: '159',
    });
    expect(await call(url, '/?database=nowhere', { body: 'SELECT 1' })).toMatchObject({ status: 404, code: '81' });
    expect(await call(url, '/', { body: 'SELECT {a:String}' })).toMatchObject({ status: 400, code: '456' });
    expect(await call(url, '/?param_a=x', { body: 'SELECT {a:String} FORMAT CSV' })).toMatchObject({
      status: 200,
      text: '"x"\n',
    });
    // The response may be lost: the connection closes while the client still sends the body.
    const tooLarge = await call(url, '/', { body: 'x'.repeat(129 * 1_024 * 1_024) }).catch(() => ({ status: 0 }));
    expect([0, 413]).toContain(tooLarge.status);
    await olap.ping();
    await olap.close();
  });
});
