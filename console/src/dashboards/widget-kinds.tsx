import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import type { Role } from '../api/account/auth.ts';
import { parseSearch } from '../session/app-search.ts';
import { type MessageKey, say } from '../messages/say.ts';
import { later } from '../ui/later.tsx';
import { OPTION_PARSERS } from './option-parsers.ts';
import {
  type KnownViews,
  type OptionEditorProps,
  tableSearch,
  type WidgetBodyProps,
  type WidgetKindName,
  type WidgetOf,
  type WidgetOptions,
  type WidgetWidth,
} from './widgets.ts';

/** Draws a link with the properties of the component around it. */
type LinkRoot = (props: object) => ReactNode;

/** All that the console needs of a kind of widget. */
export interface WidgetKind<Options> {
  /** What the kind is called. */
  readonly name: MessageKey;
  /** What it shows, in a sentence. */
  readonly about: MessageKey;
  /** The least role whose members may see it. The server decides; this only says so before it refuses. */
  readonly role: Role;
  /** What a new one has. */
  readonly width: WidgetWidth;
  readonly initial: Options | null;
  /** Null: the options are not valid. */
  parse: (stored: unknown) => Options | null;
  /** The title of one that was not given any. */
  titleOf: (options: Options, views: KnownViews) => string;
  /** The page that shows the whole of it; null: there is none. */
  linkOf: (options: Options, views: KnownViews) => LinkRoot | null;
  readonly Body: ComponentType<WidgetBodyProps<Options>>;
  /** Null: there is nothing to choose. */
  readonly Editor: ComponentType<OptionEditorProps<Options>> | null;
}

const nameOf = (views: KnownViews, viewId: string | null): string | undefined =>
  views.find(({ id }) => id === viewId)?.name;

/** The kinds of widgets, in the order in which they are offered. */
export const WIDGET_KINDS: { readonly [Kind in WidgetKindName]: WidgetKind<WidgetOptions[Kind]> } = {
  figures: {
    name: 'widget.figures',
    about: 'widget.figures_about',
    role: 'viewer',
    width: 'full',
    initial: {},
    parse: OPTION_PARSERS.figures.parse,
    titleOf: () => say('widget.figures'),
    linkOf: () => (props) => <Link to="/desk" search={{}} {...props} />,
    Body: later(async () => (await import('./figures-widget.tsx')).FiguresWidget, ['desk', 'delivery']),
    Editor: null,
  },
  attention: {
    name: 'widget.attention',
    about: 'widget.attention_about',
    role: 'viewer',
    width: 'half',
    initial: { about: null },
    parse: OPTION_PARSERS.attention.parse,
    titleOf: () => say('widget.attention'),
    linkOf: ({ about }) =>
      about === null
        ? (props) => <Link to="/desk" search={{}} {...props} />
        : (props) => <Link to="/desk/line-items" search={{ [about.kind]: about.id }} {...props} />,
    Body: later(async () => (await import('./attention-widget.tsx')).AttentionWidget, ['desk', 'quotas', 'delivery']),
    Editor: later(async () => (await import('./option-editors.tsx')).AttentionEditor, ['desk', 'desk-table']),
  },
  lineItems: {
    name: 'widget.lineItems',
    about: 'widget.lineItems_about',
    role: 'viewer',
    width: 'full',
    initial: { viewId: null, search: 'tab=behind&sort=pace' },
    parse: OPTION_PARSERS.lineItems.parse,
    titleOf: ({ viewId }, views) => nameOf(views, viewId) ?? say('widget.lineItems'),
    linkOf: (options, views) => {
      const search = tableSearch(options, views);
      return search === null ? null : (props) => <Link to="/desk/line-items" search={search} {...props} />;
    },
    Body: later(
      async () => (await import('./line-items-widget.tsx')).LineItemsWidget,
      ['desk', 'desk-table', 'delivery'],
    ),
    Editor: later(async () => (await import('./option-editors.tsx')).LineItemsEditor, ['desk', 'desk-table']),
  },
  delivery: {
    name: 'widget.delivery',
    about: 'widget.delivery_about',
    role: 'viewer',
    width: 'half',
    initial: null,
    parse: OPTION_PARSERS.delivery.parse,
    titleOf: () => say('widget.delivery'),
    linkOf: ({ about: { kind, id } }) =>
      kind === 'lineItem'
        ? (props) => <Link to="/desk/line-items/$id" params={{ id }} search={{}} {...props} />
        : (props) => <Link to="/desk/campaigns/$id" params={{ id }} search={{}} {...props} />,
    Body: later(async () => (await import('./delivery-widget.tsx')).DeliveryWidget, ['desk', 'line-item']),
    Editor: later(async () => (await import('./option-editors.tsx')).DeliveryEditor, ['desk', 'desk-table']),
  },
  view: {
    name: 'widget.view',
    about: 'widget.view_about',
    role: 'viewer',
    width: 'half',
    initial: null,
    parse: OPTION_PARSERS.view.parse,
    titleOf: ({ viewId }, views) => nameOf(views, viewId) ?? say('widget.view'),
    linkOf: ({ viewId }, views) => {
      const view = views.find(({ id }) => id === viewId);
      if (view === undefined) return null;
      const search = parseSearch(view.body.search ?? '');
      return (props) => <Link to="/lens" search={search} {...props} />;
    },
    Body: later(async () => (await import('./view-widget.tsx')).ViewWidget, ['lens', 'members']),
    Editor: later(async () => (await import('./option-editors.tsx')).ViewEditor, ['desk', 'desk-table']),
  },
};

/** The names of the kinds, in their order. */
export const WIDGET_KIND_NAMES = Object.keys(WIDGET_KINDS) as readonly WidgetKindName[];

/** What a widget is called on its dashboard. */
export function widgetTitle<Kind extends WidgetKindName>(
  { kind, title, options }: Pick<WidgetOf<Kind>, 'kind' | 'title' | 'options'>,
  views: KnownViews,
): string {
  return title === '' ? WIDGET_KINDS[kind].titleOf(options, views) : title;
}
