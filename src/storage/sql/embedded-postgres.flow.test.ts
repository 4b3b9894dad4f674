import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import type { Log } from '../../domain/log/log.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

async function ask(url: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
    return String(rows[0]?.[0]);
  } finally {
    await client.end();
  }
}

/** A process that has ended may stay as a zombie until the process that adopted it waits for it. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

interface Announced {
  readonly url: string;
  readonly pid: number;
}

/** A process of ours that starts the server and then waits. */
async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; server: Announced }> {
  const path = fileURLToPath(new URL('fixtures/postgres-child.ts', import.meta.url));
  const child = fork(path, [dataDir], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [server] = (await once(child, 'message')) as [Announced];
  return { child, server };
}

describe('a data folder', () => {
  const dataDir = join(folder.dir, 'one');

  beforeAll(async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: silentLog });
    await ask(first.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS n');
    await first.stop();
    expect(await first.exited).toBe(0);
    expect(isRunning(first.pid)).toBe(false);
  });

  test('a data folder keeps its rows, its address and its password from start to start', async () => {
    const urls: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
      urls.push(server.ownerUrl, server.url);
      expect(await ask(server.ownerUrl, 'SELECT n FROM kept')).toBe('7');
      await Promise.all([server.stop(), server.stop()]);
    }
    expect(urls.slice(0, 2)).toEqual(urls.slice(2));
    expect(statSync(join(dataDir, 'secrets', 'postgres-password')).mode & 0o777).toBe(0o600);
  });

  test('PostgreSQL listens on the loopback interface only, with fsync, in UTF-8 and UTC', async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
    try {
      expect(await ask(server.ownerUrl, 'SHOW listen_addresses')).toBe('127.0.0.1');
      expect(await ask(server.ownerUrl, 'SHOW unix_socket_directories')).toBe('');
      expect(await ask(server.ownerUrl, 'SHOW fsync')).toBe('on');
      expect(await ask(server.ownerUrl, 'SHOW server_encoding')).toBe('UTF8');
      expect(await ask(server.ownerUrl, 'SHOW timezone')).toBe('UTC');
      expect(await ask(server.ownerUrl, 'SELECT current_database()')).toBe('placard');
    } finally {
      await server.stop();
    }
  });

  test('the log of PostgreSQL names a failed statement without values of its row', async () => {
    const lines: string[] = [];
    const log: Log = { event: (code, fields) => lines.push(`${code} ${JSON.stringify(fields ?? {})}`) };
    const server = await startEmbeddedPostgres({ dataDir, log });
    await ask(server.ownerUrl, 'CREATE TABLE people (email text PRIMARY KEY, age int CHECK (age > 0))');
    await ask(server.ownerUrl, "INSERT INTO people VALUES ('anna@example.test', 4)");
    await expect(ask(server.ownerUrl, "INSERT INTO people VALUES ('anna@example.test', 4)")).rejects.toThrow();
    await expect(ask(server.ownerUrl, "INSERT INTO people VALUES ('bert@example.test', -7)")).rejects.toThrow();
    await server.stop();
    expect(lines.filter((line) => line.startsWith('postgres.reported_error'))).toHaveLength(2);
    expect(lines.join('\n')).not.toMatch(/example\.test|INSERT/);
  });

  test('PostgreSQL refuses a wrong password', async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
    try {
      await expect(ask(server.ownerUrl.replace(/:[^:@]*@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
        /authentication failed/,
      );
    } finally {
      await server.stop();
    }
  });

  test('the owner is notified when the server ends by itself', async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
    process.kill(server.pid, 'SIGQUIT');
    await server.exited;
    await server.stop();
    expect(isRunning(server.pid)).toBe(false);
  });

  test('starts again after the server itself was killed with -9', async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
    await ask(server.ownerUrl, 'INSERT INTO kept VALUES (8)');
    process.kill(server.pid, 'SIGKILL');
    expect(await server.exited).toBeNull();
    const next = await startEmbeddedPostgres({ dataDir, log: silentLog });
    expect(await ask(next.ownerUrl, 'SELECT max(n) FROM kept')).toBe('8');
    await next.stop();
  });

  test('a data folder changes hands when its starter was killed with -9, and not while PostgreSQL runs', async () => {
    const { child, server } = await startElsewhere(dataDir);
    await expect(startEmbeddedPostgres({ dataDir, log: silentLog })).rejects.toThrow(`Process ${child.pid} runs`);
    expect(isRunning(server.pid)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isRunning(server.pid)).toBe(true);
    const next = await startEmbeddedPostgres({ dataDir, log: silentLog });
    expect(isRunning(server.pid)).toBe(false);
    expect(await ask(next.ownerUrl, 'SELECT min(n) FROM kept')).toBe('7');
    await next.stop();
  });

  test('the start leaves a process alone that is not PostgreSQL, although the pid file names it', async () => {
    const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
    writeFileSync(pidFile, `${process.pid}\n${join(dataDir, 'postgres', 'cluster')}\n1\n1\n\n127.0.0.1\n\nready\n`);
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
    expect(readFileSync(pidFile, 'utf8')).toContain(String(server.pid));
    await server.stop();
  });
});

test('a cluster that was half made is made again', async () => {
  const dataDir = join(folder.dir, 'half');
  const half = join(dataDir, 'postgres', 'cluster.new');
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'PG_VERSION'), '18\n');
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
  expect(await ask(server.ownerUrl, 'SELECT 1')).toBe('1');
  await server.stop();
  expect(existsSync(half)).toBe(false);
  expect(readdirSync(join(dataDir, 'postgres'))).not.toContain('initdb-password');
});
