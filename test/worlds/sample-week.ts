import { writeOpportunityJson } from '../../src/delivery/traffic/opportunity-json.ts';
import {
  OPPORTUNITY_SAMPLE_COLUMNS,
  OPPORTUNITY_SAMPLES_TABLE,
} from '../../src/delivery/traffic/opportunity-sample.olap.ts';
import type { OpportunitySampleRow } from '../../src/delivery/traffic/opportunity-sample.olap.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';
import { sampleOpportunity } from './sample-workspace.ts';

const HOUR_MS = 3_600_000;
const HOURS = 7 * 24;

/** Stores a sampled week of traffic of workspace 1 that ends at a whole hour. @param countriesAt the requests of an hour, by hour of the day in UTC */
export async function storeSampledWeek(
  olap: Pick<Olap, 'insertRaw'>,
  untilMs: number,
  countriesAt: (ofDay: number) => readonly string[],
): Promise<void> {
  const samples: OpportunitySampleRow[] = [];
  const fromMs = untilMs - HOURS * HOUR_MS;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const startMs = fromMs + hour * HOUR_MS;
    const countries = countriesAt(new Date(startMs).getUTCHours());
    for (const [at, country] of countries.entries())
      samples.push({
        workspace_id: 1,
        slice_id: `slice ${hour}`,
        from_ms: startMs,
        until_ms: startMs + HOUR_MS,
        met: countries.length,
        share: 2 ** 32,
        at_ms: startMs + at * 60_000,
        place: hour * 100 + at,
        is_reader: 0,
        opportunity: writeOpportunityJson(sampleOpportunity({ country, userHash: '' })),
      });
  }
  const body = Buffer.from(samples.map((sample) => JSON.stringify(sample)).join('\n'));
  const columns = OPPORTUNITY_SAMPLE_COLUMNS;
  await olap.insertRaw({ table: OPPORTUNITY_SAMPLES_TABLE, columns, body, token: 'sample' });
}
