import type { EChartsOption, SeriesOption } from 'echarts';
import { say } from '../messages/say.ts';
import type { ChartData } from './chart-data.ts';
import { formatMeasure, formatShort } from './format-value.ts';
import type { LensState } from './lens-state.ts';
import { groupTitle, titleOf } from './report-columns.tsx';
import { findMember, type ReportModel } from './report-model.ts';
import { type ReportRow, toNumber } from './report-rows.ts';

/** Colours that differ in lightness as well as in hue; each scheme has its own. */
const COLORS = {
  light: ['#3b5bdb', '#d9480f', '#087f5b', '#9c36b5', '#a07000', '#c2255c', '#1971c2', '#5c940d', '#495057', '#e8590c', '#0b7285', '#862e9c'],
  dark: ['#91a7ff', '#ffa94d', '#63e6be', '#e599f7', '#ffe066', '#faa2c1', '#74c0fc', '#c0eb75', '#ced4da', '#ff8787', '#66d9e8', '#b197fc'],
} as const;

/** What every chart is drawn with. */
export interface ChartLook {
  readonly scheme: 'light' | 'dark';
  readonly reducedMotion: boolean;
}

/** A chart's context. */
export interface ChartContext {
  readonly state: LensState;
  readonly model: ReportModel;
  readonly look: ChartLook;
}

function base({ scheme, reducedMotion }: ChartLook, description: string): EChartsOption {
  const text = scheme === 'dark' ? '#dee2e6' : '#343a40';
  return {
    color: [...COLORS[scheme]],
    animation: !reducedMotion,
    animationDuration: 250,
    backgroundColor: 'transparent',
    textStyle: { color: text, fontFamily: 'inherit' },
    aria: { enabled: true, label: { description } },
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: scheme === 'dark' ? '#25262b' : '#ffffff',
      borderColor: scheme === 'dark' ? '#495057' : '#ced4da',
      textStyle: { color: text },
    },
    legend: { type: 'scroll', bottom: 0, textStyle: { color: text }, pageTextStyle: { color: text } },
  };
}

function axisLook(scheme: ChartLook['scheme']) {
  const line = scheme === 'dark' ? '#495057' : '#ced4da';
  const text = scheme === 'dark' ? '#ced4da' : '#495057';
  return { axisLabel: { color: text }, axisLine: { lineStyle: { color: line } }, splitLine: { lineStyle: { color: line, opacity: 0.5 } } };
}

/** Measures of one kind (numbers, money, per cent) share an axis. */
function axisKinds({ state, model }: ChartContext): string[] {
  return [...new Set(state.measures.map((name) => findMember(model, name)?.format ?? 'number'))];
}

/** Line, bar and stacked charts. */
export function seriesChart(context: ChartContext, data: ChartData, kind: 'line' | 'bar' | 'stacked'): EChartsOption {
  const { state, model, look } = context;
  const kinds = axisKinds(context);
  const names = data.places.map((row) => groupTitle(context, row, data.placeKeys));
  const several = state.measures.length > 1;
  const series = data.series.flatMap((one, index): SeriesOption[] => {
    const title = titleOf(model, one.measure);
    const group = one.group === null ? null : groupTitle(context, one.group, data.groupKeys);
    const name = group === null ? title : several ? `${group} · ${title}` : group;
    const yAxisIndex = kinds.indexOf(findMember(model, one.measure)?.format ?? 'number');
    const format = (value: unknown): string => formatMeasure(findMember(model, one.measure) ?? { format: null, currency: null }, toText(value));
    const color = COLORS[look.scheme][index % COLORS[look.scheme].length] ?? '#888888';
    const shape = { name, yAxisIndex, color, tooltip: { valueFormatter: format } };
    const drawn: SeriesOption =
      kind === 'line'
        ? { ...shape, type: 'line', data: [...one.values], showSymbol: one.values.length < 40, symbolSize: 6, lineStyle: { width: 2 } }
        : { ...shape, type: 'bar', data: [...one.values], barMaxWidth: 36, ...(kind === 'stacked' ? { stack: `${one.measure}` } : {}) };
    if (one.before === null) return [drawn];
    const before = { ...shape, name: say('compare.series', { name }), data: [...one.before] };
    return [
      drawn,
      kind === 'line'
        ? { ...before, type: 'line', showSymbol: false, lineStyle: { width: 1.5, type: 'dashed', opacity: 0.75 } }
        : { ...before, type: 'bar', barMaxWidth: 36, itemStyle: { opacity: 0.45 }, ...(kind === 'stacked' ? { stack: `before ${one.measure}` } : {}) },
    ];
  });
  return {
    ...base(look, say('chart.description', { kind: say(`chart.${kind}`), series: series.length, places: names.length })),
    grid: { left: 12, right: 12, top: 28, bottom: series.length > 1 ? 40 : 12, containLabel: true },
    legend: series.length > 1 ? (base(look, '').legend as EChartsOption['legend']) ?? {} : { show: false },
    xAxis: { type: 'category', data: names, ...axisLook(look.scheme), boundaryGap: kind !== 'line' },
    yAxis: kinds.map((format, index) => ({
      type: 'value' as const,
      name: say(`unit.${format as 'number' | 'percent' | 'currency'}`),
      position: index === 0 ? ('left' as const) : ('right' as const),
      offset: index > 1 ? 60 * (index - 1) : 0,
      ...axisLook(look.scheme),
      ...(index === 0 ? {} : { splitLine: { show: false } }),
      axisLabel: { ...axisLook(look.scheme).axisLabel, formatter: formatShort },
    })),
    series,
  };
}

