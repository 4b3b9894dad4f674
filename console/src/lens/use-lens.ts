import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { loadReportModel } from '../api/reports/report-members.ts';
import type { Scope } from '../api/transport/scope.ts';
import type { AppSearch } from '../session/app-search.ts';
import { useNetwork, useScope } from '../session/session.ts';
import { useNow } from '../ui/use-now.ts';
import { dateIn } from '../reports/calendar.ts';
import { checkRange, type RangeProblem, resolveRange } from '../reports/date-range.ts';
import { askableQueries, type CubeQuery, type LensMoment, type LensQueries } from '../reports/lens-query.ts';
import { LENS_PARAMS, type LensState, readLensParams, writeLensParams } from '../reports/lens-state.ts';
import type { ReportModel } from '../reports/report-model.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import type { ReportResult } from '../reports/report-rows.ts';

/** The members that may be queried in a network. */
export function modelQuery(scope: Scope) {
  return queryOptions({
    queryKey: ['report-model', scope.environment, scope.networkId],
    queryFn: ({ signal }): Promise<ReportModel> => loadReportModel(scope, signal),
    staleTime: 300_000,
    enabled: scope.networkId !== '',
  });
}

/** The state in the address, and how it is changed. */
export function useLensState(): readonly [LensState, (next: LensState) => void] {
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const state = useMemo(() => readLensParams(search), [search]);
  const change = useCallback(
    (next: LensState): void => {
      void navigate({
        to: '/lens',
        search: (previous: AppSearch) => {
          const others = Object.entries(previous).filter(
            ([name]) => !(LENS_PARAMS as readonly string[]).includes(name),
          );
          return { ...Object.fromEntries(others), ...writeLensParams(next) } as AppSearch;
        },
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [state, change];
}

/** The day and time zone that a state is looked at in; null without a network. A network's present time zone comes after that of the session. */
export function useMoment(state: Pick<LensState, 'timezone'>): LensMoment | null {
  const { membership } = useScope();
  const network = useNetwork();
  const nowMs = useNow();
  const timezone = state.timezone ?? network?.timezone ?? membership?.timezone ?? null;
  const today = timezone === null ? null : dateIn(timezone, nowMs);
  return useMemo(() => (timezone === null || today === null ? null : { timezone, today }), [timezone, today]);
}

const slowKey = ({ environment, networkId }: Scope, query: CubeQuery | undefined) => [
  'report-slow',
  environment,
  networkId,
  query,
];

/** Asks for the rows of a state, and says when the server needs longer. */
export function rowsQuery(client: QueryClient, scope: Scope, query: CubeQuery | null) {
  return reportQuery(scope, query, () => client.setQueryData(slowKey(scope, query ?? undefined), true));
}

/** Everything that draws a state: its reports, and how far they are. */
export interface LensReports {
  readonly queries: LensQueries | null;
  readonly moment: LensMoment | null;
  readonly rangeProblem: RangeProblem | null;
  readonly rows: ReportResult | undefined;
  readonly totals: ReportResult | undefined;
  readonly rowTotals: ReportResult | undefined;
  readonly columnTotals: ReportResult | undefined;
  readonly comparison: Record<'rows' | 'totals' | 'rowTotals' | 'columnTotals', ReportResult | undefined> | null;
  readonly error: unknown;
  readonly isFetching: boolean;
  /** Every report that the state needs is there. */
  readonly isReady: boolean;
  /** The server said that it needs longer. */
  readonly isSlow: boolean;
  refetch: () => void;
}

/** Asks everything that a state needs. */
export function useLensReports(state: LensState): LensReports {
  const { networkId, environment } = useScope();
  const scope = useMemo(() => ({ networkId, environment }), [networkId, environment]);
  const moment = useMoment(state);
  const range = moment === null ? null : resolveRange(state.range, moment.today);
  const rangeProblem = range === null ? null : checkRange(range);
  const queries = useMemo(() => (moment === null ? null : askableQueries(state, moment)), [moment, state]);
  const client = useQueryClient();
  const rows = useQuery(rowsQuery(client, scope, queries?.rows ?? null));
  const totals = useQuery(reportQuery(scope, queries?.totals ?? null));
  const rowTotals = useQuery(reportQuery(scope, queries?.rowTotals ?? null));
  const columnTotals = useQuery(reportQuery(scope, queries?.columnTotals ?? null));
  const otherRows = useQuery(reportQuery(scope, queries?.comparison?.rows ?? null));
  const otherTotals = useQuery(reportQuery(scope, queries?.comparison?.totals ?? null));
  const otherRowTotals = useQuery(reportQuery(scope, queries?.comparison?.rowTotals ?? null));
  const otherColumnTotals = useQuery(reportQuery(scope, queries?.comparison?.columnTotals ?? null));
  const slow = useQuery({ queryKey: slowKey(scope, queries?.rows), queryFn: () => false, enabled: false });
  const all = [rows, totals, rowTotals, columnTotals, otherRows, otherTotals, otherRowTotals, otherColumnTotals];
  const asked = all.filter((one) => one.isEnabled);
  return {
    queries,
    moment,
    rangeProblem,
    rows: queries === null ? undefined : rows.data,
    totals: totals.data,
    rowTotals: rowTotals.data,
    columnTotals: columnTotals.data,
    comparison:
      queries?.comparison === null || queries === null
        ? null
        : {
            rows: otherRows.data,
            totals: otherTotals.data,
            rowTotals: otherRowTotals.data,
            columnTotals: otherColumnTotals.data,
          },
    error: asked.find((one) => one.error !== null)?.error ?? null,
    isFetching: asked.some((one) => one.isFetching),
    isReady: queries !== null && asked.every((one) => one.data !== undefined),
    isSlow: rows.isFetching && slow.data === true,
    refetch: () => void client.invalidateQueries({ queryKey: ['report'] }),
  };
}
