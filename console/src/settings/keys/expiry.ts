/** Offered lives of a key in days, the recommended first; null: for ever. */
export const EXPIRY_DAYS = [90, 30, 180, 365, null] as const;

const DAY_MS = 86_400_000;

/** When a key made now expires; null: never. */
export function expiresAfter(days: number | null, nowMs: number): string | null {
  return days === null ? null : new Date(nowMs + days * DAY_MS).toISOString();
}

/** One address or CIDR range a line or comma; blanks dropped. */
export function readAddresses(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
