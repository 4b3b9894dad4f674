import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { newUlid } from '../../domain/ids.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Opportunity } from '../opportunity.ts';
import { writeOpportunityJson } from './opportunity-json.ts';
import { OPPORTUNITY_SAMPLE_COLUMNS, OPPORTUNITY_SAMPLES_TABLE, PLACES, placeOf } from './opportunity-sample.olap.ts';
import type { OpportunitySampleRow } from './opportunity-sample.olap.ts';

/** Opportunities kept of one workspace in one slice, and by one worker in all (one of each workspace, where there are more). */
const SLICE_MAX = 400;
const ALL_MAX = 20_000;
/** Of one user in one slice: what asks more often is no reader. */
const OF_USER_MAX = 30;
/** A worker's first slice of a workspace is short, so that there is something to go by; each is twice as long as the one before. */
const FIRST_SLICE_MS = 60_000;
const SLICE_MS_MAX = 3_600_000;
const FLUSH_MS = 10_000;
/** Slices that wait for the analytics store; the oldest are given up. */
const WAITING_MAX = 200;

interface SampledOpportunity {
  readonly atMs: number;
  readonly place: number;
  readonly opportunity: Opportunity;
}

interface Slice {
  readonly fromMs: number;
  readonly endsAtMs: number;
  met: number;
  /** Places below this one are kept. */
  share: number;
  entries: SampledOpportunity[];
}

/** What a recorder needs. */
export interface RecorderDeps {
  /** Null: nothing is sampled. */
  readonly olap: Pick<Olap, 'insertRaw'> | null;
  readonly nowMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
}

/**
 * Samples each workspace's opportunities, for forecasts, by reader: everybody has a place (a part of the user's hash; without user
 * each request has one by chance), and a slice of time keeps all requests of those with the lowest places, as many as there is
 * room for. So what is kept of different slices and workers fits together: below the smallest `share` of them, it is all
 * requests of the same readers. Slices go to the analytics store when they end, without the user's hash; those of a killed
 * worker are lost.
 */
export class OpportunityRecorder {
  readonly #deps: RecorderDeps;
  readonly #slices = new Map<number, Slice>();
  readonly #lengths = new Map<number, number>();
  readonly #waiting: { readonly token: string; readonly body: Buffer }[] = [];
  #kept = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> = Promise.resolve();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#deps.olap === null) return;
    this.#timer = setInterval(() => {
      this.#flushing = this.#flushing.then(() => this.flush());
    }, FLUSH_MS).unref();
  }

  /** Ends all slices. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#flushing;
    await this.flush(true);
  }

  /** Takes an opportunity into account; mostly without keeping it. */
  note(opportunity: Opportunity, nowMs: number): void {
    if (this.#deps.olap === null) return;
    const { workspaceId, userHash } = opportunity;
    let slice = this.#slices.get(workspaceId);
    if (slice === undefined) this.#slices.set(workspaceId, (slice = this.#newSlice(workspaceId, nowMs)));
    slice.met += 1;
    const place = userHash === '' ? Math.floor(this.#deps.random() * PLACES) : placeOf(userHash);
    if (place >= slice.share || isMuch(slice.entries, place)) return;
    slice.entries.push({ atMs: nowMs, place, opportunity });
    this.#kept += 1;
    if (slice.entries.length > SLICE_MAX) this.#shrink(slice);
    // Of the largest, so that busy workspaces share the room: a slice of next to nobody would cut all others of its workspace.
    if (this.#kept > ALL_MAX) this.#shrink(this.#largest(slice));
  }

  /** Sends the slices that have ended. What cannot be sent waits for the next time. Never rejects. */
  async flush(isLast = false): Promise<void> {
    const { olap, nowMs, log } = this.#deps;
    if (olap === null) return;
    const atMs = nowMs();
    for (const [workspaceId, slice] of this.#slices) {
      if (!isLast && atMs < slice.endsAtMs) continue;
      this.#slices.delete(workspaceId);
      this.#kept -= slice.entries.length;
      if (slice.entries.length > 0) this.#waiting.push(this.#encode(workspaceId, slice, atMs));
      // Writing down some hundred opportunities takes milliseconds: requests are answered in between.
      await nextTurn();
    }
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        await olap.insertRaw({ table: OPPORTUNITY_SAMPLES_TABLE, columns: OPPORTUNITY_SAMPLE_COLUMNS, ...next });
        this.#waiting.shift();
      }
    } catch (error) {
      log.warn(
        { err: error, slices: this.#waiting.length },
        'samples for forecasts could not be stored; they are kept for later',
      );
    }
    this.#waiting.splice(0, this.#waiting.length - WAITING_MAX);
  }

  #newSlice(workspaceId: number, fromMs: number): Slice {
    const lengthMs = this.#lengths.get(workspaceId) ?? FIRST_SLICE_MS;
    this.#lengths.set(workspaceId, Math.min(SLICE_MS_MAX, lengthMs * 2));
    return { fromMs, endsAtMs: fromMs + lengthMs, met: 0, share: PLACES, entries: [] };
  }

  #largest(first: Slice): Slice {
    let largest = first;
    for (const slice of this.#slices.values()) if (slice.entries.length > largest.entries.length) largest = slice;
    return largest;
  }

  /** Lets those at the highest place go; of a single place its last request, because without any the slice would be lost. */
  #shrink(slice: Slice): void {
    const before = slice.entries.length;
    const highest = slice.entries.reduce((high, { place }) => Math.max(high, place), 0);
    const lower = slice.entries.filter(({ place }) => place < highest);
    if (lower.length > 0) {
      slice.share = highest;
      slice.entries = lower;
    } else if (before > 1) slice.entries.pop();
    this.#kept -= before - slice.entries.length;
  }

  #encode(workspaceId: number, slice: Slice, untilMs: number): { token: string; body: Buffer } {
    const sliceId = newUlid(untilMs);
    const lines = slice.entries.map(({ atMs, place, opportunity }) => {
      const row: OpportunitySampleRow = {
        workspace_id: workspaceId,
        slice_id: sliceId,
        from_ms: slice.fromMs,
        until_ms: untilMs,
        met: slice.met,
        share: slice.share,
        at_ms: atMs,
        place,
        is_reader: opportunity.userHash === '' ? 0 : 1,
        opportunity: writeOpportunityJson({ ...opportunity, userHash: '' }),
      };
      return JSON.stringify(row);
    });
    return { token: `sample-${sliceId}`, body: Buffer.from(`${lines.join('\n')}\n`) };
  }
}

function isMuch(entries: readonly SampledOpportunity[], place: number): boolean {
  let count = 0;
  for (const entry of entries) if (entry.place === place) count += 1;
  return count >= OF_USER_MAX;
}
