import type { ArmDay, ArmDaysQuestion } from '../../domain/experiments/experiment-results.ts';
import { ARM_KEY_ID, armValue, EXPERIMENT_ARMS, type ExperimentArm } from '../../domain/experiments/experiment.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { valueInText } from './rollups.olap.ts';

const TIMEOUT_MS = 10_000;
const HOUR_SECONDS = 3_600;
const GUARANTEED = "line_item_type IN ('SPONSORSHIP', 'STANDARD')";
/** Names differ from those of the columns: ClickHouse would take them for each other. */
const SUMS = {
  asked: 'sum(requests)',
  shown: 'sum(impressions)',
  clicked: 'sum(clicks)',
  converted: 'sum(activities)',
  guaranteed: `sumIf(impressions, ${GUARANTEED})`,
  nanos: 'sum(revenue_nanos)',
} as const;

type Row = Readonly<Record<keyof typeof SUMS | 'day' | 'arm', string>>;

/**
 * What the arms of an experiment had, by day of a time zone: two rows a day at most. Of hours: where days begin within an hour, it belongs to the day in which it
 * begins. @throws OlapError
 */
export async function readArmDays(olap: Olap, question: ArmDaysQuestion): Promise<ArmDay[]> {
  const { workspaceId, experimentId, startsAtMs, endsAtMs, timezone } = question;
  const arms = new Map<string, ExperimentArm>(EXPERIMENT_ARMS.map((arm) => [armValue(experimentId, arm), arm]));
  const startsAt = Math.floor(startsAtMs / 1_000);
  const sums = Object.entries(SUMS).map(([name, sum]) => `toString(${sum}) AS ${name}`);
  const rows = await olap.query<Row>({
    sql: `SELECT toString(toDate(time, {zone: String})) AS day, ${valueInText('key_values', '{key: String}')} AS arm, ${sums.join(', ')}
      FROM (SELECT time, key_values, line_item_type, requests, impressions, clicks, activities, revenue_nanos FROM delivery_key_values_hourly
        WHERE workspace_id = {workspace: UInt32} AND time >= toDateTime({from: UInt32}, 'UTC') AND time < toDateTime({to: UInt32}, 'UTC'))
      WHERE arm IN {arms: Array(String)} GROUP BY day, arm`,
    params: {
      workspace: workspaceId,
      from: startsAt - (startsAt % HOUR_SECONDS),
      to: Math.ceil(endsAtMs / 1_000),
      zone: timezone,
      key: ARM_KEY_ID,
      arms: [...arms.keys()],
    },
    timeoutMs: TIMEOUT_MS,
  });
  return rows.map((row) => ({
    day: row.day,
    arm: arms.get(row.arm) as ExperimentArm,
    requests: Number(row.asked),
    impressions: Number(row.shown),
    clicks: Number(row.clicked),
    conversions: Number(row.converted),
    guaranteedImpressions: Number(row.guaranteed),
    revenueNanos: BigInt(row.nanos),
  }));
}
