import { PlacardError } from '../../domain/errors.ts';
import type { TenantScope } from '../compile/compile-query.olap.ts';
import type { SavedQueryPlan } from '../legacy/report-plan.ts';
import { compileStored, REPORT_ROWS_MAX } from '../legacy/report-query.ts';
import type { MemberIndex } from '../model/member-index.ts';
import { normalizeRequest } from '../query/normalize.ts';
import { isObject } from '../query/query-shape.ts';

/** When and for whom a saved query runs. */
export interface SavedQueryClock {
  /** The instant that relative dates of the query refer to. */
  readonly nowMs: number;
  /** The network's own zone. */
  readonly timezoneDefault: string;
  readonly tenant: TenantScope;
  /** The members that the network can query. */
  readonly index: MemberIndex;
}

const QUERY_BYTES_MAX = 100_000;

/**
 * Reads a saved query as `/load` would, its dates resolved. A query without a limit of its own has all of its rows.
 * @throws PlacardError `invalid_request` for what `/load` does not take, for several queries in one, and for compareDateRange
 */
export function planSavedQuery(query: unknown, clock: SavedQueryClock): SavedQueryPlan {
  const { nowMs, timezoneDefault, tenant, index } = clock;
  if (JSON.stringify(query).length > QUERY_BYTES_MAX) {
    throw new PlacardError('invalid_request', `The query is over ${QUERY_BYTES_MAX} characters.`);
  }
  const { type, queries } = normalizeRequest(query, { nowMs, timezoneDefault });
  const [normalized] = queries;
  if (type !== 'regularQuery' || normalized === undefined) {
    throw new PlacardError('invalid_request', 'A schedule runs one query: no list of them, and no compareDateRange.');
  }
  const hasLimit = isObject(query) && query['limit'] !== undefined;
  const plan = { savedQuery: hasLimit ? normalized : { ...normalized, limit: REPORT_ROWS_MAX } };
  compileStored(plan, { tenant, index, nowMs });
  return plan;
}
