import { monotonicFactory } from 'ulid';

const nextUlid = monotonicFactory();

/** A new sortable, unique 26-character id (ULID) for ads, events and requests. */
export function newUlid(nowMs: number): string {
  return nextUlid(nowMs);
}

/** Whether a text can be the decimal id of a stored object (1 to 18 digits, no leading zero). */
export function isDecimalId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}
