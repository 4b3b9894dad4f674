import { queryOptions } from '@tanstack/react-query';
import { loadReport } from '../api/reports.ts';
import type { Scope } from '../api/scope.ts';
import type { CubeQuery } from './lens-query.ts';
import type { ReportResult } from './report-rows.ts';

/** Options for one query of the Reports API; what nobody looks at any more is cancelled. */
export function reportQuery(scope: Scope, query: CubeQuery | null, onWait?: () => void) {
  return queryOptions({
    queryKey: ['report', scope.environment, scope.networkId, query],
    queryFn: ({ signal }): Promise<ReportResult> => {
      if (query === null) throw new Error('There is no query to ask');
      return loadReport(scope, query, onWait === undefined ? { signal } : { signal, onWait });
    },
    enabled: query !== null && scope.networkId !== '',
    staleTime: 60_000,
    gcTime: 120_000,
  });
}
