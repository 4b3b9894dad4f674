import type { CalendarDate } from '../reports/calendar.ts';
import type { CubeQuery } from '../reports/lens-query.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';

const ID = 'campaign_overview.creative_id';
const IMPRESSIONS = 'campaign_overview.impressions';
const CLICKS = 'campaign_overview.clicks';

/** Counted impressions and clicks of a creative. */
export interface CreativeFigures {
  readonly impressions: number;
  readonly clicks: number;
}

/** The report of each creative of a line item, or of some creatives. */
export function creativeQuery(
  of: { readonly lineItemId: string } | { readonly creativeIds: readonly string[] },
  range: { readonly from: CalendarDate; readonly to: CalendarDate },
  timezone: string,
): CubeQuery {
  return {
    measures: [IMPRESSIONS, CLICKS],
    dimensions: [ID],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: [range.from, range.to] }],
    filters: [
      'lineItemId' in of
        ? { member: 'campaign_overview.line_item_id', operator: 'equals', values: [of.lineItemId] }
        : { member: ID, operator: 'equals', values: [...of.creativeIds] },
    ],
    order: [[IMPRESSIONS, 'desc']],
    timezone,
    limit: 500,
  };
}

/** The figures of a report by creative. */
export function figuresByCreative(rows: readonly ReportRow[]): ReadonlyMap<string, CreativeFigures> {
  return new Map(
    rows.map((row) => [
      String(row[ID]),
      { impressions: toNumber(row[IMPRESSIONS] ?? null) ?? 0, clicks: toNumber(row[CLICKS] ?? null) ?? 0 },
    ]),
  );
}
