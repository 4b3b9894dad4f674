import { FIRST_LINE_ITEM } from './report-rows.ts';

/** A query of the Reports API. */
export type ReportQuery = Readonly<Record<string, unknown>>;

/** The questions of `bench:reports`. `run` makes each different, so that none is prepared for the next. */
export interface ReportQuestions {
  /** In the network's zone, which is not UTC: days are cut between UTC days. */
  readonly lineItemByDay: (run: number) => ReportQuery;
  /** All line items. */
  readonly byHour: (run: number) => ReportQuery;
  readonly byLineItem: (run: number) => ReportQuery;
  readonly creativeByDevice: (run: number) => ReportQuery;
  readonly bySection: (run: number) => ReportQuery;
  readonly bySectionAndLineItem: (run: number) => ReportQuery;
  readonly lineItemBySection: (run: number) => ReportQuery;
}

function member(name: string): string {
  return `campaign_overview.${name}`;
}

/** Days back from a last day, both included, as a dateRange. */
export function daysUntil(lastMs: number, count: number): [string, string] {
  const iso = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
  return [iso(lastMs - (count - 1) * 86_400_000), iso(lastMs)];
}

/** The questions about the days until `lastMs`. */
export function questionsUntil(lastMs: number): ReportQuestions {
  const lastDays = (count: number): [string, string] => daysUntil(lastMs, count);
  const lineItemByDay = (run: number): ReportQuery => ({
    measures: ['impressions', 'clicks', 'ctr', 'revenue'].map(member),
    timeDimensions: [{ dimension: member('time'), granularity: 'day', dateRange: lastDays(30) }],
    filters: [{ member: member('line_item_id'), operator: 'equals', values: [String(FIRST_LINE_ITEM + run * 37)] }],
  });
  return {
    lineItemByDay,
    byHour: (run) => ({
      measures: ['impressions', 'clicks', 'ctr', 'revenue'].map(member),
      timeDimensions: [{ dimension: member('time'), granularity: 'hour', dateRange: lastDays(90) }],
      limit: 5_000 - run,
    }),
    byLineItem: (run) => ({
      measures: ['impressions', 'clicks', 'revenue'].map(member),
      dimensions: [member('line_item_id')],
      timeDimensions: [{ dimension: member('time'), dateRange: lastDays(90) }],
      order: { [member('revenue')]: 'desc' },
      limit: 5_000 - run,
    }),
    creativeByDevice: (run) => ({
      measures: ['impressions', 'clicks', 'revenue'].map(member),
      dimensions: ['creative_id', 'device_type'].map(member),
      timeDimensions: [{ dimension: member('time'), dateRange: lastDays(7) }],
      filters: [
        { member: member('country'), operator: 'equals', values: ['PL', 'DE'] },
        {
          member: member('advertiser_id'),
          operator: 'equals',
          values: [0, 1, 2].map((step) => String(1000 + ((run + step) % 50))),
        },
      ],
    }),
    bySection: (run) => ({
      measures: ['impressions', 'clicks', 'revenue'].map(member),
      dimensions: [member('kv_bench_section')],
      timeDimensions: [{ dimension: member('time'), dateRange: lastDays(30) }],
      filters: [{ member: member('kv_bench_section'), operator: 'notEquals', values: [`section-${run}`] }],
    }),
    bySectionAndLineItem: (run) => ({
      measures: ['impressions', 'revenue'].map(member),
      dimensions: ['kv_bench_section', 'kv_bench_kind', 'line_item_id'].map(member),
      timeDimensions: [{ dimension: member('time'), dateRange: lastDays(30) }],
      order: { [member('revenue')]: 'desc' },
      limit: 1_000 - run,
    }),
    lineItemBySection: (run) => ({
      ...lineItemByDay(0),
      dimensions: [member('kv_bench_section')],
      filters: [{ member: member('line_item_id'), operator: 'equals', values: [String(FIRST_LINE_ITEM + run * 7)] }],
    }),
  };
}
