import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPgBouncer, startPgBouncer, type TestPgBouncer } from '../../../test/support/stores/pgbouncer.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/stores.ts';
import { openPostgres, type Sql } from '../../storage/sql/postgres.ts';
import { tryExportLock, withExportLock } from './export-lock.sql.ts';

describe.each([
  { through: 'PostgreSQL', isThere: true },
  { through: 'PgBouncer in transaction mode', isThere: hasPgBouncer() },
])('through $through', ({ through, isThere }) => {
  let database: TestDatabase;
  let pooler: TestPgBouncer | null = null;
  let processes: Sql[] = [];

  beforeAll(async () => {
    if (!isThere) return;
    database = await createTestDatabase();
    if (through !== 'PostgreSQL') pooler = await startPgBouncer(database.url, 4);
    const url = pooler?.url ?? database.url;
    processes = [1, 2].map(() => openPostgres({ url, log: silentLog, poolMax: 4, statementTimeoutMs: 30_000 }));
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.close()));
    await pooler?.end();
    if (isThere) await database.close();
  });
  const sqlOf = (at: number): Sql['db'] => (processes[at] as Sql).db;

  test.skipIf(!isThere)('one process at a time writes exported files, and the next one when it has ended', async () => {
    const inHand = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const first = tryExportLock(sqlOf(0), async () => {
      inHand.resolve();
      await mayEnd.promise;
      return 'first';
    });
    await inHand.promise;
    // Statements of both on every connection that is left.
    const statements = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        sqlOf(number % 2)
          .selectFrom('networks')
          .selectAll()
          .execute(),
      ),
    );
    expect(statements.flat()).toEqual([]);
    expect(await tryExportLock(sqlOf(1), () => Promise.resolve('second'))).toBeNull();
    const order: string[] = [];
    const waiting = withExportLock(sqlOf(1), async () => order.push('second'));
    order.push('first');
    mayEnd.resolve();
    expect(await first).toEqual({ value: 'first' });
    await waiting;
    expect(order).toEqual(['first', 'second']);
    expect(await tryExportLock(sqlOf(0), () => Promise.resolve('again'))).toEqual({ value: 'again' });
  });

  test.skipIf(!isThere)('work that fails gives the lock back and rejects with its error', async () => {
    const failing = tryExportLock(sqlOf(0), () => Promise.reject(new Error('disk full')));
    await expect(failing).rejects.toThrow('disk full');
    expect(await tryExportLock(sqlOf(1), () => Promise.resolve(1))).toEqual({ value: 1 });
  });
});
