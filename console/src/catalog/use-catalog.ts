import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type CatalogKind, loadCatalog } from '../api/bookings/catalog.ts';
import type { AppSearch } from '../session/app-search.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { KINDS } from './catalog-kinds.tsx';
import { type CatalogState, readCatalogParams, toCatalogFilter, writeCatalogParams } from './catalog-state.ts';

const PAGE_ROWS = 50;

/** The state in the address, and how it is changed. `replace`: without a step in the browser's history, for typing. */
export function useCatalogState() {
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const state = useMemo(() => readCatalogParams(search), [search]);
  const change = useCallback(
    (next: Partial<CatalogState>, replace = false): void => {
      void navigate({
        to: '.',
        search: (previous: AppSearch) => writeCatalogParams(previous, { ...readCatalogParams(previous), ...next }),
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [state, change] as const;
}

/** The objects of a kind that a state shows, page after page. */
export function useCatalogList<Kind extends CatalogKind>(kind: Kind, state: CatalogState) {
  const scope = useDeskScope();
  const filter = toCatalogFilter(state, KINDS[kind].statuses);
  const { sort } = state;
  const list = useInfiniteQuery({
    queryKey: [...deskKey(scope), 'catalog', kind, filter, sort],
    queryFn: ({ pageParam, signal }) =>
      loadCatalog(scope, kind, { filter, sort, first: PAGE_ROWS, after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.endCursor,
    placeholderData: (before) => before,
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
