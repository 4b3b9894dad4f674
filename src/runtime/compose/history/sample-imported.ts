import { seededRandom } from '../../../delivery/insight/forecast/seeded-random.ts';
import { writeOpportunityJson } from '../../../delivery/traffic/opportunity-json.ts';
import {
  BUCKETS,
  OPPORTUNITY_SAMPLE_COLUMNS,
  OPPORTUNITY_SAMPLES_TABLE,
  type OpportunitySampleRow,
} from '../../../delivery/traffic/opportunity-sample.olap.ts';
import { type ImportedUnit, opportunityOf } from '../../../demo/imported-opportunity.ts';
import { type ImportedRequests, readImportedRequests } from '../../../demo/imported-requests.olap.ts';
import { readImportedUnits } from '../../../demo/imported-units.sql.ts';
import type { Olap } from '../../../storage/olap/olap.ts';
import type { Sql } from '../../../storage/sql/postgres.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** As far back as forecasts look. */
const SAMPLED_DAYS = 14;
/** About so many requests of a workspace are sampled. */
const SAMPLED = 15_000;
/** Its users come so often in these days, on average. */
const REQUESTS_EACH = 12;
const SEED = 20_261;

/**
 * Samples the requests of imported history as workers sample live ones, so that forecasts follow from what reports show: all requests of
 * some users, hour by hour. Safe to repeat with the same id. @throws OlapError
 */
export async function sampleImported(
  { olap, sql }: { readonly olap: Olap; readonly sql: Sql['db'] },
  { id, atMs }: { readonly id: string; readonly atMs: number },
): Promise<void> {
  const requests = await readImportedRequests(olap, atMs - SAMPLED_DAYS * DAY_MS);
  await sampleRequests({ olap, sql }, { id, requests });
}

/** Samples requests of any workspaces under a name that is used once. Safe to repeat. @throws OlapError */
export async function sampleRequests(
  { olap, sql }: { readonly olap: Olap; readonly sql: Sql['db'] },
  { id, requests }: { readonly id: string; readonly requests: readonly ImportedRequests[] },
): Promise<void> {
  const units = await readImportedUnits(sql);
  for (const [workspaceId, own] of Map.groupBy(requests, (one) => one.workspaceId)) {
    const all = own.reduce((sum, one) => sum + one.requests, 0);
    const share = Math.min(1, SAMPLED / all);
    const users = Math.max(1, Math.round((all * share) / REQUESTS_EACH));
    const random = seededRandom(SEED);
    const byDay = Map.groupBy(own, ({ hourMs }) => Math.floor(hourMs / DAY_MS));
    for (const [day, ofDay] of byDay) {
      const rows = [...Map.groupBy(ofDay, ({ hourMs }) => hourMs)].flatMap(([hourMs, ofHour]) =>
        sampleHour(ofHour, { sliceId: `${id}-${hourMs}`, units, share, users, random }),
      );
      if (rows.length === 0) continue;
      await olap.insertRaw({
        table: OPPORTUNITY_SAMPLES_TABLE,
        columns: OPPORTUNITY_SAMPLE_COLUMNS,
        token: `sample-${id}-${workspaceId}-${day}`,
        body: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
      });
    }
  }
}

interface Sampling {
  readonly sliceId: string;
  readonly units: ReadonlyMap<string, ImportedUnit>;
  /** Of all users. */
  readonly share: number;
  /** How many users are sampled. */
  readonly users: number;
  readonly random: () => number;
}

function sampleHour(
  ofHour: readonly ImportedRequests[],
  { sliceId, units, share, users, random }: Sampling,
): OpportunitySampleRow[] {
  const met = ofHour.reduce((sum, one) => sum + one.requests, 0);
  return ofHour.flatMap((alike) => {
    const unit = units.get(alike.adUnitId);
    if (unit === undefined) return [];
    const opportunity = writeOpportunityJson(opportunityOf(alike, unit));
    // On average exactly as many as the share.
    const count = Math.floor(alike.requests * share + random());
    return Array.from({ length: count }, (): OpportunitySampleRow => {
      const known = alike.npa === 0;
      const position = known ? Math.floor(random() * users) / users : random();
      return {
        workspace_id: alike.workspaceId,
        slice_id: sliceId,
        from_ms: alike.hourMs,
        until_ms: alike.hourMs + HOUR_MS,
        met,
        share: Math.floor(share * BUCKETS),
        at_ms: alike.hourMs + Math.floor(random() * HOUR_MS),
        place: Math.floor(position * share * BUCKETS),
        is_reader: known ? 1 : 0,
        opportunity,
      };
    });
  });
}
