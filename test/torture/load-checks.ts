import type { Journal } from './journal.ts';
import { EVENT_KINDS, type StoredEvent } from './stored-events.ts';
import { pause } from './tortured-server.ts';

/** Longest that nothing may be acknowledged after a fault. */
const RECOVERY_MAX_MS = 240_000;

/** A comparison of nothing would always agree. */
export function checkLoad(journal: Journal, stored: readonly StoredEvent[]): string[] {
  const found = new Set(stored.map(({ kind }) => kind));
  const missing = EVENT_KINDS.filter((kind) => !found.has(kind));
  const wrong = [...journal.refusals.keys()].filter((why) => / 4\d\d$/.test(why) && !/ (?:408|429)$/.test(why));
  return [
    ...missing.map((kind) => `no event of kind ${kind} was stored: the load does not work`),
    ...wrong.map((why) => `requests are refused as wrong: ${why}`),
  ];
}

/** @returns when the first event from now on is acknowledged, by `performance.now()` @throws Error when none is */
export async function untilAcknowledged(journal: Journal, name: string): Promise<number> {
  const sinceMs = performance.now();
  while (journal.lastAcknowledgedMs <= sinceMs) {
    if (performance.now() - sinceMs > RECOVERY_MAX_MS)
      throw new Error(`No event is acknowledged any more after ${name}`);
    await pause(5);
  }
  return journal.lastAcknowledgedMs;
}

/** How many events of each kind are stored, in words. */
export function countKinds(stored: readonly StoredEvent[]): string {
  const kinds = Map.groupBy(stored, ({ kind, attribution }) =>
    kind === 'activity' ? `activity ${attribution || 'uncredited'}` : kind,
  );
  return [...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(', ');
}
