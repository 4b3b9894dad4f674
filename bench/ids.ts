/**
 * The cost of ids from a workspace's own sequence: CPU time of PostgreSQL for a row, with the ids of today and with those of before (the default of
 * a sequence that all share). Both in one database, in turns, and the median of the differences, because the machine's speed drifts.
 *
 *   npm run bench:ids -- [rounds, default 41]
 *
 * Starts a PostgreSQL of its own and removes it afterwards.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { startEmbeddedPostgres } from '../src/storage/sql/embedded-postgres.ts';
import { migrate } from '../src/storage/sql/migrate.ts';
import { openPostgres } from '../src/storage/sql/postgres.ts';

const ROWS = 1_000;
/** Connections that insert at once, each its share of the rows, one transaction a row. */
const CONNECTIONS = 8;
/** The id of the campaign of all line items, above all that are handed out. */
const PARENT = 1e12;
const rounds = Number(process.argv[2] ?? 41);
const log = SILENT_LOG;

type Table = 'advertisers' | 'line_items';

const SEED = `CREATE SEQUENCE shared_ids;
  INSERT INTO networks (id, name) VALUES (1000, 'Bench');
  INSERT INTO workspaces (id, network_id, environment) VALUES (1, 1000, 'production');
  INSERT INTO advertisers (workspace_id, id, name) VALUES (1, ${PARENT}, 'A');
  INSERT INTO campaigns (workspace_id, id, advertiser_id, name) VALUES (1, ${PARENT}, ${PARENT}, 'C')`;
const COLUMNS = '(workspace_id, campaign_id, name, type, goal, starts_at, ends_at)';
const VALUES = `1, ${PARENT}, 'A line item', 'STANDARD', '{"kind": "IMPRESSIONS", "amount": 100000, "period": "LIFETIME"}', now(), now() + interval '30 days'`;
const INSERT = `INSERT INTO line_items ${COLUMNS} VALUES (${VALUES})`;

/** Statements that insert a number of rows. */
const WAYS: readonly { readonly name: string; readonly table: Table; readonly textFor: (rows: number) => string }[] = [
  {
    name: 'advertisers, one statement',
    table: 'advertisers',
    textFor: (rows) => `INSERT INTO advertisers (workspace_id, name) SELECT 1, 'A' FROM generate_series(1, ${rows})`,
  },
  {
    name: 'line items, one statement',
    table: 'line_items',
    textFor: (rows) => `INSERT INTO line_items ${COLUMNS} SELECT ${VALUES} FROM generate_series(1, ${rows})`,
  },
  {
    name: 'line items, a statement a row',
    table: 'line_items',
    textFor: (rows) => `DO $$ BEGIN FOR at IN 1..${rows} LOOP ${INSERT}; END LOOP; END $$`,
  },
];

const useIds = (which: 'before' | 'today', table: Table): string =>
  which === 'before'
    ? `ALTER TABLE ${table} DISABLE TRIGGER ${table}_own_ids; ALTER TABLE ${table} ALTER COLUMN id SET DEFAULT nextval('shared_ids')`
    : `ALTER TABLE ${table} ENABLE TRIGGER ${table}_own_ids; ALTER TABLE ${table} ALTER COLUMN id SET DEFAULT 0`;

/** CPU time of a process. Linux only: the first field is in nanoseconds. */
const cpuMicrosOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e3;

/** Measures figures of both kinds of ids in turns, the first round for practice. */
async function inTurns(
  measure: (which: 'before' | 'today') => Promise<number>,
): Promise<readonly { readonly before: number; readonly today: number }[]> {
  const pairs: { before: number; today: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { before: 0, today: 0 };
    for (const which of round % 2 === 0 ? (['before', 'today'] as const) : (['today', 'before'] as const))
      pair[which] = await measure(which);
    if (round > 0) pairs.push(pair);
  }
  return pairs;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

function print(name: string, unit: string, pairs: Awaited<ReturnType<typeof inTurns>>): void {
  const [before, today] = [median(pairs.map((pair) => pair.before)), median(pairs.map((pair) => pair.today))];
  const difference = median(pairs.map((pair) => pair.today - pair.before));
  const percent = ((difference / before) * 100).toFixed(1);
  console.log(
    `${name.padEnd(56)} ${before.toFixed(1).padStart(8)} ${today.toFixed(1).padStart(8)} ${unit}, median difference ${difference.toFixed(1)} (${percent} %)`,
  );
}

async function measureWays(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid ?? 0;
  for (const { name, table, textFor } of WAYS) {
    const pairs = await inTurns(async (which) => {
      await client.query('BEGIN');
      await client.query(useIds(which, table));
      // The first rows of a connection compile the triggers.
      await client.query(textFor(10));
      const before = cpuMicrosOf(pid);
      await client.query(textFor(ROWS));
      const micros = cpuMicrosOf(pid) - before;
      await client.query('ROLLBACK');
      return micros / ROWS;
    });
    print(name, 'µs CPU a row', pairs);
  }
}

async function measureAtOnce(clients: readonly Client[]): Promise<void> {
  const insertShare = async (client: Client): Promise<void> => {
    for (let row = 0; row < ROWS / CONNECTIONS; row += 1) await client.query({ name: 'insert', text: INSERT });
  };
  const pairs = await inTurns(async (which) => {
    await clients[0]?.query(useIds(which, 'line_items'));
    const startedAtMs = performance.now();
    await Promise.all(clients.map(insertShare));
    return ((performance.now() - startedAtMs) / ROWS) * 1e3;
  });
  print(`line items, a transaction a row, ${CONNECTIONS} at once`, 'µs a row', pairs);
}

const dir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
const server = await startEmbeddedPostgres({ dataDir: dir, log });
const postgres = openPostgres({ url: server.ownerUrl, log, poolMax: 1, statementTimeoutMs: 0 });
const clients = Array.from({ length: CONNECTIONS }, () => new Client({ connectionString: server.ownerUrl }));
try {
  await migrate({ db: postgres.db, log });
  for (const client of clients) await client.connect();
  const [client] = clients as [Client, ...Client[]];
  await client.query(SEED);
  console.log(`${ROWS} rows a round, ${rounds} rounds`.padEnd(56), '  before    today');
  await measureWays(client);
  await measureAtOnce(clients);
} finally {
  for (const client of clients) await client.end().catch(() => undefined);
  await postgres.close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
