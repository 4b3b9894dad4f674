import type { CalendarDate } from '../reports/calendar.ts';
import type { CubeQuery } from '../reports/lens-query.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';
import type { CreativeFigures } from './creative-test.ts';

const ID = 'campaign_overview.creative_id';
const IMPRESSIONS = 'campaign_overview.impressions';
const CLICKS = 'campaign_overview.clicks';

/** The report of each creative of a line item. */
export function creativeQuery(
  lineItemId: string,
  range: { readonly from: CalendarDate; readonly to: CalendarDate },
  timezone: string,
): CubeQuery {
  return {
    measures: [IMPRESSIONS, CLICKS],
    dimensions: [ID],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: [range.from, range.to] }],
    filters: [{ member: 'campaign_overview.line_item_id', operator: 'equals', values: [lineItemId] }],
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
