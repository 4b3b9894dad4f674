import type { Log } from '../../src/domain/log/log.ts';
import { Simulation } from '../../test/simulation/simulation.ts';
import type { SimulationInput } from '../../test/simulation/simulation.ts';
import { sampleSlot } from '../../test/worlds/sample-workspace.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TIMEZONE = 'Europe/Warsaw';
/** A Monday, local midnight. */
const START_MS = Date.parse('2026-10-05T00:00:00+02:00');
const SHOWN_CHANCE = 0.9;

/** An ad unit: its share of the requests, and how often an ad in it is clicked. */
export interface Unit {
  readonly share: number;
  readonly rate: number;
}

export interface UnitWorld {
  readonly name: string;
  readonly units: readonly Unit[];
  /** The impressions that the goal needs, as a share of those that all requests would bring. */
  readonly needed: number;
  /** A guaranteed goal; absent: PRICE. */
  readonly isPlanned?: boolean;
  /** The goal is one of each day. */
  readonly isDaily?: boolean;
  /** A spike of five times the traffic, and an outage of six hours. */
  readonly isSurprised?: boolean;
  /** Absent: impressions. */
  readonly goalKind?: 'CLICKS';
}

export interface UnitScale {
  readonly seed: number;
  readonly days: number;
  readonly requestsPerHour: number;
  readonly log: Log;
}

/** The outcome of one goal. */
export interface UnitOutcome {
  /** Impressions, as a share of the goal. */
  readonly delivered: number;
  /** The clicks to be expected of its impressions, as a share of those of as many impressions in the best units. */
  readonly clicks: number;
}

const SIX: readonly Unit[] = [0.002, 0.003, 0.004, 0.006, 0.009, 0.016].map((rate) => ({ share: 1 / 6, rate }));
const SMALL_BEST: readonly Unit[] = [
  { share: 0.05, rate: 0.02 },
  { share: 0.35, rate: 0.006 },
  { share: 0.6, rate: 0.003 },
];
const ALIKE: readonly Unit[] = [0.005, 0.005, 0.005, 0.005].map((rate) => ({ share: 0.25, rate }));

export const UNIT_WORLDS: readonly UnitWorld[] = [
  { name: 'six units, a seventh of them needed', units: SIX, needed: 0.15 },
  { name: 'six units, half of them needed', units: SIX, needed: 0.5 },
  { name: 'six units, nine tenths of them needed', units: SIX, needed: 0.9 },
  { name: 'six units, nearly all of them needed', units: SIX, needed: 0.97 },
  { name: 'a small best unit, a tenth of all needed', units: SMALL_BEST, needed: 0.1 },
  { name: 'units alike, a fifth of them needed', units: ALIKE, needed: 0.2 },
  { name: 'six units, each day a quarter of them needed', units: SIX, needed: 0.25, isDaily: true },
  { name: 'six units, a hundredth of them needed', units: SIX, needed: 0.01 },
  { name: 'six units, half of them needed, a spike and an outage', units: SIX, needed: 0.5, isSurprised: true },
  {
    name: 'six units, seven eighths of them needed, a spike and an outage',
    units: SIX,
    needed: 0.88,
    isSurprised: true,
  },
  { name: 'six units, clicks of a fifth of the impressions needed', units: SIX, needed: 0.2, goalKind: 'CLICKS' },
  { name: 'six units, a seventh of them needed, by a plan', units: SIX, needed: 0.15, isPlanned: true },
  { name: 'six units, half of them needed, by a plan', units: SIX, needed: 0.5, isPlanned: true },
];

