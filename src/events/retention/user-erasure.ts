import type { Kysely } from 'kysely';
import { frequencyUserPrefix } from '../../domain/frequency/frequency-key.ts';
import { segmentUserPrefixes } from '../../domain/targeting/segment-membership.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { repeatKey } from '../activities/repeat-interval.ts';
import { userHashColumn } from '../recording/event-rows.ts';
import { userTouchKey } from '../tracking/touch.ts';
import { anonymiseEvents } from './user-erasure.olap.ts';
import { readActivityIds } from './user-erasure.sql.ts';

/** The counts of an erasure. */
export interface ErasedUser {
  /** Counters of frequency caps and positions in sequences. */
  readonly frequencyCounters: number;
  /** 1 when the user was in any segment, or had been removed from one. */
  readonly segmentLists: number;
  /** Lists of clicks and impressions that conversions would be attributed to. */
  readonly touchLists: number;
  /** Intervals in which an activity of the user does not count again. */
  readonly activityIntervals: number;
  /** Stored events that had the user's hash, and stay without it. */
  readonly events: number;
  /** Exported files that held the user, and were written again. */
  readonly exportedFiles: number;
}

/** Exported files, of which an erasure rewrites those that hold the user. */
export interface ErasableExport {
  erase<T>(
    workspaceId: number,
    userHash: string,
    eraseStored: () => Promise<T>,
  ): Promise<{ readonly files: number; readonly stored: T }>;
}

/** The stores that hold data of users. */
export interface ErasureStores {
  readonly sql: Kysely<Database>;
  readonly hot: HotStore;
  readonly olap: Olap;
  /** Null: events are not exported. */
  readonly exported: ErasableExport | null;
}

/**
 * Removes a user of one workspace from every store. A repeat is harmless, and also finds data that was on its way to a store the first
 * time.
 *
 * @param userHash as `hashUser` gives it; not ''
 */
export async function eraseUser(stores: ErasureStores, workspaceId: number, userHash: string): Promise<ErasedUser> {
  const { sql, hot, olap, exported } = stores;
  const intervals = (await readActivityIds(sql, workspaceId)).map((id) => repeatKey(workspaceId, id, '', userHash));
  const [segmentList, ...segmentMarks] = segmentUserPrefixes(workspaceId, userHash);
  const [frequencyCounters = 0, segmentLists = 0, clickLists = 0, impressionLists = 0, ...others] =
    await hot.deletePrefixes([
      frequencyUserPrefix(workspaceId, userHash),
      segmentList,
      userTouchKey('click', workspaceId, userHash),
      userTouchKey('view', workspaceId, userHash),
      ...intervals,
      ...segmentMarks,
    ]);
  const column = userHashColumn(userHash);
  const eraseStored = (): Promise<number> => anonymiseEvents(olap, workspaceId, column);
  const { files, stored } =
    exported === null
      ? { files: 0, stored: await eraseStored() }
      : await exported.erase(workspaceId, column, eraseStored);
  const erased = {
    frequencyCounters,
    segmentLists,
    touchLists: clickLists + impressionLists,
    activityIntervals: others.slice(0, intervals.length).reduce((sum, count) => sum + count, 0),
    events: stored,
    exportedFiles: files,
  };
  await hot.flushed();
  return erased;
}
