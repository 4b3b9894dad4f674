import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ListFilter, ListPage, PageRequest } from '../api/bookings/desk-list.ts';
import type { Scope } from '../api/transport/scope.ts';
import type { AppSearch } from '../session/app-search.ts';
import {
  DESK_PARAMS,
  type DeskState,
  type KnownColumns,
  readDeskParams,
  toFilter,
  writeDeskParams,
} from './desk-state.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const PAGE_ROWS = 50;
/** Counters move all the time; a table of a few pages follows. */
const REFRESH_MS = 60_000;
const REFRESHED_PAGES_MAX = 4;

/** The state in the address, and how it is changed. `replace`: without a step in the browser's history, for typing. */
export function useDeskState(knownColumns: KnownColumns) {
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const state = useMemo(() => readDeskParams(search, knownColumns), [search, knownColumns]);
  const change = useCallback(
    (next: Partial<DeskState>, replace = false): void => {
      void navigate({
        to: '.',
        search: (previous: AppSearch) => {
          const others = Object.entries(previous).filter(
            ([name]) => !(DESK_PARAMS as readonly string[]).includes(name),
          );
          const written = writeDeskParams({ ...readDeskParams(previous, knownColumns), ...next });
          return { ...Object.fromEntries(others), ...written } as AppSearch;
        },
        replace,
        resetScroll: false,
      });
    },
    [navigate, knownColumns],
  );
  return [state, change] as const;
}

/** How a list is read. `narrow`: filters that are not in the address. */
interface ListSource<Row> {
  readonly name: string;
  readonly load: (scope: Scope, request: PageRequest, signal: AbortSignal) => Promise<ListPage<Row>>;
  readonly narrow?: ListFilter;
}

/** The rows of a state, page after page. */
export function useDeskList<Row>(state: DeskState, { name, load, narrow }: ListSource<Row>) {
  const scope = useDeskScope();
  const filter = { ...toFilter(state), ...narrow };
  const { sort } = state;
  const list = useInfiniteQuery({
    queryKey: [...deskKey(scope), name, filter, sort],
    queryFn: ({ pageParam, signal }) => load(scope, { filter, sort, first: PAGE_ROWS, after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.endCursor,
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) > REFRESHED_PAGES_MAX ? false : REFRESH_MS),
    enabled: scope.networkId !== '',
  });
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const more = useCallback((): void => {
    if (!isFetching) void fetchNextPage();
  }, [isFetching, fetchNextPage]);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows), [list.data]);
  return {
    rows,
    total: list.data?.pages[0]?.totalCount ?? rows?.length ?? 0,
    error: list.error,
    isPending: list.isPending,
    isStale: list.isPlaceholderData,
    onMore: hasNextPage ? more : null,
    refetch: () => void list.refetch(),
  };
}
