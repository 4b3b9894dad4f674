import type { IncomingMessage } from 'node:http';
import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import { splitByteLines } from '../../domain/text/byte-lines.ts';
import { readBodyChunks } from '../../http/shared/body-lines.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { addPortion, type BulkJobKey } from './bulk-jobs.sql.ts';
import { isBlank, LINE_BYTES_MAX } from './bulk-rows.ts';

/** The most lines of an upload, blank ones included. */
export const LINES_MAX = 100_000;
/** The most bytes of an upload, both as it is sent and inflated. */
export const UPLOAD_BYTES_MAX = 100_000_000;
/** A job is processed in portions of so many lines, or of fewer long ones. */
const PORTION_LINES = 500;
const PORTION_BYTES = 2_000_000;
/** A slower upload would keep one of the few jobs of its network from others. */
const BYTES_PER_SECOND_MIN = 16_384;
const LINE_FEED = Buffer.from('\n');

/**
 * Stores the rows of an upload as they come, in flat memory. Nothing looks into a line here.
 * @returns how many rows there are
 * @throws PlacardError `payload_too_large`, `quota_exceeded`, `request_timeout`, and what the body throws
 */
export async function uploadRows(
  db: Kysely<Database>,
  job: BulkJobKey,
  incoming: IncomingMessage,
  requireSpace: (bytes: number) => Promise<void>,
): Promise<number> {
  const chunks = readBodyChunks(incoming, {
    bytesMax: UPLOAD_BYTES_MAX,
    inflatedBytesMax: UPLOAD_BYTES_MAX,
    bytesPerSecondMin: BYTES_PER_SECOND_MIN,
  });
  const portion = new Portion();
  let number = 0;
  let rows = 0;
  const store = async (): Promise<void> => {
    rows += portion.rows;
    await requireSpace(portion.bytes);
    const { firstLine, rows: own } = portion;
    const isThere = await addPortion(db, job, { number, firstLine, rows: own, input: portion.empty() });
    if (!isThere) throw new PlacardError('request_timeout', 'The upload was idle for too long; send it again.');
    number += 1;
  };
  for await (const line of splitByteLines(chunks, { lineBytesMax: LINE_BYTES_MAX })) {
    if (portion.nextLine > LINES_MAX)
      throw new PlacardError('payload_too_large', `A job has at most ${LINES_MAX} lines; send several.`);
    portion.add(line);
    if (portion.isFull()) await store();
  }
  if (portion.rows > 0) await store();
  return rows;
}

/** Lines on their way into the database. */
class Portion {
  /** The number of its first line, from 1. */
  firstLine = 1;
  rows = 0;
  bytes = 0;
  #lines: Buffer[] = [];
  #count = 0;

  /** The number of the line that comes next. */
  get nextLine(): number {
    return this.firstLine + this.#count;
  }

  add(line: Buffer): void {
    this.#lines.push(line, LINE_FEED);
    this.#count += 1;
    this.bytes += line.length + 1;
    if (!isBlank(line)) this.rows += 1;
  }

  isFull(): boolean {
    return this.#count >= PORTION_LINES || this.bytes >= PORTION_BYTES;
  }

  /** Returns its lines; the next line begins another portion. */
  empty(): Buffer {
    const input = Buffer.concat(this.#lines);
    this.firstLine = this.nextLine;
    this.#lines = [];
    this.#count = 0;
    this.rows = 0;
    this.bytes = 0;
    return input;
  }
}
