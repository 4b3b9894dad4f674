import { PlacardError } from '../../../domain/errors.ts';
import {
  readSegments,
  SEGMENT_ENTRIES_MAX,
  segmentListKey,
  writeSegmentEntry,
} from '../../../domain/targeting/segment-membership.ts';
import type { MemberCount } from './member-reservation.sql.ts';
import { hashUser, type UserIdKind } from '../../../domain/ids/user-hash.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';

/** Members written in one transaction of the hot store: it takes some milliseconds, so that other requests run in between. */
const BATCH_MEMBERS = 1_000;
/** Members of one claim of the hot store. */
const STEP_MEMBERS = 100;
/** Longest line in characters, and most lines of one upload. */
export const LINE_LENGTH_MAX = 1_000;
export const MEMBERS_MAX = 20_000_000;
const DAY_MS = 86_400_000;
/** How long a repeated step of one upload is recognized. */
const STEP_KNOWN_MS = 3_600_000;

/** The change that an upload makes to its members. */
export interface MembershipChange {
  readonly workspaceId: number;
  readonly segmentId: string;
  readonly generation: number;
  readonly remove: boolean;
  readonly idKind: UserIdKind;
  readonly days: number;
  /** The name of the upload; never used twice. */
  readonly uploadId: string;
}

/** The dependencies of writing members. */
export interface MembershipDeps {
  readonly hot: Pick<HotStore, 'applyOnceAll' | 'readList' | 'readListNow' | 'flushed'>;
  readonly userHashSecret: Buffer;
  nowMs(): number;
}

/** The lines of an upload, and the check before they are written. */
export interface MemberSource {
  readonly lines: AsyncIterable<string>;
  /** Called before a batch is written. */
  readonly reserve: (more: MemberCount) => Promise<void>;
}

/** How many lines were read, and how many members were added or removed (known members that come again do not count). */
export interface MembershipOutcome {
  readonly lines: number;
  readonly changed: number;
}

/** The progress of an upload; it is also valid when the upload fails. */
export interface MembershipProgress {
  lines: number;
  changed: number;
  /** Users that are new to all segments. */
  users: number;
}

/**
 * Adds or removes members in batches: one batch is in memory, whatever the size of the upload. Ids are hashed at once and stored
 * nowhere else.
 *
 * @param lines the lines, and `reserve`, which runs before new members are written
 * @param progress counts what has been written
 * @throws PlacardError `invalid_request` naming a line that is too long or has no id, and for over 20 million lines; what
 *   `reserve` throws
 */
export async function writeMembers(
  deps: MembershipDeps,
  change: MembershipChange,
  { lines, reserve }: MemberSource,
  progress: MembershipProgress,
): Promise<void> {
  const { uploadId } = change;
  let batches = 0;
  let batch = new Set<string>();
  const writeBatch = async (): Promise<void> => {
    batches += 1;
    await applyBatch(deps, change, { id: `${uploadId}/${batches}`, userHashes: [...batch], reserve, progress });
    batch = new Set();
  };
  for await (const line of lines) {
    progress.lines += 1;
    if (progress.lines > MEMBERS_MAX)
      throw new PlacardError('invalid_request', `An upload has at most ${MEMBERS_MAX} lines; send it in parts.`);
    const id = readMember(line, progress.lines);
    if (id === null) continue;
    batch.add(hashUser(deps.userHashSecret, change.workspaceId, change.idKind, id));
    if (batch.size >= BATCH_MEMBERS) await writeBatch();
  }
  if (batch.size > 0) await writeBatch();
  await deps.hot.flushed();
}

/** Parses the id of a line: `{"id": "…"}`, or the first column of CSV; null for an empty line and a CSV header. */
export function readMember(line: string, number: number): string | null {
  if (line.length > LINE_LENGTH_MAX) throw lineTooLong(number);
  const text = line.trim();
  if (text === '') return null;
  if (text.includes('\uFFFD')) throw badLine(number, 'is not UTF-8');
  const id = text.startsWith('{') ? readJsonId(text) : readCsvId(text);
  if (number === 1 && !text.startsWith('{') && /^(id|lu|aid|user_?id)$/i.test(id ?? '')) return null;
  if (id === null || id === '' || id.length > 200) throw badLine(number, 'has no id of 1 to 200 characters');
  return id;
}

function readJsonId(text: string): string | null {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

function readCsvId(text: string): string {
  const quoted = /^"((?:[^"]|"")*)"/.exec(text);
  return quoted === null ? (text.split(/[,;\t]/, 1)[0] ?? '').trim() : (quoted[1] ?? '').replaceAll('""', '"');
}

/** The error for a line over its limit. */
export function lineTooLong(number: number): PlacardError {
  return badLine(number, `is longer than ${LINE_LENGTH_MAX} characters`);
}

function badLine(number: number, what: string): PlacardError {
  return new PlacardError('invalid_request', `Line ${number} ${what}; nothing after it was taken.`, {
    details: { line: number },
  });
}

interface MemberBatch extends Pick<MemberSource, 'reserve'> {
  readonly id: string;
  readonly userHashes: readonly string[];
  readonly progress: MembershipProgress;
}

async function applyBatch(deps: MembershipDeps, change: MembershipChange, batch: MemberBatch): Promise<void> {
  const nowMs = deps.nowMs();
  const keys = batch.userHashes.map((userHash) => segmentListKey(change.workspaceId, userHash));
  const lists = await Promise.all(keys.map(async (key) => deps.hot.readListNow(key) ?? deps.hot.readList(key)));
  const present = new Map([[change.segmentId, change.generation]]);
  const expiresAtMs = change.remove ? 0 : nowMs + change.days * DAY_MS;
  const value = writeSegmentEntry({ segmentId: change.segmentId, generation: change.generation, expiresAtMs });
  // A removal must outlive the membership that it hides.
  const ttlMs = 400 * DAY_MS;
  const steps = Array.from({ length: Math.ceil(keys.length / STEP_MEMBERS) }, (_step, index) => ({
    key: `gs/${batch.id}/${index}`,
    value: '1',
    ttlMs: STEP_KNOWN_MS,
    pushes: keys
      .slice(index * STEP_MEMBERS, (index + 1) * STEP_MEMBERS)
      .map((key) => ({ key, value, max: SEGMENT_ENTRIES_MAX, ttlMs })),
  }));
  const changed = lists.filter((list) => readSegments(list, present, nowMs).length > 0 === change.remove).length;
  const users = lists.filter((list) => list.length === 0).length;
  await batch.reserve({ members: change.remove ? 0 : changed, users });
  // Counted before it is written: a failed batch may be in the store in part.
  batch.progress.changed += changed;
  batch.progress.users += users;
  await deps.hot.applyOnceAll(steps);
}
