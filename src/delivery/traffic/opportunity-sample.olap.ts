import { mutate } from '../../storage/olap/mutate.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { OlapMigration } from '../../storage/olap/migrate-olap.ts';

/** Sampled opportunities of all delivery nodes, for forecasts. Only this module writes and reads the table. */
export const OPPORTUNITY_SAMPLES_TABLE = 'opportunity_samples';
/** How far back forecasts look, and the most opportunities that they use. */
const SAMPLE_DAYS = 14;
const SAMPLE_MAX = 20_000;
/** The same in bytes of their JSON. */
const SAMPLE_BYTES_MAX = 96 * 1_048_576;
/** The largest opportunity that is sampled, in characters of its JSON. */
export const OPPORTUNITY_CHARS_MAX = 32_768;
/** The same in bytes. Larger samples of an earlier version are skipped. */
const OPPORTUNITY_BYTES_MAX = 3 * OPPORTUNITY_CHARS_MAX;
const DAY_MS = 86_400_000;
const READ_TIMEOUT_MS = 20_000;

/** The number of sampling buckets of users. */
export const BUCKETS = 2 ** 32;
const BUCKET_DIGITS = 8;

/** The sampling bucket of a user: evenly distributed, as hashes are. @param userHash 16 hex digits */
export function bucketOf(userHash: string): number {
  return Number.parseInt(userHash.slice(0, BUCKET_DIGITS), 16);
}

/** A row of {@link OPPORTUNITY_SAMPLES_TABLE}: one opportunity with its slice. Instants are epoch milliseconds. */
export interface OpportunitySampleRow {
  readonly workspace_id: number;
  readonly slice_id: string;
  readonly from_ms: number;
  readonly until_ms: number;
  /** All opportunities of the slice. */
  readonly met: number;
  /** All buckets below this one were sampled. */
  readonly share: number;
  readonly at_ms: number;
  /** The user's bucket, below `BUCKETS`. */
  readonly place: number;
  /** 1: all requests of this bucket come from one user. 0: the user is unknown. */
  readonly is_reader: 0 | 1;
  /** As `writeOpportunityJson` writes it, without the user. */
  readonly opportunity: string;
}

export const OPPORTUNITY_SAMPLE_COLUMNS: readonly (keyof OpportunitySampleRow)[] = [
  'workspace_id',
  'slice_id',
  'from_ms',
  'until_ms',
  'met',
  'share',
  'at_ms',
  'place',
  'is_reader',
  'opportunity',
];

/** The table; rows live for 15 days. */
export const OPPORTUNITY_SAMPLE_MIGRATION: OlapMigration = {
  id: '0041-opportunity-samples',
  statements: (dialect) => [
    `CREATE TABLE IF NOT EXISTS ${dialect.stored(OPPORTUNITY_SAMPLES_TABLE)}${dialect.onCluster} (
  workspace_id UInt32,
  slice_id String CODEC(ZSTD(1)),
  from_ms UInt64 CODEC(ZSTD(1)),
  until_ms UInt64 CODEC(ZSTD(1)),
  met UInt64 CODEC(ZSTD(1)),
  share UInt64 CODEC(ZSTD(1)),
  at_ms UInt64 CODEC(ZSTD(1)),
  place UInt32,
  is_reader UInt8,
  opportunity String CODEC(ZSTD(3))
) ENGINE = ${dialect.mergeTree()}
ORDER BY (workspace_id, at_ms)
TTL toDateTime(intDiv(at_ms, 1000)) + INTERVAL 15 DAY
SETTINGS ${dialect.deduplicated}`,
    ...dialect.distribute(OPPORTUNITY_SAMPLES_TABLE, 'cityHash64(workspace_id, slice_id)'),
  ],
};

/** The extent of a workspace's samples, before they are read. */
export interface SampleFrame {
  /** The first and last instant of all slices, and the number of their opportunities. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly met: number;
  /** The sample holds all requests of all users with buckets below this one. */
  readonly share: number;
}

/**
 * The extent of the last 14 days over all nodes; null without samples. Its share leaves out the users whose rows would exceed `bytesMax`
 * (96 MiB). @throws OlapError
 */
