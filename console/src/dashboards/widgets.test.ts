import { expect, test } from 'vitest';
import {
  dashboardBody,
  WIDGET_KINDS as SERVED_KINDS,
  WIDGETS_MAX as SERVED_MAX,
} from '../../../src/console/dashboard-widgets.ts';
import type { SavedView } from '../api/reports/saved-views.ts';
import { OPTION_PARSERS } from './option-parsers.ts';
import { includesRole, titleOf } from './widget-frame.tsx';
import { WIDGET_KIND_NAMES, WIDGET_KINDS } from './widget-kinds.tsx';
import { pulledWidth } from './widget-drag.tsx';
import {
  freeId,
  type KnownWidget,
  moveWidget,
  moveWidgetTo,
  readWidgets,
  tableSearch,
  TITLE_LENGTH_MAX,
  type Widget,
  WIDGETS_MAX,
  writeWidgets,
} from './widgets.ts';

const facts = { width: 'half', title: '' } as const;
const WIDGETS: readonly KnownWidget[] = [
  { ...facts, id: 'a', kind: 'figures', options: {} },
  { ...facts, id: 'b', kind: 'attention', options: { about: { kind: 'campaign', id: '7' } } },
  { ...facts, id: 'c', kind: 'lineItems', options: { viewId: null, search: 'tab=behind&q=ö' } },
  { ...facts, id: 'd', kind: 'delivery', width: 'full', options: { about: { kind: 'lineItem', id: '9' } } },
  { ...facts, id: 'e', kind: 'view', title: 'Our week', options: { viewId: '12' } },
];
const view = (id: string, name: string, search: string): SavedView => ({
  id,
  name,
  kind: 'view',
  shared: false,
  body: { search },
  version: 1,
  own: true,
  ownerName: 'Ann',
});

test('the console knows the kinds, the count and the titles that the server accepts, and the server accepts what the console writes', () => {
  expect([...WIDGET_KIND_NAMES].sort()).toEqual([...SERVED_KINDS].sort());
  expect(WIDGETS_MAX).toBe(SERVED_MAX);
  const longest = WIDGETS.map((widget) => ({ ...widget, title: 'x'.repeat(TITLE_LENGTH_MAX) }));
  for (const widgets of [WIDGETS, longest])
    expect(dashboardBody.safeParse(writeWidgets(widgets)).error?.issues ?? []).toEqual([]);
  expect(WIDGETS.map(({ kind }) => kind).sort()).toEqual([...WIDGET_KIND_NAMES].sort());
});

test('the server accepts the first options of a new widget', () => {
  const fresh = WIDGET_KIND_NAMES.flatMap((kind) => {
    const { initial, width } = WIDGET_KINDS[kind];
    return initial === null
      ? []
      : [{ id: kind.toLowerCase(), kind, width, title: '', options: initial } as KnownWidget];
  });
  expect(fresh.map(({ kind }) => kind)).toEqual(['figures', 'attention', 'lineItems']);
  expect(dashboardBody.safeParse(writeWidgets(fresh)).success).toBe(true);
});

test('a dashboard is read as it was written', () => {
  expect(readWidgets(writeWidgets(WIDGETS), OPTION_PARSERS)).toEqual(WIDGETS);
});

test('a dashboard from before widgets has a widget for each of its views', () => {
  const widgets = readWidgets({ views: ['12', '13'] }, OPTION_PARSERS);
  expect(widgets.map(({ id, kind, options }) => [id, kind, options])).toEqual([
    ['w0', 'view', { viewId: '12' }],
    ['w1', 'view', { viewId: '13' }],
  ]);
  expect(dashboardBody.safeParse(writeWidgets(widgets)).success).toBe(true);
  expect(readWidgets({}, OPTION_PARSERS)).toEqual([]);
});

