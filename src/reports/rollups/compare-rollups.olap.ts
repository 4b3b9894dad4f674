import type { Olap } from '../../storage/olap/olap.ts';
import { COUNTED_COLUMNS, EVENT_FACTS, ROLL_UP_BUCKETS } from './rollups.olap.ts';

/** A figure of a roll-up that differs from the events. */
export interface RollUpDifference {
  readonly table: string;
  readonly workspaceId: number;
  /** UTC, `YYYY-MM-DD HH:MM:SS`: the hour, or the day for tables of days. */
  readonly bucket: string;
  readonly column: string;
  readonly events: string;
  readonly rollUp: string;
}

/** UTC days, the first included and the last not: `YYYY-MM-DD`. */
export interface ComparedRange {
  readonly from: string;
  readonly to: string;
}

const TIMEOUT_MS = 600_000;

type SumRow = Readonly<Record<string, string>>;

/** Compares the event table with every roll-up by hour (by day where it keeps days), for all networks. @throws OlapError */
export async function compareRollUps(olap: Olap, range: ComparedRange): Promise<RollUpDifference[]> {
  const events = {
    hour: await readSums(olap, { from: EVENT_FACTS, unit: 'hour', range }),
    day: await readSums(olap, { from: EVENT_FACTS, unit: 'day', range }),
  };
  const differences: RollUpDifference[] = [];
  for (const [table, unit] of Object.entries(ROLL_UP_BUCKETS)) {
    const found = await readSums(olap, { from: table, unit, range });
    const wanted = events[unit];
    for (const key of new Set([...wanted.keys(), ...found.keys()]))
      differences.push(...differ(table, key, { wanted: wanted.get(key), found: found.get(key) }));
  }
  return differences;
}

function differ(
  table: string,
  key: string,
  { wanted, found }: { wanted: SumRow | undefined; found: SumRow | undefined },
): RollUpDifference[] {
  const [workspaceId = '', bucket = ''] = key.split('|');
  return COUNTED_COLUMNS.filter((column) => (wanted?.[column] ?? '0') !== (found?.[column] ?? '0')).map((column) => ({
    table,
    workspaceId: Number(workspaceId),
    bucket,
    column,
    events: wanted?.[column] ?? '0',
    rollUp: found?.[column] ?? '0',
  }));
}

async function readSums(
  olap: Olap,
  of: { readonly from: string; readonly unit: 'hour' | 'day'; readonly range: ComparedRange },
): Promise<Map<string, SumRow>> {
  const bucket = of.unit === 'hour' ? "toStartOfHour(facts.time, 'UTC')" : "toStartOfDay(facts.time, 'UTC')";
  const rows = await olap.query<SumRow>({
    sql: `SELECT toString(facts.workspace_id) AS workspace, toString(${bucket}) AS bucket,
        ${COUNTED_COLUMNS.map((column) => `toString(sum(facts.${column})) AS ${column}`).join(', ')}
      FROM ${of.from} AS facts WHERE facts.time >= toDateTime({from: String}, 'UTC') AND facts.time < toDateTime({to: String}, 'UTC')
      GROUP BY workspace, bucket`,
    params: { from: `${of.range.from} 00:00:00`, to: `${of.range.to} 00:00:00` },
    timeoutMs: TIMEOUT_MS,
    isFinal: true,
  });
  return new Map(rows.map((row) => [`${row['workspace']}|${row['bucket']?.slice(0, 19)}`, row]));
}
