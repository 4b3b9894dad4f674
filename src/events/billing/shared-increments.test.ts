import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COUNTED_KINDS } from '../../domain/pricing/pricing-models.ts';
import { ALL_LIMITS } from '../../domain/money/reservation.ts';
import { createTestCatalog, lineItem, makeServedAd } from '../fixtures/catalog.ts';
import { deliveryIncrements, releaseReservations } from './delivery-counters.ts';
import { SharedIncrementsCache } from './shared-increments.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const START_MS = Date.parse('2026-11-20T02:00:00Z');
const CATALOG = createTestCatalog();
/** Line items differ in their limits and time zones: each is what a change of the booking leaves. */
const BOOKINGS = [
  lineItem,
  { ...lineItem, caps: { ...lineItem.caps, impressionsPerDay: 100, spendMicrosPerDay: 1_000_000 } },
  { ...lineItem, timezone: 'Asia/Tokyo' },
];

/** All that the increments of an event depend on. Only a known owner and no companion have reservations, so these are frequent. */
const event = fc.record({
  kind: fc.constantFrom(...COUNTED_KINDS),
  booking: fc.nat(BOOKINGS.length - 1),
  lineItemId: fc.constantFrom('21', '22'),
  campaignId: fc.constantFrom('11', '11', '11', ''),
  advertiserId: fc.constantFrom('7', '7', '7', ''),
  priceMicros: fc.constantFrom(0, 12_500_000),
  billed: fc.constantFrom(0n, 5n),
  heldLimits: fc.constantFrom(0, ALL_LIMITS),
  companion: fc.constantFrom(false, false, false, true),
  decidedAfterMs: fc.constantFrom(0, 600_000),
  afterMs: fc.constantFrom(0, 3 * 3_600_000, 86_400_000),
});

test('remembered increments are those that the event has by itself', () => {
  fc.assert(
    fc.property(event, event, (one, other) => {
      const cache = new SharedIncrementsCache();
      const changes = Object.entries(other).map(([member, value]) => ({ ...one, [member]: value }));
      const events = [...changes.flatMap((change) => [one, change]), one, other];
      for (const { kind, booking, billed, decidedAfterMs, afterMs, ...change } of events) {
        const found = BOOKINGS[booking];
        const catalog = { ...CATALOG, findLineItem: () => found };
        const ad = makeServedAd(START_MS + decidedAfterMs, change);
        const at = { catalog, workspaceId: 1, timeMs: START_MS + decidedAfterMs + afterMs };
        const own = [
          ...deliveryIncrements(kind, ad, at, billed),
          ...(ad.companion ? [] : releaseReservations(kind, ad, at)),
        ];
        expect(cache.find(kind, ad, at, billed).increments).toEqual(own);
      }
    }),
    { numRuns: runsOf(2_000) },
  );
});
