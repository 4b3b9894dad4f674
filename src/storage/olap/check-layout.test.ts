import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { checkLayout } from './check-layout.ts';
import { olapDialect } from './olap-dialect.ts';
import type { Olap, OlapQuery } from './olap.ts';

let database: TestOlapDatabase;
beforeAll(async () => {
  database = await createTestOlapDatabase();
});
afterAll(() => database.close());

/** The real store with another dialect. */
function onCluster(name: string): Olap {
  const query = <T>(one: OlapQuery): Promise<T[]> => database.olap.query<T>(one);
  return { query, dialect: olapDialect({ name, database: 'ads' }) } as unknown as Olap;
}

interface Servers {
  readonly tables?: readonly unknown[];
  readonly clusters?: readonly unknown[];
  readonly engine?: string;
  readonly versions?: readonly unknown[];
  readonly macros?: readonly unknown[];
}

const FINE: Required<Servers> = {
  tables: [],
  clusters: [{ cluster: 'main', internal: 1 }],
  engine: 'Atomic',
  versions: ['a', 'b'].map((host) => ({ host, version: '25.8.1.1' })),
  macros: ['a', 'b'].map((host) => ({ host, shard: '01', replica: host })),
};

/** A cluster that responds so. */
function describing(servers: Servers, dialect = olapDialect({ name: 'main', database: 'ads' })): Olap {
  const { tables, clusters, engine, versions, macros } = { ...FINE, ...servers };
  const results: readonly (readonly [string, readonly unknown[]])[] = [
    ['system.tables', tables],
    ['system.clusters', clusters],
    ['system.databases', [{ engine }]],
    ['system.one', versions],
    ['system.macros', macros],
  ];
  return {
    dialect,
    query: async ({ sql }: OlapQuery) => results.find(([table]) => sql.includes(table))?.[1],
  } as unknown as Olap;
}

const DISTRIBUTED = [
  { name: 'events', engine: 'Distributed', engine_full: "Distributed('main', 'ads', 'events_local', rand())" },
  { name: 'events_local', engine: 'ReplicatedMergeTree', engine_full: 'ReplicatedMergeTree(…)' },
];

test('a server without the named cluster is refused, and the message names the clusters that it knows', async () => {
  await expect(checkLayout(onCluster('main'))).rejects.toThrow(
    'PLACARD_CLICKHOUSE_CLUSTER is "main", and ClickHouse knows no cluster of this name (it knows: none)',
  );
});

test('tables of a single server are refused when a cluster is named', async () => {
  await database.olap.command('CREATE TABLE events (id UInt64) ENGINE = MergeTree ORDER BY id');
  await expect(checkLayout(onCluster('main'))).rejects.toThrow('tables of a single server');
  await checkLayout(database.olap);
});

test('tables of a cluster are refused when none is named, or another one', async () => {
  const single = describing({ tables: DISTRIBUTED }, olapDialect());
  await expect(checkLayout(single)).rejects.toThrow('has the tables of a cluster');
  await checkLayout(describing({ tables: DISTRIBUTED }));
  const other = describing({ tables: DISTRIBUTED }, olapDialect({ name: 'second', database: 'ads' }));
  await expect(checkLayout(other)).rejects.toThrow('made for the cluster "main"');
});

const REFUSED: readonly (readonly [string, Servers, string])[] = [
  [
    'whose distributed tables would write to every replica',
    { clusters: [{ cluster: 'main', internal: 0 }] },
    'internal_replication',
  ],
  ['whose database gives tables no ids', { engine: 'Ordinary' }, 'Ordinary'],
  ['with a server that is too old', { versions: [{ host: 'a', version: '24.3.1.1' }] }, 'on a is 24.3.1.1'],
  ['with a server without macros', { macros: [{ host: 'a', shard: '01', replica: 'a' }] }, 'on b needs the macros'],
  [
    'with two servers of the same name',
    { macros: ['a', 'b'].map((host) => ({ host, shard: '01', replica: 'a' })) },
    '"01-a"',
  ],
];

test.each(REFUSED)('a cluster is refused %s', async (_title, servers, message) => {
  await expect(checkLayout(describing(servers))).rejects.toThrow(message);
});

test('a cluster that has what it needs is accepted', async () => {
  await checkLayout(describing({}));
});