function toText(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : null;
}

const SLICES_MAX = 10;

/** The first measure's parts of the whole. What is left of the whole (the server's total) is one slice. */
export function pieChart(context: ChartContext, rows: readonly ReportRow[], totals: ReportRow | null, keys: readonly string[]): EChartsOption {
  const { state, model, look } = context;
  const measure = state.measures[0] ?? '';
  const member = findMember(model, measure) ?? { format: null, currency: null };
  const sorted = [...rows].sort((a, b) => (toNumber(b[measure]) ?? 0) - (toNumber(a[measure]) ?? 0)).slice(0, SLICES_MAX);
  const slices = sorted.map((row) => ({ name: groupTitle(context, row, keys), value: toNumber(row[measure]) ?? 0 }));
  const rest = (toNumber(totals?.[measure]) ?? 0) - slices.reduce((sum, slice) => sum + slice.value, 0);
  const all = rest > 0.000001 && rows.length > SLICES_MAX ? [...slices, { name: say('chart.rest'), value: rest }] : slices;
  const common = base(look, say('chart.description', { kind: say('chart.pie'), series: 1, places: all.length }));
  return {
    ...common,
    tooltip: { ...common.tooltip, trigger: 'item', valueFormatter: (value) => formatMeasure(member, toText(value)) },
    series: [
      {
        type: 'pie',
        name: titleOf(model, measure),
        radius: ['38%', '68%'],
        center: ['50%', '46%'],
        data: all,
        label: { color: look.scheme === 'dark' ? '#dee2e6' : '#343a40', formatter: '{b}: {d} %' },
        itemStyle: { borderColor: look.scheme === 'dark' ? '#242424' : '#ffffff', borderWidth: 2 },
      },
    ],
  };
}

/** The first measure by two things: places across, the other down. */
export function heatmapChart(context: ChartContext, rows: readonly ReportRow[], axes: { readonly across: string; readonly down: string }): EChartsOption {
  const { state, model, look } = context;
  const measure = state.measures[0] ?? '';
  const member = findMember(model, measure) ?? { format: null, currency: null };
  const nameOf = (row: ReportRow, key: string): string => groupTitle(context, row, [key]);
  const across = [...new Set(rows.map((row) => nameOf(row, axes.across)))];
  const down = [...new Set(rows.map((row) => nameOf(row, axes.down)))].slice(0, 40);
  const places = new Map(across.map((name, index) => [name, index]));
  const lines = new Map(down.map((name, index) => [name, index]));
  const cells = rows.flatMap((row): [number, number, number][] => {
    const [x, y, value] = [places.get(nameOf(row, axes.across)), lines.get(nameOf(row, axes.down)), toNumber(row[measure])];
    return x === undefined || y === undefined || value === null ? [] : [[x, y, value]];
  });
  const common = base(look, say('chart.description', { kind: say('chart.heatmap'), series: down.length, places: across.length }));
  return {
    ...common,
    legend: { show: false },
    tooltip: { ...common.tooltip, trigger: 'item', valueFormatter: (value) => formatMeasure(member, toText(Array.isArray(value) ? value[2] : value)) },
    grid: { left: 12, right: 12, top: 16, bottom: 56, containLabel: true },
    xAxis: { type: 'category', data: across, ...axisLook(look.scheme) },
    yAxis: { type: 'category', data: down, inverse: true, ...axisLook(look.scheme) },
    visualMap: {
      min: Math.min(0, ...cells.map((cell) => cell[2])),
      max: Math.max(0, ...cells.map((cell) => cell[2])),
      orient: 'horizontal',
      left: 'center',
      bottom: 4,
      calculable: false,
      formatter: (value) => formatShort(Number(value)),
      textStyle: { color: look.scheme === 'dark' ? '#dee2e6' : '#343a40' },
      inRange: { color: look.scheme === 'dark' ? ['#25262b', '#364fc7', '#91a7ff'] : ['#f1f3f5', '#91a7ff', '#364fc7'] },
    },
    series: [{ type: 'heatmap', name: titleOf(model, measure), data: cells, progressive: 2_000 }],
  };
}
