import type { CatalogFilter, CatalogRow } from '../api/bookings/catalog.ts';
import type { ListSort } from '../api/bookings/desk-list.ts';
import type { AppSearch } from '../session/app-search.ts';

/** What a table of the catalogue shows; the address holds all of it. */
export interface CatalogState {
  readonly search: string;
  /** Empty: all but archived ones. */
  readonly statuses: readonly CatalogRow['status'][];
  /** Of creatives. Empty: any. */
  readonly reviews: readonly string[];
  /** Of ad units. */
  readonly siteId: string | null;
  /** Creatives as pictures instead of a table. */
  readonly isGallery: boolean;
  readonly sort: ListSort;
  /** The object in the side panel: its id, `NEW` for one that is being made, or null. */
  readonly open: string | null;
}

export const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
export const REVIEWS = ['PENDING', 'APPROVED', 'REJECTED'] as const;
export const NEW = 'new';

const PARAMS = ['q', 'status', 'review', 'site', 'view', 'sort', 'open'] as const;
const SORTS: Readonly<Record<string, ListSort['field']>> = { id: 'ID', name: 'NAME', updated: 'UPDATED_AT' };
const SEARCH_LENGTH_MAX = 200;
const ID = /^\d{1,19}$/;

/** Newest first. */
export const USUAL_SORT: ListSort = { field: 'ID', direction: 'DESC' };

/** Reads an address; what it says wrongly is left out. */
export function readCatalogParams(search: AppSearch): CatalogState {
  const { open, site } = search;
  return {
    search: (search['q'] ?? '').slice(0, SEARCH_LENGTH_MAX),
    statuses: listOf(search['status'], STATUSES),
    reviews: listOf(search['review'], REVIEWS),
    siteId: site !== undefined && ID.test(site) ? site : null,
    isGallery: search['view'] === 'pictures',
    sort: readSort(search['sort'] ?? ''),
    open: open !== undefined && (open === NEW || ID.test(open)) ? open : null,
  };
}

/** An address with a state; parameters that say the usual are absent, and those of other things stay. */
export function writeCatalogParams(previous: AppSearch, state: CatalogState): AppSearch {
  const others = Object.entries(previous).filter(([name]) => !(PARAMS as readonly string[]).includes(name));
  const { search, statuses, reviews, siteId, isGallery, open } = state;
  const sort = writeSort(state.sort);
  return {
    ...Object.fromEntries(others),
    ...(search === '' ? {} : { q: search }),
    ...(statuses.length === 0 ? {} : { status: statuses.join(',').toLowerCase() }),
    ...(reviews.length === 0 ? {} : { review: reviews.join(',').toLowerCase() }),
    ...(siteId === null ? {} : { site: siteId }),
    ...(isGallery ? { view: 'pictures' } : {}),
    ...(sort === writeSort(USUAL_SORT) ? {} : { sort }),
    ...(open === null ? {} : { open }),
  };
}

/** The filter of a state, as the server has it. @param statuses those that the kind has */
export function toCatalogFilter(state: CatalogState, statuses: readonly CatalogRow['status'][]): CatalogFilter {
  const { search, reviews, siteId } = state;
  const chosen = state.statuses.filter((one) => statuses.includes(one));
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    statuses: chosen.length === 0 ? statuses.filter((one) => one !== 'ARCHIVED') : chosen,
    ...(reviews.length === 0 ? {} : { reviewStates: reviews }),
    ...(siteId === null ? {} : { siteIds: [siteId] }),
  };
}

/** The filters of a table that shows the whole list. */
export const UNNARROWED = {
  search: '',
  statuses: [],
  reviews: [],
  siteId: null,
} as const satisfies Partial<CatalogState>;

/** Whether a state narrows the list. */
export function isNarrowed({ search, statuses, reviews, siteId }: CatalogState): boolean {
  return search.trim() !== '' || statuses.length > 0 || reviews.length > 0 || siteId !== null;
}

function listOf<Value extends string>(text: string | undefined, known: readonly Value[]): Value[] {
  const said = (text ?? '').toUpperCase().split(',');
  return known.filter((one) => said.includes(one));
}

function readSort(text: string): ListSort {
  const field = SORTS[text.replace(/^-/, '')];
  return field === undefined ? USUAL_SORT : { field, direction: text.startsWith('-') ? 'DESC' : 'ASC' };
}

function writeSort({ field, direction }: ListSort): string {
  const [name = 'id'] = Object.entries(SORTS).find(([, value]) => value === field) ?? [];
  return direction === 'DESC' ? `-${name}` : name;
}
