import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { readKeptReports } from './report-tasks.sql.ts';

const BYTES_PER_MEGABYTE = 1_000_000;

/** The owner of reports, and their quota in bytes. */
export interface ReportSpace {
  readonly workspaceId: number;
  readonly bytesMax: number;
}

/**
 * The bytes left for a report that has `reportBytes` already. Stored reports stay until they expire.
 * @throws PlacardError `report_space_used_up` when it does not fit beside the stored ones
 */
export async function reportBytesLeft(
  db: Kysely<Database>,
  { workspaceId, bytesMax }: ReportSpace,
  reportBytes: number = 0,
): Promise<number> {
  const { bytes, nextExpiry } = await readKeptReports(db, workspaceId);
  const left = bytesMax - bytes - reportBytes;
  if (left > 0) return left;
  const advice =
    nextExpiry === null
      ? 'Filter the report, split it by less, or take a shorter date_range.'
      : `Space becomes free as reports expire, next at ${nextExpiry.toISOString()}; create this one again then.`;
  throw new PlacardError(
    'report_space_used_up',
    `Finished reports may take ${inMegabytes(bytesMax)}; with this one they would take ${inMegabytes(bytes + reportBytes)} or more. ${advice}`,
  );
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / BYTES_PER_MEGABYTE)} MB`;
}