/** Plays one line item with an impression goal over the days of its flight. @param optimises whether it has the optimisation goal CLICKS */
export async function playUnits(world: UnitWorld, scale: UnitScale, optimises: boolean): Promise<UnitOutcome> {
  const met = world.units.map(() => 0);
  let impressions = 0;
  let clicks = 0;
  const needed = world.needed * scale.days * 24 * scale.requestsPerHour * SHOWN_CHANCE;
  const perImpression = world.goalKind === undefined ? 1 : meanRate(world.units);
  const amount = Math.round((needed * perImpression) / (world.isDaily === true ? scale.days : 1));
  const rateAt = (adUnitId: string): number => (world.units[Number(adUnitId) - 1] as Unit).rate;
  const simulation = new Simulation({
    ...inputOf(world, scale, optimises, amount),
    onRequest: ({ slots }) => {
      const at = Number(slots[0]?.adUnitId) - 1;
      met[at] = (met[at] as number) + 1;
    },
    audience: {
      shownChance: SHOWN_CHANCE,
      shownAfterMs: 3_000,
      viewableChance: 0.6,
      clickChance: 0,
      clickChanceOf: ({ lineItem, slot }) => {
        if (lineItem.booked.id !== '1') return 0;
        impressions += 1;
        clicks += rateAt(slot.adUnitId);
        return rateAt(slot.adUnitId);
      },
    },
  });
  const { lineItems } = await simulation.run();
  const clicked = lineItems.get('1')?.clicks.reduce((sum, one) => sum + one, 0) ?? 0;
  const counted = world.goalKind === undefined ? impressions : clicked;
  const goals = world.isDaily === true ? scale.days : 1;
  return { delivered: counted / (goals * amount), clicks: clicks / mostClicks(world, met, impressions) };
}

function inputOf(world: UnitWorld, scale: UnitScale, optimises: boolean, amount: number): SimulationInput {
  const { seed, days, requestsPerHour, log } = scale;
  const period = world.isDaily === true ? 'DAY' : 'LIFETIME';
  const goal = { kind: world.goalKind ?? 'IMPRESSIONS', amount, period } as const;
  const at = (share: number) => START_MS + Math.round(days * share) * DAY_MS;
  const surprises = [
    { fromMs: at(0.35) + 14 * HOUR_MS, toMs: at(0.35) + 16 * HOUR_MS, factor: 5 },
    { fromMs: at(0.6) + 16 * HOUR_MS, toMs: at(0.6) + 22 * HOUR_MS, factor: 0 },
  ];
  const flight = { startsAtMs: START_MS, endsAtMs: START_MS + days * DAY_MS, timezone: TIMEZONE };
  return {
    seed,
    startMs: START_MS,
    days,
    workers: 2,
    traffic: { timezone: TIMEZONE, requestsPerHour, surprises: world.isSurprised === true ? surprises : [] },
    historyDays: 28,
    network: {
      workspace: { timezone: TIMEZONE },
      adUnits: world.units.map((_unit, at) => ({ name: `unit ${at + 1}` })),
      lineItems: [
        {
          type: world.isPlanned === true ? 'STANDARD' : 'PRICE',
          goal,
          ...flight,
          ...(optimises ? { optimisationGoal: 'CLICKS' } : {}),
        },
        { type: 'HOUSE', sharePercent: 1 },
      ],
    },
    audience: { shownChance: 1, shownAfterMs: 0, viewableChance: 0, clickChance: 0 },
    drawVisit: (random) => ({
      userHash: Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(16, '0'),
      slots: [sampleSlot({ adUnitId: String(drawUnit(world.units, random()) + 1) })],
    }),
    log,
  };
}

function drawUnit(units: readonly Unit[], drawn: number): number {
  let left = drawn;
  const found = units.findIndex(({ share }) => (left -= share) < 0);
  return found < 0 ? units.length - 1 : found;
}

/** The clicks of so many impressions in the best units, as far as their requests go. */
function mostClicks({ units }: UnitWorld, met: readonly number[], impressions: number): number {
  let left = impressions;
  let clicks = 0;
  const best = units
    .map(({ rate }, at) => ({ rate, most: SHOWN_CHANCE * (met[at] as number) }))
    .sort((one, other) => other.rate - one.rate);
  for (const { rate, most } of best) {
    const here = Math.min(left, most);
    clicks += here * rate;
    left -= here;
  }
  return clicks;
}

function meanRate(units: readonly Unit[]): number {
  return units.reduce((sum, { share, rate }) => sum + share * rate, 0);
}
