import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from './placard-process.ts';
import { createTestDatabase, createTestOlapDatabase, type TestDatabase } from './stores.ts';

/** A service whose stores are databases of the run's own PostgreSQL and analytics process. */
export interface LeanPlacard extends PlacardProcess {
  readonly database: TestDatabase;
  /** Stops it and starts it again on the same data. */
  restart(): Promise<LeanPlacard>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/**
 * Starts a core and one delivery worker: no stores of their own, no demo unless `env` says so, and then without its
 * history. It starts in half the time of a whole service. Tests that stop stores or read their files need a whole one.
 */
export async function startLeanPlacard(env: Readonly<Record<string, string>> = {}): Promise<LeanPlacard> {
  const dataDir = makeDataDir();
  const [database, olap] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  const stores = { PLACARD_POSTGRES_URL: database.url, PLACARD_CLICKHOUSE_URL: olap.url };
  const size = { PLACARD_DEMO: 'false', PLACARD_WORKERS: '1' };
  const start = async (): Promise<LeanPlacard> => {
    const running = await startPlacard({ dataDir, env: { ...size, ...stores, ...env }, demoHistory: 'none' });
    return Object.assign(running, {
      database,
      restart: async () => {
        await running.stop();
        return start();
      },
      remove: async () => {
        await running.stop();
        await database.close();
        await olap.close();
        await removeDataDir(dataDir);
      },
    });
  };
  return start();
}
