/** A full read with less than this share of the former entries must be confirmed. */
const SHRUNKEN_SHARE = 0.5;
/** Smaller snapshots may shrink without confirmation. */
const SHRINK_RECORDS_MIN = 20;

/** Whether a snapshot lost so many of its entries that another read must confirm it. */
export function isShrunken(before: number, now: number): boolean {
  return before >= SHRINK_RECORDS_MIN && now < before * SHRUNKEN_SHARE;
}
