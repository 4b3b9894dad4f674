import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type LineItem,
  type ListFilter,
  loadLineItems,
  loadTabCounts,
  type TableWindow,
} from '../api/bookings/desk-list.ts';
import { type DeskState, toFilter } from '../tables/desk-state.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { combineWindows, type RowRange, WINDOW_ROWS, windowsOf } from './table-windows.ts';

/** A scroll that goes on asks for nothing: only where it rests, rows are read. */
const REST_MS = 80;
/** Counters move all the time; what is in view follows. */
const REFRESH_MS = 60_000;

/** What a table of line items shows. */
export interface LineItemTableState {
  /** Holes are rows that are not loaded; undefined: nothing is. */
  readonly rows: readonly (LineItem | undefined)[] | undefined;
  /** The loaded rows around those in view. */
  readonly inView: readonly LineItem[];
  readonly total: number;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly isStale: boolean;
  readonly onRange: (first: number, last: number) => void;
  readonly refetch: () => void;
}

/** The line items of a state: a window of them is read where a person looks, whatever the length of the list. */
export function useLineItemTable(state: DeskState, narrow?: ListFilter): LineItemTableState {
  const scope = useDeskScope();
  const { resting, onRange } = useRestingRange();
  const filter = useMemo(() => ({ ...toFilter(state), ...narrow }), [state, narrow]);
  const { sort, tab } = state;
  const windows = useMemo(() => windowsOf(resting), [resting]);
  const combine = useCallback(
    (results: UseQueryResult<TableWindow<LineItem>>[]) => combineWindows(windows, results),
    [windows],
  );
  const found = useQueries({
    queries: windows.map((at) => ({
      queryKey: [...deskKey(scope), 'lineItemTable', { filter, sort, tab }, at],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        loadLineItems(scope, { tab, filter, sort, offset: at * WINDOW_ROWS, first: WINDOW_ROWS }, signal),
      refetchInterval: REFRESH_MS,
      enabled: scope.networkId !== '',
    })),
    combine,
  });
  // What was shown stays until the first window of a new state is there.
  const [shown, setShown] = useState<Pick<LineItemTableState, 'rows' | 'inView' | 'total'> | null>(null);
  if (found.rows !== undefined && found.rows !== shown?.rows) setShown(found);
  const { rows, inView, total } = found.rows === undefined && shown !== null ? shown : found;
  return {
    rows,
    inView,
    total,
    error: found.error,
    isPending: found.rows === undefined && shown === null && found.error === null,
    isStale: found.rows === undefined && shown !== null,
    onRange,
    refetch: found.refetch,
  };
}

/** The rows where a scroll rests. While it goes on, the page around the table is not drawn again. */
function useRestingRange() {
  const [resting, setResting] = useState<RowRange>({ first: 0, last: 0 });
  const timer = useRef<number | undefined>(undefined);
  const onRange = useCallback((first: number, last: number): void => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(
      () => setResting((known) => (known.first === first && known.last === last ? known : { first, last })),
      REST_MS,
    );
  }, []);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return { resting, onRange };
}

/** How many line items each tab has, whatever tab is open. */
export function useTabCounts(state: DeskState, narrow?: ListFilter) {
  const scope = useDeskScope();
  const filter = { ...toFilter(state), ...narrow };
  return useQuery({
    queryKey: [...deskKey(scope), 'lineItemTabs', filter],
    queryFn: ({ signal }) => loadTabCounts(scope, filter, signal),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    enabled: scope.networkId !== '',
  }).data;
}
