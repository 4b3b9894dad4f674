import type { EChartsOption } from 'echarts';
import { say } from '../messages/say.ts';
import {
  axisLook,
  base,
  type ChartContext,
  chartTitle,
  escapeHtml,
  shortLabel,
  titleWithUnit,
  toText,
} from './chart-look.ts';
import { formatMeasure } from '../format/format-value.ts';
import { groupTitle, titleOf } from './member-titles.ts';
import { findMember } from '../reports/report-model.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';

const SLICES_MAX = 10;
const SHARE = { format: 'percent', currency: null } as const;

/** The first measure's parts of the whole. What is left of the whole (the server's total) is one slice. */
export function pieChart(
  context: ChartContext,
  rows: readonly ReportRow[],
  totals: ReportRow | null,
  keys: readonly string[],
): EChartsOption {
  const { state, model, look } = context;
  const measure = state.measures[0] ?? '';
  const member = findMember(model, measure) ?? { format: null, currency: null };
  const sorted = [...rows]
    .sort((a, b) => (toNumber(b[measure]) ?? 0) - (toNumber(a[measure]) ?? 0))
    .slice(0, SLICES_MAX);
  const slices = sorted.map((row) => ({ name: groupTitle(context, row, keys), value: toNumber(row[measure]) ?? 0 }));
  const rest = (toNumber(totals?.[measure]) ?? 0) - slices.reduce((sum, slice) => sum + slice.value, 0);
  const all =
    rest > 0.000001 && rows.length > SLICES_MAX
      ? [...slices, { name: say('chart.rest'), value: rest, itemStyle: { color: '#868e96' } }]
      : slices;
  const common = base(look, say('chart.description', { kind: say('chart.pie'), series: 1, positions: all.length }));
  return {
    ...common,
    legend: { show: false },
    title: {
      ...chartTitle(look, titleWithUnit(model, measure)),
      subtext: formatMeasure(member, totals?.[measure] ?? String(all.reduce((sum, { value }) => sum + value, 0))),
      left: 'center',
      top: 'center',
    },
    tooltip: { ...common.tooltip, trigger: 'item', valueFormatter: (value) => formatMeasure(member, toText(value)) },
    series: [
      {
        type: 'pie',
        name: titleOf(model, measure),
        radius: ['38%', '68%'],
        center: ['50%', '50%'],
        labelLayout: { hideOverlap: true },
        data: all,
        label: { color: look.scheme === 'dark' ? '#dee2e6' : '#343a40', formatter: shareLabel },
        itemStyle: { borderColor: look.scheme === 'dark' ? '#242424' : '#ffffff', borderWidth: 2 },
      },
    ],
  };
}

function shareLabel({ name, percent = 0 }: { readonly name: string; readonly percent?: number }): string {
  return `${name}: ${formatMeasure(SHARE, String(percent))}`;
}

/** The first measure by two dimensions: one across, one down. */
export function heatmapChart(
  context: ChartContext,
  rows: readonly ReportRow[],
  axes: { readonly across: string; readonly down: string },
): EChartsOption {
  const { state, model, look } = context;
  const measure = state.measures[0] ?? '';
  const member = findMember(model, measure) ?? { format: null, currency: null };
  const nameOf = (row: ReportRow, key: string): string => groupTitle(context, row, [key]);
  const across = [...new Set(rows.map((row) => nameOf(row, axes.across)))];
  const shorts = [
    ...new Map(rows.map((row) => [nameOf(row, axes.across), shortLabel(context, row, [axes.across])])).values(),
  ];
  const down = [...new Set(rows.map((row) => nameOf(row, axes.down)))].slice(0, 40);
  const positions = new Map(across.map((name, index) => [name, index]));
  const lines = new Map(down.map((name, index) => [name, index]));
  const cells = rows.flatMap((row): [number, number, number][] => {
    const [x, y, value] = [
      positions.get(nameOf(row, axes.across)),
      lines.get(nameOf(row, axes.down)),
      toNumber(row[measure]),
    ];
    return x === undefined || y === undefined || value === null ? [] : [[x, y, value]];
  });
  const highest = cells.reduce((most, cell) => Math.max(most, cell[2]), 0);
  const common = base(
    look,
    say('chart.description', { kind: say('chart.heatmap'), series: down.length, positions: across.length }),
  );
  return {
    ...common,
    legend: { show: false },
    title: { ...chartTitle(look, titleWithUnit(model, measure)), left: 12, top: 0 },
    tooltip: {
      ...common.tooltip,
      trigger: 'item',
      formatter: (point: unknown) => {
        const [x = 0, y = 0, value = null] = (point as { readonly value: readonly number[] }).value;
        const where = [across[x] ?? '', down[y] ?? ''].map(escapeHtml).join('<br>');
        return `${where}<br>${escapeHtml(titleOf(model, measure))} <b>${escapeHtml(formatMeasure(member, toText(value)))}</b>`;
      },
    },
    grid: { left: 12, right: 12, top: 34, bottom: 56, containLabel: true },
    xAxis: {
      type: 'category',
      data: across,
      ...axisLook(look.scheme),
      axisLabel: {
        ...axisLook(look.scheme).axisLabel,
        hideOverlap: true,
        formatter: (_name: string, index: number) => shorts[index] ?? '',
      },
    },
    yAxis: { type: 'category', data: down, inverse: true, ...axisLook(look.scheme) },
    visualMap: {
      min: 0,
      max: highest,
      text: [formatMeasure(member, String(highest)), formatMeasure(member, '0')],
      orient: 'horizontal',
      left: 'center',
      bottom: 4,
      calculable: false,
      textStyle: { color: look.scheme === 'dark' ? '#dee2e6' : '#343a40' },
      inRange: {
        color: look.scheme === 'dark' ? ['#25262b', '#364fc7', '#91a7ff'] : ['#f1f3f5', '#91a7ff', '#364fc7'],
      },
    },
    series: [{ type: 'heatmap', name: titleOf(model, measure), data: cells, progressive: 2_000 }],
  };
}
