import { WorldPlanner } from '../../bench/quality/world-planner.ts';
import type { Forecast, ForecastDraft } from '../../src/domain/booking/delivery-insight.ts';
import { NO_CAPS } from '../../src/domain/booking/line-item.ts';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { prepareForecast } from '../../src/delivery/insight/forecast/forecast.ts';
import type { ForecastInput } from '../../src/delivery/insight/forecast/forecast-run.ts';
import { seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { OpportunityRecorder } from '../../src/delivery/traffic/opportunity-sample.ts';
import type { OpportunitySampleRow } from '../../src/delivery/traffic/opportunity-sample.olap.ts';
import { parseSample } from '../../src/delivery/traffic/parse-sample.ts';
import type { TrafficSample } from '../../src/delivery/traffic/parse-sample.ts';
import { silentLog } from '../support/stores.ts';
import { sampleSnapshot } from '../worlds/sample-workspace.ts';
import type { SampleInput } from '../worlds/sample-workspace.ts';
import { Simulation } from './simulation.ts';
import type { SimulationInput } from './simulation.ts';
import type { Traffic } from './traffic.ts';

const DAY_MS = 86_400_000;
const WEEK_HOURS = 168;
const TIMEZONE = 'Europe/Warsaw';
const DRAFT_LINE_ID = '900';
/** A Monday, local midnight. */
const START_MS = Date.parse('2026-10-12T00:00:00+02:00');

export type LineItemInput = NonNullable<SampleInput['lineItems']>[number];

/** A network of two weeks, and a draft that is forecast after the first one and booked for the second one. */
export interface ForecastWorld {
  readonly seed: number;
  readonly requestsPerHour: number;
  /** Booked for both weeks; ids are numbers from 1 in this order. */
  readonly competitors: readonly LineItemInput[];
  /** The booked values; the rest as in a sample line item. */
  readonly draft: LineItemInput;
  readonly drawVisit: (random: () => number, atMs: number) => Partial<Opportunity>;
  /** Absent: each hour deviates on its own. */
  readonly drift?: Traffic['drift'];
  readonly levelAt?: Traffic['levelAt'];
  /** Goals know what others leave to them, as in a running installation; otherwise they count on all of their traffic. */
  readonly isPlanned: boolean;
}

/** A forecast, and what happened. */
export interface ForecastOutcome {
  readonly forecast: Forecast;
  /** The rough forecast of the same moment. */
  readonly rough: Forecast;
  /** That of the booked line item, as it is stored. */
  readonly booked: Forecast;
  /** Of the draft, in the second week. */
  readonly ads: number;
  readonly impressions: number;
  /** Served ads of all line items in the second week. */
  readonly holders: ReadonlyMap<string, number>;
  /** The requests of the second week. */
  readonly requests: number;
  readonly forecastMs: number;
  readonly roughMs: number;
}

/**
 * A week of simulated traffic is sampled as workers sample it, a draft is forecast for the week after, then it is booked, and the simulation
 * continues with it.
 */
export async function playForecast(world: ForecastWorld): Promise<ForecastOutcome> {
  const { seed } = world;
  const rows: OpportunitySampleRow[] = [];
  const clock = { nowMs: START_MS };
  const recorder = sampleInto(rows, clock, seed);
  const network = networkOf(world);
  const planner: { current: WorldPlanner | null } = { current: null };
  const simulation = new Simulation({
    ...scenarioOf(world, network),
    ...(world.isPlanned
      ? { freeTrafficOf: (id: string, nowMs: number) => planner.current?.freeTrafficOf(id, nowMs) ?? null }
      : {}),
    onRequest: (opportunity, nowMs) => {
      recorder.record(opportunity, nowMs);
    },
    onHour: async (nowMs) => {
      clock.nowMs = nowMs;
      await recorder.flush();
    },
  });
  if (world.isPlanned) planner.current = plannerOf(world, network, simulation);
  await simulation.advance(7);
  const startsAtMs = START_MS + 7 * DAY_MS;
  clock.nowMs = startsAtMs;
  await recorder.flush(true);
  const flight = { startsAtMs, endsAtMs: startsAtMs + 7 * DAY_MS };
  const line = { timezone: TIMEZONE, ...world.draft, ...flight, id: DRAFT_LINE_ID };
  const input = {
    snapshot: sampleSnapshot(network),
    draft: draftOf(line),
    sample: readSample(rows),
    curve: simulation.curve,
    history: simulation.listHours(),
    nowMs: startsAtMs,
    seed,
  };
  const { forecast, tookMs: forecastMs } = forecastNow({ ...input, precision: 'FULL' }, simulation);
  const { forecast: rough, tookMs: roughMs } = forecastNow({ ...input, precision: 'ROUGH' }, simulation);
  const lineItems = [...network.lineItems, line];
  const { forecast: booked } = forecastNow(
    {
      ...input,
      draft: { ...input.draft, lineItemId: DRAFT_LINE_ID },
      booked: bookedOf({ ...network, lineItems }),
      precision: 'FULL',
    },
    simulation,
  );
  simulation.book({ ...network, lineItems });
  planner.current?.book(lineItems);
  await simulation.advance(7);
  const { lineItems: outcomes, requestsByHour } = simulation.report();
  const outcome = outcomes.get(DRAFT_LINE_ID);
  return {
    forecast,
    rough,
    booked,
    ads: sumOf(outcome?.ads),
    impressions: sumOf(outcome?.impressions),
    holders: new Map([...outcomes].map(([id, one]) => [id, sumOf(one.ads)])),
    requests: sumOf(requestsByHour),
    forecastMs,
    roughMs,
  };
}

function bookedOf(network: Network): NonNullable<ForecastInput['booked']> {
  const { lineItems, creatives } = sampleSnapshot(network);
  const lineItem = lineItems.find(({ id }) => id === DRAFT_LINE_ID);
  if (lineItem === undefined) throw new Error('The draft is not booked');
  return { lineItem, creatives: creatives.filter(({ lineItemId }) => lineItemId === DRAFT_LINE_ID) };
}

function forecastNow(
  input: ForecastInput,
  { hot }: Simulation,
): { readonly forecast: Forecast; readonly tookMs: number } {
  const began = performance.now();
  const prepared = prepareForecast(input);
  const counters = hot.readCountersNow(prepared.counterKeys);
  const forecast = prepared.finish(new Map(prepared.counterKeys.map((key, at) => [key, Number(counters[at])])));
  return { forecast, tookMs: performance.now() - began };
}

type Network = SampleInput & { readonly lineItems: readonly (LineItemInput & { readonly id: string })[] };

function networkOf({ competitors }: ForecastWorld): Network {
  const flight = { startsAtMs: START_MS, endsAtMs: START_MS + 14 * DAY_MS, timezone: TIMEZONE };
  return {
    workspace: { timezone: TIMEZONE },
    lineItems: competitors.map((lineItem, index) => ({ ...flight, ...lineItem, id: String(index + 1) })),
  };
}

function scenarioOf(world: ForecastWorld, network: Network): SimulationInput {
  return {
    seed: world.seed,
    startMs: START_MS,
    days: 14,
    workers: 2,
    traffic: trafficOf(world),
    historyDays: 28,
    network,
    audience: { shownChance: 0.9, shownAfterMs: 3_000, viewableChance: 0.6, clickChance: 0.004 },
    drawVisit: world.drawVisit,
    log: silentLog,
  };
}

function trafficOf({ requestsPerHour, drift, levelAt }: ForecastWorld): Traffic {
  return {
    timezone: TIMEZONE,
    requestsPerHour,
    surprises: [],
    ...(drift === undefined ? {} : { drift }),
    ...(levelAt === undefined ? {} : { levelAt }),
  };
}

function plannerOf(world: ForecastWorld, { lineItems }: Network, simulation: Simulation): WorldPlanner {
  return new WorldPlanner({
    world: { lineItems, drawVisit: world.drawVisit },
    seed: world.seed,
    startMs: START_MS,
    traffic: trafficOf(world),
    counter: (key) => Number(simulation.hot.readCountersNow([key])[0] ?? 0n),
    lastsUntilMs: Number.POSITIVE_INFINITY,
  });
}

/** Records the rows that workers would send to the analytics store. */
function sampleInto(rows: OpportunitySampleRow[], clock: { nowMs: number }, seed: number): OpportunityRecorder {
  return new OpportunityRecorder({
    olap: {
      insertRaw: async ({ body }) => {
        const lines = body.toString().trimEnd().split('\n');
        rows.push(...lines.map((line) => JSON.parse(line) as OpportunitySampleRow));
      },
    },
    nowMs: () => clock.nowMs,
    random: seededRandom(seed),
    log: silentLog,
  });
}

/** The rows that the analytics store returns. */
function readSample(rows: readonly OpportunitySampleRow[]): TrafficSample {
  const slices = [...new Map(rows.map((row) => [row.slice_id, row])).values()];
  const frame = {
    fromMs: Math.min(...slices.map((slice) => slice.from_ms)),
    untilMs: Math.max(...slices.map((slice) => slice.until_ms)),
    met: slices.reduce((sum, { met }) => sum + met, 0),
    share: Math.min(...slices.map((slice) => slice.share)),
  };
  const kept = rows.filter(({ place }) => place < frame.share).sort((left, right) => left.place - right.place);
  return parseSample(frame, Buffer.from(kept.map((row) => JSON.stringify(row)).join('\n')));
}

const sumOf = (counts: readonly number[] | undefined): number =>
  (counts ?? []).slice(WEEK_HOURS).reduce((sum, count) => sum + count, 0);

function draftOf(line: LineItemInput & { startsAtMs: number; endsAtMs: number }): ForecastDraft {
  const [stored] = sampleSnapshot({ lineItems: [line] }).lineItems;
  if (stored === undefined) throw new Error('There is no line item');
  return {
    ...stored,
    cpmMicros: stored.priceMicros,
    sizes: [{ width: 300, height: 250 }],
    mediaTypes: ['banner'],
    startsAtMs: line.startsAtMs,
    endsAtMs: line.endsAtMs,
    caps: { ...NO_CAPS, ...line.caps },
    serveWithoutUser: stored.serveWithoutUser,
    lineItemId: null,
  };
}
