/** A number with a point or a comma before its fraction; null for an empty or unreadable one. */
export function numberOf(text: string): number | null {
  const plain = text.replaceAll(/\s/g, '').replace(',', '.');
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(plain) ? Number(plain) : null;
}

/** An amount of money as exact text; null for an empty or unreadable one. */
export function decimalOf(text: string): string | null {
  const value = text.trim().replace(',', '.');
  return /^\d{1,15}(\.\d{1,9})?$/.test(value) ? value : null;
}

/** A whole number, with or without marks between thousands: 100000, 100,000, 100.000 and 100 000 are one number. Null for another text. */
export function wholeOf(text: string): number | null {
  const plain = text.replaceAll(/[\s’']/g, '');
  const isGrouped = /^\d{1,3}(?:([.,])\d{3}(?:\1\d{3})*)$/.test(plain);
  const digits = isGrouped ? plain.replaceAll(/[.,]/g, '') : plain;
  return /^\d{1,16}$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : null;
}
