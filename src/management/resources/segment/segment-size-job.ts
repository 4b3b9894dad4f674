import type { Kysely } from 'kysely';
import type { Log } from '../../../domain/log/log.ts';
import { SEGMENT_SIZE_DAYS } from '../../../domain/targeting/segment.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import { startOfDayBefore } from '../../../domain/time/time-zone.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { sizeCounters } from './segment-size.ts';
import {
  deleteSizesBefore,
  listSegmentWorkspaces,
  listUnmeasured,
  type MeasuredSegment,
  recordSizes,
  type SegmentWorkspace,
} from './segment-sizes.sql.ts';

const WAITS = { firstMs: 30_000, everyMs: 3_600_000, retryMs: 60_000 } as const;
const WORKSPACES_OF_A_PAGE = 500;
/** Segments that are measured together: at most 365 counters each. */
const SEGMENTS_OF_A_PAGE = 25;

/** Dependencies of the job. */
export interface SegmentSizeDeps {
  readonly sql: Kysely<Database>;
  readonly hot: Pick<HotStore, 'readCounters'>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Records the size of each active segment once on each day of its network, and deletes sizes that are too old. */
export class SegmentSizeJob extends RecurringJob {
  readonly #deps: SegmentSizeDeps;

  constructor(deps: SegmentSizeDeps) {
    super(WAITS);
    this.#deps = deps;
  }

  /** Measures what has no size for the present day, and returns how many sizes were written. @throws what the stores throw */
  async run(): Promise<number> {
    let written = 0;
    let after = 0;
    while (!this.isStopped) {
      const workspaces = await listSegmentWorkspaces(this.#deps.sql, after, WORKSPACES_OF_A_PAGE);
      for (const workspace of workspaces) written += await this.#measure(workspace);
      const last = workspaces.at(-1);
      if (last === undefined || workspaces.length < WORKSPACES_OF_A_PAGE) break;
      after = last.workspaceId;
    }
    return written;
  }

  async #measure({ workspaceId, timezone }: SegmentWorkspace): Promise<number> {
    const { sql, nowMs } = this.#deps;
    const now = nowMs();
    const day = localDay(now, timezone);
    await deleteSizesBefore(
      sql,
      workspaceId,
      localDay(startOfDayBefore(timezone, now, SEGMENT_SIZE_DAYS.most - 1), timezone),
    );
    let written = 0;
    let after = 0n;
    while (!this.isStopped) {
      const segments = await listUnmeasured(sql, workspaceId, { day, after, rowsMax: SEGMENTS_OF_A_PAGE });
      const sizes = await this.#sizesOf(workspaceId, segments, now);
      const found = segments.map(({ id }, at) => ({ segmentId: id, day, size: sizes[at] ?? 0n }));
      written += await recordSizes(sql, workspaceId, found);
      const last = segments.at(-1);
      if (last === undefined || segments.length < SEGMENTS_OF_A_PAGE) break;
      after = last.id;
    }
    return written;
  }

  async #sizesOf(workspaceId: number, segments: readonly MeasuredSegment[], nowMs: number): Promise<bigint[]> {
    const keys = segments.map((segment) => sizeCounters(workspaceId, segment, nowMs));
    const counts = (await this.#deps.hot.readCounters(keys.flat())).values();
    return segments.map(({ uploaded }, at) =>
      (keys[at] ?? []).reduce((sum) => sum + (counts.next().value ?? 0n), uploaded),
    );
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('segments.sizes_not_recorded', { err: error });
  }
}
