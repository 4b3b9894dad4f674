import type { Forecast, ForecastPrecision } from '../../../domain/booking/delivery-insight.ts';
import { compileSteps, compileWorkspace } from '../../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { addDraft, draftIdOf, narrowSnapshot } from './forecast-draft.ts';
import { planWorld } from './forecast-plans.ts';
import { ForecastRun, replayedFromMs } from './forecast-run.ts';
import type { Bounds, CompiledWorlds, ForecastInput, Replay, Worlds } from './forecast-run.ts';
import { listForecastCounters } from './forecast-state.ts';
import { countReplayed, periodOf } from './forecast-traffic.ts';
import { forecastVolume } from './forecast-volume.ts';
import type { VolumeForecast } from './forecast-volume.ts';
import { findPartNoise } from './part-noise.ts';
import { replayInTime } from './replay-pace.ts';
import { seededRandom } from './seeded-random.ts';
import { finishSteps } from '../../decision/index/work-steps.ts';

const DAY_MS = 86_400_000;
/**
 * Most opportunities in a replay, in one at a volume bound, and in one of several futures of the parts; longer flights use fewer users, each with more
 * weight.
 */
const MOST: Readonly<Record<ForecastPrecision, { compared: number; counted: number; part: number }>> = {
  FULL: { compared: 40_000, counted: 10_000, part: 2_500 },
  // The same users in all replays: otherwise chance would tell the few of them apart, and not the volume.
  ROUGH: { compared: 6_000, counted: 6_000, part: 1_500 },
};
/** Time for a replay that compares two worlds, and for one that does not. On a busy machine, replays use fewer users to be ready in this time. */
const COMPARED_MS_MAX = 15_000;
const COUNTED_MS_MAX = 5_000;

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
  const withDraft = finishSteps(
    compileSteps(addDraft(without.snapshot, input), { nowMs, reportUnusable: refuse, previous: without }),
  );
  return {
    counterKeys: listForecastCounters(withDraft, nowMs),
    finish: (counters) => forecastRepeatedly(input, { without, withDraft, counters }),
  };
}

/** With the traffic that is expected, at the bounds of it, and with parts of it busier or quieter: goals, caps and budgets need not follow the traffic. */
function forecastRepeatedly(asked: ForecastInput, compiled: CompiledWorlds): Forecast {
  const input = { ...asked, precision: precisionOf(asked, compiled) };
  const volume = volumeOf(input);
  const share = volume?.expected ?? 1;
  const worlds: Worlds = { ...compiled, planned: planWorlds(input, compiled, share) };
  const most = MOST[input.precision];
  const replay = (replayed: Replay): ForecastRun =>
    replayInTime((pace, replayedMax) => new ForecastRun(input, worlds, { ...replayed, replayedMax }).run(pace), {
      replayedMax: replayed.replayedMax,
      elapsedMs: input.elapsedMs,
      maxMs: replayed.isCompared ? COMPARED_MS_MAX : COUNTED_MS_MAX,
    });
  const expected = replay({ share, replayedMax: most.compared, isCompared: true });
  const isThinned = expected.replayedMax < most.compared;
  if (input.sample === null) return expected.report({ volume: null, partsSpread: 0, isThinned });
  const fewer = expected.replayedMax / most.compared;
  const again = (one: Pick<Replay, 'share' | 'factorOf'>, replayedMax: number): number =>
    replay({ ...one, replayedMax: replayedMax * fewer, isCompared: false }).possible;
  return expected.report({
    volume: volume === null ? null : boundsOf(volume, (at) => again({ share: at }, most.counted)),
    partsSpread: spreadOfParts(input, compiled, (factorOf) => again({ share, factorOf }, most.part)),
    isThinned,
  });
}

function boundsOf(volume: VolumeForecast, possibleAt: (share: number) => number): Bounds {
  return { ...volume, possible: { low: possibleAt(volume.low), high: possibleAt(volume.high) } };
}

/** How far the draft's slots come apart where parts of the traffic have busy days of their own: standard deviations, made wider where few days tell it. */
function spreadOfParts(
  input: ForecastInput,
  { withDraft }: CompiledWorlds,
  possibleWith: (factorOf: NonNullable<Replay['factorOf']>) => number,
): number {
  const { sample, draft, nowMs } = input;
  if (sample === null) return 0;
  const days = Math.floor(periodOf(sample.untilMs - sample.fromMs) / DAY_MS);
  const flightDays = Math.max(1, (draft.endsAtMs - Math.max(nowMs, draft.startsAtMs)) / DAY_MS);
  const noise = findPartNoise({ sample, compiled: withDraft, draftId: draftIdOf(input), days, flightDays });
  if (noise === null) return 0;
  const found = noise.futures.map(possibleWith);
  const mean = found.reduce((sum, one) => sum + one, 0) / found.length;
  return noise.fewDays * Math.sqrt(found.reduce((sum, one) => sum + (one - mean) ** 2, 0) / found.length);
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
