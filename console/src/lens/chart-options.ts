import type { EChartsOption, SeriesOption } from 'echarts';
import { say } from '../messages/say.ts';
import type { ChartData } from './chart-data.ts';
import { formatMeasure, formatShort, formatShortBucket } from './format-value.ts';
import { timeKeyOf } from './lens-query.ts';
import type { LensState } from './lens-state.ts';
import { groupTitle, titleOf } from './report-columns.tsx';
import { findMember, type ReportModel } from './report-model.ts';
import { type ReportRow, toNumber } from './report-rows.ts';

/** Colours that differ in lightness as well as in hue; each scheme has its own. */
const COLORS = {
  light: [
    '#3b5bdb',
    '#d9480f',
    '#087f5b',
    '#9c36b5',
    '#a07000',
    '#c2255c',
    '#1971c2',
    '#5c940d',
    '#495057',
    '#e8590c',
    '#0b7285',
    '#862e9c',
  ],
  dark: [
    '#91a7ff',
    '#ffa94d',
    '#63e6be',
    '#e599f7',
    '#ffe066',
    '#faa2c1',
    '#74c0fc',
    '#c0eb75',
    '#ced4da',
    '#ff8787',
    '#66d9e8',
    '#b197fc',
  ],
} as const;

/** The options of every chart. */
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

function base({ scheme, reducedMotion }: ChartLook, description: string) {
  const text = scheme === 'dark' ? '#dee2e6' : '#343a40';
  return {
    color: [...COLORS[scheme]],
    animation: !reducedMotion,
    animationDuration: 250,
    backgroundColor: 'transparent',
    textStyle: { color: text, fontFamily: "system-ui, 'Segoe UI', Roboto, sans-serif" },
    aria: { enabled: true, label: { description } },
    tooltip: {
      trigger: 'axis' as const,
      confine: true,
      backgroundColor: scheme === 'dark' ? '#25262b' : '#ffffff',
      borderColor: scheme === 'dark' ? '#495057' : '#ced4da',
      textStyle: { color: text },
    },
    legend: { type: 'scroll' as const, bottom: 0, textStyle: { color: text }, pageTextStyle: { color: text } },
  };
}

function axisLook(scheme: ChartLook['scheme']) {
  const line = scheme === 'dark' ? '#495057' : '#ced4da';
  const text = scheme === 'dark' ? '#ced4da' : '#495057';
  return {
    axisLabel: { color: text },
    axisLine: { lineStyle: { color: line } },
    splitLine: { lineStyle: { color: line, opacity: 0.5 } },
  };
}

const PANEL_HEIGHT_PX = 230;
const SINGLE_HEIGHT_PX = 340;
const LEGEND_HEIGHT_PX = 34;

/** Panels side by side, height of the whole drawing, and whether bars are horizontal: long names need the width. */
export interface PanelGrid {
  readonly columns: number;
  readonly heightPx: number;
  readonly isLying: boolean;
}

const BAR_HEIGHT_PX = 24;

/** One panel a measure: each has its own scale, so that none flattens another and no line is read against a wrong axis. */
export function gridOf(
  state: Pick<LensState, 'measures' | 'granularity'>,
  kind: SeriesKind,
  look: { wide: boolean; positions: number },
): PanelGrid {
  const measures = state.measures.length;
  const columns = measures > 1 && look.wide ? 2 : 1;
  const lines = Math.ceil(measures / columns);
  const isLying = kind !== 'line' && state.granularity === null;
  const usual = lines === 1 ? SINGLE_HEIGHT_PX : PANEL_HEIGHT_PX;
  const panel = isLying ? Math.max(160, look.positions * BAR_HEIGHT_PX + 60) : usual;
  return { columns, heightPx: panel * lines + LEGEND_HEIGHT_PX, isLying };
}

/** Line, bar and stacked charts. */
export function seriesChart(context: ChartContext, data: ChartData, kind: SeriesKind, grid: PanelGrid): EChartsOption {
  const { state, look } = context;
  const hasGroups = data.groupKeys.length > 0;
  const series = data.series.flatMap((one) => drawMeasure(context, data, one, kind));
  const hasLegend = hasGroups || data.series.some((one) => one.before !== null);
  const common = base(
    look,
    say('chart.description', { kind: say(`chart.${kind}`), series: series.length, positions: data.positions.length }),
  );
  const positions = state.measures.map((_measure, panel) =>
    categoryAxis(context, data, { panel, kind, isLying: grid.isLying }),
  );
  const values = state.measures.map((measure, panel) => valueAxis(context, measure, { panel, isLying: grid.isLying }));
  return {
    ...common,
    axisPointer: grid.isLying ? {} : { link: [{ xAxisIndex: 'all' }] },
    legend: hasLegend ? (common.legend ?? {}) : { show: false },
    grid: state.measures.map((_measure, panel) => panelPosition(panel, state.measures.length, grid)),
    ...(grid.isLying ? { xAxis: values, yAxis: positions } : { xAxis: positions, yAxis: values }),
    series,
  } as EChartsOption;
}

