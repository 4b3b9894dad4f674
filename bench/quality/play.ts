import type { Log } from '../../src/domain/log/log.ts';
import { Simulation } from '../../test/simulation/simulation.ts';
import type { SimulationInput } from '../../test/simulation/simulation.ts';
import { OptimumOfWorld } from './optimum.ts';
import type { Optimum } from './optimum.ts';
import { WorldPlanner } from './world-planner.ts';
import { DAY_MS, lastBookings, STARTS_MS } from './world.ts';
import type { World, WorldLineItem, WorldScale } from './world.ts';

/** The delivery in one world beside the optimum. */
export interface Quality {
  readonly world: World;
  readonly requests: number;
  /** Impressions that count toward goals and shares of voice, as a share of the optimum. */
  readonly delivered: number;
  /** The line item that got the smallest share of its goal. */
  readonly worst: { readonly name: string; readonly share: number };
  /** Of all responses. */
  readonly houseShare: number;
  /**
   * The largest distance, from the change of bookings to the end, between the share of the rest of the goals that is delivered and the share of
   * the traffic that came; null without such a change.
   */
  readonly uneven: number | null;
  /** The revenue of PRICE and header bids, as a share of their optimum; null where a world is not about revenue. */
  readonly revenue: number | null;
}

const AUDIENCE = { shownChance: 1, shownAfterMs: 3_000, viewableChance: 0.6, clickChance: 0.002 } as const;
/** Busy and quiet spells last for about half a day. */
const DRIFT = { share: 0.2, persistence: 0.92 } as const;

/** The size of a world, and how it is played. */
export interface PlayedScale extends WorldScale {
  readonly seed: number;
  /** Goals know what others leave to them; otherwise they count on all of their traffic. */
  readonly isPlanned: boolean;
  /** Volume, curves and sample are learnt hour by hour, as an installation does. */
  readonly isLearning?: boolean;
  /** Levels and urgency decide, and STANDARD stands above PRICE: the rule of most ad servers. */
  readonly isByLevels?: boolean;
  /** Plans stop to arrive after so many days; absent: they never do. */
  readonly plannedDays?: number;
  readonly log: Log;
}

/** Plays a world with the real decisions and pacing, and compares the delivery with the optimum of the same requests. */
export async function playWorld(world: World, scale: PlayedScale): Promise<Quality> {
  const { seed, days, requestsPerHour, log, isPlanned, plannedDays = Number.POSITIVE_INFINITY } = scale;
  const { isLearning = false, isByLevels = false } = scale;
  const all = lastBookings(world);
  const best = new OptimumOfWorld(all, STARTS_MS);
  const timezone = 'Europe/Warsaw';
  const input: SimulationInput = {
    seed,
    startMs: STARTS_MS,
    days,
    workers: 2,
    traffic: { timezone, requestsPerHour, surprises: world.surprises ?? [], drift: DRIFT },
    historyDays: world.historyDays ?? 28,
    isLearning,
    hasWorths: !isByLevels,
    ...(world.drawPastVisit === undefined ? {} : { drawPastVisit: world.drawPastVisit }),
    onHeaderBid: (cpmMicros) => void (headerRevenue += cpmMicros / 1e9),
    network: { workspace: { timezone }, lineItems: world.lineItems },
    audience: AUDIENCE,
    drawVisit: world.drawVisit,
    onRequest: (opportunity, nowMs) => {
      best.record(opportunity, nowMs);
    },
    ...(isPlanned ? { freeTrafficOf: (id: string, nowMs: number) => planner.freeTrafficOf(id, nowMs) } : {}),
    log,
  };
  let headerRevenue = 0;
  const simulation = new Simulation(input);
  const { traffic } = input;
  const planner = new WorldPlanner({
    world,
    seed,
    startMs: STARTS_MS,
    traffic,
    lastsUntilMs: STARTS_MS + plannedDays * DAY_MS,
    learnt: () => simulation.learnt,
    counter: (key) => Number(simulation.hot.asHotStore().readCountersNow([key])?.[0] ?? 0n),
  });
  if (world.later === undefined) await simulation.advance(days);
  else {
    await simulation.advance(world.later.day);
    simulation.book({ ...input.network, lineItems: all });
    planner.book(all);
    await simulation.advance(days - world.later.day);
  }
  const { lineItems, requestsByHour } = simulation.report();
  return compare({
    world,
    days,
    requestsByHour,
    optimum: await best.solve(world.isAboutRevenue === true),
    hoursOf: ({ id }) => lineItems.get(id)?.ads ?? [],
    headerRevenue,
  });
}

