import type { QueryClient } from '@tanstack/react-query';
import type { AppSearch } from '../session/app-search.ts';
import { scopeOf, sessionQuery } from '../session/session.ts';
import { dateIn } from '../reports/calendar.ts';
import { preloadChart } from './lens-chart.tsx';
import { askableQueries } from '../reports/lens-query.ts';
import { isDrawn, readLensParams } from '../reports/lens-state.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import { modelQuery, rowsQuery } from './use-lens.ts';

/**
 * Asks everything that the Lens of an address shows, while the page is not drawn yet: it then finds its reports under way. A failure shows when the page is drawn.
 *
 * @throws ApiProblem when nobody is signed in
 */
export async function beginLens(client: QueryClient, search: AppSearch): Promise<void> {
  const state = readLensParams(search);
  if (isDrawn(state)) preloadChart();
  const { membership, ...scope } = scopeOf(await client.ensureQueryData(sessionQuery), search);
  if (membership === null) return;
  void client.prefetchQuery(modelQuery(scope));
  const timezone = state.timezone ?? membership.timezone;
  const queries = askableQueries(state, { timezone, today: dateIn(timezone, Date.now()) });
  if (queries === null) return;
  const { rows, totals, rowTotals, columnTotals, comparison } = queries;
  void client.prefetchQuery(rowsQuery(client, scope, rows));
  const compared = comparison === null ? [] : Object.values(comparison);
  for (const query of [totals, rowTotals, columnTotals, ...compared])
    if (query !== null) void client.prefetchQuery(reportQuery(scope, query));
}
