/** Heavy work of the Reports API beside ads: reports that read 90 days, and an export of more than a million rows. */
export interface HeavyPlan {
  readonly loadUrl: string;
  /** Credentials and content type. */
  readonly headers: Readonly<Record<string, string>>;
  /** Days back from the last filled day, both included, as a dateRange. */
  readonly lastDays: (count: number) => [string, string];
}

const RESPONSES_WANTED: ReadonlySet<number> = new Set([200, 503, 504]);

type Query = Readonly<Record<string, unknown>>;

function member(name: string): string {
  return `campaign_overview.${name}`;
}

/** Two at a time, one after the other: 90 days by week, creative and device, people counted. */
export function runHeavyReports(plan: HeavyPlan): () => Promise<number> {
  const query = (limit: number): Query => ({
    measures: ['impressions', 'clicks', 'revenue', 'unique_users', 'ctr'].map(member),
    dimensions: ['creative_id', 'device_type'].map(member),
    timeDimensions: [{ dimension: member('time'), granularity: 'week', dateRange: plan.lastDays(90) }],
    limit,
    cache: 'no-cache',
  });
  return repeatQueries(plan, [query(100), query(101)], 'application/json');
}

/** One after the other: 7 days by hour, creative and country as CSV, more than a million rows. */
export function runExport(plan: HeavyPlan): () => Promise<number> {
  const query = {
    measures: ['impressions', 'clicks', 'revenue'].map(member),
    dimensions: ['creative_id', 'country'].map(member),
    timeDimensions: [{ dimension: member('time'), granularity: 'hour', dateRange: plan.lastDays(7) }],
  };
  return repeatQueries(plan, [query], 'text/csv');
}

/** Repeats each query. Returns a function that stops at once and resolves with the received megabytes. */
function repeatQueries(plan: HeavyPlan, queries: readonly Query[], accept: string): () => Promise<number> {
  const stopped = new AbortController();
  let bytes = 0;
  const ask = async (query: Query): Promise<void> => {
    while (!stopped.signal.aborted) {
      const init = { method: 'POST', headers: { ...plan.headers, accept }, body: JSON.stringify({ query }) };
      const response = await fetch(plan.loadUrl, { ...init, signal: stopped.signal });
      // On a busy machine a query may exceed its budget, or wait too long for its turn; others still ran beside the bids.
      if (!RESPONSES_WANTED.has(response.status)) throw new Error(`The Reports API responded with ${response.status}`);
      for await (const chunk of response.body ?? []) bytes += chunk.length;
    }
  };
  const all = Promise.all(queries.map(ask)).catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });
  return async () => {
    stopped.abort();
    await all;
    return bytes / 1e6;
  };
}
