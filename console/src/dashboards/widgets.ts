import type { SavedView } from '../api/reports/saved-views.ts';
import { type AppSearch, parseSearch } from '../session/app-search.ts';
import { TABLE_PARAM } from '../saved-views/view-page.ts';

/** The most widgets of a dashboard, as the server has it. */
export const WIDGETS_MAX = 24;
/** The longest title of a widget. */
export const TITLE_LENGTH_MAX = 120;

/** What each kind of widget shows. */
export interface WidgetOptions {
  view: { readonly viewId: string };
  figures: Readonly<Record<string, never>>;
  /** Null: the whole network. */
  attention: { readonly about: { readonly kind: 'campaign' | 'advertiser'; readonly id: string } | null };
  /** `search`: the address of the table, where no saved view is chosen. */
  lineItems: { readonly viewId: string | null; readonly search: string };
  delivery: { readonly about: { readonly kind: 'lineItem' | 'campaign'; readonly id: string } };
}

/** The name of a kind. */
export type WidgetKindName = keyof WidgetOptions;

/** Half of a wide page, or all of it. */
export type WidgetWidth = 'half' | 'full';

interface WidgetFacts {
  /** Unique in its dashboard. */
  readonly id: string;
  readonly width: WidgetWidth;
  /** Empty: that of its kind. */
  readonly title: string;
}

/** A widget of one kind. */
export interface WidgetOf<Kind extends WidgetKindName> extends WidgetFacts {
  readonly kind: Kind;
  readonly options: WidgetOptions[Kind];
}

/** A widget of a kind, or with options, that this console does not know; it is stored again as it was. */
export interface UnknownWidget extends WidgetFacts {
  readonly kind: null;
  readonly kindName: string;
  readonly options: unknown;
}

/** A widget of a kind that this console knows. */
export type KnownWidget = { [Kind in WidgetKindName]: WidgetOf<Kind> }[WidgetKindName];
export type Widget = KnownWidget | UnknownWidget;

/** How the options of each kind are parsed; null: they are not valid. */
export type OptionParsers = {
  readonly [Kind in WidgetKindName]: { parse: (stored: unknown) => WidgetOptions[Kind] | null };
};

/** The widgets of a dashboard. One from before there were widgets has a widget for each of its views. */
export function readWidgets({ widgets, views = [] }: SavedView['body'], parsers: OptionParsers): readonly Widget[] {
  if (widgets === undefined)
    return views.map((viewId, at) => ({ id: `w${at}`, kind: 'view', width: 'half', title: '', options: { viewId } }));
  return widgets.map(({ id, kind, width, title, options }) => {
    const facts = { id, title, width: width === 'full' ? 'full' : 'half' } as const;
    const known = Object.hasOwn(parsers, kind) ? parsers[kind as WidgetKindName].parse(options) : null;
    return known === null
      ? { ...facts, kind: null, kindName: kind, options }
      : ({ ...facts, kind, options: known } as KnownWidget);
  });
}

/** The contents of a dashboard as they are stored. */
export function writeWidgets(widgets: readonly Widget[]): SavedView['body'] {
  return {
    widgets: widgets.map((widget) => {
      const { id, width, title, options } = widget;
      return { id, kind: widget.kind ?? widget.kindName, width, title, options };
    }),
  };
}

/** An id that none of these has. */
export function freeId(widgets: readonly Widget[]): string {
  const taken = new Set(widgets.map(({ id }) => id));
  let at = widgets.length;
  while (taken.has(`w${at}`)) at += 1;
  return `w${at}`;
}

/** The widgets with one of them a position earlier (-1) or later (1); the same where it is at that end. */
export function moveWidget(widgets: readonly Widget[], id: string, by: -1 | 1): readonly Widget[] {
  return moveWidgetTo(widgets, id, widgets.findIndex((one) => one.id === id) + by);
}

/** The widgets with one of them at a position, 0 first; the same where there is no such widget or position. */
export function moveWidgetTo(widgets: readonly Widget[], id: string, to: number): readonly Widget[] {
  const moved = widgets.find((one) => one.id === id);
  if (moved === undefined || to < 0 || to >= widgets.length || widgets[to] === moved) return widgets;
  const others = widgets.filter((one) => one !== moved);
  return [...others.slice(0, to), moved, ...others.slice(to)];
}

/** The address of the table that a widget of line items shows, without its path; null: its saved view is gone. */
export function tableSearch(
  { viewId, search }: WidgetOptions['lineItems'],
  views: readonly Pick<SavedView, 'id' | 'body'>[],
): AppSearch | null {
  const text = viewId === null ? search : views.find(({ id }) => id === viewId)?.body.search;
  if (text === undefined) return null;
  const { [TABLE_PARAM]: _table, ...found } = parseSearch(text);
  return found;
}

/** The saved views that a member may read, among which widgets find theirs. */
export type KnownViews = readonly SavedView[];

/** The properties of the contents of a widget. */
export interface WidgetBodyProps<Options> {
  readonly options: Options;
  readonly title: string;
  readonly views: KnownViews;
}

/** The properties of an editor of options. `null`: they are not complete. */
export interface OptionEditorProps<Options> {
  readonly options: Options | null;
  readonly views: KnownViews;
  onChange: (options: Options | null) => void;
}
