import { drawNormal, seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import type { ForecastWorld, LineItemInput } from '../../test/simulation/forecast-play.ts';
import { DAY_MS, inSections, SECTIONS, STARTS_MS } from './world.ts';
import type { Section } from './world.ts';

/** Kinds of drafts, each with its part of the worlds. */
export type DraftKind = 'price' | 'goal' | 'share of voice';
const KINDS: readonly DraftKind[] = ['price', 'goal', 'price', 'goal', 'share of voice'];
const USERS = 6_000;
const HOURS = 14 * 24;
const MICROS = 1_000_000;
/** The most that goals and shares of voice need of all traffic before the draft. */
const BOOKED_MAX = 0.75;

/** A drawn world, and what its draft is. */
export interface DrawnWorld {
  readonly world: ForecastWorld;
  readonly kind: DraftKind;
}

/** Draws numbers of one world. */
class Draws {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  between(from: number, to: number): number {
    return from + (to - from) * this.next();
  }

  oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.next() * all.length)] as T;
  }

  chance(of: number): boolean {
    return this.next() < of;
  }
}

/**
 * Bookings of all tiers that contend for the sections of a site, busy and quiet spells, and a draft. Seeded.
 * @param isUnlike whether each section has busy and quiet days of its own
 */
export function drawForecastWorld(number: number, isUnlike = false): DrawnWorld {
  const draws = new Draws(9_000 + number);
  const requestsPerHour = Math.round(draws.between(150, 350));
  const shares = drawShares(draws);
  const all = requestsPerHour * HOURS;
  const kind = KINDS[number % KINDS.length] as DraftKind;
  return {
    kind,
    world: {
      seed: number + 1,
      requestsPerHour,
      competitors: [
        ...drawGuaranteed(draws, all, shares),
        ...Array.from({ length: 2 + Math.floor(draws.between(0, 4)) }, () => drawPrice(draws)),
        { name: 'house', type: 'HOUSE', sharePercent: 1 },
      ],
      draft: drawDraft(draws, { kind, all, shares }),
      ...(isUnlike ? drawUnlike(shares, number) : { drawVisit: drawVisits(() => shares) }),
      drift: { share: draws.between(0.05, 0.2), persistence: draws.between(0.5, 0.9) },
      isPlanned: true,
    },
  };
}

type Shares = ReadonlyMap<Section, number>;

/** The part of the traffic of each section. */
function drawShares(draws: Draws): Shares {
  const weights = SECTIONS.map((section) => [section, draws.between(0.3, 1) ** 2] as const);
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weights.map(([section, weight]) => [section, weight / total]));
}

/** How far the days of a section deviate, and how much of a deviation is left on the next day. */
const OWN_SHARE = 0.35;
const OWN_PERSISTENCE = 0.5;
/** Days before and after the start that have deviations. */
const OWN_DAYS = 60;

/** Each section has busy and quiet days of its own. */
function drawUnlike(shares: Shares, number: number): Pick<ForecastWorld, 'drawVisit' | 'levelAt'> {
  const random = seededRandom(77_000 + number);
  const levels = Array.from(shares, ([section, share]) => {
    let deviation = OWN_SHARE * drawNormal(random);
    const days = Array.from({ length: 2 * OWN_DAYS }, () => {
      deviation = OWN_PERSISTENCE * deviation + Math.sqrt(1 - OWN_PERSISTENCE ** 2) * OWN_SHARE * drawNormal(random);
      return share * Math.exp(deviation - OWN_SHARE ** 2 / 2);
    });
    return { section, days };
  });
  const dayOf = (atMs: number): number => Math.floor((atMs - STARTS_MS) / DAY_MS) + OWN_DAYS;
  const byDay = Array.from({ length: 2 * OWN_DAYS }, (_none, day) => {
    const all = levels.reduce((sum, { days }) => sum + (days[day] as number), 0);
    return { all, shares: new Map(levels.map(({ section, days }) => [section, (days[day] as number) / all])) };
  });
  const at = (atMs: number) => byDay[dayOf(atMs)] ?? { all: 1, shares };
  return { levelAt: (atMs) => at(atMs).all, drawVisit: drawVisits((atMs) => at(atMs).shares) };
}

