import { PlacardError } from '../../domain/errors.ts';

/** First and last byte, both inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a Range header for a body of `sizeBytes` (RFC 9110, 14.2). Null: send the whole body (no header, another unit, several ranges, or a
 * malformed header).
 * @throws PlacardError `range_not_satisfiable` for a range outside the body
 */
export function readByteRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  // White space is bounded: a header of 32 kB would be read from each of its spaces.
  const match = /^bytes\s*=\s{0,20}(\d{0,15})\s{0,20}-\s{0,20}(\d{0,15})$/i.exec((header ?? '').trim());
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const count = Math.min(Number(to), sizeBytes);
    if (count === 0) throw outside(sizeBytes);
    return { first: sizeBytes - count, last: sizeBytes - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return null;
  if (first >= sizeBytes) throw outside(sizeBytes);
  return { first, last: to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) };
}

/** Whether an If-None-Match header names this tag (weak comparison). */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function outside(sizeBytes: number): PlacardError {
  return new PlacardError('range_not_satisfiable', `The report has ${sizeBytes} bytes; ask for a range within.`, {
    details: { sizeBytes },
  });
}
