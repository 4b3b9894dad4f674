import { PlacardError } from '../../domain/errors.ts';
import { decimalIdOf } from '../../domain/ids/global-ids.ts';
import { builder } from './builder.ts';
import type { Field } from './field.ts';
import { loadObject } from './loaders.ts';
import { type Filter, labelOf, type Resource, resourceOfTable } from './resource.ts';
import type { Condition, Search } from './resource.sql.ts';
import { connectionRefOf, objectRefOf } from './resource-types.ts';
import { IN_CONNECTION, selectionOf } from './selection.ts';
import { readPage } from './pages.ts';
import type { Predicate } from './predicate.ts';
import { COMMON_SORTS, orderFieldRef, sortKeyOf } from './sort-keys.ts';
import { bothForms } from './where-operators.ts';
import { readWhere, whereRefOf } from './where.ts';

/** The most values in one list of a filter. */
const FILTER_VALUES_MAX = 500;
const SEARCH_LENGTH_MAX = 200;

const SortFieldRef = builder.enumType('SortField', {
  description: 'What a list can be sorted by. Ties are broken by id.',
  values: {
    ID: { description: 'By id: in order of creation.' },
    NAME: { description: 'By name.' },
    CREATED_AT: { description: 'By the instant of creation.' },
    UPDATED_AT: { description: 'By the instant of the last change.' },
  } satisfies Record<keyof typeof COMMON_SORTS, unknown>,
});

const SortDirectionRef = builder.enumType('SortDirection', {
  description: 'The direction of a list.',
  values: { ASC: { description: 'Smallest first.' }, DESC: { description: 'Largest first.' } } as const,
});

const SortInput = builder.inputType('SortInput', {
  description: 'The order of a list.',
  fields: (t) => ({
    field: t.field({ type: SortFieldRef, required: true, description: 'What to sort by.' }),
    direction: t.field({ type: SortDirectionRef, defaultValue: 'ASC', description: 'The direction; default ASC.' }),
  }),
});

/** Adds `campaign(id)` and `campaigns(filter, sort, …)` for a resource. */
export function defineQueries(resource: Resource): void {
  builder.queryField(resource.singular, (t) =>
    t.field({
      type: objectRefOf(resource.type),
      nullable: true,
      description: `One ${labelOf(resource.singular)} by id; null for an unknown id and for one of another network or environment.`,
      args: { id: t.arg.id({ required: true, description: 'Its decimal id.' }) },
      resolve: (_root, args, context, info) => {
        const id = decimalIdOf(resource.type, args.id);
        return id === null ? null : loadObject(context, resource.type, BigInt(id), selectionOf(resource, info).columns);
      },
    }),
  );
  const filterType = defineFilter(resource);
  const order = defineOrder(resource);
  builder.queryField(resource.plural, (t) =>
    t.field({
      type: connectionRefOf(resource.type) as never,
      description: `The ${labelOf(resource.plural)} of the network, page by page, archived ones included unless a filter excludes them.`,
      args: {
        ...t.arg.connectionArgs(),
        filter: t.arg({ type: filterType, description: 'The filter; all parts must match.' }),
        sort: t.arg({ type: SortInput, description: 'In which order; default by id, ascending.' }),
        where: t.arg({
          type: whereRefOf(resource.type),
          description: 'A filter by any field, and by the objects that belong to them; beside `filter`.',
        }),
        orderBy: t.arg({ type: order, description: 'In which order, by any field; instead of `sort`.' }),
      },
      resolve: (_root, args, context, info) => {
        const filter = (args.filter ?? {}) as Readonly<Record<string, unknown>>;
        const request = {
          conditions: readConditions(resource, filter),
          search: readSearch(resource, filter['search']),
          where: {
            kind: 'all' as const,
            of: [
              ...readPredicates(resource, filter),
              ...(args.where ? [readWhere(context, resource, args.where)] : []),
            ],
          },
          sort: args.orderBy ? sortKeyOf(resource, args.orderBy.field) : COMMON_SORTS[args.sort?.field ?? 'ID'],
          descending: (args.orderBy ?? args.sort)?.direction === 'DESC',
          selection: selectionOf(resource, info, IN_CONNECTION),
        };
        return readPage(context, resource, request, args) as never;
      },
    }),
  );
}