/** Users come more or less often, each from one country and mostly to sections of their own; one visit in eight has no user. */
function drawVisits(sharesAt: (atMs: number) => Shares): ForecastWorld['drawVisit'] {
  return (random, atMs) => {
    const user = Math.floor(USERS * random() ** 1.3);
    let draw = random();
    const section = [...sharesAt(atMs)].find(([, share]) => (draw -= share) < 0)?.[0] ?? 'home';
    const country = user % 10 === 0 ? 'de' : 'pl';
    const keyValues = new Map([['section', [section]]]);
    if (random() < 1 / 8) return { userHash: '', country, keyValues };
    const digits = Math.floor(seededRandom(user)() * 2 ** 32).toString(16);
    return { userHash: digits.padStart(8, '0').padEnd(16, '0'), country, keyValues };
  };
}

/** Where a line item may serve, and its part of the traffic. */
interface Aim {
  readonly targeting: LineItemInput['targeting'];
  readonly share: number;
}

function drawAim(draws: Draws, shares: Shares): Aim {
  if (draws.chance(0.35)) return { targeting: null, share: 1 };
  const chosen = SECTIONS.filter(() => draws.chance(0.35));
  const sections = chosen.length === 0 ? (['home'] as const) : chosen;
  return {
    targeting: inSections(...sections),
    share: sections.reduce((sum, section) => sum + (shares.get(section) ?? 0), 0),
  };
}

/** Sponsors and goals. Each needs a part of the traffic that it may have. */
function drawGuaranteed(draws: Draws, all: number, shares: Shares): LineItemInput[] {
  const made: LineItemInput[] = [];
  let booked = 0;
  for (let at = 0; at < Math.floor(draws.between(0, 3)); at += 1) {
    const sharePercent = Math.round(draws.between(5, 20));
    const { targeting = null } = drawAim(draws, shares);
    made.push({ name: `sponsor ${at}`, type: 'SPONSORSHIP', level: 1, sharePercent, targeting });
    booked += sharePercent / 100;
  }
  for (let at = 0; at < Math.floor(draws.between(3, 8)); at += 1) {
    const { targeting = null, share } = drawAim(draws, shares);
    const part = share * draws.between(0.05, 0.3);
    if (booked + part > BOOKED_MAX) continue;
    booked += part;
    made.push({ name: `goal ${at}`, ...drawGoal(draws, all * part), targeting });
  }
  return made;
}

function drawGoal(draws: Draws, amount: number): LineItemInput {
  const perDay = draws.chance(0.2);
  const pacing = draws.chance(0.15) ? 'ASAP' : 'EVEN';
  return {
    type: 'STANDARD',
    level: Math.floor(draws.between(4, 12)),
    pacing: perDay ? 'EVEN' : pacing,
    goal: {
      kind: 'IMPRESSIONS',
      amount: Math.round((perDay ? amount / 14 : amount) * 0.9),
      period: perDay ? 'DAY' : 'LIFETIME',
    },
  };
}

function drawPrice(draws: Draws): LineItemInput {
  const priceMicros = Math.round(draws.between(1, 15) * MICROS);
  const limits: LineItemInput[] = [
    {},
    {},
    { frequencyCaps: [{ event: 'IMPRESSIONS', count: Math.ceil(draws.between(1, 5)), window: 'DAY', every: 1 }] },
    { caps: { impressionsPerDay: Math.round(draws.between(100, 800)) } },
  ];
  const country = { dimension: 'country', operator: 'is', values: ['DE'] } as const;
  return {
    name: `CPM ${priceMicros}`,
    priceMicros,
    ...draws.oneOf(limits),
    ...(draws.chance(0.3) ? { targeting: country } : {}),
  };
}

function drawDraft(
  draws: Draws,
  { kind, all, shares }: { readonly kind: DraftKind; readonly all: number; readonly shares: Shares },
): LineItemInput {
  const { targeting = null, share } = drawAim(draws, shares);
  if (kind === 'price') return { ...drawPrice(draws), name: 'draft', targeting };
  if (kind === 'share of voice')
    return { type: 'SPONSORSHIP', level: 2, sharePercent: Math.round(draws.between(5, 40)), targeting };
  // From well within reach to out of reach.
  return { ...drawGoal(draws, (all / 2) * share * draws.between(0.05, 0.8)), targeting };
}
