import type { ValueFormat } from '../wire/client-messages.ts';
import { message, splitMessages } from '../wire/server-messages.ts';

/** One catalog statement of a client, with its values as they came. */
export interface CatalogQuery {
  readonly sql: string;
  readonly paramTypes: readonly number[];
  readonly values: readonly (Buffer | null)[];
  readonly paramFormats: readonly ValueFormat[];
  readonly resultFormats: readonly ValueFormat[];
}

const text = (value: string): Buffer => Buffer.from(`${value.replaceAll('\0', '')}\0`);
const int16 = (value: number): Buffer => Buffer.from([(value >> 8) & 255, value & 255]);
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
};
const formats = (list: readonly ValueFormat[]): Buffer[] => [
  int16(list.length),
  ...list.map((format) => int16(format === 'binary' ? 1 : 0)),
];
const SYNC = message('S');

const parse = ({ sql, paramTypes }: Pick<CatalogQuery, 'sql' | 'paramTypes'>): Buffer =>
  message('P', text(''), text(sql), int16(paramTypes.length), ...paramTypes.map(int32));

/** The messages that describe a statement. */
export function describeRequest(query: Pick<CatalogQuery, 'sql' | 'paramTypes'>): Buffer {
  return Buffer.concat([parse(query), message('D', Buffer.from('S'), text('')), SYNC]);
}

/** Rows of one catalog query; the largest that tools send has a tenth of it. */
export const CATALOG_ROWS_MAX = 50_000;

/** The messages that run a statement to its end, or until it has given the most rows: PostgreSQL computes no further ones. */
export function runRequest(query: CatalogQuery): Buffer {
  const values = query.values.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value]));
  const bind = message(
    'B',
    text(''),
    text(''),
    ...formats(query.paramFormats),
    int16(query.values.length),
    ...values,
    ...formats(query.resultFormats),
  );
  const describe = message('D', Buffer.from('P'), text(''));
  return Buffer.concat([parse(query), bind, describe, message('E', text(''), int32(CATALOG_ROWS_MAX)), SYNC]);
}

/** What a catalog said. */
export interface CatalogResponse {
  readonly parameterDescription: Buffer | null;
  readonly rowDescription: Buffer | null;
  readonly rows: readonly Buffer[];
  /** There are {@link CATALOG_ROWS_MAX} rows, and perhaps more. */
  readonly isCut: boolean;
  /** The error as PostgreSQL wrote it; null: there was none. */
  readonly error: Buffer | null;
}

export function readCatalogResponse(bytes: Buffer): CatalogResponse {
  const messages = splitMessages(bytes);
  const find = (type: string): Buffer | null => messages.find((one) => one.type === type)?.bytes ?? null;
  return {
    parameterDescription: find('t'),
    rowDescription: find('T'),
    rows: messages.filter((one) => one.type === 'D').map((one) => one.bytes),
    isCut: find('s') !== null,
    error: find('E'),
  };
}
