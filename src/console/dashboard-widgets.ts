import { z } from 'zod';
import { isStorableText } from '../domain/text/stored-text.ts';

/** Of one dashboard. */
export const WIDGETS_MAX = 24;
const TITLE_LENGTH_MAX = 120;
/** The address of a table of the desk, without its path. */
const SEARCH_LENGTH_MAX = 2_000;

/** A text that PostgreSQL can store. */
export const storableText = z
  .string()
  .refine(isStorableText, 'cannot be stored: remove U+0000 and halves of surrogate pairs');
const objectId = z.string().regex(/^\d{1,19}$/, 'must be a decimal id');
const viewId = z.string().regex(/^\d{1,18}$/, 'must be the id of a saved view');

/** What each kind of widget shows, as its options say. */
const OPTIONS = {
  /** A saved view of the Lens. */
  view: z.strictObject({ viewId }),
  /** The figures of the day. */
  figures: z.strictObject({}),
  /** What needs a person; null: in the whole network. */
  attention: z.strictObject({
    about: z.strictObject({ kind: z.enum(['campaign', 'advertiser']), id: objectId }).nullable(),
  }),
  /** The first line items of a saved view of their table, or of a filter of its own. */
  lineItems: z.strictObject({ viewId: viewId.nullable(), search: storableText.max(SEARCH_LENGTH_MAX) }),
  /** Delivered and planned by day. */
  delivery: z.strictObject({ about: z.strictObject({ kind: z.enum(['lineItem', 'campaign']), id: objectId }) }),
} as const;

/** The kinds of widgets that dashboards may hold. */
export const WIDGET_KINDS = Object.keys(OPTIONS) as readonly (keyof typeof OPTIONS)[];

function widgetOf<Kind extends keyof typeof OPTIONS>(kind: Kind) {
  return z.strictObject({
    id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9 and -'),
    kind: z.literal(kind),
    width: z.enum(['half', 'full']),
    /** Empty: the kind's own. */
    title: storableText.max(TITLE_LENGTH_MAX),
    options: OPTIONS[kind],
  });
}

type WidgetSchema = ReturnType<typeof widgetOf>;
const widget = z.discriminatedUnion('kind', WIDGET_KINDS.map(widgetOf) as unknown as [WidgetSchema, ...WidgetSchema[]]);

/** The widgets of a dashboard, in their order. */
const widgets = z
  .array(widget)
  .max(WIDGETS_MAX)
  .superRefine((all, context) => {
    const seen = new Set<string>();
    for (const [at, { id }] of all.entries()) {
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [at, 'id'], message: 'is the id of another widget' });
      seen.add(id);
    }
  });

/** The contents of a dashboard: its widgets, or ids of views, as consoles before widgets wrote them. */
export const dashboardBody = z
  .strictObject({ widgets: widgets.optional(), views: z.array(viewId).max(WIDGETS_MAX).optional() })
  .refine((body) => (body.widgets === undefined) !== (body.views === undefined), {
    message: 'has either widgets or views',
  });
