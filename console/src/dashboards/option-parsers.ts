import type { OptionParsers, WidgetOptions } from './widgets.ts';

type Fields = Readonly<Record<string, unknown>>;

const ID = /^\d{1,19}$/;

/** The options of each kind, parsed from a stored dashboard. */
export const OPTION_PARSERS: OptionParsers = {
  view: { parse: (stored) => withFields(stored, ({ viewId }) => (isId(viewId) ? { viewId } : null)) },
  figures: { parse: (stored) => withFields(stored, () => ({})) },
  attention: {
    parse: (stored) =>
      withFields(stored, ({ about }) => {
        const read = readAbout(about, ['campaign', 'advertiser']);
        return about === null || read !== null ? { about: read } : null;
      }),
  },
  lineItems: { parse: (stored) => withFields(stored, readTable) },
  delivery: {
    parse: (stored) =>
      withFields(stored, (fields) => {
        const about = readAbout(fields['about'], ['lineItem', 'campaign']);
        return about === null ? null : { about };
      }),
  },
};

function withFields<Options>(stored: unknown, read: (fields: Fields) => Options | null): Options | null {
  return typeof stored === 'object' && stored !== null ? read(stored as Fields) : null;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

function readTable({ viewId, search }: Fields): WidgetOptions['lineItems'] | null {
  return (viewId === null || isId(viewId)) && typeof search === 'string' ? { viewId, search } : null;
}

function readAbout<Kind extends string>(
  stored: unknown,
  kinds: readonly Kind[],
): { readonly kind: Kind; readonly id: string } | null {
  return withFields(stored, ({ kind, id }) => {
    const known = kinds.find((one) => one === kind);
    return known !== undefined && isId(id) ? { kind: known, id } : null;
  });
}
