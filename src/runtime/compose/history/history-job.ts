import { readCatalog } from '../../../delivery/snapshot/compiled-networks.ts';
import type { ImportedSum } from '../../../demo/imported-sums.olap.ts';
import type { Log } from '../../../domain/log/log.ts';
import { EVENT_COUNTERS } from '../../../domain/pricing/pricing-models.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { HistoryJob } from '../../../events/history/history-job.ts';
import type { BookedHour, WaitingImport } from '../../../events/history/history-imports.sql.ts';
import { addSums, type ReadSums } from './count-imported.ts';
import { sampleRequests } from './sample-imported.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { Olap } from '../../../storage/olap/olap.ts';
import type { Sql } from '../../../storage/sql/postgres.ts';

const NO_COUNTS = Object.fromEntries(EVENT_COUNTERS.map((counter) => [counter, 0n])) as ImportedSum['counts'];

/** The job that books what `importHistory` stored. @param follow works out what follows from new history at once */
export function openHistoryJob(
  {
    sql,
    olap,
    hot,
  }: { readonly sql: Sql['db']; readonly olap: Olap; readonly hot: Pick<HotStore, 'addNumbered' | 'flushed'> },
  { follow, nowMs, log }: { readonly follow: () => Promise<void>; readonly nowMs: () => number; readonly log: Log },
): HistoryJob {
  return new HistoryJob({
    sql,
    olap,
    openCounting: async () => {
      const catalog = await readCatalog(sql, nowMs());
      return (one, hours) =>
        addSums(hot, {
          readSums: readSumsOf(one, hours),
          catalog,
          nowMs: nowMs(),
          writer: `history/${one.workspaceId}`,
          // Ids of a workspace are a thousand apart: the parts of an import, two hundred at most, lie between them.
          firstNumber: Number(one.id),
        });
    },
    sample: ({ workspaceId, firstId, lastId }, requests) =>
      sampleRequests(
        { olap, sql },
        {
          id: `history-${workspaceId}-${firstId}-${lastId}`,
          requests: requests.map((one) => ({
            ...one,
            workspaceId,
            country: '',
            deviceType: '',
            os: '',
            browser: '',
            npa: 0,
          })),
        },
      ),
    follow,
    nowMs,
    log,
  });
}

/** The sums of hours in memory, as the analytics store would sum them up. */
function readSumsOf({ workspaceId }: WaitingImport, hours: readonly BookedHour[]): ReadSums {
  return ({ timezone, fromMs }) =>
    Promise.resolve(
      hours
        .filter(({ hourMs, lineItemId }) => hourMs >= fromMs && lineItemId !== 0n)
        .map(
          (hour): ImportedSum => ({
            workspaceId,
            advertiserId: String(hour.advertiserId),
            campaignId: String(hour.campaignId),
            lineItemId: String(hour.lineItemId),
            creativeId: hour.creativeId === 0n ? '' : String(hour.creativeId),
            day: timezone === null ? '' : localDay(hour.hourMs, timezone),
            served: hour.impressions,
            counts: {
              ...NO_COUNTS,
              imp: hour.impressions,
              clk: hour.clicks,
              conv: hour.conversions,
              spend: hour.revenueNanos,
            },
          }),
        ),
    );
}
