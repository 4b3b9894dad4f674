import type { Forecast, ForecastDraft, ForecastPrecision } from '../../../domain/booking/delivery-insight.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { HourlyRequests, TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { TrafficSample } from '../../traffic/parse-sample.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import type { CompiledLineItem } from '../../decision/index/compile-line-items.ts';
import { decide } from '../../decision/decide.ts';
import type { Decision } from '../../decision/decision.ts';
import type { DeliveryState } from '../../decision/delivery-state.ts';
import { checkLineItem } from '../../decision/eligibility.ts';
import { ResponseSoFar } from '../../decision/response-so-far.ts';
import { findFailedDimension } from '../../decision/index/targeting.ts';
import { makeSlotContext } from '../../decision/slot-context.ts';
import { isOutOfReach } from '../diagnosis/reason-texts.ts';
import { Displacement } from './displacement.ts';
import { draftIdOf } from './forecast-draft.ts';
import type { BookedDraft } from './forecast-draft.ts';
import type { planWorld } from './forecast-plans.ts';
import { ForecastRates } from './forecast-rates.ts';
import { listRemarks } from './forecast-remarks.ts';
import { ForecastState } from './forecast-state.ts';
import { ReplayedTraffic } from './forecast-traffic.ts';
import type { ReplayedOpportunity, ReplayedSpan } from './forecast-traffic.ts';
import type { VolumeForecast } from './forecast-volume.ts';
import type { ReplayPace } from './replay-pace.ts';
import { seededRandom } from './seeded-random.ts';

const CONTENDERS_MAX = 20;
const HOUR_MS = 3_600_000;
/** With frequency caps, this much of the past is replayed first, to find what users have seen. */
const PAST_MS = 7 * 24 * HOUR_MS;
/** Standard errors of a 95 % interval and of an 80 % one, and the upper bound in users when none was seen. */
const ERRORS = 1.96;
const LIKELY_ERRORS = 1.28;
const NOTHING_SEEN = 3;