function defineOrder(resource: Resource) {
  const field = orderFieldRef(resource);
  return builder.inputType(`${resource.type}Order`, {
    description: `The order of a list of ${labelOf(resource.plural)}.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'What to sort by.' }),
      direction: t.field({ type: SortDirectionRef, defaultValue: 'ASC', description: 'The direction; default ASC.' }),
    }),
  });
}

const OWN_FILTERS: readonly Filter[] = [
  { name: 'ids', description: 'Only these.', kind: 'anyOf', column: 'id', type: 'ID' },
  {
    name: 'updatedSince',
    description: 'Only those changed at or after this instant.',
    kind: 'since',
    column: 'updated_at',
    type: 'DateTime',
  },
];

function defineFilter(resource: Resource) {
  return builder.inputType(`${resource.type}Filter`, {
    description: `Filters a list of ${labelOf(resource.plural)}. All given parts must match; a list means any of its values.`,
    fields: (t) => ({
      ...Object.fromEntries(
        [...OWN_FILTERS, ...resource.filters].map((filter) => [
          filter.name,
          t.field({
            type: (filter.kind === 'anyOf' || filter.kind === 'overlaps' ? [filter.type] : filter.type) as never,
            description: filter.description,
          }),
        ]),
      ),
      search: t.string({
        description:
          'Only those whose name (or code, or external id) contains this text, in any case; or that have this very id.',
      }),
    }),
  });
}

function readConditions(resource: Resource, filter: Readonly<Record<string, unknown>>): Condition[] {
  return [...OWN_FILTERS, ...resource.filters].flatMap((each) => {
    const value = filter[each.name];
    if (each.kind === 'holds' || value === null || value === undefined) return [];
    if (!Array.isArray(value))
      return [
        {
          column: each.column,
          kind: each.kind,
          value: each.type === 'ID' ? idOf(typeOfColumn(resource, each.column), value) : value,
        },
      ];
    if (value.length > FILTER_VALUES_MAX) throw tooManyValues(each.name, value.length);
    return [
      {
        column: each.column,
        kind: each.kind,
        value:
          each.type === 'ID'
            ? value.map((id) => idOf(typeOfColumn(resource, each.column), id))
            : bothForms(value, formOfColumn(resource, each.column)),
      },
    ];
  });
}

function formOfColumn({ fields }: Resource, column: string): Field['form'] {
  return fields.find(({ columns }) => columns[0] === column)?.form;
}

/** The filters that look into other tables. */
function readPredicates(resource: Resource, filter: Readonly<Record<string, unknown>>): Predicate[] {
  return resource.filters.flatMap((each) => {
    const value = filter[each.name];
    if (each.kind !== 'holds' || value === null || value === undefined) return [];
    if (Array.isArray(value) && value.length > FILTER_VALUES_MAX) throw tooManyValues(each.name, value.length);
    return [each.predicate(value)];
  });
}

function tooManyValues(name: string, count: number): PlacardError {
  return new PlacardError(
    'invalid_request',
    `filter.${name} has ${count} values; at most ${FILTER_VALUES_MAX} are taken.`,
  );
}

/** A malformed id matches nothing, as an unknown id does. */
function idOf(type: string, value: unknown): string {
  return decimalIdOf(type, value) ?? '0';
}

/** The type of the objects whose ids a column holds. */
function typeOfColumn(resource: Resource, column: string): string {
  const reference = resource.fields.find(({ columns }) => columns.includes(column))?.reference;
  return reference === undefined ? resource.type : resourceOfTable(reference.table).type;
}

function readSearch(resource: Resource, value: unknown): Search | null {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') return null;
  if (text.length > SEARCH_LENGTH_MAX || text.includes('\0')) {
    throw new PlacardError('invalid_request', `filter.search takes at most ${SEARCH_LENGTH_MAX} characters.`);
  }
  const forms = resource.searchColumns.flatMap((column): [string, string][] => {
    const form = formOfColumn(resource, column);
    return form === undefined ? [] : [[column, form(text)]];
  });
  return { text, columns: resource.searchColumns, forms: new Map(forms) };
}
