import { expect, test } from 'vitest';
import { dashboardBody, WIDGET_KINDS, WIDGETS_MAX } from './dashboard-widgets.ts';

const SAMPLES: Readonly<Record<(typeof WIDGET_KINDS)[number], object>> = {
  view: { viewId: '12' },
  figures: {},
  attention: { about: { kind: 'advertiser', id: '3' } },
  lineItems: { viewId: null, search: '?tab=behind&sort=pace' },
  delivery: { about: { kind: 'lineItem', id: '4' } },
};

const widget = (kind: keyof typeof SAMPLES, over: object = {}): object => ({
  id: kind.toLowerCase(),
  kind,
  width: 'half',
  title: '',
  options: SAMPLES[kind],
  ...over,
});

const faultsOf = (body: unknown): string[] =>
  dashboardBody.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];

test('a dashboard holds widgets of every kind, and nothing of them is lost', () => {
  const body = {
    widgets: [
      ...WIDGET_KINDS.map((kind) => widget(kind)),
      widget('attention', { id: 'all', width: 'full', title: 'All', options: { about: null } }),
      widget('lineItems', { id: 'saved', options: { viewId: '9', search: '' } }),
    ],
  };
  expect(dashboardBody.parse(body)).toEqual(body);
});

test('as many widgets are accepted as a dashboard may have, and not one more', () => {
  const many = (count: number) => ({
    widgets: Array.from({ length: count }, (_one, at) => widget('figures', { id: `w${at}` })),
  });
  expect(faultsOf(many(WIDGETS_MAX))).toEqual([]);
  expect(faultsOf(many(WIDGETS_MAX + 1))).toEqual(['widgets']);
});

test.each([
  ['a kind that there is none of', widget('view', { kind: 'clock' }), 'kind'],
  ['options of another kind', widget('figures', { options: SAMPLES.view }), 'options'],
  ['an option that is missing', widget('delivery', { options: {} }), 'options.about'],
  [
    'a subject that has no chart',
    widget('delivery', { options: { about: { kind: 'advertiser', id: '3' } } }),
    'options.about.kind',
  ],
  [
    'the id of no object',
    widget('delivery', { options: { about: { kind: 'campaign', id: '1 OR 1' } } }),
    'options.about.id',
  ],
  ['another width', widget('view', { width: 'third' }), 'width'],
  ['a title that is too long', widget('figures', { title: 'x'.repeat(121) }), 'title'],
  ['a title with U+0000', widget('figures', { title: '\u0000' }), 'title'],
  [
    'a filter that is too long',
    widget('lineItems', { options: { viewId: null, search: 'q'.repeat(2_001) } }),
    'options.search',
  ],
  ['the id of another widget', widget('view', { id: 'first' }), 'id'],
  ['an id with other characters', widget('view', { id: '"]' }), 'id'],
])('a widget with %s is refused by the name of its field', (_title, wrong, field) => {
  expect(faultsOf({ widgets: [widget('figures', { id: 'first' }), wrong] })).toEqual([`widgets.1.${field}`]);
});

test('a widget with a member that there is none of is refused', () => {
  expect(faultsOf({ widgets: [widget('figures', { script: 'x' })] })).toEqual(['widgets.0']);
});

test('a dashboard has widgets, or the views of one from before widgets, and not both', () => {
  expect(faultsOf({ views: ['1', '2'] })).toEqual([]);
  expect(faultsOf({})).toEqual(['']);
  expect(faultsOf({ views: [], widgets: [] })).toEqual(['']);
});