/** The input of a forecast. */
export interface ForecastInput {
  readonly snapshot: WorkspaceSnapshot;
  readonly draft: ForecastDraft;
  /** The line item itself, where it is booked already; absent: the draft is all that is known of it. */
  readonly booked?: BookedDraft;
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

/** The begin of a replay: earlier, where earlier impressions of users matter. */
export function replayedFromMs({ lineItems }: CompiledWorkspace, nowMs: number): number {
  const hasFrequencyCaps = [...lineItems].some(
    ({ frequencyChecks, creatives }) =>
      frequencyChecks.length > 0 || creatives.some((creative) => creative.frequencyChecks.length > 0),
  );
  return nowMs - (hasFrequencyCaps ? PAST_MS : 0);
}

/** The volume of the flight, and what the draft can get at its bounds. */
export interface Bounds extends VolumeForecast {
  readonly possible: { readonly low: number; readonly high: number };
}

export interface CompiledWorlds {
  readonly without: CompiledWorkspace;
  readonly withDraft: CompiledWorkspace;
  readonly counters: ReadonlyMap<string, number>;
}

type FreeSharesOf = ReturnType<typeof planWorld>;

export interface Worlds extends CompiledWorlds {
  /** What other goals leave to each goal; null: all. */
  readonly planned: { readonly without: FreeSharesOf; readonly withDraft: FreeSharesOf } | null;
}

/** One of the replays: its traffic, and what it tells. */
export interface Replay extends Pick<ReplayedSpan, 'share' | 'replayedMax' | 'factorOf'> {
  /** Whether it also tells who has the slots without the draft, which costs as much again. */
  readonly isCompared: boolean;
}

/** A world and its state. */
interface World {
  readonly compiled: CompiledWorkspace;
  readonly state: ForecastState;
}

/** What other replays tell about the uncertainty. */
export interface Spread {
  /** Null: the volume of the flight is not known better than from the sample. */
  readonly volume: Bounds | null;
  /** A standard deviation of the draft's slots, because parts of the traffic have busy days of their own. */
  readonly partsSpread: number;
  /** Whether fewer users were replayed than usual, to be ready in time. */
  readonly isThinned: boolean;
}

/** A replay of the sampled traffic over a draft's flight. */
export class ForecastRun {
  readonly #input: ForecastInput;
  readonly #worlds: Worlds;
  readonly #rates: ForecastRates;
  readonly #draftId: string;
  /** The draft; undefined when it cannot be compiled. */
  readonly #draft: CompiledLineItem | undefined;
  readonly #sums = { opportunities: 0, matched: 0, available: 0, possible: 0 };
  readonly #holders = new Map<string, number>();
  readonly #displacement: Displacement;
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
    this.#draftId = draftIdOf(input);
    this.#displacement = new Displacement(this.#rates, this.#draftId);
    this.#draft = [...worlds.withDraft.lineItems].find(({ booked }) => booked.id === this.#draftId);
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
      const decidedBefore = this.#replayed.isCompared ? this.#decide(before, one, number) : null;
      const decidedAfter = this.#decide(after, one, number);
      if (decidedBefore !== null) this.#displacement.record(decidedBefore, decidedAfter, one.weight);
      if (one.atMs < draft.startsAtMs) continue;
      if (decidedBefore === null) this.#countWon(one, decidedAfter);
      else this.#compare(one, decidedBefore, decidedAfter);
    }
    return true;
  }

  /** The same draws in both worlds, so that only the draft causes differences. */
  #decide({ compiled, state }: World, one: ReplayedOpportunity, seed: number): Decision {
    const random = seededRandom(seed);
    const isShown = random() < this.#rates.shownShare;
    state.advance(one.atMs, one.weight);
    const decision = decide(compiled, one.opportunity, { state, nowMs: one.atMs, random });
    state.record(decision, one.opportunity.userHash, isShown);
    return decision;
  }

  #countWon({ weight }: ReplayedOpportunity, { placements }: Decision): void {
    for (const placement of placements)
      if (placement?.lineItem.booked.id === this.#draftId) this.#sums.possible += weight;
  }

  #compare(one: ReplayedOpportunity, { placements: before }: Decision, { placements: after }: Decision): void {
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
      const isWon = after[at]?.lineItem.booked.id === this.#draftId;
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

  report(spread: Spread): Forecast {
    const { sample, snapshot, precision } = this.#input;
    const { opportunities, matched, available, possible } = this.#sums;
    return {
      precision,
      opportunities: Math.round(opportunities),
      matched: Math.round(matched),
      available: Math.round(available),
      possible: Math.round(possible),
      ...this.#intervals(spread),
      impressions: Math.round(possible * this.#rates.shownShare),
      shownShare: this.#rates.shownShare,
      ...this.#displacement.report(),
      sampleSize: sample?.entries.length ?? 0,
      sampledHours: sample === null ? 0 : Math.round(((sample.untilMs - sample.fromMs) / HOUR_MS) * 10) / 10,
      remarks: listRemarks(this.#input, {
        isThinned: spread.isThinned,
        matched: this.#sums.matched,
        matchedInSample: this.#matchedInSample,
        possible,
        margin: this.#margin(),
        partsMargin: ERRORS * spread.partsSpread,
        volume: spread.volume,
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

  /** Users, the volume of the network and that of its parts err independently of each other. */
  #intervals({
    volume,
    partsSpread,
  }: Spread): Pick<Forecast, 'possibleLow' | 'possibleHigh' | 'likelyLow' | 'likelyHigh'> {
    const { opportunities, possible } = this.#sums;
    const own = Math.hypot(this.#margin(), ERRORS * partsSpread);
    const below = Math.hypot(own, Math.max(0, possible - (volume?.possible.low ?? possible)));
    const above = Math.hypot(own, Math.max(0, (volume?.possible.high ?? possible) - possible));
    const most = opportunities * (volume === null ? 1 : volume.high / volume.expected) + ERRORS * partsSpread;
    const low = (errors: number): number => Math.max(0, Math.round(possible - (errors / ERRORS) * below));
    const high = (errors: number): number => Math.round(Math.min(possible + (errors / ERRORS) * above, most));
    return {
      possibleLow: low(ERRORS),
      possibleHigh: high(ERRORS),
      likelyLow: low(LIKELY_ERRORS),
      likelyHigh: high(LIKELY_ERRORS),
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
