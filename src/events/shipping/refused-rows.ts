import { OlapError } from '../../storage/olap/olap.ts';

/**
 * ClickHouse's numbers (src/Common/ErrorCodes.cpp) for rows that it cannot read: the same text is refused whenever it is sent, and
 * nothing of its insert was stored. Every other failure may be the store's own, or may come after a part was stored.
 */
const UNREADABLE_ROW_CODES: ReadonlySet<number> = new Set([
  6, // CANNOT_PARSE_TEXT
  25, // CANNOT_PARSE_ESCAPE_SEQUENCE
  26, // CANNOT_PARSE_QUOTED_STRING
  27, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  32, // ATTEMPT_TO_READ_AFTER_EOF
  33, // CANNOT_READ_ALL_DATA
  38, // CANNOT_PARSE_DATE
  41, // CANNOT_PARSE_DATETIME
  53, // TYPE_MISMATCH
  69, // ARGUMENT_OUT_OF_BOUND
  70, // CANNOT_CONVERT_TYPE
  72, // CANNOT_PARSE_NUMBER
  117, // INCORRECT_DATA
  131, // TOO_LARGE_STRING_SIZE
  349, // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  407, // DECIMAL_OVERFLOW
  467, // CANNOT_PARSE_BOOL
  691, // UNKNOWN_ELEMENT_OF_ENUM
]);

/** When the store refuses this many rows and accepts none, the fault lies with the store or the schema. */
const REFUSED_ALONE_MAX = 100;

/** The store refuses all rows. None becomes a dead letter: the file waits until the store is repaired. */
export class AllRefusedError extends Error {
  override readonly name = 'AllRefusedError';
}

/** True when the same rows would be refused again, whenever they are sent, and none of them was stored. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof OlapError &&
    !error.retryable &&
    (error.code === 'too_large' || (error.serverCode !== null && UNREADABLE_ROW_CODES.has(error.serverCode)))
  );
}

/** Inserts rows under a token: all of them or none. @throws OlapError */
type InsertRows<Row> = (rows: readonly Row[], token: string) => Promise<void>;

/**
 * Inserts all rows except those that the store refuses for their content, which it finds by halving. Each half has its own token, fixed by
 * its position, so that a repeat after a crash inserts nothing twice.
 * @returns the refused rows
 * @throws AllRefusedError when the store seems to refuse every row; OlapError when the store fails otherwise
 */
export async function insertReadable<Row>(
  insert: InsertRows<Row>,
  rows: readonly Row[],
  token: string,
): Promise<readonly Row[]> {
  const refused: Row[] = [];
  let taken = 0;
  const tryRows = async (part: readonly Row[], name: string): Promise<void> => {
    try {
      await insert(part, name);
      taken += part.length;
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (part.length === 1) {
        refused.push(...part);
        if (taken === 0 && refused.length >= REFUSED_ALONE_MAX)
          throw new AllRefusedError(`The analytics store refused ${refused.length} rows and took none`, {
            cause: error,
          });
        return;
      }
    }
    const middle = Math.ceil(part.length / 2);
    await tryRows(part.slice(0, middle), `${name}-a`);
    await tryRows(part.slice(middle), `${name}-b`);
  };
  await tryRows(rows, token);
  return refused;
}
