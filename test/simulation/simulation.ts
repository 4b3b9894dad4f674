import { armOf, doGoalsBid, type DecidedArm } from '../../src/domain/experiments/experiment.ts';
import type { ExperimentArm, ExperimentRule } from '../../src/domain/experiments/experiment.ts';
import type { Log } from '../../src/domain/log/log.ts';
import type { FreeTraffic } from '../../src/domain/pacing/free-timeline.ts';
import { compileWorkspace } from '../../src/delivery/decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../src/delivery/decision/index/compiled-workspace.ts';
import { decide } from '../../src/delivery/decision/decide.ts';
import type { Decision } from '../../src/delivery/decision/decision.ts';
import { decidedBy } from '../../src/delivery/decision/experiment-rules.ts';
import { frequencyWindowMs } from '../../src/domain/frequency/frequency-key.ts';
import { frequencyCheckKey } from '../../src/delivery/decision/index/frequency-checks.ts';
import { sampleOpportunity, sampleSnapshot } from '../worlds/sample-workspace.ts';
import type { SampleInput } from '../worlds/sample-workspace.ts';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { buildCurve } from '../../src/domain/pacing/traffic-curve.ts';
import type { HourlyRequests, TrafficCurve } from '../../src/domain/pacing/traffic-curve.ts';
import { EligibleTraffic } from '../../src/delivery/pacing/eligible-traffic.ts';
import { CURVE_SAMPLE_MAX } from '../../src/delivery/pacing/line-item-curves.ts';
import { DeliveryControl } from '../../src/delivery/pacing/delivery-control.ts';
import { isNarrowed } from '../../src/domain/pacing/traffic-inventory.ts';
import { SameDraws } from '../../src/delivery/decision/draws/same-draws.ts';
import type { ContextModel } from '../../src/delivery/value/context-model.ts';
import { ConversionDelays } from './conversion-delays.ts';
import { LearntTraffic } from './learnt-traffic.ts';
import { MemoryHotStore } from './memory-hot-store.ts';
import { drawPoisson, seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { drawHistory, noiseOf, trafficAt } from './traffic.ts';
import type { Traffic } from './traffic.ts';
import { countUserEvent, drawEvents } from './users.ts';
import type { Audience, UserEvent, UserEventKind } from './users.ts';

const HOUR_MS = 3_600_000;
/** How often processes read counters and report in a simulation (a second in a worker). */
const STEP_MS = 10_000;
const ROUNDS_MAX = 8;
const ARM_SECRET = Buffer.from('of simulations alone');
/** How often curves are learnt (an hour in an installation). */
const LEARN_MS = 6 * HOUR_MS;
const WORKSPACE_ID = 1;
/** How long opportunities are sampled before their curves are computed, as in the analytics store. */
const SAMPLE_DAYS = 14;

/** The input of a simulation. */
export interface SimulationInput {
  readonly seed: number;
  readonly startMs: number;
  readonly days: number;
  readonly workers: number;
  readonly traffic: Traffic;
  /** Curves are learnt hour by hour, also from what comes after the start, as an installation does; else from the days before alone. */
  readonly isLearning?: boolean;
  /** Goals bid what they are worth; false: levels and urgency decide, and STANDARD stands above PRICE. Absent: true. */
  readonly hasWorths?: boolean;
  /** Days of history that the curve is computed from; 0 = a flat curve. */
  readonly historyDays: number;
  readonly network: SampleInput;
  readonly audience: Audience;
  /** The user and properties of each request; absent: a new user each time. */
  readonly drawVisit?: (random: () => number, atMs: number) => Partial<Opportunity>;
  /** The same of the days before the start; absent: as after it. */
  readonly drawPastVisit?: SimulationInput['drawVisit'];
  /** An experiment for all of the time; with null instead of a rule both arms are decided as always. */
  readonly experiment?: { readonly rule: ExperimentRule | null; readonly sharePercent: number };
  /** Called for every decision that is served; `REST` without an experiment. */
  readonly onDecision?: (decision: Decision, arm: ExperimentArm, nowMs: number) => void;
  /** Called for every header bidder that wins, with its price for a thousand, micros. */
  readonly onHeaderBid?: (cpmMicros: number) => void;
  /** Called for every request. */
  readonly onRequest?: (opportunity: Opportunity, nowMs: number) => void;
  /** Called and awaited at the beginning of every hour. */
  readonly onHour?: (nowMs: number) => Promise<void>;
  /** What other goals leave to that of a line item; null or absent: all. */
  readonly freeTrafficOf?: (lineItemId: string, nowMs: number) => FreeTraffic | null;
  readonly log: Log;
}

/** The delivery of one line item, by hour from the start. */
export interface LineItemOutcome {
  /** Served ads, by the hour of the request. */
  readonly ads: readonly number[];
  readonly impressions: readonly number[];
  readonly viewables: readonly number[];
  readonly clicks: readonly number[];
  readonly conversions: readonly number[];
}

/** The result of a simulation. */
export interface SimulationOutcome {
  readonly requestsByHour: readonly number[];
  readonly lineItems: ReadonlyMap<string, LineItemOutcome>;
  /** The curve of all traffic. */
  readonly curve: TrafficCurve;
  /** By line item: the curves of those that are eligible for a part of the traffic. */
  readonly ownCurves: ReadonlyMap<string, TrafficCurve>;
  readonly tookMs: number;
}

type Tally = Record<UserEventKind | 'ad', number[]>;

/** A network of workers on a simulated clock: the real decisions, pacing and budgets, with random users. Seeded. */
export class Simulation {
  readonly #input: SimulationInput;
  readonly #random: () => number;
  /** Of requests alone, so that other decisions meet the same traffic. */
  readonly #traffic: () => number;
  /** The counters at present. */
  readonly hot: MemoryHotStore;
  /** The curves of the days before: of all traffic, and of the line items that are eligible for a part of it. */
  readonly curve: TrafficCurve;
  readonly #ownCurves: ReadonlyMap<string, TrafficCurve>;
  readonly #history: readonly HourlyRequests[];
  #compiled: CompiledWorkspace;
  readonly #controls: readonly DeliveryControl[];
  readonly #tallies = new Map<string, Tally>();
  readonly #requests: number[];
  /** Of arms alone. */
  readonly #arms: () => number;
  #drawnArm: ExperimentArm = 'REST';
  #nowMs: number;
  #nextStepMs: number;
  readonly #drawNoise: () => number;
  #noise = 1;
  /** What is learnt while it runs; null: nothing. */
  readonly learnt: LearntTraffic | null;
  readonly #delays = new ConversionDelays();
  /** What the core has learnt of late conversions. */
  #model: ContextModel | null = null;
  #events: (UserEvent & { readonly userHash: string })[] = [];

  constructor(input: SimulationInput) {
    this.#input = input;
    this.#random = seededRandom(input.seed);
    this.#traffic = seededRandom(input.seed + 1_000_003);
    this.#arms = seededRandom(input.seed + 2_000_003);
    this.#nowMs = input.startMs;
    this.#nextStepMs = input.startMs;
    this.hot = new MemoryHotStore(() => this.#nowMs);
    this.#compiled = compileNetwork(input.network, input.startMs);
    const habit = { ...input.traffic, surprises: [] };
    const history = drawHistory(habit, input.startMs, input.historyDays, this.#random);
    this.#history = history;
    this.curve = buildCurve(history, input.traffic.timezone, input.startMs);
    this.learnt = input.isLearning === true ? new LearntTraffic(input.traffic.timezone, input.startMs) : null;
    this.#ownCurves = this.#learnOwnCurves();
    this.#drawNoise = noiseOf(input.traffic, this.#traffic);
    this.#controls = Array.from({ length: input.workers }, (_none, workerIndex) => this.#newControl(workerIndex));
    this.#requests = Array.from({ length: input.days * 24 }, () => 0);
  }

  async run(): Promise<SimulationOutcome> {
    const startedMs = performance.now();
    await this.advance(this.#input.days);
    return { ...this.report(), tookMs: performance.now() - startedMs };
  }

  /** Simulates the next days, at most the `days` of the input in all. */
  async advance(days: number): Promise<void> {
    const { startMs, onHour } = this.#input;
    const endMs = this.#nextStepMs + days * 24 * HOUR_MS;
    for (; this.#nextStepMs < endMs; this.#nextStepMs += STEP_MS) {
      if ((this.#nextStepMs - startMs) % HOUR_MS === 0) {
        this.#noise = this.#drawNoise();
        this.hot.sweep();
        this.#model = this.#delays.learn(this.#nextStepMs);
        if ((this.#nextStepMs - startMs) % LEARN_MS === 0)
          this.learnt?.learn(this.listHours(), this.#compiled.snapshot.lineItems, this.#nextStepMs);
        await onHour?.(this.#nextStepMs);
      }
      await this.#step(this.#nextStepMs, this.#noise);
    }
  }

  /** The requests by hour of the days before the start, and of those that were simulated. */
  listHours(): HourlyRequests[] {
    const { startMs } = this.#input;
    const hours = this.#requests.slice(0, Math.floor((this.#nextStepMs - startMs) / HOUR_MS));
    return [...this.#history, ...hours.map((requests, hour) => ({ startMs: startMs + hour * HOUR_MS, requests }))];
  }

  /** Replaces the bookings from now on. */
  book(network: SampleInput): void {
    this.#compiled = compileNetwork(network, this.#nextStepMs);
  }

  /** The result up to now. */
  report(): Omit<SimulationOutcome, 'tookMs'> {
    return {
      requestsByHour: this.#requests,
      lineItems: new Map([...this.#tallies].map(([id, tally]) => [id, toOutcome(tally)])),
      curve: this.curve,
      ownCurves: this.#ownCurves,
    };
  }

  /** From as many requests as the analytics store samples of a network. */
  #learnOwnCurves(): ReadonlyMap<string, TrafficCurve> {
    const { startMs, historyDays, traffic, drawVisit, drawPastVisit = drawVisit } = this.#input;
    const paced = [...this.#compiled.snapshot.lineItems].filter(
      ({ goal, targeting }) => goal !== null && isNarrowed(targeting),
    );
    if (historyDays === 0 || drawPastVisit === undefined || paced.length === 0) return new Map();
    const aims = paced.flatMap(({ targeting, timezone }) => (targeting === null ? [] : [{ targeting, timezone }]));
    const eligible = new EligibleTraffic(aims, this.curve);
    const hours = Math.min(historyDays, SAMPLE_DAYS) * 24;
    const met = hours * traffic.requestsPerHour;
    const share = Math.min(1, CURVE_SAMPLE_MAX / met);
    for (let back = 1; back <= hours; back += 1) {
      const hourMs = startMs - back * HOUR_MS;
      const count = drawPoisson(trafficAt({ ...traffic, surprises: [] }, hourMs) * share, this.#random);
      for (let at = 0; at < count; at += 1) {
        const atMs = hourMs + Math.floor((at * HOUR_MS) / count);
        const opportunity = sampleOpportunity(drawPastVisit(this.#random, atMs));
        eligible.record(opportunity, atMs);
        this.learnt?.meet(opportunity, atMs);
      }
    }
    return new Map(
      paced.flatMap(({ id }, at) => {
        const curve = eligible.curveOf(at);
        return curve === null ? [] : [[id, curve] as const];
      }),
    );
  }

  #newControl(workerIndex: number): DeliveryControl {
    const { freeTrafficOf } = this.#input;
    return new DeliveryControl({
      ...(freeTrafficOf === undefined
        ? {}
        : { freeTrafficOf: (_workspaceId: number, id: string, nowMs: number) => freeTrafficOf(id, nowMs) }),
      hot: this.hot.asHotStore(),
      processes: this.#input.workers,
      workerIndex,
      curveOf: (_workspaceId, { booked: { id } }) => this.learnt?.curveOf(id) ?? this.#ownCurves.get(id) ?? this.curve,
      nowMs: () => this.#nowMs,
      contextModelOf: () => this.#model,
      log: this.#input.log,
    });
  }

  async #step(stepMs: number, noise: number): Promise<void> {
    this.#nowMs = stepMs;
    this.#countDue();
    const mean = (trafficAt(this.#input.traffic, stepMs) * noise * STEP_MS) / HOUR_MS;
    const count = drawPoisson(mean, this.#traffic);
    const hour = Math.floor((stepMs - this.#input.startMs) / HOUR_MS);
    this.#requests[hour] = (this.#requests[hour] ?? 0) + count;
    for (let at = 0; at < count; at += 1) {
      this.#nowMs = stepMs + Math.floor((at * STEP_MS) / count);
      await this.#request();
    }
    for (const control of this.#controls) await control.maintain();
  }

  async #request(): Promise<void> {
    const control = this.#controls[Math.floor(this.#random() * this.#controls.length)] as DeliveryControl;
    const nowMs = this.#nowMs;
    const state = control.newState(nowMs);
    if (this.#input.hasWorths === false) state.hasWorths = () => false;
    const opportunity = sampleOpportunity((this.#input.drawVisit ?? drawStranger)(this.#traffic, nowMs));
    this.#input.onRequest?.(opportunity, nowMs);
    this.learnt?.meet(opportunity, nowMs);
    const arm = this.#armOf(opportunity, nowMs);
    const draws = new SameDraws(this.#random);
    let decision: Decision | null = null;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      draws.rewind();
      const tried = decide(this.#compiled, opportunity, { ...decidedBy(arm), state, nowMs, random: draws.next });
      const reserved = control.reserve(tried.placements, WORKSPACE_ID, state);
      if (reserved === true || (reserved !== false && (await reserved))) {
        decision = tried;
        break;
      }
    }
    if (decision === null) return;
    control.recordServed(decision, doGoalsBid(arm));
    this.#input.onDecision?.(decision, this.#drawnArm, nowMs);
    for (const bid of decision.headerBids ?? []) if (bid !== null) this.#input.onHeaderBid?.(bid.cpmMicros);
    for (const placement of decision.placements) {
      if (placement === null) continue;
      this.#tally(placement.lineItem.booked.id, 'ad', nowMs);
      const { userHash } = opportunity;
      for (const event of drawEvents(placement, nowMs, this.#input.audience, this.#random))
        this.#events.push({ ...event, userHash });
    }
  }

  /** The arm by whose rule a request is decided; null: as always. */
  #armOf(opportunity: Opportunity, nowMs: number): DecidedArm | null {
    const { experiment, startMs } = this.#input;
    this.#drawnArm = 'REST';
    if (experiment === undefined) return null;
    const { rule, sharePercent } = experiment;
    const span = { startsAtMs: startMs, endsAtMs: Number.POSITIVE_INFINITY };
    const running = { id: '1', rule: rule ?? 'NO_PRICES', sharePercent, ...span };
    const drawn = armOf(running, opportunity, { secret: ARM_SECRET, nowMs, random: this.#arms });
    if (drawn !== null) this.#drawnArm = drawn.arm;
    return rule === null ? null : drawn;
  }

  #countDue(): void {
    const later: (UserEvent & { readonly userHash: string })[] = [];
    for (const event of this.#events) {
      if (event.atMs > this.#nowMs) later.push(event);
      else this.#count(event);
    }
    this.#events = later;
  }

  #count(event: UserEvent & { readonly userHash: string }): void {
    const { timezone } = this.#compiled.snapshot.workspace;
    const { placement, kind, userHash, atMs } = event;
    for (const increment of countUserEvent(event, WORKSPACE_ID, timezone)) this.hot.add(increment);
    const counted = FREQUENCY_EVENTS[kind];
    for (const check of [...placement.lineItem.frequencyChecks, ...placement.creative.frequencyChecks]) {
      if (check.cap.event !== counted) continue;
      const key = frequencyCheckKey(check, WORKSPACE_ID, userHash);
      this.hot.add({ key, by: 1n, ttlMs: frequencyWindowMs(check.cap) });
    }
    this.#tally(placement.lineItem.booked.id, kind, atMs);
    if (kind === 'activity') this.#delays.convert(placement.lineItem, atMs - event.decidedAtMs);
    if (kind === 'impression' && this.#input.audience.convertChance !== undefined)
      this.#delays.show(placement.lineItem, atMs);
  }

  #tally(lineItemId: string, what: keyof Tally, atMs: number): void {
    let tally = this.#tallies.get(lineItemId);
    if (tally === undefined) {
      const empty = () => Array.from({ length: this.#input.days * 24 }, () => 0);
      tally = { ad: empty(), impression: empty(), viewable: empty(), click: empty(), activity: empty() };
      this.#tallies.set(lineItemId, tally);
    }
    const hour = Math.floor((atMs - this.#input.startMs) / HOUR_MS);
    tally[what][hour] = (tally[what][hour] ?? 0) + 1;
  }
}

const FREQUENCY_EVENTS = { impression: 'IMPRESSIONS', click: 'CLICKS', viewable: null, activity: null } as const;

function compileNetwork(network: SampleInput, nowMs: number): CompiledWorkspace {
  return compileWorkspace(sampleSnapshot(network), nowMs, (_id, error) => {
    throw error;
  });
}

/** A user who never came before. */
function drawStranger(random: () => number): Partial<Opportunity> {
  const userHash = Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(16, '0');
  return { userHash };
}

function toOutcome(tally: Tally): LineItemOutcome {
  return {
    ads: tally.ad,
    impressions: tally.impression,
    viewables: tally.viewable,
    clicks: tally.click,
    conversions: tally.activity,
  };
}
