import type { EChartsOption, SeriesOption } from 'echarts';
import { say } from '../messages/say.ts';
import type { ChartData } from './chart-data.ts';
import { axisLook, base, type ChartContext, COLORS, shortLabel, titleWithUnit, toText } from './chart-look.ts';
import { seriesTooltip, SO_FAR } from './chart-tooltip.ts';
import { formatMeasure, formatShort } from '../format/format-value.ts';
import type { LensState } from '../reports/lens-state.ts';
import { groupTitle, titleOf } from './member-titles.ts';
import { findMember } from '../reports/report-model.ts';

const PANEL_HEIGHT_PX = 192;
const SINGLE_HEIGHT_PX = 340;
const LEGEND_HEIGHT_PX = 34;

/** Panels side by side, height of the whole drawing, and whether bars are horizontal: long names need the width. */
export interface PanelGrid {
  readonly columns: number;
  readonly heightPx: number;
  readonly isLying: boolean;
  /** Width of the names beside lying bars. */
  readonly namePx: number;
}

/** A name on two lines fits. */
const BAR_HEIGHT_PX = 30;
const NAME_WIDE_PX = 220;
const NAME_NARROW_PX = 140;
/** Space behind the longest bar for its value: a narrow panel is short of it. */
const VALUE_WIDE = '28%';
const VALUE_NARROW = '55%';
/** Pixels for each letter of a name in two lines; a longer name is cut, and its tooltip has the whole name. */
const NAME_PX_PER_LETTER = 4;

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
  const namePx = look.wide ? NAME_WIDE_PX : NAME_NARROW_PX;
  return { columns, heightPx: panel * lines + LEGEND_HEIGHT_PX, isLying, namePx };
}

/** Line, bar and stacked charts. */
export function seriesChart(context: ChartContext, data: ChartData, kind: SeriesKind, grid: PanelGrid): EChartsOption {
  const { state, look } = context;
  const hasGroups = data.groupKeys.length > 0;
  const series = data.series.flatMap((one) => drawMeasure(context, data, one, { kind, isLying: grid.isLying }));
  const hasLegend = hasGroups || data.series.some((one) => one.before !== null);
  const common = base(
    look,
    say('chart.description', { kind: say(`chart.${kind}`), series: series.length, positions: data.positions.length }),
  );
  const positions = state.measures.map((_measure, panel) =>
    categoryAxis(context, data, { panel, kind, isLying: grid.isLying, namePx: grid.namePx }),
  );
  const values = state.measures.map((measure, panel) =>
    valueAxis(context, measure, { panel, isLying: grid.isLying, isNarrow: grid.namePx < NAME_WIDE_PX }),
  );
  return {
    ...common,
    tooltip: { ...common.tooltip, formatter: seriesTooltip(context, data, series) },
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
  { kind, isLying }: { readonly kind: SeriesKind; readonly isLying: boolean },
): SeriesOption[] {
  const panel = state.measures.indexOf(one.measure);
  const hasGroups = data.groupKeys.length > 0;
  const name =
    one.group === null || !hasGroups
      ? titleOf(model, one.measure)
      : one.isRest
        ? say('chart.rest')
        : groupTitle({ state, model }, one.group, data.groupKeys);
  const position = hasGroups ? data.series.filter((other) => other.measure === one.measure).indexOf(one) : panel;
  const color = one.isRest ? '#868e96' : (COLORS[look.scheme][position % COLORS[look.scheme].length] ?? '#888888');
  const format = (value: unknown): string =>
    formatMeasure(findMember(model, one.measure) ?? { format: null, currency: null }, toText(value));
  const shape = { name, xAxisIndex: panel, yAxisIndex: panel, color, tooltip: { valueFormatter: format }, id: '' };
  // Rates do not add up: their bars stand side by side.
  const shownAs = kind === 'stacked' && findMember(model, one.measure)?.isAdditive !== true ? 'bar' : kind;
  const own = {
    ...shape,
    id: `${one.measure} ${position} now`,
    ...(isLying && shownAs === 'bar' ? valueLabel(look.scheme, format) : {}),
  };
  const now = drawSeries(
    shownAs,
    { ...own, data: [...one.values] },
    { stack: one.measure, unfinished: data.unfinished },
  );
  const soFar = shownAs === 'line' ? drawSoFar({ ...own, data: [...one.values] }, data.unfinished) : [];
  if (one.before === null) return [...now, ...soFar];
  const before = {
    ...shape,
    id: `${one.measure} ${position} before`,
    name: say('compare.series', { name }),
    data: [...one.before],
  };
  return [...now, ...soFar, drawBefore(shownAs, before, `before ${one.measure}`)];
}

function cutName(name: string, lettersMax: number): string {
  return name.length > lettersMax ? `${name.slice(0, lettersMax - 1)}…` : name;
}

/** The value at the end of a lying bar. */
function valueLabel(scheme: 'light' | 'dark', format: (value: unknown) => string) {
  const color = scheme === 'dark' ? '#f1f3f5' : '#212529';
  const formatter = ({ value }: { readonly value: unknown }): string => format(value);
  return { label: { show: true, position: 'right' as const, fontSize: 11, color, formatter } };
}

interface AxisPosition {
  readonly panel: number;
  readonly isLying: boolean;
}

function categoryAxis(
  context: ChartContext,
  data: ChartData,
  { panel, isLying, kind, namePx }: AxisPosition & { readonly kind: SeriesKind; readonly namePx: number },
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
      ...(isLying ? { interval: 0, width: namePx, overflow: 'break' as const, lineHeight: 14 } : { hideOverlap: true }),
      formatter: (name: string, index: number) =>
        isLying ? cutName(name, Math.floor(namePx / NAME_PX_PER_LETTER)) : (shorts[index] ?? ''),
    },
  };
}

