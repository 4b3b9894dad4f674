import type { FrequencyCap } from './frequency-cap.ts';

/** The owner of a frequency cap: line item, campaign, advertiser, creative, label. */
export type FrequencyScope = 'li' | 'ca' | 'ad' | 'cr' | 'la';

/** Who sees ads, as hashes of 16 hex digits; '' or absent = unknown. Both are unknown without consent. */
export interface Seers {
  readonly userHash: string;
  readonly householdHash?: string | undefined;
}

/** Whose counter a cap reads and adds to; '' = nobody is known. */
export function seerOf({ per }: FrequencyCap, { userHash, householdHash = '' }: Seers): string {
  return per === 'HOUSEHOLD' && householdHash !== '' ? householdHash : userHash;
}

/** One user's or household's counter of one frequency cap. */
export interface FrequencySubject {
  readonly workspaceId: number;
  /** Of the user or the household; 16 hex digits, never empty. */
  readonly userHash: string;
  readonly scope: FrequencyScope;
  readonly id: string;
  readonly cap: FrequencyCap;
}

/** The prefix of the keys of all of one user's counters. */
export function frequencyUserPrefix(workspaceId: number, userHash: string): string {
  return `f/${workspaceId}/${userHash}/`;
}

/**
 * Key of a user's counter in the hot store. The worker that counts an event adds 1 to it with `frequencyWindowMs(cap)` as time to live, so
 * that the window opens with the user's first event.
 */
export function frequencyCounterKey({ workspaceId, userHash, scope, id, cap }: FrequencySubject): string {
  return `${frequencyUserPrefix(workspaceId, userHash)}${scope}/${id}/${frequencyCapTail(cap)}`;
}

/** The end of the keys of a cap's counters. Caps of one window and event share it. */
export function frequencyCapTail({ event, every, window }: FrequencyCap): string {
  return `${event === 'CLICKS' ? 'clk' : 'imp'}/${every}${window}`;
}

/** How long a user's position in a sequence of creatives is kept, from the first impression on, in milliseconds. */
export const SEQUENCE_TTL_MS = 30 * 86_400_000;

/** Key of the counter of a line item's impressions on one user: the user's position in a sequence of creatives. */
export function sequenceCounterKey(of: { workspaceId: number; userHash: string; lineItemId: string }): string {
  return `${frequencyUserPrefix(of.workspaceId, of.userHash)}li/${of.lineItemId}/seq`;
}

const UNIT_MS: Readonly<Record<FrequencyCap['window'], number>> = {
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
  WEEK: 7 * 86_400_000,
  MONTH: 30 * 86_400_000,
  LIFETIME: 5 * 365 * 86_400_000,
};

/** Most units that a cap's window may be long: no window is longer than a lifetime. A lifetime has no multiple. */
export function frequencyEveryMax(window: FrequencyCap['window']): number {
  return Math.min(1_000, Math.floor(UNIT_MS.LIFETIME / UNIT_MS[window]));
}

/** Length of a cap's window in milliseconds; a month is 30 days, a lifetime five years, and longer no window (however it is stored). */
export function frequencyWindowMs({ window, every }: FrequencyCap): number {
  return UNIT_MS[window] * Math.min(frequencyEveryMax(window), Math.max(1, every));
}
