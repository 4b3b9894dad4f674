import { createHash } from 'node:crypto';
import { COMPRESS_ABOVE_BYTES } from '../../http/shared/response-encoding.ts';
import type { CachedRows } from '../cache/result-cache.ts';
import type { PreparedLoad, PreparedQuery } from './load-query.ts';
import { joinGzip, startGzip, type GzipStart } from './gzip-start.ts';

/** The response to a load. */
export interface LoadBody {
  readonly body: Buffer;
  /** The body is compressed. */
  readonly encoding: 'gzip' | null;
  /** When the newest counted batch of events reached the store, ISO 8601; null: there is none. */
  readonly dataAsOf: string | null;
}

/** The parts that every response shares. */
export interface LoadBodyContext {
  readonly isMulti: boolean;
  readonly requestId: string;
  /** Up to when all events are in the analytics store, epoch milliseconds; null: not known. */
  readonly completeUntilMs: number | null;
  /** The client prefers gzip; a body is compressed where this is cheaper than afterwards. */
  readonly isGzipPreferred: boolean;
}

/** Bodies up to this size are retained, without what differs from one response to the next. */
const RETAINED_BYTES_MAX = 65_536;

/** The part of a body that stays while query and rows do: everything up to the annotation. */
interface RetainedStart {
  readonly dataJson: Buffer;
  readonly bytes: Buffer;
  gzip: GzipStart | null;
  uses: number;
}

interface RetainedTag {
  readonly text: string;
  readonly etag: string;
}

/** Builds responses, and retains their parts for as long as the prepared request is used. */
export class LoadBodies {
  readonly #starts = new WeakMap<PreparedLoad, RetainedStart>();
  readonly #tags = new WeakMap<PreparedLoad, RetainedTag>();

  /** See {@link etagOf}. */
  etagOf(load: PreparedLoad, versions: readonly string[], form: string): string {
    const text = `${form}\n${versions.join('\n')}`;
    const known = this.#tags.get(load);
    if (known?.text === text) return known.etag;
    const etag = etagOf(load, versions, form);
    this.#tags.set(load, { text, etag });
    return etag;
  }

  /** Builds a response around rows that are JSON already. */
  build(load: PreparedLoad, rows: readonly CachedRows[], context: LoadBodyContext): LoadBody {
    const [one, only] = [load.queries[0], rows[0]];
    if (rows.length !== 1 || one === undefined || only === undefined) return buildLoadBody(load, rows, context);
    const start = this.#startOf(load, one, only, context.isMulti);
    const end = Buffer.from(endOf(load, only, context));
    const dataAsOf = toIso(only.writtenAtMs);
    const isCompressed = context.isGzipPreferred && start.bytes.length + end.length > COMPRESS_ABOVE_BYTES;
    // The first response is compressed like any other: a result that is read once needs no retained copy.
    if (!isCompressed || start.uses < 2 || start.bytes.length > RETAINED_BYTES_MAX) {
      return { body: Buffer.concat([start.bytes, end]), encoding: null, dataAsOf };
    }
    start.gzip ??= startGzip(start.bytes);
    return { body: joinGzip(start.gzip, end), encoding: 'gzip', dataAsOf };
  }

  #startOf(load: PreparedLoad, one: PreparedQuery, rows: CachedRows, isMulti: boolean): RetainedStart {
    const known = this.#starts.get(load);
    if (known?.dataJson === rows.dataJson) {
      known.uses += 1;
      return known;
    }
    const head = isMulti ? headOfMulti(load) : '';
    const bytes = Buffer.concat([Buffer.from(head), ...startParts(one, rows)]);
    const made = { dataJson: rows.dataJson, bytes, gzip: null, uses: 1 };
    if (bytes.length <= RETAINED_BYTES_MAX) this.#starts.set(load, made);
    return made;
  }
}

/** What follows the part that stays, of a response with one result. */
function endOf(load: PreparedLoad, rows: CachedRows, context: LoadBodyContext): string {
  const end = endOfResult(rows, context);
  return context.isMulti ? `${end}${endOfMulti(load)}` : end;
}

function headOfMulti(load: PreparedLoad): string {
  return `{"queryType":"${load.type}","results":[`;
}

function endOfMulti(load: PreparedLoad): string {
  return `],"pivotQuery":${load.pivot.value},"slowQuery":false}`;
}

/** The entity tag of a response: weak, as the times in it may differ while its rows are the same. */
export function etagOf(load: PreparedLoad, versions: readonly string[], form: string): string {
  const hash = createHash('sha256').update(form);
  for (const [position, { key }] of load.queries.entries()) hash.update(`\n${key}\n${versions[position] ?? ''}`);
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Whether an `If-None-Match` header names the tag (RFC 9110 §13.1.2, weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const strong = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => strong(tag) === strong(etag));
}

/** A response with any number of results. */
function buildLoadBody(load: PreparedLoad, rows: readonly CachedRows[], context: LoadBodyContext): LoadBody {
  const results = load.queries.map((one, position) => resultParts(one, rows[position] as CachedRows, context));
  const dataAsOf = oldest(rows.map((one) => one.writtenAtMs));
  const [first = []] = results;
  if (!context.isMulti) return { body: Buffer.concat(first), encoding: null, dataAsOf };
  const parts = results.flatMap((result, position) => (position === 0 ? result : [Buffer.from(','), ...result]));
  return {
    body: Buffer.concat([Buffer.from(headOfMulti(load)), ...parts, Buffer.from(endOfMulti(load))]),
    encoding: null,
    dataAsOf,
  };
}

function resultParts(one: PreparedQuery, rows: CachedRows, context: LoadBodyContext): Buffer[] {
  return [...startParts(one, rows), Buffer.from(endOfResult(rows, context))];
}

function startParts(one: PreparedQuery, rows: CachedRows): Buffer[] {
  const { query, annotation } = one.description.value;
  return [Buffer.from(`{"query":${query},"data":`), rows.dataJson, Buffer.from(`,"annotation":${annotation},`)];
}

function endOfResult(rows: CachedRows, context: LoadBodyContext): string {
  const rest = {
    ...(rows.total === null ? {} : { total: rows.total }),
    lastRefreshTime: new Date(rows.verifiedAtMs).toISOString(),
    dataAsOf: toIso(rows.writtenAtMs),
    // Rows from the cache lack all events that came in since they were verified.
    completeUntil:
      context.completeUntilMs === null ? null : toIso(Math.min(context.completeUntilMs, rows.verifiedAtMs)),
    slowQuery: false,
    requestId: context.requestId,
  };
  return JSON.stringify(rest).slice(1);
}

function oldest(times: readonly (number | null)[]): string | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : toIso(Math.min(...known));
}

function toIso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
