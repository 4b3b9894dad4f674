import { PlacardError } from '../errors.ts';

/**
 * Money is an integer number of *micros* (millionths) of the network's currency. What one event earns is kept in *nanos*
 * (thousandths of a micro), because one impression at a CPM of p micros earns exactly p nanos: no rounding anywhere.
 */
export type Micros = bigint;

/** Thousandths of a micro; see {@link Micros}. */
export type Nanos = bigint;

export const NANOS_PER_MICRO = 1000n;

const DECIMAL = /^(-)?(\d+)(?:\.(\d+))?$/;
const WHOLE_DIGITS_MAX = 12;
/** Decimals that are read, zeros at the end included. */
const DECIMALS_READ_MAX = 12;

/**
 * Reads a decimal text ("12.50") as micros, exactly.
 * @throws PlacardError `invalid_request` when the text is not a decimal, has more than 6 significant decimals, or more than 12 whole digits
 */
export function parseMicros(text: string, field: string): Micros {
  const match = DECIMAL.exec(text);
  if (match === null) throw notDecimal(field, text);
  const whole = match[2] ?? '0';
  if (whole.length > WHOLE_DIGITS_MAX)
    throw new PlacardError('invalid_request', `${field} must be less than ${10 ** WHOLE_DIGITS_MAX}.`, {
      details: { bound: String(10 ** WHOLE_DIGITS_MAX) },
    });
  const decimals = (match[3] ?? '').slice(0, DECIMALS_READ_MAX + 1);
  const fraction = decimals.replace(/0+$/, '');
  if (decimals.length > DECIMALS_READ_MAX || fraction.length > 6) {
    throw new PlacardError('invalid_request', `${field} has more than 6 decimals; amounts are exact to a millionth.`);
  }
  const micros = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return match[1] === undefined ? micros : -micros;
}

function notDecimal(field: string, text: string): PlacardError {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new PlacardError(
    'invalid_request',
    `${field} must be a decimal amount such as "12.50", not ${JSON.stringify(shown)}.`,
  );
}

/** Micros as decimal text without needless zeros: 12500000n → "12.5". */
export function formatMicros(micros: Micros): string {
  return formatScaled(micros, 6);
}

/** Nanos as decimal text of whole currency units: 12500000n → "0.0125". */
export function formatNanos(nanos: Nanos): string {
  return formatScaled(nanos, 9);
}

function formatScaled(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals);
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Micros as the JSON number that OpenRTB wants for prices (CPM in currency units; safe up to 9 × 10⁹ units). */
export function microsToNumber(micros: Micros | number): number {
  return Number(micros) / 1_000_000;
}
