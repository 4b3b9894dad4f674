import { isUtf8 } from 'node:buffer';
import type { EventColumn } from '../../domain/events/event.ts';

/**
 * The order of values in the row of a spool line, which is a JSON array without names: half the bytes of an object, and the store reads it
 * in two thirds of the time. Spool files outlive the program that wrote them, so the order never changes: new columns go to the end.
 * `user_hash` stands right behind `npa`: dead letters find it there.
 */
export const ROW_COLUMNS: readonly EventColumn[] = [
  'event_id', 'workspace_id', 'kind', 'time', 'impression_id', 'advertiser_id', 'campaign_id', 'line_item_id', 'line_item_type',
  'creative_id', 'creative_format', 'deal_id', 'advertising_product_id', 'site_id', 'area_id', 'ad_unit_id', 'size', 'country',
  'region', 'device_type', 'os', 'browser', 'npa', 'user_hash', 'activity_id', 'attribution', 'value_micros', 'revenue_nanos',
  'quantity', 'invalid_reason', 'key_values', 'activity_event', 'order_reference', 'item_count', 'tax_micros', 'products',
]; // biome-ignore format: a list

const ARRAY_START = 0x5b;

/** The text of a row in a line: its values in order, without empty columns at the end; null = an empty column in between. */
export function toStoredRow(row: object): readonly unknown[] | object {
  const named = row as Readonly<Record<string, unknown>>;
  const values: unknown[] = [];
  let found = 0;
  let at = 0;
  for (const column of ROW_COLUMNS) {
    const value = named[column];
    if (value !== undefined) {
      while (values.length < at) values.push(null);
      values.push(value);
      found += 1;
    }
    at += 1;
  }
  // Only the store can say what is wrong with other columns.
  if (found < Object.keys(row).length) return row;
  return values;
}

/** A row's JSON with the names of its columns, from either form of a line. Other texts are returned unchanged. */
export function nameColumns(text: string): string {
  if (!text.startsWith('[')) return text;
  try {
    const values = JSON.parse(text) as unknown[];
    const named = values.flatMap((value, at) => (value === null ? [] : [[ROW_COLUMNS[at] ?? at, value]]));
    return JSON.stringify(Object.fromEntries(named as [string, unknown][]));
  } catch {
    return text;
  }
}

/** Whether a row is an array already. */
export function isArray(firstByte: number | undefined): boolean {
  return firstByte === ARRAY_START;
}

/** A row's JSON as an array. An unreadable row is returned unchanged: the store refuses it. */
export function toArray(row: Buffer): Buffer {
  if (isArray(row[0]) || !isUtf8(row)) return row;
  try {
    const parsed = JSON.parse(row.toString('utf8')) as unknown;
    if (typeof parsed !== 'object' || parsed === null) return row;
    return Buffer.from(JSON.stringify(toStoredRow(parsed)));
  } catch {
    return row;
  }
}

/** The event id of a row; null when it cannot be read. */
export function eventIdOf(row: Buffer): string | null {
  try {
    const { event_id: id } = JSON.parse(nameColumns(row.toString('utf8'))) as { event_id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
