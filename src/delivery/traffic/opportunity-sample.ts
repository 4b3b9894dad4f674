import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import { newUlid } from '../../domain/ids/ids.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { measureJson, writeOpportunityJson } from './opportunity-json.ts';
import {
  OPPORTUNITY_CHARS_MAX,
  OPPORTUNITY_SAMPLE_COLUMNS,
  OPPORTUNITY_SAMPLES_TABLE,
  BUCKETS,
  bucketOf,
} from './opportunity-sample.olap.ts';
import type { OpportunitySampleRow } from './opportunity-sample.olap.ts';

/** The most sampled opportunities of one workspace in one slice, and of one worker (one per workspace, where there are more workspaces). */
const SLICE_MAX = 400;
const ALL_MAX = 20_000;
/** The same in characters of JSON. */
const SLICE_CHARS_MAX = 4 * 1_048_576;
const ALL_CHARS_MAX = 32 * 1_048_576;
/** The most opportunities of one user in one slice: more requests than this come from a machine. */
const OF_USER_MAX = 30;
/** A worker's first slice of a workspace is short, so that there is a sample soon; each slice is twice as long as the one before. */
const FIRST_SLICE_MS = 60_000;
const SLICE_MS_MAX = 3_600_000;
const FLUSH_MS = 10_000;
/** Slices that wait for the analytics store; the oldest are dropped. */
const WAITING_MAX = 200;
const WAITING_BYTES_MAX = 64 * 1_048_576;
/** Opportunities that are encoded without a break. */
const ENCODED_AT_ONCE = 32;

interface SampledOpportunity {
  readonly atMs: number;
  readonly bucket: number;
  readonly hasUser: boolean;
  /** A string, not the object: short texts of the object could keep the whole request in memory. */
  readonly json: string;
}

interface Slice {
  readonly fromMs: number;
  readonly endsAtMs: number;
  met: number;
  /** Buckets below this one are sampled. */
  share: number;
  entries: SampledOpportunity[];
  /** Of all entries' JSON. */
  chars: number;
}

/** The parts of a recorder. */
export interface RecorderDeps {
  /** Null: nothing is sampled. */
  readonly olap: Pick<Olap, 'insertRaw'> | null;
  readonly nowMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Log;
}

/**
 * Samples each workspace's opportunities by user, for forecasts. Each user belongs to a bucket by hash; a request without a user gets a
 * random one. A slice of time holds all requests of the lowest buckets, as many as fit. Opportunities above `OPPORTUNITY_CHARS_MAX` are
 * counted and not sampled. Samples of different slices and workers fit together: below their smallest `share`, they hold all requests of
 * the same users. A slice goes to the analytics store when it ends, without the user's hash. A worker that is killed loses its open slices.
 */
export class OpportunityRecorder {
  readonly #deps: RecorderDeps;
  readonly #slices = new Map<number, Slice>();
  readonly #lengths = new Map<number, number>();
  readonly #waiting: { readonly token: string; readonly body: Buffer }[] = [];
  #kept = 0;
  #chars = 0;
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

