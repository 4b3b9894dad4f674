import type { ReviveRow } from './revive-tables.ts';

/** A text of a row, decoded: rows hold one character a byte. Texts that are not UTF-8 are read as latin1. */
export function textOf(row: ReviveRow, column: string): string {
  const raw = row[column] ?? '';
  const bytes = Buffer.from(raw, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? raw : text;
}

/** A number of a row; 0 where there is none. */
export function numberOf(row: ReviveRow, column: string): number {
  const value = Number(row[column] ?? 0);
  return Number.isFinite(value) ? value : 0;
}

/** `2026-11-24 08:00:00` of UTC as an instant; null for none and for zero dates. */
export function instantOf(text: string | null | undefined): Date | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?/.exec(text ?? '');
  if (found === null || found[1] === '0000') return null;
  const at = new Date(
    `${found[1]}-${found[2]}-${found[3]}T${found[4] ?? '00'}:${found[5] ?? '00'}:${found[6] ?? '00'}Z`,
  );
  return Number.isNaN(at.getTime()) ? null : at;
}

/** An amount with four decimals as the API takes it. */
export function amountOf(row: ReviveRow, column: string): string {
  const text = row[column] ?? '0';
  return /^\d+(\.\d+)?$/.test(text) ? text : '0';
}
