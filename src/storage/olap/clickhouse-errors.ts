import { ClickHouseError } from '@clickhouse/client';
import { OlapError, type OlapErrorCode } from './olap.ts';

interface Meaning {
  readonly code: OlapErrorCode;
  readonly retryable: boolean;
}

const fixed = (code: OlapErrorCode): Meaning => ({ code, retryable: false });
const passing = (code: OlapErrorCode): Meaning => ({ code, retryable: true });

/** ClickHouse's error numbers (src/Common/ErrorCodes.cpp) that mean something to us; every other one is `failed`, not to be repeated. */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  6: fixed('invalid_query'),
  10: fixed('invalid_query'),
  16: fixed('invalid_query'),
  27: fixed('invalid_query'),
  36: fixed('invalid_query'),
  38: fixed('invalid_query'),
  41: fixed('invalid_query'),
  43: fixed('invalid_query'),
  46: fixed('invalid_query'),
  47: fixed('invalid_query'),
  53: fixed('invalid_query'),
  62: fixed('invalid_query'),
  115: fixed('invalid_query'),
  117: fixed('invalid_query'),
  164: fixed('invalid_query'),
  386: fixed('invalid_query'),
  456: fixed('invalid_query'),
  457: fixed('invalid_query'),
  60: fixed('unknown_table'),
  81: fixed('unknown_table'),
  158: fixed('too_large'),
  241: passing('too_large'),
  307: fixed('too_large'),
  396: fixed('too_large'),
  159: fixed('timeout'),
  160: fixed('timeout'),
  394: fixed('aborted'),
  192: fixed('unauthorized'),
  193: fixed('unauthorized'),
  194: fixed('unauthorized'),
  516: fixed('unauthorized'),
  202: passing('overloaded'),
  252: passing('overloaded'),
  74: passing('failed'),
  75: passing('failed'),
  76: passing('failed'),
  209: passing('failed'),
  210: passing('failed'),
  225: passing('failed'),
  236: passing('failed'),
  242: passing('failed'),
  243: passing('failed'),
  254: passing('failed'),
  279: passing('failed'),
  285: passing('failed'),
  286: passing('failed'),
  289: passing('failed'),
  319: passing('failed'),
  341: passing('failed'),
  999: passing('failed'),
  1001: passing('failed'),
};

/**
 * The meaning of a client's failure. Without ClickHouse's number the server was not reached, or the connection broke: worth another try.
 */
export function toOlapError(error: unknown): OlapError {
  if (error instanceof OlapError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ClickHouseError))
    return new OlapError('unreachable', message, { retryable: true, cause: error });
  const serverCode = Number(error.code);
  const { code, retryable } = MEANINGS[serverCode] ?? fixed('failed');
  return new OlapError(code, message, { retryable, serverCode, cause: error });
}
