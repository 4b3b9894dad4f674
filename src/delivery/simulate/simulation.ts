import type { Logger } from 'pino';
import { compileWorkspace } from '../compile.ts';
import type { CompiledWorkspace } from '../compile.ts';
import { decide } from '../decide.ts';
import type { Decision } from '../decide.ts';
import { sampleOpportunity, sampleSnapshot } from '../fixtures/sample-workspace.ts';
import type { SampleInput } from '../fixtures/sample-workspace.ts';
import { buildCurve } from '../pacing-curve.ts';
import type { TrafficCurve } from '../pacing-curve.ts';
import { PlanKeeper } from '../plan-keeper.ts';
import { SameDraws } from '../same-draws.ts';
import { MemoryHotStore } from './memory-hot-store.ts';
import { drawPoisson, seededRandom } from './random.ts';
import { drawHistory, drawNoise, trafficAt } from './traffic.ts';
import type { Traffic } from './traffic.ts';
import { countVisitorEvent, drawEvents } from './visitors.ts';
import type { Audience, VisitorEvent, VisitorEventKind } from './visitors.ts';

const HOUR_MS = 3_600_000;
/** Processes look at counters and report this often in a simulation (a second in a worker). */
const STEP_MS = 10_000;
const ROUNDS_MAX = 8;
const WORKSPACE_ID = 1;

/** What is simulated. */
export interface SimulationInput {
  readonly seed: number;
  readonly startMs: number;
  readonly days: number;
  readonly workers: number;
  readonly traffic: Traffic;
  /** Days of habit that the curve is learnt from; 0 = a flat curve. */
  readonly historyDays: number;
  readonly network: SampleInput;
  readonly audience: Audience;
  readonly log: Logger;
}

/** What one line item got, by hour from the start: events of that hour. */
export interface LineItemOutcome {
  readonly impressions: readonly number[];
  readonly viewables: readonly number[];
  readonly clicks: readonly number[];
}

/** What came out. */
export interface SimulationOutcome {
  readonly requestsByHour: readonly number[];
  readonly lineItems: ReadonlyMap<string, LineItemOutcome>;
  readonly curve: TrafficCurve;
  readonly tookMs: number;
}

type Tally = Record<VisitorEventKind, number[]>;

/** A network of workers on a simulated clock: the real decisions, pacing and budgets, with visitors that are drawn. Seeded. */
export class Simulation {
  readonly #input: SimulationInput;
  readonly #random: () => number;
  readonly #hot: MemoryHotStore;
  readonly #compiled: CompiledWorkspace;
  readonly #keepers: readonly PlanKeeper[];
  readonly #curve: TrafficCurve;
  readonly #tallies = new Map<string, Tally>();
  readonly #requests: number[];
  #nowMs: number;
  #events: VisitorEvent[] = [];

  constructor(input: SimulationInput) {
    this.#input = input;
    this.#random = seededRandom(input.seed);
    this.#nowMs = input.startMs;
    this.#hot = new MemoryHotStore(() => this.#nowMs);
    this.#compiled = compileWorkspace(sampleSnapshot(input.network), input.startMs, (_id, error) => {
      throw error;
    });
    const habit = { ...input.traffic, surprises: [] };
    const history = drawHistory(habit, input.startMs, input.historyDays, this.#random);
    this.#curve = buildCurve(history, input.traffic.timezone, input.startMs);
    this.#keepers = Array.from({ length: input.workers }, (_none, slot) => this.#newKeeper(slot));
    this.#requests = Array.from({ length: input.days * 24 }, () => 0);
  }

  async run(): Promise<SimulationOutcome> {
    const startedMs = performance.now();
    const { startMs, days } = this.#input;
    const endMs = startMs + days * 24 * HOUR_MS;
    let noise = 1;
    for (let stepMs = startMs; stepMs < endMs; stepMs += STEP_MS) {
      if ((stepMs - startMs) % HOUR_MS === 0) {
        noise = drawNoise(this.#random);
        this.#hot.sweep();
      }
      await this.#step(stepMs, noise);
    }
    return {
      requestsByHour: this.#requests,
      lineItems: new Map([...this.#tallies].map(([id, tally]) => [id, toOutcome(tally)])),
      curve: this.#curve,
      tookMs: performance.now() - startedMs,
    };
  }

  #newKeeper(slot: number): PlanKeeper {
    return new PlanKeeper({
      hot: this.#hot.asHotStore(),
      processes: this.#input.workers,
      slot,
      curveOf: () => this.#curve,
      nowMs: () => this.#nowMs,
      log: this.#input.log,
    });
  }

  async #step(stepMs: number, noise: number): Promise<void> {
    this.#nowMs = stepMs;
    this.#countDue();
    const mean = (trafficAt(this.#input.traffic, stepMs) * noise * STEP_MS) / HOUR_MS;
    const count = drawPoisson(mean, this.#random);
    const hour = Math.floor((stepMs - this.#input.startMs) / HOUR_MS);
    this.#requests[hour] = (this.#requests[hour] ?? 0) + count;
    for (let at = 0; at < count; at += 1) {
      this.#nowMs = stepMs + Math.floor((at * STEP_MS) / count);
      await this.#request();
    }
    for (const keeper of this.#keepers) await keeper.maintain();
  }

  async #request(): Promise<void> {
    const keeper = this.#keepers[Math.floor(this.#random() * this.#keepers.length)] as PlanKeeper;
    const nowMs = this.#nowMs;
    const state = keeper.newState(nowMs);
    const user = Math.floor(this.#random() * 2 ** 32)
      .toString(16)
      .padStart(16, '0');
    const opportunity = sampleOpportunity({ userHash: user });
    const draws = new SameDraws(this.#random);
    let decision: Decision | null = null;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      draws.rewind();
      const tried = decide(this.#compiled, opportunity, { state, nowMs, random: draws.next });
      const reserved = keeper.reserve(tried.placements, WORKSPACE_ID, nowMs);
      if (reserved === true || (reserved !== false && (await reserved))) {
        decision = tried;
        break;
      }
    }
    if (decision === null) return;
    keeper.noteAnswers(decision.placements);
    for (const placement of decision.placements) {
      if (placement !== null) this.#events.push(...drawEvents(placement, nowMs, this.#input.audience, this.#random));
    }
  }

  #countDue(): void {
    const later: VisitorEvent[] = [];
    for (const event of this.#events) {
      if (event.atMs > this.#nowMs) later.push(event);
      else this.#count(event);
    }
    this.#events = later;
  }

  #count(event: VisitorEvent): void {
    const { timezone } = this.#compiled.snapshot.workspace;
    for (const increment of countVisitorEvent(event, WORKSPACE_ID, timezone)) this.#hot.add(increment);
    const { id } = event.placement.row.lineItem;
    let tally = this.#tallies.get(id);
    if (tally === undefined) {
      const empty = () => Array.from({ length: this.#input.days * 24 }, () => 0);
      tally = { impression: empty(), viewable: empty(), click: empty() };
      this.#tallies.set(id, tally);
    }
    const hour = Math.floor((event.atMs - this.#input.startMs) / HOUR_MS);
    tally[event.kind][hour] = (tally[event.kind][hour] ?? 0) + 1;
  }
}

function toOutcome(tally: Tally): LineItemOutcome {
  return { impressions: tally.impression, viewables: tally.viewable, clicks: tally.click };
}
