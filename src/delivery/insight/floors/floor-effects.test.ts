import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../forecast/seeded-random.ts';
import { bestFloor, earnedWith, measureFloor, suggestFloor } from './floor-effects.ts';
import type { SlotOffer } from './floor-effects.ts';

const offer = (some: Partial<SlotOffer>): SlotOffer => ({
  user: 0,
  booked: 0,
  exempt: 0,
  headerBid: 0,
  callerFloor: 0,
  ...some,
});
const price = fc.integer({ min: 0, max: 12 });
const offers = fc.array(
  fc.record({ user: fc.nat(9), booked: price, exempt: price, headerBid: price, callerFloor: fc.nat(4) }),
  { minLength: 1, maxLength: 30 },
);
const total = (floor: number, all: readonly SlotOffer[], bidShare: number): number =>
  all.reduce((sum, one) => sum + earnedWith(floor, one, bidShare), 0);

describe('what a slot earns with a floor', () => {
  test.each([
    ['a header bid at the floor', 3, { headerBid: 3 }, 1, 3],
    ['a header bid below the floor', 3, { headerBid: 2 }, 1, 0],
    ['a header bid whose value reaches the floor', 3, { headerBid: 2 }, 0.5, 3],
    ['a header bid whose value is below the floor', 5, { headerBid: 2 }, 0.5, 0],
    ['a header bid above the floor, which pays what it bids', 3, { headerBid: 4 }, 0.5, 4],
    ['a header bid below the floor of the caller', 1, { headerBid: 2, callerFloor: 3 }, 0.5, 0],
    ['a line item below the floor, whose price is booked', 3, { booked: 2 }, 0.5, 0],
    ['a line item below the floor of the caller', 0, { booked: 2, callerFloor: 3 }, 1, 0],
    ['a line item above the header bid', 1, { booked: 4, headerBid: 3 }, 1, 4],
    ['a line item under a deal with a floor of its own', 9, { exempt: 2 }, 1, 2],
  ])('%s', (_what, floor, some, bidShare, expected) => {
    expect(earnedWith(floor, offer(some), bidShare)).toBe(expected);
  });
});

describe('the best floor', () => {
  test('the best floor earns as much as any other', () => {
    fc.assert(
      fc.property(offers, fc.nat(12), fc.constantFrom(1, 0.5, 0.25), (all, presentFloor, bidShare) => {
        const found = bestFloor(all, { presentFloor, bidShare });
        const every = Array.from({ length: 60 }, (_none, floor) => total(floor, all, bidShare));
        expect(total(found, all, bidShare)).toBe(Math.max(...every));
      }),
    );
  });

  test('the best floor is never above the present one where bids stay as they are', () => {
    fc.assert(
      fc.property(offers, fc.nat(12), (all, presentFloor) => {
        expect(bestFloor(all, { presentFloor, bidShare: 1 })).toBeLessThanOrEqual(presentFloor);
      }),
    );
  });

  test('the present floor stays where no other earns more', () => {
    const all = [offer({ headerBid: 5 }), offer({ booked: 4 })];
    expect(bestFloor(all, { presentFloor: 3, bidShare: 1 })).toBe(3);
  });
});

describe('a suggestion', () => {
  const many = (make: (user: number) => Partial<SlotOffer>, users = 200, each = 3): SlotOffer[] =>
    Array.from({ length: users * each }, (_none, at) => offer({ user: at % users, ...make(at % users) }));

  test('the suggested floor is the value of most header bidders where they bid half of it', () => {
    const all = many((user) => ({ headerBid: user % 5 < 4 ? 2_000 : 5_000 }));
    const found = suggestFloor(all, { presentFloor: 0, bidShare: 0.5 });
    expect(found).toMatchObject({ floor: 4_000, paidBefore: 600, paidAfter: 600 });
    expect(found?.gain).toBeCloseTo(480 * 2_000, -4);
  });

  test('a suggestion lowers a floor that turns bids down', () => {
    const all = many((user) => ({ booked: user % 4 < 2 ? 4_000 : 1_000, headerBid: user % 8 < 4 ? 4_000 : 1_000 }));
    expect(suggestFloor(all, { presentFloor: 3_000, bidShare: 1 })).toMatchObject({ floor: 1_000 });
  });

  test('a suggestion requires 200 slots with bids and 30 users in each half', () => {
    const model = { presentFloor: 3_000, bidShare: 1 };
    const bids = (users: number, each: number) =>
      suggestFloor(
        many(() => ({ headerBid: 2_000 }), users, each),
        model,
      );
    expect(bids(66, 3)).toBeNull();
    expect(bids(59, 10)).toBeNull();
    expect(bids(66, 4)).not.toBeNull();
    expect(
      suggestFloor(
        many(() => ({})),
        model,
      ),
    ).toBeNull();
  });

  test('luck in one half of the users makes no suggestion', () => {
    const random = seededRandom(4);
    let made = 0;
    for (let world = 0; world < 100; world += 1) {
      // Values are even between 0 and 10,000 and bids half of them: then all floors up to 5,000 earn the same.
      const values = Array.from({ length: 200 }, () => 10_000 * random());
      const all = many((user) => ({ headerBid: Math.ceil((values[user] ?? 0) / 2) }), 200, 1);
      if (suggestFloor(all, { presentFloor: 0, bidShare: 0.5 }) !== null) made += 1;
    }
    expect(made).toBeLessThanOrEqual(8);
  });

  test('the interval of a gain holds the true one in about 95 of 100 samples', () => {
    const random = seededRandom(5);
    let held = 0;
    for (let world = 0; world < 400; world += 1) {
      const isLow = Array.from({ length: 100 }, () => random() < 0.5);
      const all = many((user) => ({ headerBid: isLow[user] === true ? 2_000 : 5_000 }), 100, 3);
      const { gainLow, gainHigh } = measureFloor(2_000, all, { presentFloor: 3_000, bidShare: 1 });
      if (gainLow <= 300_000 && gainHigh >= 300_000) held += 1;
    }
    expect(held / 400).toBeGreaterThan(0.92);
    expect(held / 400).toBeLessThan(0.985);
  });
});
