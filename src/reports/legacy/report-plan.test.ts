import { describe, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import type { ReportTaskAttributes } from '../../domain/reporting/report-task.ts';
import { CAMPAIGN_OVERVIEW, REPORTS_MODEL } from '../model/campaign-overview.olap.ts';
import { MemberIndex } from '../model/member-index.ts';
import { networkIndex } from '../model/own-members.olap.ts';
import { csvHeader, csvLine } from '../load/csv-line.ts';
import {
  LEGACY_DEFINITIONS,
  describeDefinition,
  findDefinition,
  legacyDimensions,
  legacyMetrics,
} from './definitions.ts';
import { readPlan, type ReportPlan } from './report-plan.ts';
import { compilePlan } from './report-query.ts';

const CLOCK = { nowMs: Date.parse('2026-07-15T22:30:00Z'), timezoneDefault: 'Europe/Warsaw', cube: CAMPAIGN_OVERVIEW };
const SCOPE = {
  tenant: { workspaceId: 1, networkId: '1000' },
  index: new MemberIndex(REPORTS_MODEL),
  nowMs: CLOCK.nowMs,
};
const STATIC = { kind: 'static', date_from: '2026-07-01 00:00:00', date_to: '2026-07-31 23:59:59' };

function plan(attributes: ReportTaskAttributes, name = 'campaign_delivery'): ReportPlan {
  const definition = findDefinition(name);
  if (definition === null) throw new Error(`There is no definition ${name}`);
  return readPlan(definition, { date_range: STATIC, ...attributes }, CLOCK);
}

function problems(attributes: ReportTaskAttributes, name?: string): (readonly [string, string])[] {
  try {
    plan(attributes, name);
  } catch (error) {
    if (error instanceof PlacardError) return error.fields.map(({ path, code }) => [path, code] as const);
    throw error;
  }
  return [];
}

describe('attributes of a task', () => {
  test('every attribute except the range has a default', () => {
    expect(plan({})).toEqual({
      timezone: 'Europe/Warsaw',
      range: ['2026-07-01T00:00:00.000', '2026-07-31T23:59:59.999'],
      granularity: 'day',
      split: ['campaign_id', 'campaign_name', 'line_item_id', 'line_item_name'],
      metrics: ['filled_emission', 'adclick', 'ctr', 'revenue'],
      filters: [],
    });
  });

  test.each([
    [
      'bare dates are whole days',
      { kind: 'static', date_from: '2026-07-01', date_to: '2026-07-01' },
      ['2026-07-01T00:00:00.000', '2026-07-01T23:59:59.999'],
    ],
    [
      'a dynamic range may have both dates',
      { ...STATIC, kind: 'dynamic' },
      ['2026-07-01T00:00:00.000', '2026-07-31T23:59:59.999'],
    ],
    [
      'a relative range is of the time zone: it is the 16th in Warsaw',
      { kind: 'dynamic', date_from: 'today' },
      ['2026-07-16T00:00:00.000', '2026-07-16T23:59:59.999'],
    ],
    [
      'last_7_days ends yesterday',
      { kind: 'dynamic', date_from: 'last_7_days' },
      ['2026-07-09T00:00:00.000', '2026-07-15T23:59:59.999'],
    ],
    [
      'last_month is a calendar month',
      { kind: 'dynamic', date_from: 'last_month' },
      ['2026-06-01T00:00:00.000', '2026-06-30T23:59:59.999'],
    ],
    [
      'the relative name may be the kind',
      { kind: 'yesterday' },
      ['2026-07-15T00:00:00.000', '2026-07-15T23:59:59.999'],
    ],
    [
      'no kind is static',
      { date_from: '2026-07-01 10:00:00', date_to: '2026-07-01 10:59:59' },
      ['2026-07-01T10:00:00.000', '2026-07-01T10:59:59.999'],
    ],
  ])('%s', (_title, date_range, range) => {
    expect(plan({ date_range }).range).toEqual(range);
  });

  test.each<[string, ReportTaskAttributes, string, string]>([
    ['no range', { date_range: null }, 'date_range', 'required'],
    ['an unknown kind', { date_range: { kind: 'sometimes' } }, 'date_range.kind', 'unknown_kind'],
    [
      'a month that is none',
      { date_range: { ...STATIC, date_from: '2026-13-01 00:00:00' } },
      'date_range.date_from',
      'invalid_date',
    ],
    [
      'the 30th of February',
      { date_range: { ...STATIC, date_to: '2026-02-30 00:00:00' } },
      'date_range.date_to',
      'invalid_date',
    ],
    [
      'another way of writing',
      { date_range: { ...STATIC, date_from: '01.07.2026' } },
      'date_range.date_from',
      'invalid_date',
    ],
    [
      'a relative name that is none',
      { date_range: { kind: 'dynamic', date_from: 'last_blue_moon' } },
      'date_range.date_from',
      'invalid_date',
    ],
    [
      'a relative name in a static range',
      { date_range: { ...STATIC, date_from: 'today' } },
      'date_range.date_from',
      'invalid_date',
    ],
    [
      'an end before the start',
      { date_range: { ...STATIC, date_to: '2026-06-30 00:00:00' } },
      'date_range.date_to',
      'invalid_date',
    ],
    [
      'a missing end',
      { date_range: { kind: 'static', date_from: '2026-07-01 00:00:00' } },
      'date_range.date_to',
      'required',
    ],
    [
      '401 days',
      { date_range: { kind: 'static', date_from: '2025-01-01', date_to: '2026-02-05' } },
      'date_range',
      'range_too_long',
    ],
    ['an unknown zone', { timezone: 'Mars/Base' }, 'timezone', 'unknown_timezone'],
    ['an offset as a zone', { timezone: '+02:00' }, 'timezone', 'unknown_timezone'],
    ['an empty zone', { timezone: '' }, 'timezone', 'unknown_timezone'],
    ['an unknown granularity', { granularity: 'minute' }, 'granularity', 'unknown_granularity'],
    ['an unknown dimension', { split: ['line_item_id', 'nope'] }, 'split[1]', 'unknown_dimension'],
    ['time as a dimension', { split: ['time'] }, 'split[0]', 'unknown_dimension'],
    ['a metric as a dimension', { split: ['clicks'] }, 'split[0]', 'unknown_dimension'],
    ['a name of every object', { metric: ['constructor'] }, 'metric[0]', 'unknown_metric'],
    [
      'an unknown filter dimension',
      { filters: [{ dimension: 'nope', type: 'in', values: [{ value: '1' }] }] },
      'filters[0].dimension',
      'unknown_dimension',
    ],
    [
      'an unknown filter type',
      { filters: [{ dimension: 'size', type: 'like', values: [{ value: '1' }] }] },
      'filters[0].type',
      'unknown_filter_type',
    ],
    [
      'a filter without values',
      { filters: [{ dimension: 'size', type: 'in', values: [] }] },
      'filters[0].values',
      'invalid_values',
    ],
    [
      'a value that is null',
      { filters: [{ dimension: 'size', type: 'in', values: [{ value: null }] }] },
      'filters[0].values',
      'invalid_values',
    ],
    [
      'a global id of another type',
      { filters: [{ dimension: 'line_item_id', values: [{ value: encodeGlobalId('Campaign', '12') }] }] },
      'filters[0].values',
      'invalid_values',
    ],
  ])('%s is refused with its name', (_title, attributes, path, code) => {
    expect(problems(attributes)).toEqual([[`task.attributes.${path}`, code]]);
  });

  test('a filter takes the global id of an object as its decimal id', () => {
    const query = (value: string) => {
      const filters = [{ dimension: 'line_item_id', values: [{ value }] }];
      const { sql, params } = compilePlan(plan({ filters }), SCOPE).compiled;
      return { sql, params };
    };
    expect(query(encodeGlobalId('LineItem', '12'))).toEqual(query('12'));
  });

  test('400 a range of 400 days is allowed', () => {
    expect(problems({ date_range: { kind: 'static', date_from: '2025-01-01', date_to: '2026-02-04' } })).toEqual([]);
  });

  test('hourly_delivery has only the granularity hour', () => {
    expect(plan({}, 'hourly_delivery').granularity).toBe('hour');
    expect(problems({ granularity: 'day' }, 'hourly_delivery')).toEqual([
      ['task.attributes.granularity', 'unknown_granularity'],
    ]);
  });
});

describe('the definitions', () => {
  test.each(LEGACY_DEFINITIONS)(
    '$name computes its own defaults, and its body names only existing members',
    (definition) => {
      const { compiled, columns } = compilePlan(plan({}, definition.name), SCOPE);
      expect(compiled.params['workspaceId']).toBe(1);
      expect(columns.map(({ name }) => name)).toEqual([
        'time',
        ...definition.splitDefault,
        ...definition.metricDefault,
      ]);
      const body = JSON.parse(JSON.stringify(describeDefinition(definition, CAMPAIGN_OVERVIEW).body)) as {
        parameters: Record<string, { default?: unknown; allowed_values?: string[] }>;
      };
      expect(Object.keys(body.parameters)).toEqual([
        'date_range',
        'filters',
        'split',
        'metric',
        'granularity',
        'timezone',
      ]);
      for (const name of definition.splitDefault) expect(body.parameters['split']?.allowed_values).toContain(name);
      for (const name of definition.metricDefault) expect(body.parameters['metric']?.allowed_values).toContain(name);
    },
  );

  test('every dimension and metric can be computed', () => {
    const metrics = legacyMetrics(CAMPAIGN_OVERVIEW);
    for (const name of legacyDimensions(CAMPAIGN_OVERVIEW)) compilePlan(plan({ split: [name] }), SCOPE);
    for (const name of metrics) compilePlan(plan({ metric: [name] }), SCOPE);
    expect(metrics).toEqual(expect.arrayContaining(['adclick', 'filled_emission', 'revenue', 'viewability']));
  });
});

test('only the network itself can list, query and compute its own members', () => {
  const own = { id: '17', code: 'section', name: 'Section', isArchived: false };
  const index = networkIndex({ keys: [own], activities: [{ ...own, id: '41', code: 'buy' }] });
  const cube = index.model.cubes[0] ?? CAMPAIGN_OVERVIEW;
  const [definition] = LEGACY_DEFINITIONS;
  if (definition === undefined) throw new Error('There is no definition');
  const asked: ReportTaskAttributes = {
    date_range: STATIC,
    split: ['kv_section'],
    metric: ['activity_buy_value'],
    filters: [{ dimension: 'kv_section', values: [{ value: "'); DROP TABLE events" }] }],
  };
  const { compiled, columns } = compilePlan(readPlan(definition, asked, { ...CLOCK, cube }), { ...SCOPE, index });
  expect(columns.map(({ name }) => name)).toEqual(['time', 'kv_section', 'activity_buy_value']);
  expect(compiled.params).toMatchObject({ key17: '17', activity41: '41' });
  expect(compiled.sql).not.toContain('DROP');
  expect(JSON.stringify(describeDefinition(definition, cube).body)).toContain('"kv_section"');
  expect(problems(asked)).toEqual([
    ['task.attributes.split[0]', 'unknown_dimension'],
    ['task.attributes.metric[0]', 'unknown_metric'],
    ['task.attributes.filters[0].dimension', 'unknown_dimension'],
  ]);
});

describe('a CSV cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@cmd', "'@cmd"],
    ['\tx', "'\tx"],
    ['＝1', "'＝1"],
    ['a=1', 'a=1'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\r\nb', '"a\r\nb"'],
    ['=a,"b', `"'=a,""b"`],
  ])('%j is written as %j', (value, written) => {
    expect(csvLine([{ name: 'a', key: 'a', kind: 'text' }], [value])).toBe(`${written}\r\n`);
  });

  test('a heading that a spreadsheet would run is written as text', () => {
    expect(csvHeader([{ name: '=1+1', key: 'a', kind: 'text' }])).toBe("'=1+1\r\n");
  });

  test('a negative number stays a number, and an absent value stays empty', () => {
    const columns = ['a', 'b'].map((name) => ({ name, key: name, kind: 'number' as const }));
    expect(csvLine(columns, ['-1.5', null])).toBe('-1.5,\r\n');
  });
});
