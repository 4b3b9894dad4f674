import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { countInteractions } from './interactions.ts';

/** Thirteen journeys of people at the desk, and the most interactions that each takes. */
const JOURNEYS = {
  'from nothing to an ad on a page': 24,
  'from a known advertiser to an ad on a page': 17,
  'the worst line item of Today is mended': 2,
  'a line item of Today is put off': 2,
  'a line item is paused by its name': 4,
  'a waiting creative is approved': 2,
  'a serving creative is rejected with a reason': 5,
  'a booking is approved by another admin': 2,
  'a buy of an agent is approved': 2,
  '200 of 10,000 line items are paused': 4,
  '200 line items get one more condition': 11,
  'many line items get a creative, and one is refused': 9,
  'a booked ad is seen': 2,
} as const;

/** A journey that has begun. */
export interface Journey {
  /** Of the interactions so far. */
  count(): Promise<number>;
  /** Compares the interactions since `from` with the most that the journey takes. */
  end(from?: number): Promise<void>;
}

/** Begins a journey with the next address that the page opens. */
export async function beginJourney(page: Page, name: keyof typeof JOURNEYS): Promise<Journey> {
  const count = await countInteractions(page);
  return { count, end: async (from = 0) => endJourney(name, (await count()) - from) };
}

/** Compares the interactions of a journey with the most that it takes. */
export function endJourney(name: keyof typeof JOURNEYS, interactions: number): void {
  console.log(`${name}: ${interactions} interactions`);
  expect(interactions, name).toBeGreaterThan(0);
  expect(interactions, name).toBeLessThanOrEqual(JOURNEYS[name]);
}
