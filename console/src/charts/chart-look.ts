import { formatShortBucket } from '../format/format-value.ts';
import { timeKeyOf } from '../reports/lens-query.ts';
import type { LensState } from '../reports/lens-state.ts';
import { groupTitle, titleOf } from './member-titles.ts';
import { findMember, type Member, type ReportModel } from '../reports/report-model.ts';
import type { ReportRow } from '../reports/report-rows.ts';

/** Colours that differ in lightness as well as in hue; each scheme has its own. */
export const COLORS = {
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

export function base({ scheme, reducedMotion }: ChartLook, description: string) {
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

export function axisLook(scheme: ChartLook['scheme']) {
  const line = scheme === 'dark' ? '#495057' : '#ced4da';
  const text = scheme === 'dark' ? '#ced4da' : '#495057';
  return {
    axisLabel: { color: text },
    axisLine: { lineStyle: { color: line } },
    splitLine: { lineStyle: { color: line, opacity: 0.5 } },
  };
}

/** The metric and its unit: `Revenue (PLN)`. */
export function titleWithUnit(model: ReportModel, measure: string): string {
  const title = titleOf(model, measure);
  const unit = unitOf(findMember(model, measure));
  return unit === null || title.includes(unit) ? title : `${title} (${unit})`;
}

function unitOf(member: Pick<Member, 'format' | 'currency'> | undefined | null): string | null {
  if (member?.format === 'percent') return '%';
  return member?.format === 'currency' ? member.currency : null;
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => HTML[character] ?? '');
}

/** Axis labels have little space: the year is in the tooltip. */
export function shortLabel(context: ChartContext, row: ReportRow, keys: readonly string[]): string {
  const { granularity } = context.state;
  const [key] = keys;
  if (granularity !== null && key === timeKeyOf(context.state)) return formatShortBucket(row[key], granularity);
  const text = groupTitle(context, row, keys);
  return text.length > 22 ? `${text.slice(0, 21)}…` : text;
}

export function toText(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : null;
}

export function chartTitle({ scheme }: ChartLook, text: string) {
  const [strong, weak] = scheme === 'dark' ? ['#f1f3f5', '#ced4da'] : ['#212529', '#495057'];
  return { text, textStyle: { fontSize: 12, fontWeight: 600, color: strong }, subtextStyle: { color: weak } };
}
