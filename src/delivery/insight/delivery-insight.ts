import { EXPLAINED_LOSERS_MAX, EXPLAINED_SLOTS_MAX } from '../../domain/booking/delivery-insight.ts';
import type {
  ForecastDraft,
  DeliveryInsight,
  ExplainedDecision,
  ExplainedSlot,
  FloorQuestion,
  FloorSuggestion,
} from '../../domain/booking/delivery-insight.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { buildBidOpportunity } from '../ad-request/bid-opportunity.ts';
import { resolveContext } from '../ad-request/build-opportunity.ts';
import { parseBidRequest } from '../openrtb/bid-request.ts';
import type { Allocation } from '../decision/allocation.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { decide } from '../decision/decide.ts';
import { findById } from '../decision/index/sorted-by-id.ts';
import type { Decision } from '../decision/decision.ts';
import { HotDeliveryState, RecentCounters } from '../budget/hot-delivery-state.ts';
import { loadDiagnoses } from './diagnosis/load-diagnosis.ts';
import type { DiagnosisDeps } from './diagnosis/load-diagnosis.ts';
import { readDsaRequest } from '../openrtb/dsa.ts';
import { narrowToPrice } from './floors/floor-offers.ts';
import type { FloorJob } from './floors/suggest-floors.ts';
import { narrowSnapshot } from './forecast/forecast-draft.ts';
import type { ForecastThreads } from './forecast/forecast-thread.ts';
import type { ForecastJob } from './forecast/forecast-worker.ts';
import type { ThreadInput } from '../traffic/workspace-thread.ts';
import { readSampleFrame, streamSamples } from '../traffic/opportunity-sample.olap.ts';
import { CURVE_DAYS } from '../../domain/pacing/traffic-curve.ts';
import type { HourlyRequests, TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import type { FindGeo } from '../ad-request/geo-lookup.ts';
import { RecentDraws } from '../value/recent-draws.ts';
import type { ContextModel } from '../value/context-model.ts';
import { RateMemory } from '../value/rate-memory.ts';
import { Pacer } from '../pacing/pacer.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import { describeReason } from './diagnosis/reason-texts.ts';
import { withSegments } from '../ad-request/user-segments.ts';

const HOUR_MS = 3_600_000;
const ROUNDS_MAX = 20;

/** Dependencies of insight, in the core with its own snapshot. */
export interface InsightDeps extends Omit<DiagnosisDeps, 'curveOf' | 'hot'> {
  readonly current: () => CompiledNetworks;
  readonly hot: HotStore;
  readonly userHashSecret: Buffer;
  /** The geo of an address, from the same look-up as the bid endpoint. */
  readonly findGeo: FindGeo;
  /** The curve of a line item as workers know it; without one, that of the network. */
  readonly curveOf: (compiled: CompiledWorkspace, lineItem: CompiledLineItem | null) => TrafficCurve;
  /** The allocation plan that workers serve by. */
  readonly planOf: (workspaceId: number, nowMs: number) => Allocation | null;
  /** How rates of creatives depend on the context, as workers know it. */
  readonly contextModelOf: (workspaceId: number, nowMs: number) => ContextModel | null;
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
export function createDeliveryInsight(deps: InsightDeps): DeliveryInsight {
  return {
    diagnose: (workspaceId, lineItemIds) =>
      loadDiagnoses(deps, deps.current().findById(workspaceId), { workspaceId, lineItemIds }),
    forecast: (workspaceId, draft) => deps.forecasts.run(workspaceId, () => loadForecast(deps, workspaceId, draft)),
    suggestFloors: (workspaceId, question) =>
      deps.floors.run(workspaceId, () => loadOffers(deps, workspaceId, question)),
    explain: (workspaceId, bidRequest, options) => explainRequest(deps, workspaceId, bidRequest, options),
  };
}

/** The input of a forecast's thread: bookings, curve and samples as of now. */
async function loadForecast(
  deps: InsightDeps,
  workspaceId: number,
  draft: ForecastDraft,
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
    job: { draft, curve, history, nowMs, seed: Math.floor(deps.random() * 2 ** 32) },
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
  const request = parseBidRequest(bidRequest);
  if (request.imps.length > EXPLAINED_SLOTS_MAX)
    throw new PlacardError('invalid_request', `At most ${EXPLAINED_SLOTS_MAX} impressions can be explained at once.`);
  const privacy = resolvePrivacy(request.privacy);
  const { userIds, device } = request;
  const source = { device, privacy, dsa: readDsaRequest(request.dsa), userIds, headers: null, address: '' };
  const asked = buildBidOpportunity(request, compiled, resolveContext(source, workspaceId, deps));
  const opportunity = await withSegments(deps, compiled.segments, { opportunity: asked, userIds });
  const state = newState(deps, compiled, atMs);
  const decideNow = (): Decision =>
    decide(compiled, opportunity, { state, nowMs: atMs, random: deps.random, explain: true });
  let decision = decideNow();
  for (let round = 0; round < ROUNDS_MAX && state.isIncomplete; round += 1) {
    await state.fetchMissing();
    decision = decideNow();
  }
  const slots = opportunity.slots.map(({ slotId }, at) =>
    describeSlot(compiled, decision, {
      slotId,
      at,
      lineItemId,
      plan: deps.planOf(workspaceId, atMs),
      atMs,
    }),
  );
  return { at: new Date(atMs), noFill: decision.noFill, slots };
}

/** Paces as a worker that starts at this moment. */
function newState(
  { hot, curveOf, planOf, contextModelOf }: InsightDeps,
  compiled: CompiledWorkspace,
  nowMs: number,
): HotDeliveryState {
  const pacer = new Pacer({
    peers: { processes: 1, workerIndex: 0 },
    curveOf: (_workspaceId, lineItem) => curveOf(compiled, lineItem),
    isPlanned: (workspaceId, id, atMs) => (planOf(workspaceId, atMs)?.find(id, atMs) ?? null) !== null,
  });
  return new HotDeliveryState(
    hot,
    {
      counters: new RecentCounters(),
      // Its paces are of this explanation alone, so decisions must not remember them.
      pacer: undefined,
      isUsedUp: () => false,
      rates: new RateMemory(),
      // It knows no bars, so every line item is shown as wanting the unit.
      unitDraws: new RecentDraws(),
      planOf,
      contextModelOf,
      pace: (lineItem, at, read) => pacer.pace(lineItem, at, read),
    },
    { nowMs },
  );
}

interface SlotToDescribe {
  readonly slotId: string;
  readonly at: number;
  readonly lineItemId: string | null;
  readonly plan: Allocation | null;
  readonly atMs: number;
}

function describeSlot(
  compiled: CompiledWorkspace,
  { placements, losers }: Decision,
  { slotId, at, lineItemId, plan, atMs }: SlotToDescribe,
): ExplainedSlot {
  const placement = placements[at] ?? null;
  const own = losers.filter(
    (loser) => loser.slotId === slotId && (lineItemId === null || loser.lineItemId === lineItemId),
  );
  return {
    slotId,
    winner:
      placement === null
        ? null
        : {
            lineItemId: placement.lineItem.booked.id,
            name: placement.lineItem.booked.name,
            creativeId: placement.creative.creative.id,
            companionCreativeIds: placement.companions.creatives.map(({ creative }) => creative.id),
            bidMicros: placement.bidMicros,
            plannedPercent: plannedPercentOf(plan, placement.lineItem.booked.id, atMs),
          },
    losers: own.slice(0, EXPLAINED_LOSERS_MAX).map(({ lineItemId: id, reason }) => ({
      lineItemId: id,
      name: findById(compiled.snapshot.lineItems, id)?.name ?? '',
      reason,
      sentence: `It did not serve, because ${describeReason(reason).because}.`,
      plannedPercent: plannedPercentOf(plan, id, atMs),
    })),
    furtherLosers: Math.max(0, own.length - EXPLAINED_LOSERS_MAX),
  };
}

function plannedPercentOf(plan: Allocation | null, lineItemId: string, atMs: number): number | null {
  const share = plan?.find(lineItemId, atMs) ?? null;
  if (share === null) return null;
  const { fair, need, costFair, costNeed } = share;
  return Math.min(100, 100 * (fair * (1 + need) + costFair * (1 + costNeed)));
}
