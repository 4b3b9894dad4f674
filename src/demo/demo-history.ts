import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../domain/log/log.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { markHistoryCounted } from './demo-file.ts';
import { type DemoProgress, readDemoProgress, removeDemoProgress, writeDemoProgress } from './demo-progress.ts';
import { type HistoryPlan, type HistoryStretch, writeHistory } from './history.olap.ts';

/** Days that one insert writes: few inserts are fast, and each stays small enough to be done again after a kill. */
const STRETCH_DAYS = 10;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;
/** How long a stop waits for the insert in hand. Cut off, it is repeated with the same token at the next start. */
const STOP_WAIT_MS = 3_000;

/** Dependencies of the history. */
export interface DemoHistoryDeps {
  readonly olap: Olap;
  readonly dataDir: string;
  /** Adds the written history to the delivery counters, once for each id. */
  readonly count: (history: { readonly id: string; readonly atMs: number | null }) => Promise<void>;
  /** Works out what a running service makes of its history. Repeated after a kill. */
  readonly follow?: (history: Extract<DemoProgress, { step: 'history' }>) => Promise<void>;
  /** Hears one sentence a step, for a person who waits. */
  readonly onProgress: (text: string) => void;
}

interface PlannedStretch extends HistoryStretch {
  readonly plan: HistoryPlan;
}

/**
 * Makes what is left of the demo's history, stretch by stretch, the most recent days of each environment first. It keeps its progress in
 * `<data>/demo-progress.json`, and each stretch has a token of its own, so that no day is doubled whenever it is cut off. At the end the
 * delivery counters get all of it, so that pacing goes on where reports stand.
 * @throws OlapError
 */
export async function completeHistory(deps: DemoHistoryDeps, isStopped = () => false): Promise<void> {
  for (;;) {
    const progress = readDemoProgress(deps.dataDir);
    if (progress?.step !== 'history' || isStopped()) return;
    const next = stretchesOf(progress)[progress.done];
    if (next === undefined) {
      await deps.count({ id: progress.id, atMs: progress.plans[0]?.untilMs ?? null });
      markHistoryCounted(deps.dataDir);
      await deps.follow?.(progress);
      removeDemoProgress(deps.dataDir);
      return;
    }
    await writeHistory(deps.olap, next.plan, next);
    // Another making of the demo may have begun meanwhile: its progress is not this one's.
    const now = readDemoProgress(deps.dataDir);
    if (now?.step !== 'history' || now.id !== progress.id) continue;
    const done = { ...now, done: progress.done + 1 };
    writeDemoProgress(deps.dataDir, done);
    // The shorter history of staging adds no days.
    const text = describeProgress(done);
    if (text !== describeProgress(progress)) deps.onProgress(text);
  }
}

/** Such as `Demo history: 40 of 90 days`. */
export function describeProgress(progress: DemoProgress | null): string {
  if (progress === null) return 'Demo history: complete';
  if (progress.step === 'booking') return 'Demo history: not begun';
  const { done, of } = countDays(progress);
  return `Demo history: ${done} of ${of} days`;
}

/** The days of production that are made, and all. */
function countDays(progress: Extract<DemoProgress, { step: 'history' }>): {
  readonly done: number;
  readonly of: number;
} {
  const isLong = (stretch: PlannedStretch): boolean => stretch.plan.environment === 'production';
  const all = stretchesOf(progress);
  const days = (stretches: readonly PlannedStretch[]): number =>
    stretches.filter(isLong).reduce((sum, stretch) => sum + stretch.hours, 0) / 24;
  return { done: days(all.slice(0, progress.done)), of: days(all) };
}

/** Always the same stretches in the same order for the same progress file. */
function stretchesOf({ id, plans }: Extract<DemoProgress, { step: 'history' }>): PlannedStretch[] {
  return plans.flatMap((plan) =>
    Array.from({ length: Math.ceil(plan.hours / (STRETCH_DAYS * 24)) }, (_, at) => {
      const fromHour = at * STRETCH_DAYS * 24;
      const hours = Math.min(STRETCH_DAYS * 24, plan.hours - fromHour);
      return { plan, fromHour, hours, token: `demo:${id}:${plan.environment}:${fromHour}` };
    }),
  );
}

/** The history of a running service: made in the background, tried again while the analytics store fails, stopped in order. */
export class DemoHistory {
  readonly #deps: DemoHistoryDeps & { readonly log: Log };
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #failure: string | null = null;

  constructor(deps: DemoHistoryDeps & { readonly log: Log }) {
    this.#deps = deps;
  }

  start(): void {
    if (!this.#stopping.signal.aborted) this.#running = this.#run();
  }

  /** For `/readyz`: the service serves without its demo's history. */
  get state(): {
    readonly isFailing: boolean;
    readonly text: string;
    readonly progress?: { readonly done: number; readonly of: number };
  } {
    const progress = readDemoProgress(this.#deps.dataDir);
    const text = describeProgress(progress);
    return {
      isFailing: this.#failure !== null,
      text: this.#failure === null ? text : `${text} (${this.#failure})`,
      ...(progress?.step === 'history' ? { progress: countDays(progress) } : {}),
    };
  }

  /** Waits for the insert in hand for at most 3 s; what is left is made after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#running, sleep(STOP_WAIT_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { dataDir, log } = this.#deps;
    const { signal } = this.#stopping;
    for (let delayMs = RETRY_FIRST_MS; !signal.aborted; delayMs = Math.min(delayMs * 2, RETRY_MAX_MS)) {
      try {
        if (readDemoProgress(dataDir)?.step !== 'history') return;
        await completeHistory(this.#deps, () => signal.aborted);
        if (signal.aborted) return;
        this.#failure = null;
        this.#deps.onProgress(describeProgress(null));
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#failure = String(error);
        log.event('demo.history_failed', { err: error, delayMs });
        await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
