import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { inspectDecision } from '../api/bookings/inspection.ts';
import type { AppSearch } from '../session/app-search.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import {
  type InspectorState,
  readInspectorParams,
  toInspectionInput,
  writeInspectorParams,
} from './inspector-state.ts';

/** The state in the address, and how it is changed. */
export function useInspectorState() {
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const state = useMemo(() => readInspectorParams(search), [search]);
  const change = useCallback(
    (next: Partial<InspectorState>): void => {
      void navigate({
        to: '.',
        search: (previous: AppSearch) => writeInspectorParams(previous, { ...readInspectorParams(previous), ...next }),
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [state, change] as const;
}

/** The inspection of a state; nothing is asked while it describes no request. */
export function useInspection(state: InspectorState) {
  const scope = useDeskScope();
  const input = toInspectionInput(state);
  const isAsked = input !== null && input !== 'faulty';
  const inspection = useQuery({
    queryKey: [...deskKey(scope), 'inspection', input],
    queryFn: ({ signal }) => inspectDecision(scope, input as object, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: isAsked && scope.networkId !== '',
  });
  return { ...inspection, isAsked };
}
