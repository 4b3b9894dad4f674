import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { ARM_KEY_ID, armValue, type ExperimentArm } from '../../domain/experiments/experiment.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { readArmDays } from '../../reports/rollups/experiment-days.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';

let store: TestOlapDatabase;

interface Counted {
  readonly arm?: ExperimentArm;
  readonly kind: string;
  readonly time: string;
  readonly workspaceId?: number;
  readonly experimentId?: string;
  readonly more?: object;
}

const row = ({ arm, kind, time, workspaceId = 1, experimentId = '7', more = {} }: Counted, at: number) => ({
  ...EMPTY_EVENT_ROW,
  event_id: `e${at}`,
  workspace_id: workspaceId,
  kind,
  time: `${time}.000`,
  ...(arm === undefined ? {} : { key_values: { [ARM_KEY_ID]: armValue(experimentId, arm), '10': '7:RULE' } }),
  ...more,
});

beforeAll(async () => {
  store = await createTestOlapDatabase();
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
  const first = '2026-11-20 12:00:00';
  // In Warsaw, this is the next day.
  const second = '2026-11-20 23:30:00';
  const standard = { line_item_id: '5', line_item_type: 'STANDARD', revenue_nanos: '2000000' };
  const counted: Counted[] = [
    { arm: 'RULE', kind: 'request', time: first, more: { quantity: 40 } },
    { arm: 'REST', kind: 'request', time: first, more: { quantity: 360 } },
    { arm: 'RULE', kind: 'impression', time: first, more: standard },
    { arm: 'RULE', kind: 'impression', time: first, more: { ...standard, line_item_type: 'PRICE' } },
    { arm: 'RULE', kind: 'impression', time: first, more: { ...standard, invalid_reason: 'bot', revenue_nanos: '0' } },
    { arm: 'RULE', kind: 'click', time: second, more: { line_item_id: '5' } },
    { arm: 'REST', kind: 'activity', time: second, more: { line_item_id: '5', attribution: 'click' } },
    // Of others: no arm, another experiment, another workspace, and after the end.
    { kind: 'request', time: first, more: { quantity: 1_000 } },
    { arm: 'RULE', kind: 'request', time: first, experimentId: '77' },
    { arm: 'RULE', kind: 'request', time: first, workspaceId: 2 },
    { arm: 'RULE', kind: 'request', time: '2026-11-25 00:00:00' },
  ];
  const body = Buffer.from(counted.map((one, at) => JSON.stringify(row(one, at))).join('\n'));
  await store.olap.insertRaw({ table: 'events', body, token: 'arms' });
});
afterAll(() => store.close());

test('arms are summed by day of the network, of one experiment of one workspace within its time', async () => {
  const found = await readArmDays(store.olap, {
    workspaceId: 1,
    experimentId: '7',
    startsAtMs: Date.parse('2026-11-20T12:59:00Z'),
    endsAtMs: Date.parse('2026-11-25T00:00:00Z'),
    timezone: 'Europe/Warsaw',
  });
  const nothing = {
    requests: 0,
    impressions: 0,
    clicks: 0,
    conversions: 0,
    guaranteedImpressions: 0,
    revenueNanos: 0n,
  };
  const sorted = found.toSorted((one, other) => (one.day + one.arm < other.day + other.arm ? -1 : 1));
  expect(sorted).toEqual([
    { ...nothing, day: '2026-11-20', arm: 'REST', requests: 360 },
    {
      ...nothing,
      day: '2026-11-20',
      arm: 'RULE',
      requests: 40,
      impressions: 2,
      guaranteedImpressions: 1,
      revenueNanos: 4_000_000n,
    },
    { ...nothing, day: '2026-11-21', arm: 'REST', conversions: 1 },
    { ...nothing, day: '2026-11-21', arm: 'RULE', clicks: 1 },
  ]);
});
