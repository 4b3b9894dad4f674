import type { Log } from '../../domain/log/log.ts';
import type { SegmentObserver, SegmentSighting } from '../../domain/targeting/segment.ts';
import {
  readSegments,
  SEGMENT_ENTRIES_MAX,
  segmentDay,
  segmentDayKey,
  segmentListKey,
  segmentMemberKey,
  segmentPushKey,
  writeSegmentEntry,
} from '../../domain/targeting/segment-membership.ts';
import type { ApplyOnce, HotStore } from './hot-store.ts';

const DAY_MS = 86_400_000;
/** Sightings that may wait; more are left out. */
const WAITING_MAX = 20_000;
/** Sightings written in one step. */
const BATCH_MAX = 1_000;
const WRITE_EVERY_MS = 250;
/** Users that this process knows to be members already, so that it need not look again. */
const KNOWN_MAX = 100_000;
/** A membership is renewed when less than this share of its days is left: the list of a user keeps space for other segments. */
const RENEW_SHARE = 0.9;

/** Sightings since the start, by result. */
export interface MembershipStats {
  readonly written: number;
  readonly leftOut: number;
  readonly failures: number;
}

/**
 * Makes members of the users whom segment rules see: in the background, a bounded batch at a time. A crash may lose the sightings of
 * the last quarter of a second; the next one of the same user makes up for it.
 */
export class SegmentMemberships implements SegmentObserver {
  readonly #hot: Pick<HotStore, 'readListNow' | 'readList' | 'applyOnceAll'>;
  readonly #nowMs: () => number;
  readonly #log: Log;
  #waiting = new Map<string, SegmentSighting>();
  /** Until when a sighting of this user and segment changes nothing. */
  #known = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  readonly #stats = { written: 0, leftOut: 0, failures: 0 };

  constructor(deps: {
    readonly hot: Pick<HotStore, 'readListNow' | 'readList' | 'applyOnceAll'>;
    readonly nowMs: () => number;
    readonly log: Log;
  }) {
    this.#hot = deps.hot;
    this.#nowMs = deps.nowMs;
    this.#log = deps.log;
  }

  get stats(): MembershipStats {
    return this.#stats;
  }

  record(sighting: SegmentSighting): void {
    const key = sightingKey(sighting);
    if ((this.#known.get(key) ?? 0) > sighting.seenAtMs) return;
    if (this.#waiting.size >= WAITING_MAX) {
      this.#stats.leftOut += 1;
      return;
    }
    this.#waiting.set(key, sighting);
    this.#timer ??= setTimeout(() => this.#begin(), WRITE_EVERY_MS);
  }

  /** Writes what waits. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#begin();
    await this.#running;
  }

  #begin(): void {
    this.#timer = null;
    this.#running = this.#running.then(() => this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    const sightings = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (let from = 0; from < sightings.length; from += BATCH_MAX) {
      try {
        await this.#write(sightings.slice(from, from + BATCH_MAX));
      } catch (error) {
        this.#stats.failures += 1;
        this.#log.event('segments.members_not_written', { err: error });
      }
    }
  }

  async #write(sightings: readonly SegmentSighting[]): Promise<void> {
    const operations: ApplyOnce[] = [];
    for (const sighting of sightings) {
      if (await this.#isFresh(sighting)) continue;
      operations.push(...toOperations(sighting));
      this.#stats.written += 1;
    }
    if (operations.length > 0) await this.#hot.applyOnceAll(operations);
    for (const sighting of sightings) this.#remember(sighting);
  }

  /** Whether the user is a member already, for nearly as long as this sighting would make it. */
  async #isFresh(sighting: SegmentSighting): Promise<boolean> {
    const { segment } = sighting;
    const key = segmentListKey(sighting.workspaceId, sighting.userHash);
    const entries = this.#hot.readListNow(key) ?? (await this.#hot.readList(key));
    const renewedFromMs = sighting.seenAtMs + segment.membershipDays * DAY_MS * RENEW_SHARE;
    return readSegments(entries, new Map([[segment.id, segment.generation]]), renewedFromMs).length > 0;
  }

  #remember(sighting: SegmentSighting): void {
    if (this.#known.size >= KNOWN_MAX) this.#known = new Map();
    const renewAfterMs = sighting.segment.membershipDays * DAY_MS * (1 - RENEW_SHARE);
    this.#known.set(sightingKey(sighting), Math.min(sighting.seenAtMs, this.#nowMs()) + renewAfterMs);
  }
}

function sightingKey({ workspaceId, segment, userHash }: SegmentSighting): string {
  return `${workspaceId}/${segment.id}.${segment.generation}/${userHash}`;
}

/** One operation counts the user (once in the segment's days), the other makes it a member. */
function toOperations(sighting: SegmentSighting): ApplyOnce[] {
  const { workspaceId, userHash, segment, seenAtMs } = sighting;
  const ttlMs = segment.membershipDays * DAY_MS;
  const value = writeSegmentEntry({
    segmentId: segment.id,
    generation: segment.generation,
    expiresAtMs: seenAtMs + ttlMs,
  });
  const list = segmentListKey(workspaceId, userHash);
  return [
    {
      key: segmentMemberKey(sighting),
      value: '1',
      ttlMs,
      increments: [{ key: segmentDayKey(workspaceId, segment, segmentDay(seenAtMs)), by: 1n, ttlMs: ttlMs + DAY_MS }],
    },
    {
      key: segmentPushKey(sighting, seenAtMs),
      value: '1',
      ttlMs: 120_000,
      pushes: [{ key: list, value, max: SEGMENT_ENTRIES_MAX, ttlMs: 400 * DAY_MS }],
    },
  ];
}
