import type { CubeQuery } from '../../reports/lens-query.ts';
import { type CompactData, readRows, type ReportResult } from '../../reports/report-rows.ts';
import { ApiProblem } from '../transport/problem.ts';
import { pathPrefix, type Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';

/** The Reports API's address of a network, without the origin. */
export function reportsPath({ networkId, environment }: Scope): string {
  return `${pathPrefix(environment)}/reports/${networkId}/v1`;
}

interface LoadBody {
  readonly error?: string;
  readonly results?: readonly {
    readonly data: CompactData;
    readonly total?: number;
    readonly lastRefreshTime?: string;
    readonly completeUntil?: string | null;
  }[];
}

/** Most requests for one report while the server says "Continue wait": some minutes in all. */
const WAITS_MAX = 30;

/**
 * Asks for rows, and keeps asking while the server says that it still computes.
 *
 * @throws ApiProblem; AbortError when the query is no longer wanted (the server then stops it).
 */
export async function loadReport(
  scope: Scope,
  query: CubeQuery,
  options: { readonly signal?: AbortSignal; readonly onWait?: () => void } = {},
): Promise<ReportResult> {
  const { signal, onWait } = options;
  const body = { query: { ...query, responseFormat: 'compact' }, queryType: 'multi' };
  for (let wait = 0; wait < WAITS_MAX; wait += 1) {
    const response = await sendJson<LoadBody>(`${reportsPath(scope)}/load`, {
      method: 'POST',
      body,
      ...(signal === undefined ? {} : { signal }),
    });
    const [result] = response.results ?? [];
    if (result !== undefined) {
      const rows = readRows(result.data);
      return {
        rows,
        total: result.total ?? rows.length,
        asOf: result.lastRefreshTime ?? null,
        completeUntil: result.completeUntil ?? null,
      };
    }
    if (response.error !== 'Continue wait') break;
    onWait?.();
  }
  throw new ApiProblem({ code: 'query_timeout', message: '', status: 504 });
}