function valueAxis(
  { model, look }: ChartContext,
  measure: string,
  { panel, isLying, isNarrow }: AxisPosition & { readonly isNarrow: boolean },
) {
  return {
    type: 'value' as const,
    gridIndex: panel,
    name: titleWithUnit(model, measure),
    // The values stand to the right of the bars.
    ...(isLying ? { boundaryGap: [0, isNarrow ? VALUE_NARROW : VALUE_WIDE] } : {}),
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
  readonly id: string;
};

interface SeriesDrawing {
  readonly stack: string;
  readonly unfinished: number | null;
}

function drawSeries(kind: SeriesKind, shape: SeriesShape, { stack, unfinished }: SeriesDrawing): SeriesOption[] {
  if (kind === 'line') {
    const data = shape.data.map((value, at) => (at === unfinished && at > 0 ? null : value));
    const line = { ...shape, type: 'line' as const, symbolSize: 5, lineStyle: { width: 2 } };
    return [{ ...line, data, showSymbol: shape.data.length < 40 }];
  }
  const data = shape.data.map((value, at) => (at === unfinished ? { value, itemStyle: UNFINISHED_BAR } : value));
  return [{ ...shape, data, type: 'bar', barMaxWidth: 36, ...(kind === 'stacked' ? { stack } : {}) } as SeriesOption];
}

const UNFINISHED_BAR = { opacity: 0.55, borderType: 'dashed', borderWidth: 1 } as const;

/** The last step to a moment that is not over is dashed: it is not a fall. */
function drawSoFar(shape: SeriesShape, unfinished: number | null): SeriesOption[] {
  if (unfinished === null || unfinished === 0) return [];
  const data = shape.data.map((value, at) => (at === unfinished || at === unfinished - 1 ? value : null));
  const lineStyle = { width: 2, type: 'dashed' as const };
  return [
    { ...shape, id: `${shape.id} ${SO_FAR}`, data, type: 'line', symbol: 'emptyCircle', symbolSize: 5, lineStyle },
  ];
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
