import { type Creative, isPlayed } from '../../domain/booking/creative.ts';
import type { ActivityColumns } from '../../domain/events/event.ts';

/** VAST's code of an error that has no other. */
export const UNDEFINED_ERROR = 900;

/** The code in the query of an error's link; {@link UNDEFINED_ERROR} unless it is a number of three digits, as a player that left `[ERRORCODE]` there. */
export function parseErrorCode(query: string): number {
  const text = new URLSearchParams(query).get('code') ?? '';
  return /^[1-9]\d\d$/.test(text) ? Number(text) : UNDEFINED_ERROR;
}

/** The columns of an error: its code, and the domain of the third party whose tag the creative is; '' = our own film, or unknown. */
export function videoErrorColumns(
  code: number,
  creative: Creative | undefined,
): Pick<ActivityColumns, 'activity_event' | 'item_count'> {
  return { item_count: code, activity_event: vendorDomain(creative) };
}

function vendorDomain(creative: Creative | undefined): string {
  const { content } = creative ?? {};
  if (content === undefined || !isPlayed(content) || content.vastTagUrl === null) return '';
  return URL.parse(content.vastTagUrl)?.hostname ?? '';
}
