import type { HourSeries } from './today-numbers.ts';

const WIDTH = 120;
const HEIGHT = 28;
const PAD = 2;
const HOURS = 24;

/** A line of today's hours over a faint line of last week's hours. The numbers are beside the chart. */
export function Sparkline({ series: { today, lastWeek } }: { readonly series: HourSeries }) {
  const max = Math.max(...today, ...lastWeek);
  if (max <= 0) return null;
  const points = (values: readonly number[]): string =>
    values
      .map((value, hour) => {
        const x = PAD + (hour * (WIDTH - 2 * PAD)) / (HOURS - 1);
        const y = HEIGHT - PAD - (value * (HEIGHT - 2 * PAD)) / max;
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      })
      .join(' ');
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline className="sparkline-before" points={points(lastWeek)} />
      {/* The hour in hand would look like a fall. */}
      <polyline className="sparkline-now" points={points(today.slice(0, -1))} />
    </svg>
  );
}
