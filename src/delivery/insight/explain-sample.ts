import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { HOT_BATCH_MAX } from '../../storage/hot/hot-store.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { decide } from '../decision/decide.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { BUCKETS, readSampleFrame, streamSamples } from '../traffic/opportunity-sample.olap.ts';
import { parseSample } from '../traffic/parse-sample.ts';
import type { SampleEntry } from '../traffic/parse-sample.ts';
import { DECISION_REASON_COLUMNS, DECISION_REASONS_TABLE } from './diagnosis/decision-reasons.olap.ts';
import type { DecisionReasonRow } from './diagnosis/decision-reasons.olap.ts';
import { formatHour, outcomesOf } from './diagnosis/decision-reasons.ts';
import { DIAGNOSED_HOURS } from './diagnosis/load-diagnosis.ts';
import { ForecastRates } from './forecast/forecast-rates.ts';
import { ForecastState, listForecastCounters } from './forecast/forecast-state.ts';

const HOUR_MS = 3_600_000;
/** Decisions between two turns of the event loop. */
const DECISIONS_PER_TURN = 10;

/** What explaining a sample reads. */
export interface ExplainSampleDeps {
  readonly hot: Pick<HotStore, 'readCounters'>;
  readonly olap: Olap;
  /** The curve of the network. */
  readonly curveOf: (compiled: CompiledWorkspace, lineItem: CompiledLineItem | null) => TrafficCurve;
  readonly nowMs: () => number;
  readonly random: () => number;
}

/**
 * Counts why line items win and lose in the sampled requests of the last day, as workers do in live ones: for history that was imported.
 * Paced line items follow their plans. Safe to repeat with the same name. @throws OlapError
 */
export async function explainSample(deps: ExplainSampleDeps, compiled: CompiledWorkspace, name: string): Promise<void> {
  const { olap } = deps;
  const { workspaceId } = compiled.snapshot.workspace;
  const nowMs = deps.nowMs();
  const frame = await readSampleFrame(olap, workspaceId, nowMs);
  if (frame === null) return;
  const { entries, share } = parseSample(
    frame,
    Buffer.concat(await Array.fromAsync(streamSamples(olap, workspaceId, frame))),
  );
  const fromMs = nowMs - DIAGNOSED_HOURS * HOUR_MS;
  const recent = entries.filter(({ atMs }) => atMs >= fromMs).toSorted((one, other) => one.atMs - other.atMs);
  const sums = await explainEntries(deps, compiled, { recent, fromMs, nowMs, weight: BUCKETS / share });
  if (sums.length === 0) return;
  await olap.insertRaw({
    table: DECISION_REASONS_TABLE,
    columns: DECISION_REASON_COLUMNS,
    token: `reasons-${name}-${workspaceId}`,
    body: Buffer.from(sums.map((sum) => `${JSON.stringify(sum)}\n`).join('')),
  });
}

interface ExplainedEntries {
  /** The earliest first. */
  readonly recent: readonly SampleEntry[];
  readonly fromMs: number;
  readonly nowMs: number;
  /** How many requests each entry represents. */
  readonly weight: number;
}

async function explainEntries(
  { hot, curveOf, random }: ExplainSampleDeps,
  compiled: CompiledWorkspace,
  { recent, fromMs, nowMs, weight }: ExplainedEntries,
): Promise<DecisionReasonRow[]> {
  const { workspaceId } = compiled.snapshot.workspace;
  const keys = listForecastCounters(compiled, nowMs);
  const counters = new Map<string, number>();
  for (let from = 0; from < keys.length; from += HOT_BATCH_MAX) {
    const batch = keys.slice(from, from + HOT_BATCH_MAX);
    const counts = await hot.readCounters(batch);
    for (const [at, key] of batch.entries()) counters.set(key, Number(counts[at] ?? 0));
  }
  const curve = curveOf(compiled, null);
  const state = new ForecastState({ workspaceId, curve, counters, startMs: fromMs, isPast: true, random });
  state.open(compiled, new ForecastRates(compiled, counters));
  const sums = new Map<string, DecisionReasonRow>();
  for (const [at, { atMs, opportunity }] of recent.entries()) {
    state.advance(atMs, weight);
    const decision = decide(compiled, opportunity, { state, nowMs: atMs, random, explain: true });
    state.record(decision, opportunity.userHash, true);
    for (const { lineItemId, outcome } of outcomesOf(decision)) {
      const hour = formatHour(atMs);
      const key = `${hour} ${lineItemId} ${outcome}`;
      const quantity = (sums.get(key)?.quantity ?? 0) + Math.round(weight);
      sums.set(key, { workspace_id: workspaceId, line_item_id: lineItemId, hour, reason: outcome, quantity });
    }
    if (at % DECISIONS_PER_TURN === 0) await nextTurn();
  }
  return [...sums.values()];
}