  /** Counts an opportunity, and samples it if its bucket is low enough. */
  record(opportunity: Opportunity, nowMs: number): void {
    if (this.#deps.olap === null) return;
    const { workspaceId, userHash } = opportunity;
    let slice = this.#slices.get(workspaceId);
    if (slice === undefined) this.#slices.set(workspaceId, (slice = this.#newSlice(workspaceId, nowMs)));
    slice.met += 1;
    const bucket = userHash === '' ? Math.floor(this.#deps.random() * BUCKETS) : bucketOf(userHash);
    if (bucket >= slice.share || hasTooMany(slice.entries, bucket)) return;
    const json = writeWithin({ ...opportunity, userHash: '', householdHash: '' });
    if (json === null) return;
    slice.entries.push({ atMs: nowMs, bucket, hasUser: userHash !== '', json });
    this.#kept += 1;
    slice.chars += json.length;
    this.#chars += json.length;
    while (slice.entries.length > SLICE_MAX || slice.chars > SLICE_CHARS_MAX) this.#shrink(slice);
    // The largest slice shrinks, so that busy workspaces share the capacity: shrinking a slice with few users would cut all other slices
    // of its workspace.
    let removed = 1;
    while (removed > 0 && (this.#kept > ALL_MAX || this.#chars > ALL_CHARS_MAX))
      removed = this.#shrink(this.#largest(slice));
  }

  /** Sends the slices that have ended. Slices that cannot be sent wait for the next call. Never rejects. */
  async flush(isLast = false): Promise<void> {
    const { olap, nowMs, log } = this.#deps;
    if (olap === null) return;
    const atMs = nowMs();
    for (const [workspaceId, slice] of this.#slices) {
      if (!isLast && atMs < slice.endsAtMs) continue;
      this.#slices.delete(workspaceId);
      this.#kept -= slice.entries.length;
      this.#chars -= slice.chars;
      if (slice.entries.length === 0) continue;
      try {
        this.#waiting.push(await encodeSlice(workspaceId, slice, atMs));
      } catch (error) {
        log.event('forecast.sample_dropped', { err: error, workspaceId });
      }
    }
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        await olap.insertRaw({ table: OPPORTUNITY_SAMPLES_TABLE, columns: OPPORTUNITY_SAMPLE_COLUMNS, ...next });
        this.#waiting.shift();
      }
    } catch (error) {
      log.event('forecast.samples_waiting', { err: error, slices: this.#waiting.length });
    }
    let bytes = this.#waiting.reduce((sum, { body }) => sum + body.length, 0);
    while (this.#waiting.length > WAITING_MAX || bytes > WAITING_BYTES_MAX)
      bytes -= this.#waiting.shift()?.body.length ?? 0;
  }

  #newSlice(workspaceId: number, fromMs: number): Slice {
    const lengthMs = this.#lengths.get(workspaceId) ?? FIRST_SLICE_MS;
    this.#lengths.set(workspaceId, Math.min(SLICE_MS_MAX, lengthMs * 2));
    return { fromMs, endsAtMs: fromMs + lengthMs, met: 0, share: BUCKETS, entries: [], chars: 0 };
  }

  #largest(first: Slice): Slice {
    let largest = first;
    for (const slice of this.#slices.values()) if (slice.chars > largest.chars) largest = slice;
    return largest;
  }

  /**
   * Drops the highest bucket. If there is only one, drops its last request, because an empty slice would be lost. Returns the number of
   * dropped requests.
   */
  #shrink(slice: Slice): number {
    const before = slice.entries.length;
    const chars = slice.chars;
    const highest = slice.entries.reduce((high, { bucket }) => Math.max(high, bucket), 0);
    const lower = slice.entries.filter(({ bucket }) => bucket < highest);
    if (lower.length > 0) {
      slice.share = highest;
      slice.entries = lower;
    } else if (before > 1) slice.entries.pop();
    slice.chars = slice.entries.reduce((sum, { json }) => sum + json.length, 0);
    this.#kept -= before - slice.entries.length;
    this.#chars -= chars - slice.chars;
    return before - slice.entries.length;
  }
}

/** Null for an opportunity that is too large. */
function writeWithin(opportunity: Opportunity): string | null {
  if (measureJson(opportunity, OPPORTUNITY_CHARS_MAX) > OPPORTUNITY_CHARS_MAX) return null;
  const json = writeOpportunityJson(opportunity);
  return json.length > OPPORTUNITY_CHARS_MAX ? null : json;
}

/** Encoding some hundred opportunities takes milliseconds: requests are served in between. */
async function encodeSlice(
  workspaceId: number,
  slice: Slice,
  untilMs: number,
): Promise<{ readonly token: string; readonly body: Buffer }> {
  const sliceId = newUlid(untilMs);
  const parts: Buffer[] = [];
  for (let from = 0; from < slice.entries.length; from += ENCODED_AT_ONCE) {
    const lines = slice.entries.slice(from, from + ENCODED_AT_ONCE).map(({ atMs, bucket, hasUser, json }) => {
      const sample: OpportunitySampleRow = {
        workspace_id: workspaceId,
        slice_id: sliceId,
        from_ms: slice.fromMs,
        until_ms: untilMs,
        met: slice.met,
        share: slice.share,
        at_ms: atMs,
        place: bucket,
        is_reader: hasUser ? 1 : 0,
        opportunity: json,
      };
      return `${JSON.stringify(sample)}\n`;
    });
    parts.push(Buffer.from(lines.join('')));
    await nextTurn();
  }
  return { token: `sample-${sliceId}`, body: Buffer.concat(parts) };
}

function hasTooMany(entries: readonly SampledOpportunity[], bucket: number): boolean {
  let count = 0;
  for (const entry of entries) if (entry.bucket === bucket) count += 1;
  return count >= OF_USER_MAX;
}
