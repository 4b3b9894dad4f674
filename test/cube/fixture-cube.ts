/** The cube of the cases (the public Cube 1.7 fixture), written in the model language of src/reports, on a ClickHouse table. */
import type { CubeDefinition, Model } from '../../src/reports/model/cube.ts';

export const FIXTURE_TABLE = `CREATE TABLE campaign_overview (id Int32, ts Nullable(DateTime64(3, 'UTC')), line_item Nullable(String),
  creative Nullable(String), budget Nullable(Decimal(38, 10)), active Nullable(Bool), impressions Nullable(Int64),
  clicks Nullable(Int64), spend Nullable(Decimal(38, 10)), rate Nullable(Float64), n Nullable(Int32))
  ENGINE = MergeTree ORDER BY id`;

const CAMPAIGN_OVERVIEW: CubeDefinition = {
  name: 'campaign_overview',
  title: 'Campaign Overview',
  description: 'Delivery by line item and creative',
  meta: { owner: 'reports' },
  relations: [{ name: 'campaign_overview', from: 'campaign_overview', bucketSeconds: 0, lacks: [] }],
  workspaceColumn: null,
  timeColumn: 'facts.ts',
  rangeDaysMax: null,
  measures: {
    impressions: {
      sql: 'facts.impressions',
      type: 'sum',
      title: 'Impressions',
      description: 'Served impressions',
      drillMembers: ['line_item', 'creative', 'clicks'],
    },
    clicks: { sql: 'facts.clicks', type: 'sum' },
    spend: { sql: 'facts.spend', type: 'sum', format: 'currency', currency: 'usd' },
    ctr: {
      sql: 'if(ifNull({impressions}, 0) = 0, NULL, divideDecimal(toDecimal256(100 * {clicks}, 1), toDecimal256(if(ifNull({impressions}, 0) = 0, 1, assumeNotNull({impressions})), 0), 28))',
      type: 'number',
      format: 'percent',
    },
    count: { type: 'count' },
    line_items: { sql: 'facts.line_item', type: 'countDistinct' },
    last_seen: { sql: 'max(facts.ts)', ungroupedSql: 'facts.ts', type: 'time' },
    active_impressions: {
      sql: 'facts.impressions',
      type: 'sum',
      filters: ['ifNull(facts.active, false)'],
      drillMembers: ['line_item'],
    },
    running: { sql: 'facts.impressions', type: 'sum', rollingWindow: { trailing: 'unbounded' } },
  },
  dimensions: {
    id: { sql: 'facts.id', type: 'number', primaryKey: true, public: true },
    time: {
      sql: 'facts.ts',
      type: 'time',
      granularities: {
        fiscal_half: { interval: '6 months', offset: '3 months', title: 'Fiscal half' },
        fortnight: { interval: '2 weeks', origin: '2026-01-05' },
      },
    },
    line_item: { sql: 'facts.line_item', type: 'string' },
    creative: { sql: 'facts.creative', type: 'string', suggestFilterValues: false },
    budget: { sql: 'facts.budget', type: 'number' },
    active: { sql: 'facts.active', type: 'boolean' },
    rate: { sql: 'facts.rate', type: 'number' },
    n: { sql: 'facts.n', type: 'number' },
    hidden: { sql: 'facts.n', type: 'number', public: false },
  },
  segments: { big: { sql: 'facts.impressions >= 200' } },
  hierarchies: { drill: { title: 'Item to creative', levels: ['line_item', 'creative'] } },
};

export const FIXTURE_MODEL: Model = {
  cubes: [
    CAMPAIGN_OVERVIEW,
    defineView(CAMPAIGN_OVERVIEW, {
      name: 'campaign_view',
      title: 'Campaign View',
      includes: ['impressions', 'line_item', 'creative', 'time'],
      folders: [{ name: 'Basics', includes: ['impressions', 'line_item'] }],
    }),
  ],
};

/** A view: some members of one cube under a name of their own. */
function defineView(
  cube: CubeDefinition,
  view: { name: string; title: string; includes: readonly string[]; folders?: CubeDefinition['folders'] },
): CubeDefinition {
  const included = new Set(view.includes);
  const pick = <T>(members: Readonly<Record<string, T>> | undefined): Record<string, T> =>
    Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => included.has(name)));
  const { description: _description, meta: _meta, hierarchies: _hierarchies, folders: _folders, ...rest } = cube;
  return {
    ...rest,
    name: view.name,
    title: view.title,
    view: true,
    measures: pick(cube.measures),
    dimensions: pick(cube.dimensions),
    segments: pick(cube.segments),
    ...(view.folders === undefined ? {} : { folders: view.folders }),
  };
}
