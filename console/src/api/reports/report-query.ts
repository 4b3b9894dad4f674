import { queryOptions } from '@tanstack/react-query';
import { loadReport } from './reports.ts';
import type { Scope } from '../transport/scope.ts';
import type { CubeQuery } from '../../reports/lens-query.ts';
import type { ReportResult } from '../../reports/report-rows.ts';

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
