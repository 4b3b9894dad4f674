import { ImportError } from '../plan/import-error.ts';
import { HOURS_MAX, type ReviveRow, type ReviveSource, type ReviveTable, ROWS_MAX } from './revive-tables.ts';

/** The rows of an installation. */
export interface ReviveData {
  readonly rows: ReadonlyMap<ReviveTable, readonly ReviveRow[]>;
  readonly hours: readonly ReviveHour[];
}

/** What one ad had in one zone in one hour; 0: no ad, or no zone. */
export interface ReviveHour {
  readonly time: string;
  readonly ad: number;
  readonly zone: number;
  readonly requests: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly conversions: number;
  /** Ten-thousandths of a unit of the currency. */
  readonly revenue: number;
}

const COUNTS = ['requests', 'impressions', 'clicks', 'conversions', 'revenue'] as const;

/** Collects the rows; hours of one ad and zone are summed up. @throws ImportError with more rows than there may be */
export async function collectRevive(source: ReviveSource): Promise<ReviveData> {
  const rows = new Map<ReviveTable, ReviveRow[]>();
  const hours = new Map<string, ReviveHour>();
  let total = 0;
  for await (const { table, row } of source) {
    if (table === 'data_summary_ad_hourly') {
      addHour(hours, readHour(row));
      if (hours.size > HOURS_MAX) throw new ImportError(`There are more than ${HOURS_MAX} hours of statistics.`);
      continue;
    }
    total += 1;
    if (total > ROWS_MAX) throw new ImportError(`There are more than ${ROWS_MAX} rows.`);
    const known = rows.get(table);
    if (known === undefined) rows.set(table, [row]);
    else known.push(row);
  }
  if (!rows.has('clients') && !rows.has('zones'))
    throw new ImportError('There are no advertisers and no zones: is the prefix of the tables right (--prefix)?');
  return { rows, hours: [...hours.values()].toSorted((one, other) => (one.time < other.time ? -1 : 1)) };
}

function readHour(row: ReviveRow): ReviveHour {
  const count = (column: string): number => Math.max(0, Math.round(Number(row[column] ?? 0)) || 0);
  return {
    // Operation intervals may be shorter than an hour.
    time: `${(row['date_time'] ?? '').slice(0, 13)}:00:00`,
    ad: count('ad_id'),
    zone: count('zone_id'),
    requests: count('requests'),
    impressions: count('impressions'),
    clicks: count('clicks'),
    conversions: count('conversions'),
    revenue: Math.max(0, Math.round(Number(row['total_revenue'] ?? 0) * 10_000) || 0),
  };
}

function addHour(hours: Map<string, ReviveHour>, hour: ReviveHour): void {
  const key = `${hour.time} ${hour.ad} ${hour.zone}`;
  const before = hours.get(key);
  const sum = (name: (typeof COUNTS)[number]): number => (before?.[name] ?? 0) + hour[name];
  hours.set(
    key,
    before === undefined
      ? hour
      : {
          ...hour,
          requests: sum('requests'),
          impressions: sum('impressions'),
          clicks: sum('clicks'),
          conversions: sum('conversions'),
          revenue: sum('revenue'),
        },
  );
}
