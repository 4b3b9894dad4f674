/** One line of a chart: values at even steps; null leaves a gap. */
export interface Series {
  readonly name: string;
  readonly color: string;
  readonly dashed: boolean;
  readonly values: readonly number[];
}

const WIDTH = 960;
const HEIGHT = 360;
const MARGIN = { left: 80, right: 20, top: 40, bottom: 40 } as const;
/** More points would show nothing more. */
const POINTS_MAX = 350;

/** A line chart as SVG. `xUnit` names one step, such as 24 steps a day. */
export function renderLineChart(title: string, series: readonly Series[], stepsPerDay: number): string {
  const steps = Math.max(1, ...series.map(({ values }) => values.length));
  const top = niceTop(Math.max(1, ...series.flatMap(({ values }) => values)));
  const x = (step: number) => MARGIN.left + (step / steps) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number) => HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => gridLine(y(share * top), formatCount(share * top)));
  const days = Array.from({ length: Math.floor(steps / stepsPerDay / 7) + 1 }, (_none, week) => week * 7);
  const ticks = days.map((day) => text(x(day * stepsPerDay), HEIGHT - 16, `day ${day}`, 'middle'));
  const lines = series.map((one) =>
    polyline(one, (step) => `${x(step + 1).toFixed(1)},${y(one.values[step] ?? 0).toFixed(1)}`),
  );
  const legend = series.map((one, at) => {
    const left = MARGIN.left + at * 170;
    const dash = one.dashed ? ' stroke-dasharray="6 4"' : '';
    return `<line x1="${left}" y1="30" x2="${left + 24}" y2="30" stroke="${one.color}" stroke-width="2"${dash}/>${text(left + 30, 34, one.name, 'start')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${text(MARGIN.left, 16, title, 'start')}
${[...grid, ...ticks, ...lines, ...legend].join('\n')}
</svg>
`;
}

function polyline({ color, dashed, values }: Series, pointAt: (step: number) => string): string {
  const every = Math.max(1, Math.ceil(values.length / POINTS_MAX));
  const points = values.flatMap((_value, step) => (step % every === every - 1 ? [pointAt(step)] : []));
  const dash = dashed ? ' stroke-dasharray="6 4"' : '';
  return `<polyline fill="none" stroke="${color}" stroke-width="1.5"${dash} points="${points.join(' ')}"/>`;
}

function gridLine(at: number, label: string): string {
  const line = `<line x1="${MARGIN.left}" y1="${at.toFixed(1)}" x2="${WIDTH - MARGIN.right}" y2="${at.toFixed(1)}" stroke="#ddd"/>`;
  return line + text(MARGIN.left - 8, at + 4, label, 'end');
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#333">${escaped}</text>`;
}

function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function formatCount(value: number): string {
  return value >= 10_000 ? `${(value / 1_000).toFixed(0)}k` : value.toFixed(value < 10 ? 1 : 0);
}
