import type { Forecast, ForecastDraft, ForecastPrecision } from '../../../domain/booking/delivery-insight.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import { compileSteps, compileWorkspace } from '../../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import type { CompiledLineItem } from '../../decision/index/compile-line-items.ts';
import { decide } from '../../decision/decide.ts';
import type { Placement } from '../../decision/decision.ts';
import type { DeliveryState } from '../../decision/delivery-state.ts';
import { ResponseSoFar, checkLineItem } from '../../decision/eligibility.ts';
import { addDraft, DRAFT_ID, narrowSnapshot } from './forecast-draft.ts';
import { planWorld } from './forecast-plans.ts';
import { listRemarks } from './forecast-remarks.ts';
import { ForecastRates } from './forecast-rates.ts';
import { ForecastState, listForecastCounters } from './forecast-state.ts';
import { countReplayed, ReplayedTraffic } from './forecast-traffic.ts';
import type { ReplayedOpportunity } from './forecast-traffic.ts';
import type { TrafficSample } from '../../traffic/parse-sample.ts';
import { forecastVolume } from './forecast-volume.ts';
import type { VolumeForecast } from './forecast-volume.ts';
import type { HourlyRequests, TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { isOutOfReach } from '../diagnosis/reason-texts.ts';
import { type ReplayPace, replayInTime } from './replay-pace.ts';
import { seededRandom } from './seeded-random.ts';
import { makeSlotContext } from '../../decision/slot-context.ts';
import { findFailedDimension } from '../../decision/index/targeting.ts';
import { finishSteps } from '../../decision/index/work-steps.ts';

const CONTENDERS_MAX = 20;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Standard errors of a 95 % interval, and the upper bound in users when none was seen. */
const ERRORS = 1.96;
const NOTHING_SEEN = 3;
/** Most opportunities in a replay, and in one at a volume bound; longer flights use fewer users, each with more weight. */
const MOST: Readonly<Record<ForecastPrecision, { compared: number; counted: number }>> = {
  FULL: { compared: 150_000, counted: 50_000 },
  // The same users in all replays: otherwise chance would tell the few of them apart, and not the volume.
  ROUGH: { compared: 10_000, counted: 10_000 },
};
/** Time for a replay that compares two worlds, and for one that does not. On a busy machine, replays use fewer users to be ready in this time. */
const COMPARED_MS_MAX = 15_000;
const COUNTED_MS_MAX = 5_000;
/** With frequency caps, this much of the past is replayed first, to find what users have seen. */
const PAST_MS = 7 * DAY_MS;

/** The input of a forecast. */
export interface ForecastInput {
  readonly snapshot: WorkspaceSnapshot;
  readonly draft: ForecastDraft;
  readonly precision: ForecastPrecision;
  /** Null: nothing was sampled yet. */
  readonly sample: TrafficSample | null;
  readonly curve: TrafficCurve;
  /** Requests of the network in the last weeks; empty: the flight is expected to be as busy as the sample was. */
  readonly history: readonly HourlyRequests[];
  readonly nowMs: number;
  readonly seed: number;
  /** A monotonic clock, by which replays that would take too long are made with fewer users; absent: they may take any time. */
  readonly elapsedMs?: () => number;
}

/** A forecast that waits for the counters that it begins with. */
export interface PreparedForecast {
  readonly counterKeys: readonly string[];
  /** @param counters missing ones are 0 */
  finish(counters: ReadonlyMap<string, number>): Forecast;
}

/**
 * Replays the sampled traffic over a draft's flight, in two worlds: one without the draft and one with it. Both are decided, paced and
 * limited as delivery is, from the present counters. Takes seconds, so run it in a separate thread.
 */
export function prepareForecast(input: ForecastInput): PreparedForecast {
  const { snapshot, draft, nowMs } = input;
  const refuse = (): void => {};
  const without = compileWorkspace(narrowSnapshot(snapshot, draft, nowMs), nowMs, refuse);
  return {
    counterKeys: listForecastCounters(without, nowMs),
    finish: (counters) => {
      const withDraft = finishSteps(
        compileSteps(addDraft(without.snapshot, draft), { nowMs, reportUnusable: refuse, previous: without }),
      );
      return forecastThreeTimes(input, { without, withDraft, counters });
    },
  };
}

/** With the traffic that is expected, and with the bounds of it: goals, caps and budgets need not follow the traffic. */
function forecastThreeTimes(asked: ForecastInput, compiled: CompiledWorlds): Forecast {
  const input = { ...asked, precision: precisionOf(asked, compiled) };
  const volume = volumeOf(input);
  const worlds: Worlds = { ...compiled, planned: planWorlds(input, compiled, volume?.expected ?? 1) };
  const replay = (replayed: Replay): ForecastRun =>
    replayInTime((pace, replayedMax) => new ForecastRun(input, worlds, { ...replayed, replayedMax }).run(pace), {
      replayedMax: replayed.replayedMax,
      elapsedMs: input.elapsedMs,
      maxMs: replayed.isCompared ? COMPARED_MS_MAX : COUNTED_MS_MAX,
    });
  const most = MOST[input.precision];
  const expected = replay({ share: volume?.expected ?? 1, replayedMax: most.compared, isCompared: true });
  if (volume === null || input.sample === null) return expected.report(null);
  const replayedMax = (expected.replayedMax * most.counted) / most.compared;
  const [low, high] = [volume.low, volume.high].map(
    (share) => replay({ share, replayedMax, isCompared: false }).possible,
  ) as [number, number];
  return expected.report({ ...volume, possible: { low, high } });
}

/** A rough forecast that would leave nobody out is made in full. */
function precisionOf(
  { precision, sample, draft, nowMs }: ForecastInput,
  { without }: CompiledWorlds,
): ForecastPrecision {
  if (sample === null) return 'FULL';
  const span = { fromMs: replayedFromMs(without, nowMs), toMs: draft.endsAtMs };
  return countReplayed(sample, span) > MOST.ROUGH.compared ? precision : 'FULL';
}

/** The begin of a replay: earlier, where earlier impressions of users matter. */
function replayedFromMs({ lineItems }: CompiledWorkspace, nowMs: number): number {
  const hasFrequencyCaps = [...lineItems].some(
    ({ frequencyChecks, creatives }) =>
      frequencyChecks.length > 0 || creatives.some((creative) => creative.frequencyChecks.length > 0),
  );
  return nowMs - (hasFrequencyCaps ? PAST_MS : 0);
}

/** Null where no goal is to be planned, as without a sample. */
function planWorlds(
  { sample, nowMs }: ForecastInput,
  { without, withDraft, counters }: CompiledWorlds,
  share: number,
): Worlds['planned'] {
  if (sample === null || sample.entries.length === 0 || !hasGoals(withDraft)) return null;
  const span = { fromMs: nowMs, share, counter: (key: string) => counters.get(key) ?? 0 };
  return { without: planWorld(without, sample, span), withDraft: planWorld(withDraft, sample, span) };
}

function hasGoals({ lineItems }: CompiledWorkspace): boolean {
  return [...lineItems].some(({ booked }) => booked.type === 'STANDARD' && booked.goal !== null);
}

/** Null where the history is too short. */
function volumeOf({ sample, history, curve, draft, nowMs, seed }: ForecastInput): VolumeForecast | null {
  if (sample === null) return null;
  const flight = { fromMs: Math.max(nowMs, draft.startsAtMs), toMs: draft.endsAtMs };
  return forecastVolume({ hours: history, curve, nowMs, sampled: sample, flight, random: seededRandom(seed) });
}

/** The volume of the flight, and what the draft can get at its bounds. */
interface Bounds extends VolumeForecast {
  readonly possible: { readonly low: number; readonly high: number };
}

interface CompiledWorlds {
  readonly without: CompiledWorkspace;
  readonly withDraft: CompiledWorkspace;
  readonly counters: ReadonlyMap<string, number>;
}

type FreeSharesOf = ReturnType<typeof planWorld>;

interface Worlds extends CompiledWorlds {
  /** What other goals leave to each goal; null: all. */
  readonly planned: { readonly without: FreeSharesOf; readonly withDraft: FreeSharesOf } | null;
}

/** The traffic of a replay: its volume as a share of that of the sample, and the most opportunities of it. */
interface Traffic {
  readonly share: number;
  readonly replayedMax: number;
}

/** One of the replays. */
interface Replay extends Traffic {
  /** Whether it also tells who has the slots without the draft, which costs as much again. */
  readonly isCompared: boolean;
}

/** A world and its state. */
interface World {
  readonly compiled: CompiledWorkspace;
  readonly state: ForecastState;
}

class ForecastRun {
  readonly #input: ForecastInput;
  readonly #worlds: Worlds;
  readonly #rates: ForecastRates;
  /** The draft; undefined when it cannot be compiled. */
  readonly #draft: CompiledLineItem | undefined;
  readonly #sums = { opportunities: 0, matched: 0, available: 0, possible: 0 };
  readonly #holders = new Map<string, number>();
  /** By user: the opportunities, and how many the draft got. */
  #requested = new Float64Array(0);
  #won = new Float64Array(0);
  #matchedInSample = 0;
  readonly #replayed: Replay;
  /** The weight of a replayed request; 0 without a sample. */
  #weight = 0;

  constructor(input: ForecastInput, worlds: Worlds, replayed: Replay) {
    this.#input = input;
    this.#replayed = replayed;
    this.#worlds = worlds;
    this.#rates = new ForecastRates(worlds.without, worlds.counters);
    this.#draft = [...worlds.withDraft.lineItems].find(({ booked }) => booked.id === DRAFT_ID);
  }

  /** The slots that the draft can get. */
  get possible(): number {
    return this.#sums.possible;
  }

  /** The most opportunities of this replay. */
  get replayedMax(): number {
    return this.#replayed.replayedMax;
  }

  /** Null when it was given up, because it would take too long. */
  run(pace: ReplayPace | null): this | null {
    const { sample, curve, draft, nowMs } = this.#input;
    if (sample === null) return this;
    const fromMs = replayedFromMs(this.#worlds.without, nowMs);
    const traffic = new ReplayedTraffic(sample, curve, { fromMs, toMs: draft.endsAtMs, ...this.#replayed });
    this.#weight = traffic.weight;
    this.#requested = new Float64Array(traffic.userCount);
    this.#won = new Float64Array(traffic.userCount);
    return this.#replay(pace === null ? traffic.replay() : pace.watch(traffic.replay(), [fromMs, draft.endsAtMs]))
      ? this
      : null;
  }

  /** @param traffic ends with null when the replay is to be given up */
  #replay(traffic: Iterable<ReplayedOpportunity | null>): boolean {
    const { draft, nowMs, curve, seed } = this.#input;
    const { without, withDraft, counters, planned } = this.#worlds;
    const { workspaceId } = without.snapshot.workspace;
    const rules = { workspaceId, curve, counters, startMs: nowMs, isPast: false, random: seededRandom(seed) };
    const past = new ForecastState({ ...rules, startMs: nowMs - PAST_MS, isPast: true });
    past.open(without, this.#rates);
    let before: World = { compiled: without, state: past };
    let after: World | null = null;
    let number = seed;
    // A plan knows a goal from the day it is booked: others are delivered ahead of it.
    const isPlanned = planned !== null && draft.type === 'STANDARD' && draft.goal !== null;
    const worldsPartMs = isPlanned ? nowMs : Math.max(nowMs, draft.startsAtMs);
    for (const one of traffic) {
      if (one === null) return false;
      number += 1;
      if (one.atMs >= nowMs && before.state === past) {
        before = { compiled: without, state: past.succeed(rules) };
        if (planned !== null) before.state.use(planned.without);
      }
      if (one.atMs < worldsPartMs) {
        this.#decide(before, one, number);
        continue;
      }
      if (after === null) {
        after = { compiled: withDraft, state: before.state.fork() };
        if (planned !== null) after.state.use(planned.withDraft);
        after.state.open(withDraft, this.#rates);
      }
      const placedBefore = this.#replayed.isCompared ? this.#decide(before, one, number) : null;
      const placedAfter = this.#decide(after, one, number);
      if (one.atMs < draft.startsAtMs) continue;
      if (placedBefore === null) this.#countWon(one, placedAfter);
      else this.#compare(one, placedBefore, placedAfter);
    }
    return true;
  }

  /** The same draws in both worlds, so that only the draft causes differences. */
  #decide({ compiled, state }: World, one: ReplayedOpportunity, seed: number): readonly (Placement | null)[] {
    const random = seededRandom(seed);
    const isShown = random() < this.#rates.shownShare;
    state.advance(one.atMs, one.weight);
    const decision = decide(compiled, one.opportunity, { state, nowMs: one.atMs, random });
    state.record(decision, one.opportunity.userHash, isShown);
    return decision.placements;
  }

  #countWon({ weight }: ReplayedOpportunity, placed: readonly (Placement | null)[]): void {
    for (const placement of placed) if (placement?.lineItem.booked.id === DRAFT_ID) this.#sums.possible += weight;
  }

  #compare(
    one: ReplayedOpportunity,
    before: readonly (Placement | null)[],
    after: readonly (Placement | null)[],
  ): void {
    const { weight, userIndex } = one;
    const matched = this.#match(one);
    for (const at of one.opportunity.slots.keys()) {
      this.#sums.opportunities += weight;
      this.#requested[userIndex] = (this.#requested[userIndex] ?? 0) + weight;
      if (matched[at] !== true || this.#draft === undefined) continue;
      this.#matchedInSample += 1;
      this.#sums.matched += weight;
      const holder = before[at]?.lineItem ?? null;
      if (holder !== null) this.#holders.set(holder.booked.id, (this.#holders.get(holder.booked.id) ?? 0) + weight);
      const isWon = after[at]?.lineItem.booked.id === DRAFT_ID;
      // The plan also gives it opportunities of higher levels that can do with others.
      if (isWon || holder === null || holder.group >= this.#draft.group) this.#sums.available += weight;
      if (!isWon) continue;
      this.#sums.possible += weight;
      this.#won[userIndex] = (this.#won[userIndex] ?? 0) + weight;
    }
  }

  /** Which slots are meant for the draft, by targeting, format and time. */
  #match({ opportunity, atMs }: ReplayedOpportunity): boolean[] {
    const lineItem = this.#draft;
    if (lineItem === undefined) return [];
    const context = { state: NOTHING_DELIVERED, nowMs: atMs, random: () => 0 };
    return opportunity.slots.map((slot) => {
      const there = makeSlotContext(this.#worlds.withDraft, opportunity, {
        slot,
        response: new ResponseSoFar(),
        context,
      });
      if (findFailedDimension(lineItem.booked.targeting, lineItem.booked.timezone, there.facts) !== null) return false;
      const found = checkLineItem(lineItem, there);
      return typeof found !== 'string' || !isOutOfReach(found);
    });
  }

  /** @param bounds null: the volume of the flight is not known better than from the sample */
  report(bounds: Bounds | null): Forecast {
    const { sample, snapshot, precision } = this.#input;
    const { opportunities, matched, available, possible } = this.#sums;
    const margin = this.#margin();
    const low = possible - Math.hypot(margin, Math.max(0, possible - (bounds?.possible.low ?? possible)));
    const high = possible + Math.hypot(margin, Math.max(0, (bounds?.possible.high ?? possible) - possible));
    const mostOpportunities = opportunities * (bounds === null ? 1 : bounds.high / bounds.expected);
    return {
      precision,
      opportunities: Math.round(opportunities),
      matched: Math.round(matched),
      available: Math.round(available),
      possible: Math.round(possible),
      possibleLow: Math.max(0, Math.round(low)),
      possibleHigh: Math.round(Math.min(high, mostOpportunities)),
      impressions: Math.round(possible * this.#rates.shownShare),
      sampleSize: sample?.entries.length ?? 0,
      sampledHours: sample === null ? 0 : Math.round(((sample.untilMs - sample.fromMs) / HOUR_MS) * 10) / 10,
      remarks: listRemarks(this.#input, {
        isThinned: this.replayedMax < MOST[precision].compared,
        matched: this.#sums.matched,
        matchedInSample: this.#matchedInSample,
        possible,
        margin,
        volume: bounds,
      }),
      contending: [...this.#holders]
        .sort(([, left], [, right]) => right - left)
        .slice(0, CONTENDERS_MAX)
        .map(([lineItemId, count]) => ({
          lineItemId,
          name: snapshot.lineItems.find(({ id }) => id === lineItemId)?.name ?? '',
          opportunities: Math.round(count),
        })),
    };
  }

  /**
   * Half the width of a 95 % interval of `possible`: sampled users differ from all users, and future users from past ones. A sampled user
   * comes with all requests, so the interval counts users, not requests.
   */
  #margin(): number {
    const { opportunities, possible } = this.#sums;
    if (opportunities === 0) return 0;
    const weight = this.#weight;
    const share = possible / opportunities;
    let squares = 0;
    for (const [user, asked] of this.#requested.entries()) squares += ((this.#won[user] ?? 0) - share * asked) ** 2;
    const users = this.#requested.length;
    const sampled = ERRORS * fewUsers(users) * Math.sqrt(squares * (1 + 1 / weight));
    const perEntry = opportunities / Math.max(1, users);
    return possible > 0 ? sampled : NOTHING_SEEN * perEntry;
  }
}

/** Few users tell badly how users differ: about the ratio of Student's t to the normal distribution. */
function fewUsers(users: number): number {
  return 1 + 1.4 / Math.max(0.7, users - 1.8);
}

const NOTHING_DELIVERED: DeliveryState = {
  counter: () => 0,
  pace: () => ({ mayDeliver: true, urgency: 0 }),
  isUsedUp: () => false,
};
