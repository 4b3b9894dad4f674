import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  LINE_ITEM_TABS,
  LINE_ITEM_TYPES,
  type LineItemTab,
  type LineItemType,
  type ListFilter,
  type ListSort,
  type SortField,
} from '../api/bookings/desk-list.ts';
import type { AppSearch } from '../session/app-search.ts';

/** What a table of the desk shows; the address holds all of it. */
export interface DeskState {
  readonly search: string;
  /** Of line items. Null: all. */
  readonly tab: LineItemTab | null;
  /** Empty: all but archived ones. */
  readonly statuses: readonly DeliveryStatus[];
  readonly advertiserId: string | null;
  readonly campaignId: string | null;
  /** Of line items. Empty: any. */
  readonly types: readonly LineItemType[];
  /** Empty: any. */
  readonly labels: readonly string[];
  /** Of line items. Null: any. */
  readonly level: number | null;
  /** Of line items: a dimension that their targeting tests, with a value where it is not empty. Null: any. */
  readonly targets: DeskTargets | null;
  readonly sort: ListSort;
  /** The name of a set of columns; null: the usual ones. */
  readonly set: string | null;
  /** Ids of columns besides the name, in their order; null: those of the set. */
  readonly columns: readonly string[] | null;
}

/** What a targeting tests. */
export interface DeskTargets {
  readonly dimension: FilteredDimension;
  readonly value: string;
}

/** The dimensions by which line items are filtered. */
export const FILTERED_DIMENSIONS = [
  'SITE',
  'AREA',
  'AD_UNIT',
  'COUNTRY',
  'DEVICE_TYPE',
  'SEGMENT',
  'KEY_VALUE',
] as const;
export type FilteredDimension = (typeof FILTERED_DIMENSIONS)[number];

/** The columns that a table knows. */
export interface KnownColumns {
  readonly all: readonly string[];
  readonly usual: readonly string[];
  /** Named sets. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
}

/** The parameters of an address that belong to a table. */
export const DESK_PARAMS = [
  'q',
  'tab',
  'status',
  'type',
  'advertiser',
  'campaign',
  'label',
  'level',
  'targets',
  'sort',
  'set',
  'cols',
] as const;

/** Newest first. */
export const USUAL_SORT: ListSort = { field: 'ID', direction: 'DESC' };

const SORT_NAMES: Readonly<Record<SortField, string>> = {
  ID: 'id',
  NAME: 'name',
  CREATED_AT: 'created',
  UPDATED_AT: 'updated',
  STARTS_AT: 'start',
  ENDS_AT: 'end',
  PACE: 'pace',
  IMPRESSIONS: 'impressions',
  SPEND: 'spend',
};
const SEARCH_LENGTH_MAX = 200;
const LABELS_MAX = 20;
const ID = /^\d{1,19}$/;

/** Reads an address; what it says wrongly is left out. */
export function readDeskParams(search: AppSearch, { all, sets }: KnownColumns): DeskState {
  const statuses = listOf(search['status']).map((one) => one.toUpperCase());
  const types = listOf(search['type']).map((one) => one.toUpperCase());
  const columns = search['cols'] === undefined ? null : listOf(search['cols']);
  const tab = (search['tab'] ?? '').toUpperCase();
  const set = search['set'];
  return {
    search: (search['q'] ?? '').slice(0, SEARCH_LENGTH_MAX),
    tab: LINE_ITEM_TABS.find((one) => one === tab) ?? null,
    statuses: DELIVERY_STATUSES.filter((one) => statuses.includes(one)),
    advertiserId: idOf(search['advertiser']),
    campaignId: idOf(search['campaign']),
    // Only line items have a type.
    types: all.includes('type') ? LINE_ITEM_TYPES.filter((one) => types.includes(one)) : [],
    labels: listOf(search['label']).slice(0, LABELS_MAX),
    level: all.includes('type') ? levelOf(search['level']) : null,
    targets: all.includes('type') ? targetsOf(search['targets']) : null,
    sort: readSort(search['sort']),
    set: set !== undefined && Object.hasOwn(sets, set) ? set : null,
    columns: columns === null ? null : [...new Set(columns)].filter((one) => all.includes(one)),
  };
}

/** The parameters of a state; those that say the usual are absent. */
export function writeDeskParams(state: DeskState): AppSearch {
  const { search, tab, statuses, types, advertiserId, campaignId, labels, level, targets, set, columns } = state;
  const sort = writeSort(state.sort);
  return {
    ...(search === '' ? {} : { q: search }),
    ...(tab === null ? {} : { tab: tab.toLowerCase() }),
    ...(statuses.length === 0 ? {} : { status: statuses.join(',').toLowerCase() }),
    ...(types.length === 0 ? {} : { type: types.join(',').toLowerCase() }),
    ...(advertiserId === null ? {} : { advertiser: advertiserId }),
    ...(campaignId === null ? {} : { campaign: campaignId }),
    ...(labels.length === 0 ? {} : { label: labels.join(',') }),
    ...(level === null ? {} : { level: String(level) }),
    ...(targets === null ? {} : { targets: `${targets.dimension.toLowerCase()}~${targets.value}` }),
    ...(sort === writeSort(USUAL_SORT) ? {} : { sort }),
    ...(set === null ? {} : { set }),
    ...(columns === null ? {} : { cols: columns.length === 0 ? 'name' : columns.join(',') }),
  };
}

/** The columns that a state shows, besides the name. */
export function shownColumns(
  state: Pick<DeskState, 'set' | 'columns'>,
  { usual, sets }: KnownColumns,
): readonly string[] {
  return state.columns ?? (state.set === null ? usual : (sets[state.set] ?? usual));
}

/** The filter of a state, as the server has it. */
export function toFilter(state: DeskState): ListFilter {
  const { search, statuses, types, advertiserId, campaignId, labels, level, targets } = state;
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    statuses: statuses.length === 0 ? DELIVERY_STATUSES.filter((one) => one !== 'ARCHIVED') : statuses,
    ...(types.length === 0 ? {} : { types }),
    ...(advertiserId === null ? {} : { advertiserIds: [advertiserId] }),
    ...(campaignId === null ? {} : { campaignIds: [campaignId] }),
    ...(labels.length === 0 ? {} : { labels }),
    ...(level === null ? {} : { levels: [level] }),
    ...(targets === null ? {} : { targets: toTargets(targets) }),
  };
}

