/** The SQLSTATEs that clients of the SQL endpoint can see, by the names that PostgreSQL's manual uses. */
export const SQLSTATE = {
  protocolViolation: '08P01',
  featureNotSupported: '0A000',
  invalidParameterValue: '22023',
  invalidDatetime: '22007',
  invalidText: '22P02',
  invalidBinary: '22P03',
  readOnly: '25006',
  noTransaction: '25P01',
  failedTransaction: '25P02',
  invalidStatementName: '26000',
  invalidAuthorization: '28000',
  invalidPassword: '28P01',
  invalidCursorName: '34000',
  unknownDatabase: '3D000',
  insufficientPrivilege: '42501',
  syntaxError: '42601',
  invalidName: '42602',
  nameTooLong: '42622',
  undefinedColumn: '42703',
  undefinedParameterSetting: '42704',
  duplicateCursor: '42P03',
  duplicateStatement: '42P05',
  undefinedFunction: '42883',
  undefinedTable: '42P01',
  undefinedParameter: '42P02',
  groupingError: '42803',
  insufficientResources: '53000',
  tooManyConnections: '53300',
  configurationLimit: '53400',
  programLimit: '54000',
  tooComplex: '54001',
  tooManyColumns: '54011',
  queryCanceled: '57014',
  adminShutdown: '57P01',
  cannotConnectNow: '57P03',
  internal: 'XX000',
} as const;

/** What a client is told beside code and sentence. */
export interface SqlErrorDetails {
  /** What to do. */
  readonly hint?: string;
  /** Byte offset in the statement. */
  readonly location?: number | undefined;
  readonly cause?: unknown;
}

/** An error that a client of the SQL endpoint gets as it is. */
export class SqlError extends Error {
  readonly sqlstate: string;
  readonly hint: string | null;
  readonly location: number | null;

  constructor(sqlstate: string, message: string, { hint, location, cause }: SqlErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SqlError';
    this.sqlstate = sqlstate;
    this.hint = hint ?? null;
    this.location = location ?? null;
  }
}

/** A clause that the endpoint does not understand. @param instead what to write */
export function unsupported(what: string, instead: string, location?: number): SqlError {
  return new SqlError(SQLSTATE.featureNotSupported, `${what} is not supported by the SQL endpoint.`, {
    hint: instead,
    location,
  });
}

/** The position of a byte offset as clients count it: characters, from 1. */
export function positionOf(sql: string, location: number): number {
  return Array.from(Buffer.from(sql).subarray(0, location).toString()).length + 1;
}
