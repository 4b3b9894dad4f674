import { createHash } from 'node:crypto';
import type { CachedRows } from '../cache/result-cache.ts';
import type { PreparedLoad, PreparedQuery } from './load-query.ts';

/** The response to a load. */
export interface LoadBody {
  readonly body: Buffer;
  /** When the newest counted batch of events reached the store, ISO 8601; null: there is none. */
  readonly dataAsOf: string | null;
}

/** The parts that every response shares. */
export interface LoadBodyContext {
  readonly isMulti: boolean;
  readonly requestId: string;
  /** Up to when all events are in the analytics store, epoch milliseconds; null: not known. */
  readonly completeUntilMs: number | null;
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

/** Builds a response around rows that are JSON already. */
export function buildLoadBody(load: PreparedLoad, rows: readonly CachedRows[], context: LoadBodyContext): LoadBody {
  const results = load.queries.map((one, position) => resultParts(one, rows[position] as CachedRows, context));
  const dataAsOf = oldest(rows.map((one) => one.writtenAtMs));
  const [first = []] = results;
  if (!context.isMulti) return { body: Buffer.concat(first), dataAsOf };
  const parts = results.flatMap((result, position) => (position === 0 ? result : [Buffer.from(','), ...result]));
  return {
    body: Buffer.concat([
      Buffer.from(`{"queryType":"${load.type}","results":[`),
      ...parts,
      Buffer.from(`],"pivotQuery":${load.pivot.value},"slowQuery":false}`),
    ]),
    dataAsOf,
  };
}

function resultParts(one: PreparedQuery, rows: CachedRows, context: LoadBodyContext): Buffer[] {
  const { query, annotation } = one.description.value;
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
  return [
    Buffer.from(`{"query":${query},"data":`),
    rows.dataJson,
    Buffer.from(`,"annotation":${annotation},${JSON.stringify(rest).slice(1)}`),
  ];
}

function oldest(times: readonly (number | null)[]): string | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : toIso(Math.min(...known));
}

function toIso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
