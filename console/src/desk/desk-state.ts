import { DELIVERY_STATUSES, type DeliveryStatus, type ListFilter, type ListSort } from '../api/desk-list.ts';
import type { AppSearch } from '../app/app-search.ts';

/** What a table of the desk shows; the address holds all of it. */
export interface DeskState {
  readonly search: string;
  /** Empty: all but archived ones. */
  readonly statuses: readonly DeliveryStatus[];
  readonly advertiserId: string | null;
  readonly campaignId: string | null;
  readonly sort: ListSort;
  /** Ids of columns besides the name; null: the usual ones. */
  readonly columns: readonly string[] | null;
}

/** The parameters of an address that belong to a table. */
export const DESK_PARAMS = ['q', 'status', 'advertiser', 'campaign', 'sort', 'cols'] as const;

/** Newest first. */
export const USUAL_SORT: ListSort = { field: 'ID', direction: 'DESC' };

const SORT_NAMES = { id: 'ID', name: 'NAME', created: 'CREATED_AT', updated: 'UPDATED_AT' } as const;
const SEARCH_LENGTH_MAX = 200;
const ID = /^\d{1,19}$/;

/** Reads an address; what it says wrongly is left out. */
export function readDeskParams(search: AppSearch, knownColumns: readonly string[]): DeskState {
  const statuses = listOf(search['status']).map((one) => one.toUpperCase());
  const columns = search['cols'] === undefined ? null : listOf(search['cols']);
  return {
    search: (search['q'] ?? '').slice(0, SEARCH_LENGTH_MAX),
    statuses: DELIVERY_STATUSES.filter((one) => statuses.includes(one)),
    advertiserId: idOf(search['advertiser']),
    campaignId: idOf(search['campaign']),
    sort: readSort(search['sort']),
    columns: columns === null ? null : knownColumns.filter((one) => columns.includes(one)),
  };
}

/** The parameters of a state; those that say the usual are absent. */
export function writeDeskParams(state: DeskState): AppSearch {
  const { search, statuses, advertiserId, campaignId, columns } = state;
  const sort = writeSort(state.sort);
  return {
    ...(search === '' ? {} : { q: search }),
    ...(statuses.length === 0 ? {} : { status: statuses.join(',').toLowerCase() }),
    ...(advertiserId === null ? {} : { advertiser: advertiserId }),
    ...(campaignId === null ? {} : { campaign: campaignId }),
    ...(sort === writeSort(USUAL_SORT) ? {} : { sort }),
    ...(columns === null ? {} : { cols: columns.length === 0 ? 'name' : columns.join(',') }),
  };
}

/** The filter of a state, as the server has it. */
export function toFilter(state: DeskState): ListFilter {
  const { search, statuses, advertiserId, campaignId } = state;
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    statuses: statuses.length === 0 ? DELIVERY_STATUSES.filter((one) => one !== 'ARCHIVED') : statuses,
    ...(advertiserId === null ? {} : { advertiserIds: [advertiserId] }),
    ...(campaignId === null ? {} : { campaignIds: [campaignId] }),
  };
}

/** Whether a state narrows the list. */
export function isFiltered({ search, statuses, advertiserId, campaignId }: DeskState): boolean {
  return search.trim() !== '' || statuses.length > 0 || advertiserId !== null || campaignId !== null;
}

/** The order after a click on a heading: names from A, instants from the newest; a second click turns it round. */
export function nextSort(sort: ListSort, field: ListSort['field']): ListSort {
  const first = field === 'NAME' ? 'ASC' : 'DESC';
  if (sort.field !== field) return { field, direction: first };
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
  if (!isSortName(name)) return USUAL_SORT;
  return { field: SORT_NAMES[name], direction: text?.startsWith('-') === true ? 'DESC' : 'ASC' };
}

function isSortName(name: string): name is keyof typeof SORT_NAMES {
  return Object.hasOwn(SORT_NAMES, name);
}

function writeSort({ field, direction }: ListSort): string {
  const [name = 'id'] = Object.entries(SORT_NAMES).find(([, value]) => value === field) ?? [];
  return direction === 'DESC' ? `-${name}` : name;
}
