import type { PageRequest } from './parts.ts';
import { fieldError } from './read-request.ts';

/** Entries of a page unless a request wants another number. */
const PAGE_SIZE = 50;
const CURSOR = /^at:(\d{1,9})$/;

/** A page of a list with what the protocol says about the rest. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly pagination: { readonly has_more: boolean; readonly cursor?: string; readonly total_count: number };
}

/**
 * The page of a whole list that a request asks for. The cursor is the number of entries before the page.
 *
 * @throws AdcpError for a cursor that no response had
 */
export function pageOf<T>(all: readonly T[], { max_results: size = PAGE_SIZE, cursor }: PageRequest = {}): Page<T> {
  const start = cursor === undefined ? 0 : readCursor(cursor);
  const end = start + size;
  const hasMore = end < all.length;
  return {
    items: all.slice(start, end),
    pagination: {
      has_more: hasMore,
      ...(hasMore ? { cursor: cursorAt(end) } : {}),
      total_count: all.length,
    },
  };
}

/** The cursor of a page that begins after so many entries. */
export function cursorAt(entries: number): string {
  return Buffer.from(`at:${entries}`).toString('base64url');
}

/** How many entries are before the page of a cursor. @throws AdcpError for a cursor that no response had */
export function readCursor(cursor: string): number {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) throw fieldError(['pagination', 'cursor'], 'This cursor is of no response of this seller.');
  return Number(match[1]);
}