function drawMeasure(
  { state, model, look }: ChartContext,
  data: ChartData,
  one: ChartData['series'][number],
  kind: SeriesKind,
): SeriesOption[] {
  const panel = state.measures.indexOf(one.measure);
  const hasGroups = data.groupKeys.length > 0;
  const name =
    one.group === null || !hasGroups
      ? titleOf(model, one.measure)
      : groupTitle({ state, model }, one.group, data.groupKeys);
  const position = hasGroups ? data.series.filter((other) => other.measure === one.measure).indexOf(one) : panel;
  const color = COLORS[look.scheme][position % COLORS[look.scheme].length] ?? '#888888';
  const format = (value: unknown): string =>
    formatMeasure(findMember(model, one.measure) ?? { format: null, currency: null }, toText(value));
  const shape = { name, xAxisIndex: panel, yAxisIndex: panel, color, tooltip: { valueFormatter: format } };
  const now = drawSeries(kind, { ...shape, data: [...one.values] }, one.measure);
  if (one.before === null) return [now];
  const before = { ...shape, name: say('compare.series', { name }), data: [...one.before] };
  return [now, drawBefore(kind, before, `before ${one.measure}`)];
}

interface AxisPosition {
  readonly panel: number;
  readonly isLying: boolean;
}

function categoryAxis(
  context: ChartContext,
  data: ChartData,
  { panel, isLying, kind }: AxisPosition & { readonly kind: SeriesKind },
) {
  const { scheme } = context.look;
  const shorts = data.positions.map((row) => shortLabel(context, row, data.positionKeys));
  return {
    type: 'category' as const,
    gridIndex: panel,
    data: data.positions.map((row) => groupTitle(context, row, data.positionKeys)),
    ...axisLook(scheme),
    boundaryGap: kind !== 'line',
    inverse: isLying,
    axisLabel: {
      ...axisLook(scheme).axisLabel,
      ...(isLying ? { interval: 0 } : { hideOverlap: true }),
      formatter: (_name: string, index: number) => shorts[index] ?? '',
    },
  };
}

function valueAxis({ model, look }: ChartContext, measure: string, { panel, isLying }: AxisPosition) {
  return {
    type: 'value' as const,
    gridIndex: panel,
    name: titleOf(model, measure),
    ...(isLying ? { nameLocation: 'middle' as const, nameGap: 26, position: 'top' as const } : {}),
    nameTextStyle: {
      align: isLying ? ('center' as const) : ('left' as const),
      fontWeight: 600,
      color: look.scheme === 'dark' ? '#f1f3f5' : '#212529',
    },
    splitNumber: 4,
    ...axisLook(look.scheme),
    axisLabel: { ...axisLook(look.scheme).axisLabel, formatter: formatShort, hideOverlap: true },
  };
}

/** Charts that share their axis and panels. */
export type SeriesKind = 'line' | 'bar' | 'stacked';

type SeriesShape = {
  readonly name: string;
  readonly xAxisIndex: number;
  readonly yAxisIndex: number;
  readonly color: string;
  readonly data: (number | null)[];
};

function drawSeries(kind: SeriesKind, shape: SeriesShape, stack: string): SeriesOption {
  if (kind === 'line')
    return { ...shape, type: 'line', showSymbol: shape.data.length < 40, symbolSize: 5, lineStyle: { width: 2 } };
  return { ...shape, type: 'bar', barMaxWidth: 36, ...(kind === 'stacked' ? { stack } : {}) };
}

function drawBefore(kind: SeriesKind, shape: SeriesShape, stack: string): SeriesOption {
  if (kind === 'line')
    return { ...shape, type: 'line', showSymbol: false, lineStyle: { width: 1.5, type: 'dashed', opacity: 0.8 } };
  return {
    ...shape,
    type: 'bar',
    barMaxWidth: 36,
    itemStyle: { opacity: 0.45 },
    ...(kind === 'stacked' ? { stack } : {}),
  };
}

function panelPosition(panel: number, panels: number, { columns, heightPx, isLying }: PanelGrid) {
  const lines = Math.ceil(panels / columns);
  const lineHeight = (heightPx - LEGEND_HEIGHT_PX) / lines;
  const column = panel % columns;
  return {
    left: columns === 1 ? 12 : `${column * 50 + 1}%`,
    right: columns === 1 ? 12 : `${(columns - 1 - column) * 50 + 1}%`,
    top: Math.floor(panel / columns) * lineHeight + (isLying ? 36 : 30),
    height: lineHeight - (isLying ? 48 : 52),
    containLabel: true,
  };
}

/** Axis labels have little space: the year is in the tooltip. */
function shortLabel(context: ChartContext, row: ReportRow, keys: readonly string[]): string {
  const { granularity } = context.state;
  const [key] = keys;
  if (granularity !== null && key === timeKeyOf(context.state)) return formatShortBucket(row[key], granularity);
  const text = groupTitle(context, row, keys);
  return text.length > 22 ? `${text.slice(0, 21)}…` : text;
}

function toText(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : null;
}

const SLICES_MAX = 10;

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
    tooltip: { ...common.tooltip, trigger: 'item', valueFormatter: (value) => formatMeasure(member, toText(value)) },
    series: [
      {
        type: 'pie',
        name: titleOf(model, measure),
        radius: ['38%', '68%'],
        center: ['50%', '50%'],
        labelLayout: { hideOverlap: true },
        data: all,
        label: { color: look.scheme === 'dark' ? '#dee2e6' : '#343a40', formatter: '{b}: {d} %' },
        itemStyle: { borderColor: look.scheme === 'dark' ? '#242424' : '#ffffff', borderWidth: 2 },
      },
    ],
  };
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
    tooltip: {
      ...common.tooltip,
      trigger: 'item',
      valueFormatter: (value) => formatMeasure(member, toText(Array.isArray(value) ? value[2] : value)),
    },
    grid: { left: 12, right: 12, top: 16, bottom: 56, containLabel: true },
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