export async function readSampleFrame(
  olap: Pick<Olap, 'query'>,
  workspaceId: number,
  nowMs: number,
  bytesMax = SAMPLE_BYTES_MAX,
): Promise<SampleFrame | null> {
  const [row] = await olap.query<Record<'first' | 'last' | 'met' | 'share', string>>({
    sql: `SELECT min(first_ms) AS first, max(last_ms) AS last, sum(slice_met) AS met, min(slice_share) AS share FROM (
  SELECT slice_id, any(from_ms) AS first_ms, any(until_ms) AS last_ms, any(met) AS slice_met, any(share) AS slice_share
  FROM ${OPPORTUNITY_SAMPLES_TABLE}
  WHERE workspace_id = {workspace: UInt32} AND at_ms >= {since: UInt64} GROUP BY slice_id
)`,
    params: { workspace: workspaceId, since: nowMs - SAMPLE_DAYS * DAY_MS },
    timeoutMs: READ_TIMEOUT_MS,
  });
  const met = Number(row?.met ?? 0);
  if (row === undefined || met === 0) return null;
  const frame = { fromMs: Number(row.first), untilMs: Number(row.last), met, share: Number(row.share) };
  return { ...frame, share: await readShareWithin(olap, workspaceId, frame, bytesMax) };
}

/** The lowest bucket whose rows, with those of all lower ones, would exceed the maximum; else the frame's share. */
async function readShareWithin(
  olap: Pick<Olap, 'query'>,
  workspaceId: number,
  frame: SampleFrame,
  bytesMax: number,
): Promise<number> {
  const [row] = await olap.query<{ share: string | null }>({
    sql: `SELECT minOrNull(place) AS share FROM (
  SELECT place, sum(length(opportunity)) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) AS bytes
  FROM ${OPPORTUNITY_SAMPLES_TABLE} WHERE ${ROWS_OF_FRAME}
) WHERE bytes > {bytesMax: UInt64}`,
    params: { workspace: workspaceId, since: frame.fromMs, share: frame.share, bytesMax },
    timeoutMs: READ_TIMEOUT_MS,
  });
  return Number(row?.share ?? frame.share);
}

const ROWS_OF_FRAME = `workspace_id = {workspace: UInt32} AND at_ms >= {since: UInt64} AND place < {share: UInt64}
  AND length(opportunity) <= ${OPPORTUNITY_BYTES_MAX}`;

/**
 * The rows of the frame as NDJSON (`at_ms`, `place`, `is_reader`, `opportunity`), lowest buckets first, one more than `rowsMax`: the bucket
 * of the last one is then the share. @throws OlapError
 */
export function streamSamples(
  olap: Pick<Olap, 'stream'>,
  workspaceId: number,
  frame: SampleFrame,
  rowsMax = SAMPLE_MAX,
): AsyncIterable<Buffer> {
  return olap.stream({
    sql: `SELECT at_ms, place, is_reader, opportunity FROM ${OPPORTUNITY_SAMPLES_TABLE}
WHERE ${ROWS_OF_FRAME}
ORDER BY place LIMIT ${Math.trunc(rowsMax) + 1}`,
    params: { workspace: workspaceId, since: frame.fromMs, share: frame.share },
    format: 'JSONEachRow',
    timeoutMs: READ_TIMEOUT_MS,
  });
}

/** One sampled opportunity, as `streamSamples` returns it. */
export interface StreamedSample {
  readonly at_ms: string | number;
  readonly place: number;
  readonly is_reader: number;
  readonly opportunity: string;
}

/** Whether the stream was cut: its last row then only marks the end. */
export function isCut(streamed: number): boolean {
  return streamed > SAMPLE_MAX;
}

/**
 * Erases the samples of a user, and those of any other user of the same bucket. Done when it returns.
 * @returns the number of erased requests. @throws OlapError
 */
export async function eraseUserSamples(olap: Olap, workspaceId: number, userHash: string): Promise<number> {
  const params = { workspace: workspaceId, place: bucketOf(userHash) };
  const where = 'workspace_id = {workspace: UInt32} AND place = {place: UInt32} AND is_reader = 1';
  const [row] = await olap.query<{ total: string }>({
    sql: `SELECT count() AS total FROM ${OPPORTUNITY_SAMPLES_TABLE} WHERE ${where}`,
    params,
    isFinal: true,
  });
  const total = Number(row?.total ?? 0);
  if (total > 0)
    await mutate(olap, {
      table: OPPORTUNITY_SAMPLES_TABLE,
      action: `DELETE WHERE ${where}`,
      params,
      mark: String(params.place),
    });
  return total;
}
