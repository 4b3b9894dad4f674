import { drawNormal, seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { Simulation } from '../../test/simulation/simulation.ts';
import type { Traffic } from '../../test/simulation/traffic.ts';
import { silentLog } from '../../test/support/stores.ts';
import type { FreeTraffic } from '../../src/domain/pacing/free-timeline.ts';
import type { TrafficCurve } from '../../src/domain/pacing/traffic-curve.ts';
import { Bookings, DAY_MS, inSections, SECTIONS, STARTS_MS, visitsOf } from './world.ts';
import type { WorldLineItem } from './world.ts';
import { WorldPlanner } from './world-planner.ts';

const TIMEZONE = 'Europe/Warsaw';
const GOALS = 36;
const PLANS_EVERY_MS = 6 * 3_600_000;
/** How far the days of a section deviate, and how much of a deviation is left on the next day. */
const OWN_SHARE = 0.25;
const OWN_PERSISTENCE = 0.5;

/** The outcome of a goal. */
export interface PlayedGoal {
  readonly lineItem: WorldLineItem;
  /** The curve that it is paced by. */
  readonly curve: TrafficCurve;
  /** Impressions of each hour from {@link STARTS_MS} on. */
  readonly impressions: readonly number[];
  /** The shares that others leave to it, as the plan said every six hours, the earliest first. */
  readonly plans: readonly { readonly atMs: number; readonly freeTraffic: FreeTraffic | null }[];
}

/** The size of a world of goals. */
export interface ProjectionScale {
  readonly days: number;
  readonly requestsPerHour: number;
}

/**
 * Plays goals of one to thirty days in sections that have busy days of their own, with the real decisions and pacing. Together they need 20 to 65 % of
 * the traffic, and some more than their own sections have. Seeded.
 */
export async function playGoals(number: number, { days, requestsPerHour }: ProjectionScale): Promise<PlayedGoal[]> {
  const random = seededRandom(31_000 + number);
  const lineItems = drawGoals(random, { days, requestsPerHour });
  const visits = visitsOf(Object.fromEntries(SECTIONS.slice(1).map((section) => [section, 1 / 7])));
  const busy = drawBusyDays(random, days);
  const drawVisit: typeof visits = (draw, atMs) => {
    // A visit to a quiet section may be one to none: it goes home.
    const visit = visits(draw, atMs);
    const section = visit.keyValues?.get('section')?.[0] ?? 'home';
    const kept = busy(section, atMs) / BUSY_MAX;
    return draw() < kept ? visit : { ...visit, keyValues: new Map([['section', ['home']]]) };
  };
  const traffic: Traffic = {
    timezone: TIMEZONE,
    requestsPerHour: requestsPerHour * BUSY_MAX,
    surprises: [],
    drift: { share: 0.15, persistence: 0.9 },
  };
  const network = { workspace: { timezone: TIMEZONE }, lineItems };
  const planner: { current: WorldPlanner | null } = { current: null };
  const plans = new Map<string, PlayedGoal['plans'][number][]>();
  const simulation = new Simulation({
    seed: number,
    startMs: STARTS_MS,
    days,
    workers: 2,
    traffic,
    historyDays: 28,
    network,
    audience: { shownChance: 0.9, shownAfterMs: 3_000, viewableChance: 0.6, clickChance: 0.004 },
    drawVisit,
    freeTrafficOf: (id: string, nowMs: number) => planner.current?.freeTrafficOf(id, nowMs) ?? null,
    onHour: async (nowMs) => {
      if ((nowMs - STARTS_MS) % PLANS_EVERY_MS !== 0) return;
      for (const { id } of lineItems) {
        const plan = { atMs: nowMs, freeTraffic: planner.current?.freeTrafficOf(id, nowMs) ?? null };
        plans.set(id, [...(plans.get(id) ?? []), plan]);
      }
    },
    log: silentLog,
  });
  planner.current = new WorldPlanner({
    world: { lineItems, drawVisit },
    seed: number,
    startMs: STARTS_MS,
    traffic,
    counter: (key) => Number(simulation.hot.readCountersNow([key])[0] ?? 0n),
    lastsUntilMs: Number.POSITIVE_INFINITY,
  });
  await simulation.advance(days);
  const { lineItems: outcomes, curve, ownCurves } = simulation.report();
  return lineItems
    .filter(({ goal }) => goal !== undefined && goal !== null)
    .map((lineItem) => ({
      lineItem,
      curve: ownCurves.get(lineItem.id) ?? curve,
      impressions: outcomes.get(lineItem.id)?.impressions ?? [],
      plans: plans.get(lineItem.id) ?? [],
    }));
}

/** A section is at most so many times as busy as usual. */
const BUSY_MAX = 2;

function drawBusyDays(random: () => number, days: number): (section: string, atMs: number) => number {
  const levels = new Map(
    SECTIONS.map((section) => {
      let deviation = 0;
      const drawn = Array.from({ length: days }, () => {
        deviation = OWN_PERSISTENCE * deviation + Math.sqrt(1 - OWN_PERSISTENCE ** 2) * OWN_SHARE * drawNormal(random);
        return Math.min(BUSY_MAX, Math.exp(deviation - OWN_SHARE ** 2 / 2));
      });
      return [section as string, drawn];
    }),
  );
  return (section, atMs) => levels.get(section)?.[Math.floor((atMs - STARTS_MS) / DAY_MS)] ?? 1;
}

/** Each goal in one to three of seven sections; a third of the flights is short. */
function drawGoals(random: () => number, { days, requestsPerHour }: ProjectionScale): WorldLineItem[] {
  const of = new Bookings({ days, requestsPerHour });
  const between = (from: number, to: number): number => from + (to - from) * random();
  const sections = SECTIONS.slice(1);
  const load = between(0.2, 0.65);
  const drawn = Array.from({ length: GOALS }, () => {
    const lasts = Math.floor(random() < 1 / 3 ? between(1, 6) : between(6, Math.min(31, days + 1)));
    const first = Math.floor(between(0, days - lasts + 1));
    const chosen = sections.filter(() => random() < 0.25);
    const own = chosen.length === 0 ? sections.slice(0, 1) : chosen;
    return { lasts, first, own, weight: between(0.3, 1.7) * lasts * own.length };
  });
  const all = drawn.reduce((sum, { weight }) => sum + weight, 0);
  const goals = drawn.map(({ lasts, first, own, weight }, at) => {
    // Some are out of reach of their own sections.
    const most = (of.requests(lasts) * own.length) / sections.length;
    const amount =
      random() < 0.1 ? most * between(1, 1.8) : Math.min(0.6 * most, (of.requests() * load * weight) / all);
    return of.goal(`goal ${at + 1}`, amount, {
      targeting: inSections(...own),
      level: [8, 8, 8, 6, 10][Math.floor(random() * 5)] ?? 8,
      startsAtMs: STARTS_MS + first * DAY_MS,
      endsAtMs: STARTS_MS + (first + lasts) * DAY_MS,
    });
  });
  return [...goals, of.price('CPM 5', 5), of.price('CPM 1', 1), of.house()];
}
