import { wallTimeOf } from '../format/wall-time.ts';
import type { CubeQuery } from '../reports/lens-query.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';

const CUBE = 'campaign_overview';
const member = (name: string): string => `${CUBE}.${name}`;
const ROWS_MAX = 500;

/** Fewer errors of a day are those of single players. */
const ERRORS_MIN = 20;
/** A creative errs when at least this part of its plays fails. */
const ERRING_PART = 0.05;

/** A creative whose film or third-party tag players could not play today. */
export interface TagError {
  readonly creativeId: string;
  readonly name: string;
  readonly errors: number;
  /** Plays that were tried: the failed ones, and those that began. */
  readonly tries: number;
  /** The most frequent error code of VAST, and whose tag it was; empty: a file of its own. */
  readonly code: string;
  readonly vendor: string;
}

/** The report of the errors of today, by creative, code and vendor. */
export function errorsQuery(timezone: string, nowMs: number): CubeQuery {
  return queryOf(['video_errors'], ['creative_id', 'creative_name', 'video_error_code', 'video_vendor_domain'], {
    timezone,
    nowMs,
  });
}

/** The report of the plays of today, by creative. */
export function playsQuery(timezone: string, nowMs: number): CubeQuery {
  return queryOf(['video_starts'], ['creative_id'], { timezone, nowMs });
}

function queryOf(
  measures: readonly string[],
  dimensions: readonly string[],
  { timezone, nowMs }: { readonly timezone: string; readonly nowMs: number },
): CubeQuery {
  const [today = '', clock = ''] = wallTimeOf(nowMs, timezone).split('T');
  return {
    measures: measures.map(member),
    dimensions: dimensions.map(member),
    timeDimensions: [{ dimension: member('time'), dateRange: [`${today}T00:00:00.000`, `${today}T${clock}:59.999`] }],
    filters: [],
    order: measures.map((name) => [member(name), 'desc'] as const),
    timezone,
    limit: ROWS_MAX,
  };
}

/** The creatives whose plays fail often, the most errors first. */
export function tagErrors(errors: readonly ReportRow[], plays: readonly ReportRow[]): TagError[] {
  const textOf = (row: ReportRow, name: string): string => String(row[member(name)] ?? '');
  const numberOf = (row: ReportRow, name: string): number => toNumber(row[member(name)] ?? null) ?? 0;
  const starts = new Map(plays.map((row) => [textOf(row, 'creative_id'), numberOf(row, 'video_starts')]));
  const byCreative = Map.groupBy(
    errors.filter((row) => numberOf(row, 'video_errors') > 0),
    (row) => textOf(row, 'creative_id'),
  );
  return [...byCreative]
    .flatMap(([creativeId, rows]): TagError[] => {
      const [worst] = rows.toSorted((one, other) => numberOf(other, 'video_errors') - numberOf(one, 'video_errors'));
      const count = rows.reduce((sum, row) => sum + numberOf(row, 'video_errors'), 0);
      const tries = count + (starts.get(creativeId) ?? 0);
      if (worst === undefined || count < ERRORS_MIN || count < ERRING_PART * tries) return [];
      const code = textOf(worst, 'video_error_code');
      const vendor = textOf(worst, 'video_vendor_domain');
      return [{ creativeId, name: textOf(worst, 'creative_name'), errors: count, tries, code, vendor }];
    })
    .toSorted((one, other) => other.errors - one.errors);
}
