import { readAmount, writeAmount } from '../plan/merge-hours.ts';
import { type Mapping, type WordField, WORDS } from './mapping.ts';
import type { TableRow } from './read-table.ts';

/** A cell that cannot be read; its row stays behind, because nothing is guessed. */
export class CellError extends Error {
  override readonly name = 'CellError';
}

const SIZES_SEPARATOR = /[,;|\s]+/;
const DATE =
  /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A time of a cell; `isDay` where it names no hour. */
export interface CellTime {
  readonly at: Temporal.ZonedDateTime;
  readonly isDay: boolean;
}

/** Reads the cells of one row by their fields. Every method throws `CellError` for a text that it cannot read. */
export class Cells {
  readonly #row: TableRow;
  readonly #mapping: Mapping;

  constructor(row: TableRow, mapping: Mapping) {
    this.#row = row;
    this.#mapping = mapping;
  }

  /** Null where the cell is empty. */
  text(field: string): string | null {
    return this.#row.cells.get(field) ?? null;
  }

  needed(field: string): string {
    const found = this.text(field);
    if (found === null) throw new CellError(`its ${field} is empty`);
    return found;
  }

  list(field: string): string[] {
    return (this.text(field) ?? '').split(/[;|]/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
  }

  /** A word of Placard: the text itself, or what the mapping says for it. */
  word<Field extends WordField>(field: Field): (typeof WORDS)[Field][number] | null {
    const given = this.text(field);
    if (given === null) return null;
    const words: readonly string[] = WORDS[field];
    const own = given.toUpperCase().replaceAll(/[\s-]+/g, '_');
    const mapped: Readonly<Record<string, string>> = this.#mapping.words[field] ?? {};
    const found = Object.hasOwn(mapped, given) ? mapped[given] : words.find((word) => word === own);
    if (found === undefined)
      throw new CellError(`its ${field} "${given}" is not in words.${field} of the mapping (${words.join(', ')})`);
    return found as (typeof WORDS)[Field][number];
  }

  /** A whole number, with or without separators of thousands. */
  count(field: string): number | null {
    const amount = this.#number(field);
    if (amount === null) return null;
    if (!/^\d{1,15}$/.test(amount)) throw new CellError(`its ${field} "${this.text(field)}" is not a whole number`);
    return Number(amount);
  }

  /** A decimal number that is not negative, as the API takes it. */
  amount(field: string): string | null {
    const amount = this.#number(field);
    if (amount === null) return null;
    if (!/^\d{1,12}(?:\.\d{1,9})?$/.test(amount))
      throw new CellError(`its ${field} "${this.text(field)}" is not an amount`);
    return amount;
  }

  /** An amount of history, with four decimals. */
  revenue(field: string): string {
    return writeAmount(readAmount(this.amount(field) ?? '0'));
  }

  #number(field: string): string | null {
    const text = this.text(field)?.replaceAll(/[\s\u00A0\u202F']/g, '') ?? null;
    if (text === null) return null;
    const [thousands, decimal] = this.#mapping.decimalComma ? ['.', ','] : [',', '.'];
    // 1,5 is not 15: a separator of thousands stands before three digits.
    const grouped = new RegExp(`^\\d{1,3}(?:\\${thousands}\\d{3})+(?=\\${decimal}|$)`).exec(text)?.[0];
    const whole = grouped === undefined ? text : grouped.replaceAll(thousands, '') + text.slice(grouped.length);
    return whole.replace(decimal, '.');
  }

  sizes(field: string): { width: number; height: number }[] {
    const texts = (this.text(field) ?? '').split(SIZES_SEPARATOR).filter((one) => one !== '');
    return texts.map((one) => {
      const [, width, height] = /^(\d{1,5})[x×*](\d{1,5})$/i.exec(one) ?? [];
      if (width === undefined) throw new CellError(`its ${field} "${one}" is not a size such as 300x250`);
      return { width: Number(width), height: Number(height) };
    });
  }

  /** A time in the time zone of the mapping, unless the cell names another offset. */
  time(field: string): CellTime | null {
    const text = this.text(field);
    if (text === null) return null;
    const found = DATE.exec(text);
    const wrong = new CellError(`its ${field} "${text}" is not a date in the order ${this.#mapping.dateOrder}`);
    if (found === null) throw wrong;
    const [, first = '', second = '', third = '', hour, minute = '0', seconds = '0', offset] = found;
    const order = first.length === 4 ? 'YMD' : this.#mapping.dateOrder;
    const [year, month, day] = {
      YMD: [first, second, third],
      DMY: [third, second, first],
      MDY: [third, first, second],
    }[order].map(Number);
    if ((year ?? 0) < 1_990 || (year ?? 0) > 2_200) throw wrong;
    try {
      const date = { year: year ?? 0, month: month ?? 0, day: day ?? 0 };
      const clock = { hour: Number(hour ?? 0), minute: Number(minute), second: Number(seconds) };
      const local = Temporal.PlainDateTime.from({ ...date, ...clock }, { overflow: 'reject' });
      const zone = offset === undefined ? this.#mapping.timezone : offset.toUpperCase() === 'Z' ? 'UTC' : offset;
      return { at: local.toZonedDateTime(zone), isDay: hour === undefined };
    } catch {
      throw wrong;
    }
  }
}
