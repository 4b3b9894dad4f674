import { compileQuery, type CompiledQuery, type TenantScope } from '../compile/compile-query.olap.ts';
import { CAMPAIGN_OVERVIEW } from '../model/campaign-overview.olap.ts';
import { MemberIndex } from '../model/member-index.ts';
import type { NormalizedQuery } from '../query/query.ts';
import { FILTER_TYPES, measureOf, RANGE_DAYS_MAX } from './definitions.ts';
import type { ReportColumn } from '../load/csv-line.ts';
import type { ReportPlan, StoredPlan } from './report-plan.ts';

/** Most rows that a report may have. */
export const REPORT_ROWS_MAX = 20_000_000;

/** A plan as a statement for the analytics store. */
export interface ReportQuery {
  readonly compiled: CompiledQuery;
  readonly columns: readonly ReportColumn[];
}

/** The owner of the report, and the members that the network can query. */
export interface ReportScope {
  readonly tenant: TenantScope;
  readonly index: MemberIndex;
  readonly nowMs: number;
}

const member = (name: string): string => `${CAMPAIGN_OVERVIEW.name}.${name}`;
const TIME = member('time');

/**
 * Compiles the stored plan of a task.
 * @throws PlacardError `invalid_request` for what the model does not take
 */
export function compileStored(plan: StoredPlan, scope: ReportScope): ReportQuery {
  return 'savedQuery' in plan ? compileSaved(plan.savedQuery, scope) : compilePlan(plan, scope);
}

/** A saved query keeps the rules and the full member names of the Reports API. */
function compileSaved(query: NormalizedQuery, { tenant, index, nowMs }: ReportScope): ReportQuery {
  const compiled = compileQuery(index, { ...query, total: true }, tenant, nowMs);
  const columns = compiled.columns.map(({ key, type }): ReportColumn => {
    return { name: key, key, kind: type === 'number' ? 'number' : 'text' };
  });
  return { compiled, columns };
}

/**
 * Compiles a plan to the same SQL as the Reports API, and names the columns of the files.
 * @throws PlacardError `invalid_request` for what the model does not take
 */
export function compilePlan(plan: ReportPlan, { tenant, index, nowMs }: ReportScope): ReportQuery {
  const isTotal = plan.granularity === 'total';
  const query: NormalizedQuery = {
    measures: [...new Set(plan.metrics.map(measureOf))].map(member),
    dimensions: plan.split.map(member),
    filters: plan.filters.map(({ dimension, type, values }) => ({
      member: member(dimension),
      operator: FILTER_TYPES[type],
      values,
    })),
    timeDimensions: [{ dimension: TIME, dateRange: plan.range, ...(isTotal ? {} : { granularity: plan.granularity }) }],
    limit: REPORT_ROWS_MAX,
    rowLimit: REPORT_ROWS_MAX,
    total: true,
    timezone: plan.timezone,
    cacheMode: 'no-cache',
  };
  const time: ReportColumn = { name: 'time', key: `${TIME}.${plan.granularity}`, kind: 'time' };
  return {
    compiled: compileQuery(withLongRanges(index), query, tenant, nowMs),
    columns: [
      ...(isTotal ? [] : [time]),
      ...plan.split.map((name): ReportColumn => ({ name, key: member(name), kind: 'text' })),
      ...plan.metrics.map((name): ReportColumn => ({ name, key: member(measureOf(name)), kind: 'number' })),
    ],
  };
}

/** The same members with a longer range: the limits of a response do not apply to files. */
function withLongRanges({ model }: MemberIndex): MemberIndex {
  return new MemberIndex({ cubes: model.cubes.map((cube) => ({ ...cube, rangeDaysMax: RANGE_DAYS_MAX })) });
}