test.each([
  ['a kind of a newer console', 'clock', { zone: 'UTC' }],
  ['a name that every object has', 'constructor', {}],
  ['options of a newer console', 'delivery', { about: { kind: 'advertiser', id: '3' } }],
  ['missing options', 'figures', null],
  ['an invalid id', 'attention', { about: { kind: 'campaign', id: '7"' } }],
  ['no subject where one is needed', 'attention', {}],
  ['a view without an id', 'view', {}],
  ['a filter of another type', 'lineItems', { viewId: null, search: 5 }],
])('%s is an unknown widget, which is named and stored again as it was', (_title, kind, options) => {
  const stored = { widgets: [{ id: 'x', kind, width: 'full', title: '', options }] };
  const widgets = readWidgets(stored, OPTION_PARSERS);
  expect(widgets).toEqual([{ id: 'x', kind: null, kindName: kind, width: 'full', title: '', options }]);
  expect(titleOf(widgets[0] as Widget, [])).toBe(kind);
  expect(writeWidgets(widgets)).toEqual(stored);
});

test('a widget moves one position at a time, and not past an end', () => {
  const ids = (widgets: readonly Widget[]): string => widgets.map(({ id }) => id).join('');
  expect(ids(moveWidget(WIDGETS, 'c', -1))).toBe('acbde');
  expect(ids(moveWidget(WIDGETS, 'c', 1))).toBe('abdce');
  expect(moveWidget(WIDGETS, 'a', -1)).toBe(WIDGETS);
  expect(moveWidget(WIDGETS, 'e', 1)).toBe(WIDGETS);
  expect(moveWidget(WIDGETS, 'gone', 1)).toBe(WIDGETS);
});

test('a widget is dropped at the position of any other, in both directions', () => {
  const ids = (widgets: readonly Widget[]): string => widgets.map(({ id }) => id).join('');
  expect(ids(moveWidgetTo(WIDGETS, 'a', 3))).toBe('bcdae');
  expect(ids(moveWidgetTo(WIDGETS, 'e', 0))).toBe('eabcd');
  for (const [id, to] of [
    ['b', 1],
    ['b', 5],
    ['b', -1],
    ['gone', 2],
  ] as const)
    expect(moveWidgetTo(WIDGETS, id, to)).toBe(WIDGETS);
});

test.each([
  ['half', 41, false, 'full'],
  ['half', 39, false, 'half'],
  ['half', -200, false, 'half'],
  ['half', -41, true, 'full'],
  ['full', -41, false, 'half'],
  ['full', 41, false, 'full'],
] as const)(
  'a widget of width %s that is pulled by %d px (right column: %s) gets width %s',
  (width, pulledPx, isRight, to) => {
    expect(pulledWidth(width, { pulledPx, isRight })).toBe(to);
  },
);

test('a new widget gets an id that none has, whatever was removed before', () => {
  const numbered = (...ids: string[]) => ids.map((id): Widget => ({ ...facts, id, kind: 'figures', options: {} }));
  expect(freeId([])).toBe('w0');
  expect(freeId(numbered('w0', 'w2'))).toBe('w3');
  expect(freeId(numbered('w1', 'w2', 'w3'))).toBe('w4');
});

test('a widget of line items shows its own filter, or what its saved view says now', () => {
  const views = [view('5', 'Late ones', '?table=line-items&tab=behind&sort=pace&cols=why')];
  expect(tableSearch({ viewId: null, search: 'tab=ended' }, views)).toEqual({ tab: 'ended' });
  expect(tableSearch({ viewId: '5', search: 'tab=ended' }, views)).toEqual({
    tab: 'behind',
    sort: 'pace',
    cols: 'why',
  });
  expect(tableSearch({ viewId: '6', search: 'tab=ended' }, views)).toBeNull();
});

test('a widget has the title that it was given, else that of its saved view, else that of its kind', () => {
  const views = [view('12', 'Revenue by day', '?m=revenue')];
  const titles = WIDGETS.map((widget) => titleOf(widget, views));
  expect(titles).toEqual(['The day so far', 'Needs you', 'Line items', 'Delivered and planned', 'Our week']);
  expect(titleOf({ ...facts, id: 'f', kind: 'view', options: { viewId: '12' } }, views)).toBe('Revenue by day');
  expect(titleOf({ ...facts, id: 'f', kind: 'view', options: { viewId: '13' } }, views)).toBe('Saved view of the Lens');
});

test('a role includes those below it; a person without one has none', () => {
  expect([includesRole('viewer', 'viewer'), includesRole('admin', 'editor')]).toEqual([true, true]);
  expect([includesRole('viewer', 'editor'), includesRole(undefined, 'viewer')]).toEqual([false, false]);
});
