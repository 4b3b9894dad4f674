import { AdcpError } from '../protocol/adcp-error.ts';

/** Amounts of the management API have at most six digits behind the point. */
const MICROS = 1_000_000;

/**
 * An amount of a request as the management API takes it: decimal text, without an exponent.
 *
 * @throws AdcpError for more than six digits behind the point
 */
export function decimalOf(amount: number, field: string): string {
  const micros = Math.round(amount * MICROS);
  if (!Number.isSafeInteger(micros) || Math.abs(micros / MICROS - amount) > Number.EPSILON * Math.abs(amount))
    throw new AdcpError('INVALID_REQUEST', `${field}: an amount has at most six digits behind the point.`, { field });
  return (micros / MICROS).toFixed(6).replace(/\.?0+$/, '');
}

/** An amount of the management API as a number of the protocol. */
export function numberOf(decimal: string): number {
  return Number(decimal);
}
