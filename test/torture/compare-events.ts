import { localDay } from '../../src/domain/time/calendar.ts';
import type { Booking } from './booking.ts';
import type { Journal } from './journal.ts';
import { earningOf, type StoredEvent } from './stored-events.ts';

const NAMED_MAX = 5;

/** Compares the event table with what users sent and the server acknowledged. @returns the differences */
export function compareEvents(journal: Journal, stored: readonly StoredEvent[], booking: Booking): string[] {
  const ids = new Set(stored.map(({ eventId }) => eventId));
  const sent = stored.filter(({ kind }) => kind !== 'flat_day');
  const ofAds = sent.filter(({ kind }) => kind !== 'activity');
  return [
    ...describe(
      'acknowledged events are lost',
      [...journal.acknowledged].filter((id) => !ids.has(id)),
    ),
    ...describe(
      'events are stored more than once',
      idsWhere(stored, ({ copies }) => copies !== 1),
    ),
    ...describe(
      'events are stored that nobody sent',
      idsWhere(sent, ({ eventId }) => !journal.sent.has(eventId)),
    ),
    ...describe(
      'events earn another amount',
      idsWhere(stored, (one) => one.nanos !== earningOf(one, booking)),
    ),
    ...describe(
      'events have another line item than their ad',
      idsWhere(ofAds, (one) => !isOfItsAd(journal, one)),
    ),
    ...describe(
      'events have other key-values',
      idsWhere(ofAds, (one) => keyValuesOf(journal, booking, one) !== one.keyValues),
    ),
    ...compareConversions(journal, stored),
    ...compareFlatDays(journal, stored, booking),
  ];
}

function idsWhere(stored: readonly StoredEvent[], isWrong: (event: StoredEvent) => boolean): string[] {
  return stored.filter(isWrong).map(({ eventId }) => eventId);
}

/** One line for each kind of problem, with some of those that have it. */
export function describe(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${ids.length} ${what}: ${ids.slice(0, NAMED_MAX).join(', ')}`];
}

function isOfItsAd(journal: Journal, { impressionId, lineItemId }: StoredEvent): boolean {
  return journal.ads.get(impressionId)?.ad.lineItemId === lineItemId;
}

function keyValuesOf(journal: Journal, { keyId }: Booking, { impressionId }: StoredEvent): string {
  const mood = journal.ads.get(impressionId)?.of.mood ?? '';
  return mood === '' ? '' : JSON.stringify({ [keyId]: mood });
}

/** Each user saw one ad: a conversion is credited to it, and to nothing else. */
function compareConversions(journal: Journal, stored: readonly StoredEvent[]): string[] {
  const wrongValue: string[] = [];
  const wrongAd: string[] = [];
  const uncredited: string[] = [];
  const clicked = new Set(stored.filter(({ kind }) => kind === 'click').map(({ impressionId }) => impressionId));
  for (const event of stored) {
    const conversion = journal.conversions.get(event.eventId);
    if (event.kind !== 'activity' || conversion === undefined) continue;
    if (event.valueMicros !== conversion.costMicros) wrongValue.push(event.eventId);
    if (event.attribution === '') {
      if (!journal.mayBeUncredited(conversion)) uncredited.push(event.eventId);
      continue;
    }
    const isRight = event.impressionId === conversion.impressionId && isOfItsAd(journal, event);
    if (!isRight || (event.attribution === 'click' && !clicked.has(event.impressionId))) wrongAd.push(event.eventId);
  }
  return [
    ...describe('conversions have another value', wrongValue),
    ...describe('conversions are credited to another ad, or to a click that nobody made', wrongAd),
    ...describe('conversions are credited to no ad', uncredited),
  ];
}

/** A day of FLAT is billed once when an ad of that day was shown, and only then. */
function compareFlatDays(journal: Journal, stored: readonly StoredEvent[], booking: Booking): string[] {
  const problems: string[] = [];
  for (const { lineItemId, name, pricingModel, timezone } of booking.lineItems) {
    if (pricingModel !== 'FLAT') continue;
    const shown = stored.filter((event) => event.kind === 'impression' && event.lineItemId === lineItemId);
    const decidedMs = shown.map(({ impressionId }) => journal.ads.get(impressionId)?.ad.decidedAtMs ?? 0);
    const wanted = new Set(
      decidedMs.map((ms) => `flat:${booking.workspaceId}:${lineItemId}:${localDay(ms, timezone)}`),
    );
    const billed = stored.filter((event) => event.kind === 'flat_day' && event.lineItemId === lineItemId);
    const found = new Set(billed.map(({ eventId }) => eventId));
    problems.push(
      ...describe(
        `days of ${name} are not billed`,
        [...wanted].filter((id) => !found.has(id)),
      ),
      ...describe(
        `days of ${name} are billed without an impression`,
        [...found].filter((id) => !wanted.has(id)),
      ),
    );
  }
  return problems;
}
