import type { SeriesOption } from 'echarts';
import { say } from '../messages/say.ts';
import type { ChartData } from './chart-data.ts';
import { type ChartContext, escapeHtml, toText } from './chart-look.ts';
import { formatMeasure } from '../format/format-value.ts';
import { groupTitle, titleOf } from './member-titles.ts';
import { findMember } from '../reports/report-model.ts';

/** Ends the id of the series that leads to a moment that is not over. */
export const SO_FAR = 'so far';

interface HoveredPoint {
  readonly seriesId?: string;
  readonly seriesName?: string;
  readonly marker?: unknown;
  readonly dataIndex: number;
  readonly value?: unknown;
}

/** The moment or the group, each metric by its name, and below it a line for each series: names come from people, so they are escaped. */
export function seriesTooltip(context: ChartContext, data: ChartData, series: readonly SeriesOption[]) {
  const measureOf = new Map(series.map(({ id }) => [String(id), String(id).split(' ')[0] ?? '']));
  return (hovered: unknown): string => {
    const points = (Array.isArray(hovered) ? hovered : [hovered]) as readonly HoveredPoint[];
    const [first] = points;
    if (first === undefined) return '';
    const row = data.positions[first.dataIndex] ?? {};
    const moment = groupTitle(context, row, data.positionKeys);
    const isSoFar = first.dataIndex === data.unfinished;
    const byMeasure = Map.groupBy(
      points.filter(
        ({ seriesId = '', value }) => typeof numberOf(value) === 'number' && (isSoFar || !seriesId.endsWith(SO_FAR)),
      ),
      ({ seriesId = '' }) => measureOf.get(seriesId) ?? '',
    );
    const blocks = [...byMeasure].map(([measure, ofMeasure]) => {
      const member = findMember(context.model, measure) ?? { format: null, currency: null };
      const title = titleOf(context.model, measure);
      const lines = ofMeasure.map(({ seriesName = '', marker, value }) => {
        const text = escapeHtml(formatMeasure(member, toText(numberOf(value))));
        const name = seriesName === title ? '' : `${escapeHtml(seriesName)}&ensp;`;
        return `<div>${typeof marker === 'string' ? marker : ''}${name}<b>${text}</b></div>`;
      });
      return `<div style="margin-top:4px">${escapeHtml(title)}</div>${lines.join('')}`;
    });
    return `<div>${escapeHtml(isSoFar ? say('chart.so_far', { moment }) : moment)}</div>${blocks.join('')}`;
  };
}

/** The value of a point: bars that are not over have a style beside it. */
function numberOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}
