import type { Kysely, Transaction } from 'kysely';
import type { SegmentRule } from '../domain/targeting/segment.ts';
import { SEGMENT_SIZE_DAYS } from '../domain/targeting/segment.ts';
import { segmentDay, segmentDayKey } from '../domain/targeting/segment-membership.ts';
import { localDay } from '../domain/time/calendar.ts';
import { startOfDayBefore } from '../domain/time/time-zone.ts';
import type { CounterIncrement, HotStore } from '../storage/hot/hot-store.ts';
import type { Database } from '../storage/sql/schema.ts';
import { DEMO_NETWORK_ID, DEMO_TIMEZONE } from './booking.ts';
import { DEMO_SEGMENTS, type DemoSegment, sizeAtStart, usersOfDay } from './segments.ts';

const DAY_MS = 86_400_000;
/** From midnight back to the last upload on a Sunday evening. */
const UPLOADED_BEFORE_MIDNIGHT_MS = 6 * 3_600_000;
/** Increments of one numbered addition. */
const PART = 200;
/** How long the hot store knows that users were counted: far longer than a start that is repeated. */
const KNOWN_MS = 30 * DAY_MS;

/** Where a workspace's segments go. `midnightMs` is the beginning of the present day of the network. */
export interface SegmentSeed {
  readonly workspaceId: number;
  readonly activityId: bigint;
  readonly midnightMs: number;
}

/** Makes the demo's segments, with their sizes of the last months. */
export async function seedSegments(trx: Transaction<Database>, seed: SegmentSeed): Promise<void> {
  const { workspaceId, midnightMs } = seed;
  const today = dayNumber(midnightMs);
  const days = Array.from({ length: SEGMENT_SIZE_DAYS.usual }, (_one, back) => back);
  for (const segment of DEMO_SEGMENTS) {
    const { id } = await trx
      .insertInto('segments')
      .values({
        workspace_id: workspaceId,
        name: segment.name,
        description: segment.description,
        membership_days: segment.membershipDays,
        member_count: BigInt(segment.uploaded),
        uploaded_at: segment.uploaded === 0 ? null : lastUpload(midnightMs),
        rule: ruleOf(segment, seed.activityId),
        created_at: new Date(startOfDayBefore(DEMO_TIMEZONE, midnightMs, SEGMENT_SIZE_DAYS.usual)),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('segment_sizes')
      .values(
        days.map((back) => ({
          workspace_id: workspaceId,
          segment_id: id,
          day: localDay(startOfDayBefore(DEMO_TIMEZONE, midnightMs, back), DEMO_TIMEZONE),
          size: sizeAtStart(segment, today - back, today),
        })),
      )
      .execute();
  }
}

/** The calendar day of the demo's network, counted from 1970-01-01. */
function dayNumber(atMs: number): number {
  return segmentDay(Date.parse(`${localDay(atMs, DEMO_TIMEZONE)}T00:00:00Z`));
}

function lastUpload(midnightMs: number): Date {
  const sinceMonday = (dayNumber(midnightMs) + 3) % 7;
  return new Date(startOfDayBefore(DEMO_TIMEZONE, midnightMs, sinceMonday) - UPLOADED_BEFORE_MIDNIGHT_MS);
}

function ruleOf({ rule }: DemoSegment, activityId: bigint): string | null {
  if (rule === null) return null;
  const condition =
    'event' in rule
      ? ({ kind: 'activity', activityId: activityId.toString(), event: rule.event } as const)
      : ({ kind: 'keyValue', key: rule.key, values: rule.values } as const);
  return JSON.stringify({ any: [condition] } satisfies SegmentRule);
}

/** One making of the demo: its name is never used again. */
export interface CountedSegments {
  readonly id: string;
  /** The end of the history; null: a program before this one made it, without segments. */
  readonly atMs: number | null;
}

/**
 * Counts the users whom the rules of the demo's segments saw, once for each id, so that the sizes of now follow from those of the days before.
 */
export async function countDemoSegments(
  { sql, hot }: { readonly sql: Kysely<Database>; readonly hot: Pick<HotStore, 'addNumbered' | 'flushed'> },
  { id, atMs }: CountedSegments,
): Promise<void> {
  if (atMs === null) return;
  const rows = await sql
    .selectFrom('segments as s')
    .innerJoin('workspaces as w', 'w.id', 's.workspace_id')
    .select(['s.workspace_id', 's.id', 's.generation', 's.name'])
    .where('w.network_id', '=', BigInt(DEMO_NETWORK_ID))
    .where('s.rule', 'is not', null)
    .orderBy('s.workspace_id')
    .orderBy('s.id')
    .execute();
  const increments = rows.flatMap((row) => {
    const segment = DEMO_SEGMENTS.find(({ name }) => name === row.name);
    if (segment === undefined) return [];
    return countedDays(segment, atMs).map(
      ({ day, users, ttlMs }): CounterIncrement => ({
        key: segmentDayKey(row.workspace_id, { id: String(row.id), generation: row.generation }, day),
        by: BigInt(users),
        ttlMs,
      }),
    );
  });
  for (let at = 0; at < increments.length; at += PART)
    await hot.addNumbered({
      writer: `demo-segments/${id}`,
      number: 1 + at / PART,
      ttlMs: KNOWN_MS,
      increments: increments.slice(at, at + PART),
    });
  await hot.flushed();
}

/** Each day that still counts; of the present one, the part that is over. */
function countedDays(segment: DemoSegment, atMs: number): { day: number; users: number; ttlMs: number }[] {
  const today = segmentDay(atMs);
  return Array.from({ length: segment.membershipDays }, (_one, back) => {
    const share = back === 0 ? (atMs % DAY_MS) / DAY_MS : 1;
    return {
      day: today - back,
      users: Math.round(usersOfDay(segment, today - back) * share),
      ttlMs: (segment.membershipDays + 1 - back) * DAY_MS,
    };
  });
}
