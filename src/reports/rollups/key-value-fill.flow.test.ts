import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE } from '../fixtures/events-table.ts';
import { REPORT_OLAP_MIGRATIONS } from './rollups.olap.ts';

const TABLES = ['delivery_key_values_hourly', 'delivery_key_values_daily'] as const;
const BEFORE = REPORT_OLAP_MIGRATIONS.filter(({ id }) => id < 'reports-0003');
const folder = createTestFolder();
afterAll(() => folder.remove());
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

async function start(name: string): Promise<{ readonly child: ChildProcess; readonly olap: Olap }> {
  const path = fileURLToPath(new URL('../../../test/support/stores/analytics-child.ts', import.meta.url));
  const child = fork(path, [`${folder.dir}/${name}`], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  running.push(child);
  const [message] = (await once(child, 'message')) as [{ url: string }];
  return { child, olap: openOlap({ url: message.url, log: silentLog }) };
}

/** Events of five months, 30,000 of each, two days a month. */
const EVENTS = `INSERT INTO events (workspace_id, time, kind, line_item_id, site_id, user_hash, revenue_nanos, quantity, key_values)
  SELECT 1, toDateTime64('2026-01-05 00:00:00', 3, 'UTC') + INTERVAL number % 5 MONTH + INTERVAL number % 48 HOUR, 'impression',
    toString(number % 7), toString(number % 3), cityHash64(number % 900), number, 1,
    if(number % 4 = 0, map(), map('17', toString(number % 11), '18', 'list')) FROM numbers({rows:UInt32})`;

const sumsOf = (olap: Olap, from: string, key: string, users: string): Promise<unknown> =>
  olap.query({
    sql: `SELECT toYYYYMM(time) AS month, line_item_id, site_id, ${key} AS section, sum(impressions) AS impressions,
      sum(revenue_nanos) AS revenue, ${users} AS users FROM ${from} GROUP BY ALL ORDER BY ALL`,
  });
const sumsOfEvents = (olap: Olap): Promise<unknown> =>
  sumsOf(
    olap,
    '(SELECT * REPLACE (toUInt64(line_item_id) AS line_item_id, toUInt64(site_id) AS site_id), quantity AS impressions FROM events)',
    "key_values['17']",
    'uniqCombined64(user_hash)',
  );
const sumsOfTable = (olap: Olap, table: string): Promise<unknown> =>
  sumsOf(olap, table, "simpleJSONExtractString(key_values, '17')", 'uniqCombined64Merge(users)');

/** A store that records statements, and runs a function before a given one. */
function watched(olap: Olap, seen: string[], before: (statement: string) => void = () => undefined): Olap {
  const command: Olap['command'] = (sql, params, settings) => {
    seen.push(sql);
    before(sql);
    return olap.command(sql, params, settings);
  };
  return { dialect: olap.dialect, query: (asked) => olap.query(asked), command } as Olap;
}

const replaced = (seen: readonly string[]): string[] =>
  seen.flatMap((sql) => /ALTER TABLE delivery_key_values_hourly REPLACE PARTITION ID '(\d+)'/.exec(sql)?.[1] ?? []);

const KILLS: readonly [string, RegExp, number][] = [
  ['between the tables of a month', /^ALTER TABLE delivery_key_values_daily REPLACE/, 3],
  ['while a month is put together', /^INSERT INTO delivery_key_values_hourly_month/, 5],
  ['before a month is marked', /^INSERT INTO placard_migrations/, 3],
];
/** `FILL_KILLS=all` tries all; otherwise one. */
const TRIED = process.env['FILL_KILLS'] === 'all' ? KILLS : KILLS.slice(0, 1);

test.each(TRIED)(
  'a fill whose store is killed %s continues where it stopped and counts everything once',
  async (when, pattern, nth) => {
    const name = when.replaceAll(' ', '-');
    const first = await start(name);
    await first.olap.command(EVENTS_TABLE);
    await migrateOlap({ olap: first.olap, migrations: BEFORE, log: silentLog });
    await first.olap.command(EVENTS, { rows: 150_000 });
    const [cut, rest]: [string[], string[]] = [[], []];
    let met = 0;
    const killing = watched(first.olap, cut, (sql) => {
      if (!pattern.test(sql)) return;
      met += 1;
      if (met === nth) setTimeout(() => first.child.kill('SIGKILL'), 2);
    });
    await expect(migrateOlap({ olap: killing, migrations: REPORT_OLAP_MIGRATIONS, log: silentLog })).rejects.toThrow(
      'reports-0003',
    );
    await first.olap.close();
    const second = await start(name);
    await migrateOlap({ olap: watched(second.olap, rest), migrations: REPORT_OLAP_MIGRATIONS, log: silentLog });
    const expected = await sumsOfEvents(second.olap);
    expect(expected).toHaveLength(5 * 7 * 3 * 12);
    for (const table of TABLES) expect(await sumsOfTable(second.olap, table), table).toEqual(expected);
    // At most the interrupted month runs again; earlier months do not.
    const done = replaced(cut).slice(0, -1);
    expect(done.length).toBeGreaterThan(0);
    expect(replaced(rest).filter((month) => done.includes(month))).toEqual([]);
    await second.olap.command(EVENTS, { rows: 1_000 });
    for (const table of TABLES)
      expect(await sumsOfTable(second.olap, table), table).toEqual(await sumsOfEvents(second.olap));
    await second.olap.close();
  },
  120_000,
);
