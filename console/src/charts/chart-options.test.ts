import { describe, expect, test } from 'vitest';
import { clockIn, findUnfinished, listBuckets } from '../reports/calendar.ts';
import { arrangeSeries } from './chart-data.ts';
import { seriesChart } from './chart-options.ts';
import { DEFAULT_LENS, type LensState, TIME_MEMBER } from '../reports/lens-state.ts';
import { heatmapChart, pieChart } from './part-charts.ts';
import { readReportModel } from '../reports/read-report-model.ts';

const model = readReportModel({
  cubes: [
    {
      name: 'campaign_overview',
      title: 'Campaign overview',
      measures: [
        measure('impressions', 'Impressions', { aggType: 'sum' }),
        measure('revenue', 'Revenue', { aggType: 'sum', format: 'currency', currency: 'PLN' }),
        measure('ctr', 'CTR', { format: 'percent' }),
      ],
      dimensions: [dimension('country', 'string'), dimension('time', 'time')],
      segments: [],
    },
  ],
} as unknown as Parameters<typeof readReportModel>[0]);

function measure(name: string, shortTitle: string, more: object) {
  return { name: `campaign_overview.${name}`, title: shortTitle, shortTitle, type: 'number', ...more };
}
function dimension(name: string, type: string) {
  return { name: `campaign_overview.${name}`, title: name, shortTitle: name, type };
}

const TIME = `${TIME_MEMBER}.day`;
const COUNTRY = 'campaign_overview.country';
const [IMPRESSIONS, REVENUE, CTR] = ['impressions', 'revenue', 'ctr'].map((name) => `campaign_overview.${name}`) as [
  string,
  string,
  string,
];
const look = { scheme: 'light', reducedMotion: true } as const;
const state = (more: Partial<LensState>): LensState => ({
  ...DEFAULT_LENS,
  measures: [IMPRESSIONS, REVENUE, CTR],
  dimensions: [COUNTRY],
  ...more,
});
const buckets = listBuckets('2026-11-20', '2026-11-22', 'day');
const rows = buckets.map((bucket, at) => ({
  [TIME]: bucket,
  [COUNTRY]: '<b>PL</b>',
  [IMPRESSIONS]: String(30 - at * 10),
  [REVENUE]: '1.5',
  [CTR]: '0.5',
}));

type Drawn = Record<string, unknown>;
const lineChart = () => {
  const shown = state({});
  const data = arrangeSeries({ state: shown, rows, before: null, buckets, unfinished: 2 });
  return seriesChart({ state: shown, model, look }, data, 'line', {
    columns: 2,
    heightPx: 500,
    isLying: false,
    namePx: 220,
  });
};

describe('what charts say', () => {
  test('each axis names its metric and its unit', () => {
    const axes = lineChart().yAxis as { name: string }[];
    expect(axes.map(({ name }) => name)).toEqual(['Impressions', 'Revenue (PLN)', 'CTR (%)']);
  });

  test('a tooltip names the moment, each metric and each group, as texts', () => {
    const option = lineChart();
    const series = option.series as Drawn[];
    const { formatter } = option.tooltip as { formatter: (points: object[]) => string };
    const pointsAt = (dataIndex: number) =>
      series.map(({ id, name, data }) => {
        return { seriesId: id, seriesName: name, marker: '', dataIndex, value: (data as unknown[])[dataIndex] };
      });
    const first = formatter(pointsAt(0));
    for (const text of ['Impressions', 'Revenue', 'CTR', '&lt;b&gt;PL&lt;/b&gt;', '<b>30</b>', 'PLN', '0.50'])
      expect(first).toContain(text);
    expect(first).not.toContain('<b>PL</b>');
    expect(first).not.toContain('so far');
    const last = formatter(pointsAt(2));
    expect(last).toContain('(so far)');
    expect(last.match(/<b>10<\/b>/g)).toHaveLength(1);
    expect(formatter(pointsAt(1)).match(/<b>20<\/b>/g)).toHaveLength(1);
  });

  test('the last step of a line to a day that is not over is dashed, and its bar is pale', () => {
    const [whole, soFar] = lineChart().series as { data: (number | null)[]; lineStyle: { type?: string } }[];
    expect(whole?.data).toEqual([30, 20, null]);
    expect([soFar?.data, soFar?.lineStyle.type]).toEqual([[null, 20, 10], 'dashed']);
    const shown = state({ dimensions: [] });
    const data = arrangeSeries({ state: shown, rows, before: null, buckets, unfinished: 2 });
    const bars = seriesChart({ state: shown, model, look }, data, 'bar', {
      columns: 2,
      heightPx: 500,
      isLying: false,
      namePx: 220,
    });
    expect((bars.series as Drawn[])[0]?.['data']).toEqual([
      30,
      20,
      { value: 10, itemStyle: expect.anything() as unknown },
    ]);
  });

  test('a pie and a heat map name their metric', () => {
    const context = { state: state({ measures: [REVENUE] }), model, look };
    const pie = pieChart(context, rows, { [REVENUE]: '4.5' }, [COUNTRY]);
    expect(pie.title).toMatchObject({ text: 'Revenue (PLN)', subtext: expect.stringContaining('4.50') as unknown });
    const heat = heatmapChart(context, rows, { across: TIME, down: COUNTRY });
    expect(heat.title).toMatchObject({ text: 'Revenue (PLN)' });
    const { formatter } = heat.tooltip as unknown as { formatter: (point: object) => string };
    expect(formatter({ value: [0, 0, 1.5] })).toMatch(/&lt;b&gt;PL&lt;\/b&gt;<br>Revenue <b>PLN\s1.50<\/b>$/);
  });
});

describe('the bucket that is not over', () => {
  test.each([
    ['hour', '2026-11-22T13:59:59.000', '2026-11-22T13:00:00.000'],
    ['day', '2026-11-22T00:00:00.000', '2026-11-22T00:00:00.000'],
    ['week', '2026-11-22T23:00:00.000', '2026-11-16T00:00:00.000'],
    ['month', '2026-11-30T23:59:59.000', '2026-11-01T00:00:00.000'],
  ] as const)('a clock is in its %s', (granularity, clock, start) => {
    const all = listBuckets('2026-11-20', '2026-11-23', granularity);
    expect(all[findUnfinished(all, granularity, clock) ?? -1]).toBe(start);
  });

  test('a range that has passed, or is to come, has none', () => {
    expect(findUnfinished(buckets, 'day', '2026-11-23T00:00:00.000')).toBeNull();
    expect(findUnfinished(buckets, 'day', '2026-11-19T23:59:59.000')).toBeNull();
    expect(findUnfinished(buckets, 'hour', '2026-11-22T12:00:00.000')).toBeNull();
  });

  test('a clock is that of the time zone', () => {
    expect(clockIn('Europe/Warsaw', Date.parse('2026-11-22T23:30:00Z'))).toBe('2026-11-23T00:30:00.000');
  });
});
