import { seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import type { Pacing } from '../../src/domain/booking/line-item.ts';
import { MARKET_WORLDS } from './market-worlds.ts';
import { Bookings, DAY_MS, HOUR_MS, inSections, SECTIONS, STARTS_MS, visitsOf } from './world.ts';
import type { Section, World, WorldScale } from './world.ts';
import { FOUR, FOUR_SECTIONS } from './market-worlds.ts';

type MakeWorld = (scale: WorldScale) => World;

function broadAbove(scale: WorldScale): World {
  const of = new Bookings(scale);
  return {
    name: 'broad above narrow',
    about: 'One for all traffic on level 4, four for a tenth each on level 8, which need 90 % of it.',
    drawVisit: visitsOf(FOUR),
    lineItems: [
      of.goal('broad', of.requests() * 0.55, { level: 4 }),
      ...FOUR_SECTIONS.map((one) => of.goal(one, of.requests() * 0.09, { targeting: inSections(one) })),
      of.house(),
    ],
  };
}

function broadAsap(scale: WorldScale): World {
  const of = new Bookings(scale);
  return {
    name: 'broad ASAP beside narrow',
    about: 'One for all traffic as soon as possible, four for a tenth each of the same level, which need 85 % of it.',
    drawVisit: visitsOf(FOUR),
    lineItems: [
      of.goal('broad', of.requests() * 0.45, { pacing: 'ASAP' }),
      ...FOUR_SECTIONS.map((one) => of.goal(one, of.requests() * 0.085, { targeting: inSections(one) })),
      of.house(),
    ],
  };
}

function lateFlight(scale: WorldScale): World {
  const of = new Bookings(scale);
  const late = Math.max(1, Math.round(scale.days / 4));
  const startsAtMs = STARTS_MS + (scale.days - late) * DAY_MS;
  return {
    name: 'late flight',
    about: 'One for the whole time that needs 60 % of it, one for the last quarter that needs 85 % of that.',
    drawVisit: visitsOf({}),
    lineItems: [
      of.goal('whole', of.requests() * 0.6),
      of.goal('late', of.requests(late) * 0.8, { startsAtMs }),
      of.house(),
    ],
  };
}

function eveningPart(scale: WorldScale): World {
  const of = new Bookings(scale);
  const dayParts = [{ days: [1, 2, 3, 4, 5, 6, 7], startMinute: 18 * 60, endMinute: 23 * 60 }];
  return {
    name: 'evening beside broad',
    about: 'One from 18 to 23 o’clock that needs about 85 % of that traffic, one for all hours that needs half of all.',
    drawVisit: visitsOf({}),
    lineItems: [
      of.goal('evening', of.requests() * 0.36, { dayParts }),
      of.goal('all hours', of.requests() * 0.5, { level: 8 }),
      of.house(),
    ],
  };
}

function priceBeside(scale: WorldScale): World {
  const of = new Bookings(scale);
  return {
    name: 'price beside a guarantee',
    about: 'A goal of 45 % of all traffic beside PRICE at a CPM of 20 (a fifth), 8 (three tenths) and 1 (all).',
    drawVisit: visitsOf({ sport: 0.2, politics: 0.3 }),
    isAboutRevenue: true,
    lineItems: [
      of.goal('run of network', of.requests() * 0.45),
      of.price('CPM 20', 20, { targeting: inSections('sport') }),
      of.price('CPM 8', 8, { targeting: inSections('politics') }),
      of.price('CPM 1', 1),
      of.house(),
    ],
  };
}

function frequencyCapped(scale: WorldScale): World {
  const of = new Bookings(scale);
  const users = Math.round(of.requests() / 12);
  return {
    name: 'frequency cap beside broad',
    about: 'One that a user sees twice at most needs 80 % of those impressions; one for all traffic needs 70 %.',
    drawVisit: visitsOf({}, { users }),
    lineItems: [
      of.goal('capped', users * 2 * 0.8, {
        frequencyCaps: [{ event: 'IMPRESSIONS', count: 2, window: 'LIFETIME', every: 1 }],
      }),
      of.goal('broad', of.requests() * 0.7, { level: 4 }),
      of.house(),
    ],
  };
}

function overlappingSets(scale: WorldScale): World {
  const of = new Bookings(scale);
  let level = 4;
  const pair = (share: number, ...sections: Section[]) =>
    of.goal(sections.join(' and '), of.requests() * share, { targeting: inSections(...sections), level: level++ });
  return {
    name: 'overlapping sets',
    about:
      'A chain of sections: each line item shares one with the next, which has a lower level and fewer sections left.',
    drawVisit: visitsOf({ sport: 0.2, politics: 0.2, culture: 0.2, science: 0.2, travel: 0.1 }),
    lineItems: [
      pair(0.19, 'sport', 'politics'),
      pair(0.19, 'politics', 'culture'),
      pair(0.19, 'culture', 'science'),
      pair(0.18, 'science'),
      pair(0.13, 'sport', 'travel'),
      of.house(),
    ],
  };
}

function sponsorships(scale: WorldScale): World {
  const of = new Bookings(scale);
  return {
    name: 'shares of voice above goals',
    about: 'A share of voice of 30 % of one section; a goal needs 65 % of it; one for all traffic needs 75 %.',
    drawVisit: visitsOf({ sport: 0.2 }),
    lineItems: [
      of.sponsor('sponsor', 30, { targeting: inSections('sport') }),
      of.goal('sport', of.requests() * 0.2 * 0.65, { targeting: inSections('sport') }),
      of.goal('broad', of.requests() * 0.75, { level: 4 }),
      of.house(),
    ],
  };
}

function weakWeekend(scale: WorldScale): World {
  const of = new Bookings(scale);
  const weekendMs = STARTS_MS + (Math.floor(scale.days / 7) * 7 - 2) * DAY_MS;
  return {
    name: 'weak weekend',
    about:
      'The last weekend has 60 % of its usual traffic. One for all traffic, one for a fifth that needs 80 % of it.',
    drawVisit: visitsOf({ sport: 0.2 }),
    surprises: [{ fromMs: weekendMs, toMs: weekendMs + 2 * DAY_MS, factor: 0.6 }],
    lineItems: [
      of.goal('broad', of.requests() * 0.68, { level: 4 }),
      of.goal('narrow', of.requests() * 0.2 * 0.8, { targeting: inSections('sport') }),
      of.house(),
    ],
  };
}

function bookedMidFlight(scale: WorldScale): World {
  const of = new Bookings(scale);
  const day = Math.floor(scale.days / 2);
  const startsAtMs = STARTS_MS + day * DAY_MS;
  const left = of.requests(scale.days - day);
  return {
    name: 'booked mid-flight',
    about: 'At half time one for a quarter of the traffic is booked, which needs 90 % of it; one for all needs 70 %.',
    drawVisit: visitsOf({ sport: 0.25 }),
    lineItems: [of.goal('broad', of.requests() * 0.7, { level: 4 }), of.house()],
    later: {
      day,
      lineItems: [of.goal('new', left * 0.25 * 0.9, { startsAtMs, targeting: inSections('sport') })],
    },
  };
}

function dailyGoals(scale: WorldScale): World {
  const of = new Bookings(scale);
  return {
    name: 'daily goals beside ASAP',
    about: 'A daily goal needs three quarters of a weekend day of its sections; one for all traffic is ASAP above it.',
    drawVisit: visitsOf({ sport: 0.15, politics: 0.15 }),
    lineItems: [
      of.goal('broad', of.requests() * 0.6, { pacing: 'ASAP', level: 6 }),
      of.goal('daily', 0, {
        goal: { kind: 'IMPRESSIONS', amount: Math.round(of.requests(1) * 0.3 * 0.62), period: 'DAY' },
        targeting: inSections('sport', 'politics'),
      }),
      of.house(),
    ],
  };
}

/** All sections but the first are as large; half of the users of each come from abroad. */
function manyLineItems(scale: WorldScale): World {
  const of = new Bookings(scale);
  const random = seededRandom(4);
  const sections = SECTIONS.slice(1);
  const pacings: readonly Pacing[] = ['EVEN', 'EVEN', 'FRONT_LOADED', 'ASAP'];
  const lineItems = Array.from({ length: 42 }, (_none, at) => {
    const first = at % sections.length;
    const reach = at % 3;
    const chosen = Array.from({ length: 1 + reach }, (_one, next) => sections[(first + next * 2) % sections.length]);
    const country = { dimension: 'country', operator: 'is', values: [at % 2 === 0 ? 'pl' : 'de'] } as const;
    const targeting = {
      all: [inSections(...chosen.filter((one) => one !== undefined)), ...(reach > 0 ? [] : [country])],
    };
    return of.goal(`goal ${at + 1}`, (of.requests() * 0.93) / 42, {
      targeting,
      level: 4 + Math.floor(random() * 8),
      pacing: pacings[Math.floor(random() * pacings.length)] ?? 'EVEN',
    });
  });
  const shares = Object.fromEntries(sections.map((one) => [one, 1 / sections.length]));
  return {
    name: 'forty-two of all kinds',
    about: 'Line items for one to three of seven sections, some for one country, of any level and pacing, need 93 %.',
    drawVisit: visitsOf(shares, { abroad: 0.5 }),
    lineItems: [...lineItems, of.house()],
  };
}

function lastHoursOut(scale: WorldScale): World {
  const of = new Bookings(scale);
  const endMs = STARTS_MS + scale.days * DAY_MS;
  return {
    name: 'outage of the last hours',
    about:
      'The last three hours have no traffic. One for all traffic needs 55 %, one for a fifth 80 % of it, PRICE has the rest.',
    drawVisit: visitsOf({ sport: 0.2 }),
    surprises: [{ fromMs: endMs - 3 * HOUR_MS, toMs: endMs, factor: 0 }],
    lineItems: [
      of.goal('broad', of.requests() * 0.55, { level: 4 }),
      of.goal('narrow', of.requests() * 0.2 * 0.8, { targeting: inSections('sport') }),
      of.price('CPM 1', 1),
    ],
  };
}

function extendedEnd(scale: WorldScale): World {
  const of = new Bookings(scale);
  const day = Math.floor((scale.days * 2) / 7);
  const endsAtMs = STARTS_MS + Math.floor((scale.days * 3) / 7) * DAY_MS;
  const extended = of.goal('extended', of.requests() * 0.3);
  return {
    name: 'end extended mid-flight',
    about:
      'After two thirds of the flight, its end is moved: the rest of the goal has seven times as long. PRICE has the rest.',
    drawVisit: visitsOf({}),
    lineItems: [{ ...extended, endsAtMs }, of.price('CPM 1', 1)],
    later: { day, lineItems: [extended] },
  };
}

/** The worlds of contention that delivery is measured in. */
export const WORLDS: readonly MakeWorld[] = [
  broadAbove,
  broadAsap,
  lateFlight,
  eveningPart,
  priceBeside,
  frequencyCapped,
  overlappingSets,
  sponsorships,
  weakWeekend,
  bookedMidFlight,
  dailyGoals,
  manyLineItems,
  lastHoursOut,
  extendedEnd,
  ...MARKET_WORLDS,
];