type HoursOf = (lineItem: WorldLineItem) => readonly number[];

/** The delivery of one world, and the optimum of its requests. */
interface Played {
  readonly world: World;
  readonly days: number;
  readonly requestsByHour: readonly number[];
  readonly optimum: Optimum;
  readonly hoursOf: HoursOf;
  /** Of header bidders, in units of money. */
  readonly headerRevenue: number;
}

function compare({ world, days, requestsByHour, optimum, hoursOf, headerRevenue }: Played): Quality {
  const requests = sum(requestsByHour);
  const all = lastBookings(world);
  const adsOf = (type: WorldLineItem['type']) =>
    sum(all.filter((one) => one.type === type).map((one) => sum(hoursOf(one))));
  const guaranteed = all.filter(({ type }) => type === 'STANDARD' || type === 'SPONSORSHIP');
  const counted = guaranteed.map((one) => ({ one, ads: optimum.counted(one.id, hoursOf(one)) }));
  const shares = counted.map(({ one, ads }) => ({ name: one.name ?? one.id, share: ads / wantedOf(one) }));
  return {
    world,
    requests,
    delivered: sum(counted.map(({ ads }) => ads)) / optimum.guaranteed,
    worst: shares.reduce((worst, one) => (one.share < worst.share ? one : worst)),
    houseShare: adsOf('HOUSE') / requests,
    uneven:
      world.later === undefined
        ? world.isAboutEven === true
          ? unevenness({ requestsByHour, hoursOf, world, fromHour: 0, sinceHour: 24 })
          : null
        : unevenness({ requestsByHour, hoursOf, world, fromHour: world.later.day * 24 }),
    revenue: world.isAboutRevenue === true ? revenueOf(hoursOf) : null,
  };

  function revenueOf(hours: HoursOf): number {
    const prices = all.filter(({ type }) => type === 'PRICE');
    const earned = headerRevenue + sum(prices.map((one) => (sum(hours(one)) * priceOf(one)) / 1_000));
    return earned / optimum.revenue;
  }

  function wantedOf({ type, goal, sharePercent, id }: WorldLineItem): number {
    if (type === 'SPONSORSHIP') return optimum.counted(id, [Number.MAX_SAFE_INTEGER]) || (sharePercent ?? 100);
    return (goal?.amount ?? 0) * (goal?.period === 'DAY' ? days : 1);
  }
}

/** Of the goals that were booked from the start. */
function unevenness({
  requestsByHour,
  hoursOf,
  world,
  fromHour,
  sinceHour = 0,
}: Pick<Played, 'requestsByHour' | 'hoursOf' | 'world'> & {
  readonly fromHour: number;
  readonly sinceHour?: number;
}): number {
  const requests = sharesUpTo(requestsByHour.slice(fromHour));
  const goals = world.lineItems.filter(({ type }) => type === 'STANDARD');
  return goals.reduce((most, one) => {
    const shares = sharesUpTo(hoursOf(one).slice(fromHour));
    return shares.reduce(
      (far, share, hour) => (hour < sinceHour ? far : Math.max(far, Math.abs(share - (requests[hour] as number)))),
      most,
    );
  }, 0);
}

function sharesUpTo(counts: readonly number[]): number[] {
  const all = sum(counts);
  let sofar = 0;
  return counts.map((count) => (sofar += count) / Math.max(1, all));
}

function priceOf({ priceMicros = 0 }: WorldLineItem): number {
  return priceMicros / 1_000_000;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
