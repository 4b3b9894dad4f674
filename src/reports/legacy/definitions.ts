import type { ReportDefinition } from '../../domain/reporting/report-task.ts';
import type { CubeDefinition } from '../model/cube.ts';

/** Bucket sizes of a report; `total` = one row for the whole range. */
export const LEGACY_GRANULARITIES = ['hour', 'day', 'week', 'month', 'total'] as const;
export type LegacyGranularity = (typeof LEGACY_GRANULARITIES)[number];

/** How a filter compares, with the same operator of the Reports API. */
export const FILTER_TYPES = { in: 'equals', not_in: 'notEquals', contains: 'contains' } as const;
export type LegacyFilterType = keyof typeof FILTER_TYPES;

/** Names of metrics from before the Reports API, each with its measure. */
const METRIC_ALIASES: Readonly<Record<string, string>> = { adclick: 'clicks', filled_emission: 'impressions' };

/** Longest range of one report in days: a little over thirteen months, so that a year can be compared with the one before. */
export const RANGE_DAYS_MAX = 400;

/** Relative ranges that `date_range` can name, beside `last_<n>_days`, `last_<n>_weeks` and `last_<n>_months`. */
export const RANGE_NAMES = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
] as const;

/** The defaults and allowed values of a definition. */
export interface LegacyDefinition {
  readonly name: string;
  readonly description: string;
  readonly splitDefault: readonly string[];
  readonly metricDefault: readonly string[];
  readonly granularityDefault: LegacyGranularity;
  readonly granularities: readonly LegacyGranularity[];
}

/** The definitions by name (specification, "Report definition (legacy)"). */
export const LEGACY_DEFINITIONS: readonly LegacyDefinition[] = [
  {
    name: 'campaign_delivery',
    description: 'Delivery and revenue of campaigns and their line items.',
    splitDefault: ['campaign_id', 'campaign_name', 'line_item_id', 'line_item_name'],
    metricDefault: ['filled_emission', 'adclick', 'ctr', 'revenue'],
    granularityDefault: 'day',
    granularities: LEGACY_GRANULARITIES,
  },
  {
    name: 'creative_delivery',
    description: 'Delivery of creatives by format and size, with viewability and video.',
    splitDefault: ['line_item_id', 'creative_id', 'creative_name', 'creative_format', 'size'],
    metricDefault: ['filled_emission', 'adclick', 'ctr', 'viewability', 'video_starts', 'video_completes'],
    granularityDefault: 'day',
    granularities: LEGACY_GRANULARITIES,
  },
  {
    name: 'inventory_delivery',
    description: 'Requests, filled slots and revenue of sites, areas and ad units.',
    splitDefault: ['site_id', 'site_domain', 'area', 'ad_unit_id', 'ad_unit_name'],
    metricDefault: ['requests', 'served', 'filled_emission', 'adclick', 'revenue', 'ecpm'],
    granularityDefault: 'day',
    granularities: LEGACY_GRANULARITIES,
  },
  {
    name: 'activity_report',
    description: 'Activities (conversions) by their definition and by what they are attributed to.',
    splitDefault: ['activity_id', 'activity_name', 'campaign_id', 'line_item_id'],
    metricDefault: ['activities', 'post_click_activities', 'post_view_activities', 'activity_value'],
    granularityDefault: 'day',
    granularities: LEGACY_GRANULARITIES,
  },
  {
    name: 'hourly_delivery',
    description: 'Delivery of line items hour by hour.',
    splitDefault: ['line_item_id', 'line_item_name'],
    metricDefault: ['filled_emission', 'adclick', 'revenue'],
    granularityDefault: 'hour',
    granularities: ['hour'],
  },
];

/** Dimensions that a report can be split and filtered by: those of the Reports API without time, by their short names. */
export function legacyDimensions(cube: CubeDefinition): readonly string[] {
  return Object.keys(cube.dimensions).filter((name) => name !== 'time');
}

/** Every metric name: the old ones, and the measures of the Reports API by their short names. */
export function legacyMetrics(cube: CubeDefinition): readonly string[] {
  return [...Object.keys(METRIC_ALIASES), ...Object.keys(cube.measures)];
}

/** The short name of the measure behind a metric of {@link legacyMetrics}. */
export function measureOf(metric: string): string {
  return METRIC_ALIASES[metric] ?? metric;
}

/** A definition by its name; null when there is none. */
export function findDefinition(name: string): LegacyDefinition | null {
  return LEGACY_DEFINITIONS.find((definition) => definition.name === name) ?? null;
}

/** A definition as clients of a network see it: the body lists each parameter with type, default and allowed values. */
export function describeDefinition(definition: LegacyDefinition, cube: CubeDefinition): ReportDefinition {
  const { name, description } = definition;
  return { name, description, body: { parameters: describeParameters(definition, cube) } };
}

function describeParameters(definition: LegacyDefinition, cube: CubeDefinition): Readonly<Record<string, unknown>> {
  return {
    date_range: {
      type: 'object',
      required: true,
      description: `What the report covers, at most ${RANGE_DAYS_MAX} days. Dates are wall-clock times of the report's time zone, both inclusive to the second. A dynamic range has either both dates, or the name of a relative range in date_from.`,
      fields: {
        kind: { type: 'string', default: 'static', allowed_values: ['static', 'dynamic'] },
        date_from: {
          type: 'string',
          format: 'YYYY-MM-DD HH:MM:SS',
          relative_ranges: [...RANGE_NAMES, 'last_<n>_days', 'last_<n>_weeks', 'last_<n>_months'],
        },
        date_to: { type: 'string', format: 'YYYY-MM-DD HH:MM:SS' },
      },
    },
    filters: {
      type: 'array of object',
      required: false,
      default: [],
      description: 'Conditions on the counted rows; all filters must hold.',
      fields: {
        dimension: { type: 'string', required: true, allowed_values: legacyDimensions(cube) },
        type: { type: 'string', default: 'in', allowed_values: Object.keys(FILTER_TYPES) },
        values: { type: 'array of object', required: true, fields: { value: { type: 'string', required: true } } },
      },
    },
    split: {
      type: 'array of string',
      required: false,
      description: 'Dimensions to split by: the report has a row for each value.',
      default: definition.splitDefault,
      allowed_values: legacyDimensions(cube),
    },
    metric: {
      type: 'array of string',
      required: false,
      description: 'Columns of numbers. adclick is clicks, filled_emission is impressions.',
      default: definition.metricDefault,
      allowed_values: legacyMetrics(cube),
    },
    granularity: {
      type: 'string',
      required: false,
      description: 'Span of time of each row; total = the whole range.',
      default: definition.granularityDefault,
      allowed_values: definition.granularities,
    },
    timezone: {
      type: 'string',
      required: false,
      format: 'IANA time zone name',
      default: 'the time zone of the network',
    },
  };
}
