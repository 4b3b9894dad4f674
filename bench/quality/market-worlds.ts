import { seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { sampleSlot } from '../../test/worlds/sample-workspace.ts';
import { Bookings, DAY_MS, inSections, SECTIONS, STARTS_MS, visitsOf } from './world.ts';
import type { Section, World, WorldScale } from './world.ts';

export const FOUR = { sport: 0.1, politics: 0.1, culture: 0.1, science: 0.1 } as const;
export const FOUR_SECTIONS = ['sport', 'politics', 'culture', 'science'] as const;

/** A section that nobody asked for before the flight. */
function newSection(scale: WorldScale): World {
  const of = new Bookings(scale);
  return {
    name: 'section opens with the flight',
    about:
      'A goal needs 60 % of a section that opens with it; one for all traffic needs 40 %; PRICE pays 9.80 everywhere.',
    drawVisit: visitsOf({ sport: 0.1, culture: 0.2 }),
    drawPastVisit: visitsOf({ culture: 0.2 }),
    lineItems: [
      of.goal('launch', of.requests() * 0.1 * 0.6, { level: 1, targeting: inSections('sport') }),
      of.goal('broad', of.requests() * 0.4),
      of.price('CPM 9.80', 9.8),
    ],
  };
}

/** The median price of header bids in each section, CPM. */
const SECTION_PRICES: Readonly<Record<Section, number>> = {
  home: 0.5,
  sport: 4,
  politics: 1,
  culture: 2,
  science: 3,
  travel: 8,
  cars: 6,
  food: 1.5,
};

function headerTails(scale: WorldScale): World {
  const of = new Bookings(scale);
  const visits = visitsOf({
    sport: 0.15,
    politics: 0.15,
    culture: 0.1,
    science: 0.1,
    travel: 0.1,
    cars: 0.1,
    food: 0.1,
  });
  return {
    name: 'header bids with heavy tails',
    about:
      'Goals of 55 % of all traffic in sets of sections, beside header bids for 80 % of it, whose prices double and halve.',
    isAboutRevenue: true,
    drawVisit: (random, atMs) => {
      const visit = visits(random, atMs);
      const section = (visit.keyValues?.get('section')?.[0] ?? 'home') as Section;
      if (random() > 0.8) return visit;
      // Each step up is half as likely: a tail of which the mean is dear.
      let factor = 0.5;
      while (factor < 64 && random() < 0.45) factor *= 2;
      const cpmMicros = Math.round(SECTION_PRICES[section] * factor * 1_000_000);
      const headerBid = { bidder: 'any', adId: '1', cpmMicros, width: 300, height: 250 };
      return { ...visit, slots: [sampleSlot({ headerBid })] };
    },
    lineItems: [
      of.goal('network', of.requests() * 0.25),
      of.goal('sport and cars', of.requests() * 0.12, { targeting: inSections('sport', 'cars') }),
      of.goal('culture, science, travel', of.requests() * 0.15, {
        targeting: inSections('culture', 'science', 'travel'),
      }),
      of.goal('food', of.requests() * 0.03, { targeting: inSections('food') }),
      of.price('CPM 1', 1),
      of.house(),
    ],
  };
}

function evenBesideHouse(scale: WorldScale): World {
  const of = new Bookings(scale);
  return {
    name: 'even beside HOUSE',
    about: 'A goal of 30 % of all traffic, one of half of a section; HOUSE has the rest.',
    isAboutEven: true,
    drawVisit: visitsOf({ sport: 0.2 }),
    lineItems: [
      of.goal('broad', of.requests() * 0.3),
      of.goal('narrow', of.requests() * 0.2 * 0.5, { targeting: inSections('sport') }),
      of.house(),
    ],
  };
}

function coldImport(scale: WorldScale): World {
  const of = new Bookings(scale);
  const dayParts = [{ days: [1, 2, 3, 4, 5, 6, 7], startMinute: 18 * 60, endMinute: 23 * 60 }];
  return {
    name: 'imported without a past',
    about:
      'Nothing is known of the traffic: an evening goal of 85 % of its hours, four narrow ones of 85 %, one for all of 30 %.',
    historyDays: 0,
    drawVisit: visitsOf(FOUR),
    lineItems: [
      of.goal('evening', of.requests() * 0.3, { dayParts }),
      ...FOUR_SECTIONS.map((one) => of.goal(one, of.requests() * 0.07, { targeting: inSections(one) })),
      of.goal('broad', of.requests() * 0.3),
      of.price('CPM 1', 1),
    ],
  };
}

function shortFlights(scale: WorldScale): World {
  const of = new Bookings(scale);
  const random = seededRandom(5);
  const sections = SECTIONS.slice(1);
  const lineItems = Array.from({ length: 60 }, (_none, at) => {
    const days = 1 + Math.floor(random() * 3);
    const startsAtMs = STARTS_MS + Math.floor(random() * (scale.days - days + 1)) * DAY_MS;
    const chosen = [sections[at % sections.length], sections[(at + 1 + (at % 5)) % sections.length]];
    const targeting = inSections(...chosen.filter((one) => one !== undefined));
    // All of them need about 70 % of the traffic.
    const amount = (of.requests() * 0.7 * (days / 2)) / 60;
    return of.goal(`short ${at + 1}`, amount, { targeting, startsAtMs, endsAtMs: startsAtMs + days * DAY_MS });
  });
  return {
    name: 'sixty short flights',
    about: 'Sixty goals of one to three days, each in two of seven sections; PRICE has the rest.',
    drawVisit: visitsOf(Object.fromEntries(sections.map((one) => [one, 1 / sections.length]))),
    lineItems: [...lineItems, of.price('CPM 1', 1)],
  };
}

function oversoldLevel(scale: WorldScale): World {
  const of = new Bookings(scale);
  return {
    name: 'oversold within a level',
    about: 'Three goals of a level need 150 % of a section; a fourth of a higher level 30 % of it.',
    drawVisit: visitsOf({ sport: 0.3 }),
    lineItems: [
      ...['one', 'two', 'three'].map((one) =>
        of.goal(one, of.requests() * 0.3 * 0.4, { targeting: inSections('sport') }),
      ),
      of.goal('higher', of.requests() * 0.3 * 0.3, { targeting: inSections('sport'), level: 4 }),
      of.price('CPM 1', 1),
    ],
  };
}

/** Worlds of new inventory, prices, imports and oversold levels. */
export const MARKET_WORLDS: readonly ((scale: WorldScale) => World)[] = [
  newSection,
  headerTails,
  evenBesideHouse,
  coldImport,
  shortFlights,
  oversoldLevel,
];
