/** Reports show money with at most nine digits behind the point. */
const DIGITS = 9;

/** A decimal text as whole billionths. @throws RangeError for another text */
export function nanosOf(decimal: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (match === null) throw new RangeError(`Not a decimal: ${decimal}`);
  const [, sign = '', whole = '0', part = ''] = match;
  const nanos = BigInt(whole + part.slice(0, DIGITS).padEnd(DIGITS, '0'));
  return sign === '' ? nanos : -nanos;
}

/** Billionths as the number that is nearest. */
export function amountOf(nanos: bigint): number {
  const text = nanos.toString().padStart(DIGITS + 1, '0');
  return Number(`${text.slice(0, -DIGITS)}.${text.slice(-DIGITS)}`);
}
