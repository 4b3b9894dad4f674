import { randomBytes } from 'node:crypto';

/**
 * A placeholder in a body: each request gets a new id there. A request whose id was seen within five minutes is a repeat, which is neither
 * counted nor sampled, and so costs less than a normal request.
 */
export const FRESH_ID = 'a-fresh-id-of-24-letters';

const COUNTER_DIGITS = 8;
const RUN_BYTES = (FRESH_ID.length - COUNTER_DIGITS) / 2;

/** Ids of one run of load, each as long as `FRESH_ID`: their common prefix, and how many digits of a counter follow. */
export interface FreshIds {
  readonly prefix: string;
  readonly digits: number;
}

/** For a new run of load. */
export function newFreshIds(): FreshIds {
  return { prefix: randomBytes(RUN_BYTES).toString('hex'), digits: COUNTER_DIGITS };
}

/** One of them. @param turn counts up from 0 within the run */
export function freshId({ prefix, digits }: FreshIds, turn: number): string {
  return prefix + String(turn).padStart(digits, '0');
}
