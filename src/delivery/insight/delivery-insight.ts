import type {
  DeliveryInsight,
  ExplainedDecision,
  FloorQuestion,
  FloorSuggestion,
} from '../../domain/booking/delivery-insight.ts';
import type { AvailabilityService } from '../../domain/booking/availability.ts';
import type { DecisionInspector } from '../../domain/booking/decision-inspection.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { loadAvailability } from './availability/load-availability.ts';
import type { AvailabilityDeps } from './availability/load-availability.ts';
import { Turns } from '../../domain/time/turns.ts';
import { createDecisionInspector } from './inspection/decision-inspector.ts';
import type { InspectorDeps } from './inspection/decision-inspector.ts';
import { explainOpportunity, readOpportunity } from './inspection/explain-opportunity.ts';
import { nameBookedStates } from './diagnosis/booked-losers.ts';
import { loadDiagnoses } from './diagnosis/load-diagnosis.ts';
import type { DiagnosisDeps } from './diagnosis/load-diagnosis.ts';
import { narrowToPrice } from './floors/floor-offers.ts';
import type { FloorJob } from './floors/suggest-floors.ts';
import { narrowSnapshot } from './forecast/forecast-draft.ts';
import type { ForecastThreads } from './forecast/forecast-thread.ts';
import type { ForecastJob } from './forecast/forecast-worker.ts';
import type { ThreadInput } from '../traffic/workspace-thread.ts';
import { sliceSteps } from '../snapshot/slice-steps.ts';
import { readSampleFrame, streamSamples } from '../traffic/opportunity-sample.olap.ts';
import { CURVE_DAYS } from '../../domain/pacing/traffic-curve.ts';
import type { HourlyRequests } from '../../domain/pacing/traffic-curve.ts';

const HOUR_MS = 3_600_000;

/** Dependencies of insight, in the core with its own snapshot. */
export interface InsightDeps
  extends Omit<DiagnosisDeps, 'curveOf' | 'hot' | 'nowMs'>,
    Omit<InspectorDeps, 'findCompiled'>,
    Omit<AvailabilityDeps, 'sql' | 'hot' | 'nowMs' | 'runSteps'> {
  readonly current: () => CompiledNetworks;
  /** Requests of a whole network by hour; both bounds are whole hours of UTC, the end is exclusive. */
  readonly readNetworkHours: (
    workspaceId: number,
    during: readonly [fromMs: number, toMs: number],
  ) => Promise<readonly HourlyRequests[]>;
  readonly forecasts: ForecastThreads;
  readonly floors: ForecastThreads<FloorJob, FloorSuggestion[]>;
  readonly random: () => number;
}

/** Explains decisions on the present snapshot, without counting anything. */
export function createDeliveryInsight(deps: InsightDeps): DeliveryInsight & DecisionInspector & AvailabilityService {
  const ofAvailability: AvailabilityDeps = { ...deps, runSteps: sliceSteps };
  const availabilities = new Turns<number>();
  return {
    ...createDecisionInspector({ ...deps, findCompiled: (workspaceId) => findCompiled(deps, workspaceId) }),
    diagnose: (workspaceId, lineItemIds) =>
      loadDiagnoses(deps, deps.current().findById(workspaceId), { workspaceId, lineItemIds }),
    forecast: (workspaceId, draft, { precision = 'FULL', signal } = {}) =>
      deps.forecasts.run(workspaceId, () => loadForecast(deps, workspaceId, { draft, precision }), signal),
    suggestFloors: (workspaceId, question, signal) =>
      deps.floors.run(workspaceId, () => loadOffers(deps, workspaceId, question), signal),
    availability: (workspaceId, question, signal) =>
      availabilities.run(
        workspaceId,
        () => loadAvailability(ofAvailability, findCompiled(deps, workspaceId).snapshot, question, signal),
        signal,
      ),
    explain: (workspaceId, bidRequest, options) => explainRequest(deps, workspaceId, bidRequest, options),
  };
}

/** The input of a forecast's thread: bookings, curve and samples as of now. */
async function loadForecast(
  deps: InsightDeps,
  workspaceId: number,
  { draft, precision }: Pick<ForecastJob, 'draft' | 'precision'>,
): Promise<ThreadInput<ForecastJob>> {
  const nowMs = deps.nowMs();
  const frame = await readSampleFrame(deps.olap, workspaceId, nowMs);
  const compiled = findCompiled(deps, workspaceId);
  const { snapshot } = compiled;
  const curve = deps.curveOf(compiled, null);
  const untilMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const history = await deps.readNetworkHours(workspaceId, [untilMs - CURVE_DAYS * 24 * HOUR_MS, untilMs]);
  return {
    snapshot: narrowSnapshot(snapshot, draft, nowMs),
    frame,
    job: { draft, precision, curve, history, nowMs, seed: Math.floor(deps.random() * 2 ** 32) },
    samples: frame === null ? nothing() : streamSamples(deps.olap, workspaceId, frame),
  };
}

/** The input of a thread that suggests floors. */
async function loadOffers(
  deps: InsightDeps,
  workspaceId: number,
  question: FloorQuestion,
): Promise<ThreadInput<FloorJob>> {
  const nowMs = deps.nowMs();
  const frame = await readSampleFrame(deps.olap, workspaceId, nowMs);
  const { snapshot } = findCompiled(deps, workspaceId);
  return {
    snapshot: narrowToPrice(snapshot),
    frame,
    job: { question, nowMs },
    samples: frame === null ? nothing() : streamSamples(deps.olap, workspaceId, frame),
  };
}

async function* nothing(): AsyncGenerator<Buffer> {}

function findCompiled(deps: InsightDeps, workspaceId: number): CompiledWorkspace {
  const compiled = deps.current().findById(workspaceId);
  if (compiled === undefined) throw new PlacardError('unavailable', 'The snapshot of this network is not loaded yet.');
  return compiled;
}

async function explainRequest(
  deps: InsightDeps,
  workspaceId: number,
  bidRequest: unknown,
  { atMs, lineItemId }: { atMs: number; lineItemId: string | null },
): Promise<ExplainedDecision> {
  const compiled = findCompiled(deps, workspaceId);
  const opportunity = await readOpportunity(deps, compiled, bidRequest);
  const decided = await explainOpportunity(deps, compiled, opportunity, { atMs, lineItemId, random: deps.random });
  return nameBookedStates(deps.sql, { workspaceId, asked: lineItemId, atMs }, decided);
}
