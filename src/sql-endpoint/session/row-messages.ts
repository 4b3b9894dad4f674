import type { ValueFormat } from '../wire/client-messages.ts';
import { dataRow, type PgType } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { encodeValue } from '../wire/values.ts';

/** Bytes of one result; it waits as a whole until its client has read it. */
export const RESULT_BYTES_MAX = 32 * 1024 * 1024;

/** The rows of one result as messages, with a bound on their bytes. */
export class RowMessages {
  readonly rows: Buffer[] = [];
  bytes = 0;

  /** @throws SqlError `54000` before the row is made */
  add(values: readonly (Buffer | null)[]): void {
    this.bytes += values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 7);
    if (this.bytes > RESULT_BYTES_MAX) {
      throw new SqlError(SQLSTATE.programLimit, `The result has more than ${RESULT_BYTES_MAX} bytes.`, {
        hint: 'Select fewer columns, group by less, or read it in parts by LIMIT and OFFSET.',
      });
    }
    this.rows.push(dataRow(values));
  }
}

/** Constants of one result on the wire: each is encoded once, however many cells show it. */
export class SharedConstants {
  readonly #made = new Map<string, Map<string, Buffer>>();

  encode(text: string | null, type: PgType, format: ValueFormat): Buffer | null {
    if (text === null) return null;
    const form = `${type} ${format}`;
    const made = this.#made.get(form) ?? new Map<string, Buffer>();
    this.#made.set(form, made);
    const bytes = made.get(text) ?? encodeValue(text, type, format);
    made.set(text, bytes);
    return bytes;
  }
}
