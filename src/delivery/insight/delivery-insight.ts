import { EXPLAINED_LOSERS_MAX, EXPLAINED_SLOTS_MAX } from '../../domain/booking/delivery-insight.ts';
import type {
  ForecastDraft,
  DeliveryDiagnosis,
  DeliveryInsight,
  ExplainedDecision,
  ExplainedSlot,
} from '../../domain/booking/delivery-insight.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { buildBidOpportunity } from '../ad-request/bid-opportunity.ts';
import { resolveContext } from '../ad-request/build-opportunity.ts';
import { parseBidRequest } from '../openrtb/bid-request.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { decide } from '../decision/decide.ts';
import { findById } from '../decision/index/sorted-by-id.ts';
import type { Decision } from '../decision/decision.ts';
import { readDecisionReasons } from './diagnosis/decision-reasons.olap.ts';
import { HotDeliveryState, RecentCounters } from '../budget/hot-delivery-state.ts';
import { diagnose } from './diagnosis/diagnose.ts';
import { readDsaRequest } from '../openrtb/dsa.ts';
import { narrowSnapshot } from './forecast/forecast-draft.ts';
import type { ForecastThreads, ThreadInput } from './forecast/forecast-thread.ts';
import { LocalClock } from '../decision/index/local-clock.ts';
import { readSampleFrame, streamSamples } from '../traffic/opportunity-sample.olap.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import type { FindGeo } from '../ad-request/geo-lookup.ts';
import { paceLineItem } from '../decision/even-pacing.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import { describeReason } from './diagnosis/reason-texts.ts';
import { withSegments } from '../ad-request/user-segments.ts';

const DIAGNOSED_HOURS = 24;
const ROUNDS_MAX = 20;

/** Dependencies of insight, in the core with its own snapshot. */
export interface InsightDeps {
  readonly current: () => CompiledNetworks;
  readonly hot: HotStore;
  readonly olap: Olap;
  readonly userHashSecret: Buffer;
  /** The geo of an address, from the same look-up as the bid endpoint. */
  readonly findGeo: FindGeo;
  readonly curveOf: (workspaceId: number, timezone: string) => TrafficCurve;
  readonly forecasts: ForecastThreads;
  readonly nowMs: () => number;
  readonly random: () => number;
}

/** Explains decisions on the present snapshot, without counting anything. */
export function createDeliveryInsight(deps: InsightDeps): DeliveryInsight {
  return {
    diagnose: (workspaceId, lineItemIds) => diagnoseLineItems(deps, workspaceId, lineItemIds),
    forecast: (workspaceId, draft) => deps.forecasts.run(workspaceId, () => loadForecast(deps, workspaceId, draft)),
    explain: (workspaceId, bidRequest, options) => explainRequest(deps, workspaceId, bidRequest, options),
  };
}

/** The input of a forecast's thread: bookings, curve and samples as of now. */
async function loadForecast(deps: InsightDeps, workspaceId: number, draft: ForecastDraft): Promise<ThreadInput> {
  const nowMs = deps.nowMs();
  const frame = await readSampleFrame(deps.olap, workspaceId, nowMs);
  const { snapshot } = findCompiled(deps, workspaceId);
  const curve = deps.curveOf(workspaceId, snapshot.workspace.timezone);
  return {
    snapshot: narrowSnapshot(snapshot, draft, nowMs),
    job: { draft, frame, curve, nowMs, seed: Math.floor(deps.random() * 2 ** 32) },
    samples: frame === null ? nothing() : streamSamples(deps.olap, workspaceId, frame),
  };
}

async function* nothing(): AsyncGenerator<Buffer> {}

function findCompiled(deps: InsightDeps, workspaceId: number): CompiledWorkspace {
  const compiled = deps.current().findById(workspaceId);
  if (compiled === undefined) throw new PlacardError('unavailable', 'The snapshot of this network is not loaded yet.');
  return compiled;
}

async function diagnoseLineItems(
  deps: InsightDeps,
  workspaceId: number,
  lineItemIds: readonly string[],
): Promise<DeliveryDiagnosis[]> {
  const compiled = deps.current().findById(workspaceId);
  const wanted = new Set(lineItemIds);
  const idle = new Map<string, string | null>();
  for (const id of wanted) {
    const lineItem = compiled === undefined ? undefined : findById(compiled.snapshot.lineItems, id);
    if (lineItem !== undefined && compiled?.lineItems.findPosition(lineItem) !== null) idle.set(id, null);
  }
  for (const { lineItem, reason } of compiled?.idle ?? []) if (wanted.has(lineItem.id)) idle.set(lineItem.id, reason);
  const sinceMs = deps.nowMs() - DIAGNOSED_HOURS * 3_600_000;
  const counted = await readDecisionReasons(deps.olap, workspaceId, lineItemIds, sinceMs);
  return lineItemIds.map((id) => {
    const why = idle.get(id);
    return diagnose({
      hours: DIAGNOSED_HOURS,
      counted: counted.get(id) ?? [],
      idle: why === undefined ? 'unknown' : why,
    });
  });
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
  const state = newState(deps, atMs);
  const decideNow = (): Decision =>
    decide(compiled, opportunity, { state, nowMs: atMs, random: deps.random, explain: true });
  let decision = decideNow();
  for (let round = 0; round < ROUNDS_MAX && state.isIncomplete; round += 1) {
    await state.fetchMissing();
    decision = decideNow();
  }
  const slots = opportunity.slots.map(({ slotId }, at) => describeSlot(compiled, decision, { slotId, at, lineItemId }));
  return { at: new Date(atMs), noFill: decision.noFill, slots };
}

/** Paces by counters alone: the accounts of workers for the next second are not known here. */
function newState({ hot }: InsightDeps, nowMs: number): HotDeliveryState {
  const clock = new LocalClock();
  return new HotDeliveryState(
    hot,
    {
      counters: new RecentCounters(),
      pacer: undefined,
      isUsedUp: () => false,
      pace: (lineItem, at, read) =>
        paceLineItem(
          lineItem,
          { ...at, local: clock.at(at.nowMs, lineItem.booked.timezone) },
          { counter: (key) => read(key) ?? 0 },
        ),
    },
    { nowMs },
  );
}

function describeSlot(
  compiled: CompiledWorkspace,
  { placements, losers }: Decision,
  { slotId, at, lineItemId }: { slotId: string; at: number; lineItemId: string | null },
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
          },
    losers: own.slice(0, EXPLAINED_LOSERS_MAX).map(({ lineItemId: id, reason }) => ({
      lineItemId: id,
      name: findById(compiled.snapshot.lineItems, id)?.name ?? '',
      reason,
      sentence: `It did not serve, because ${describeReason(reason).because}.`,
    })),
    furtherLosers: Math.max(0, own.length - EXPLAINED_LOSERS_MAX),
  };
}