/** No filter narrows the list, the tab apart. */
export const UNFILTERED = {
  search: '',
  statuses: [],
  types: [],
  advertiserId: null,
  campaignId: null,
  labels: [],
  level: null,
  targets: null,
} as const satisfies Partial<DeskState>;

/** How many filters are set, the search and the tab apart. */
export function countFilters(state: DeskState): number {
  const { statuses, types, advertiserId, campaignId, labels, level, targets } = state;
  const chosen = [statuses, types, labels].filter(({ length }) => length > 0).length;
  return chosen + [advertiserId, campaignId, level, targets].filter((one) => one !== null).length;
}

/** Whether a state narrows the list, the tab apart. */
export function isFiltered(state: DeskState): boolean {
  return state.search.trim() !== '' || countFilters(state) > 0;
}

/** Fields that are sorted from the smallest at the first click: names, ends, and who is furthest behind. */
const SMALLEST_FIRST: readonly SortField[] = ['NAME', 'STARTS_AT', 'ENDS_AT', 'PACE'];

/** The order after a click on a heading; a second click turns it round. */
export function nextSort(sort: ListSort, field: SortField): ListSort {
  if (sort.field !== field) return { field, direction: SMALLEST_FIRST.includes(field) ? 'ASC' : 'DESC' };
  return { field, direction: sort.direction === 'ASC' ? 'DESC' : 'ASC' };
}

function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((one) => one !== '');
}

function idOf(text: string | undefined): string | null {
  return text !== undefined && ID.test(text) ? text : null;
}

function readSort(text: string | undefined): ListSort {
  const name = (text ?? '').replace(/^-/, '');
  const [field] = (Object.entries(SORT_NAMES) as [SortField, string][]).find(([, one]) => one === name) ?? [];
  if (field === undefined) return USUAL_SORT;
  return { field, direction: text?.startsWith('-') === true ? 'DESC' : 'ASC' };
}

function writeSort({ field, direction }: ListSort): string {
  return direction === 'DESC' ? `-${SORT_NAMES[field]}` : SORT_NAMES[field];
}

/** The levels that a line item can have. */
export const LEVELS = Array.from({ length: 16 }, (_none, at) => at + 1);

function levelOf(text: string | undefined): number | null {
  return LEVELS.find((level) => String(level) === text) ?? null;
}

function targetsOf(text: string | undefined): DeskTargets | null {
  const [name = '', ...rest] = (text ?? '').split('~');
  const dimension = FILTERED_DIMENSIONS.find((one) => one === name.toUpperCase());
  return dimension === undefined ? null : { dimension, value: rest.join('~').slice(0, SEARCH_LENGTH_MAX) };
}

function toTargets({ dimension, value }: DeskTargets): NonNullable<ListFilter['targets']> {
  return value.trim() === '' ? { dimension } : { dimension, values: [value.trim()] };
}
