import { EXPLAINED_LOSERS_MAX, EXPLAINED_SLOTS_MAX } from '../domain/delivery-insight.ts';
import type {
  Forecast,
  ForecastDraft,
  DeliveryDiagnosis,
  DeliveryInsight,
  ExplainedDecision,
  ExplainedSlot,
} from '../domain/delivery-insight.ts';
import { PlacardError } from '../domain/errors.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { toOpportunity } from './bid-opportunity.ts';
import { parseBidRequest } from './bid-request.ts';
import type { CompiledWorkspace } from './compile.ts';
import type { CompiledNetworks } from './compiled-networks.ts';
import { decide } from './decide.ts';
import type { Decision } from './decide.ts';
import { readDecisionReasons } from './decision-reasons.olap.ts';
import { HotDeliveryState, RecentCounters } from './delivery-state.ts';
import { readDevice, readPlace } from './device.ts';
import { diagnose } from './diagnose.ts';
import { readDsaRequest } from './dsa.ts';
import { forecastSteps } from './forecast.ts';
import { LocalClock } from './local-clock.ts';
import { readSamples } from './opportunity-sample.ts';
import { findNoPlace } from './place-lookup.ts';
import { paceLineItem } from './pacing.ts';
import { judgePrivacy } from './privacy.ts';
import { describeReason } from './reason-texts.ts';
import { withSegments } from './user-segments.ts';
import { sliceSteps } from './work-steps.ts';
import { hashUserIds } from './user-identity.ts';

const DIAGNOSED_HOURS = 24;
const ROUNDS_MAX = 20;
/** Forecasts that wait for their turn, and the one that is made. */
const FORECASTS_WAITING_MAX = 8;

/** What insight is made from; in the core, beside a snapshot of its own. */
export interface InsightDeps {
  readonly current: () => CompiledNetworks;
  readonly hot: HotStore;
  readonly olap: Olap;
  readonly userHashSecret: Buffer;
  /** Folder of the samples of opportunities. */
  readonly samplesDir: string;
  readonly nowMs: () => number;
  readonly random: () => number;
}

/** Answers about decisions on the present snapshot, without counting anything. */
export function createDeliveryInsight(deps: InsightDeps): DeliveryInsight {
  const queue: ForecastQueue = { waiting: 0, last: Promise.resolve() };
  return {
    diagnose: (workspaceId, lineItemIds) => diagnoseLineItems(deps, workspaceId, lineItemIds),
    forecast: (workspaceId, draft) => queueForecast(deps, queue, { workspaceId, draft }),
    explain: (workspaceId, bidRequest, options) => explainRequest(deps, workspaceId, bidRequest, options),
  };
}

/** Forecasts are made one after the other. */
interface ForecastQueue {
  waiting: number;
  last: Promise<unknown>;
}

async function queueForecast(
  deps: InsightDeps,
  queue: ForecastQueue,
  { workspaceId, draft }: { workspaceId: number; draft: ForecastDraft },
): Promise<Forecast> {
  if (queue.waiting >= FORECASTS_WAITING_MAX)
    throw new PlacardError('unavailable', 'Too many forecasts are being made; try again in a few seconds.');
  queue.waiting += 1;
  const made = queue.last.then(async () => {
    const samples = await readSamples(deps.samplesDir, workspaceId);
    const { snapshot } = findCompiled(deps, workspaceId);
    return sliceSteps(forecastSteps({ snapshot, draft, samples, nowMs: deps.nowMs(), random: deps.random }));
  });
  queue.last = made.catch(() => {});
  return made.finally(() => {
    queue.waiting -= 1;
  });
}

function findCompiled(deps: InsightDeps, workspaceId: number): CompiledWorkspace {
  const compiled = deps.current().findById(workspaceId);
  if (compiled === undefined) throw new PlacardError('unavailable', 'The snapshot of this network is not there yet.');
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
  for (const { lineItem } of compiled?.rows ?? []) if (wanted.has(lineItem.id)) idle.set(lineItem.id, null);
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
  const privacy = judgePrivacy(request.privacy);
  const asked = toOpportunity(request, compiled, {
    device: readDevice(request.device, null),
    place: readPlace(request.device, '', findNoPlace),
    privacy,
    dsa: readDsaRequest(request.dsa),
    userHash: privacy.npa ? '' : hashUserIds(request.userIds, workspaceId, deps.userHashSecret),
  });
  const { userIds } = request;
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

/** Paces by counters alone: what the workers' own accounts say of the next second is theirs. */
function newState({ hot }: InsightDeps, nowMs: number): HotDeliveryState {
  const clock = new LocalClock();
  return new HotDeliveryState(
    hot,
    {
      counters: new RecentCounters(),
      isUsedUp: () => false,
      pace: (row, at, read) =>
        paceLineItem(
          row,
          { ...at, local: clock.at(at.nowMs, row.lineItem.timezone) },
          { counter: (key) => read(key) ?? 0 },
        ),
    },
    nowMs,
  );
}

function describeSlot(
  compiled: CompiledWorkspace,
  { placements, losers }: Decision,
  { slotId, at, lineItemId }: { slotId: string; at: number; lineItemId: string | null },
): ExplainedSlot {
  const names = new Map(compiled.snapshot.lineItems.map(({ id, name }) => [id, name]));
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
            lineItemId: placement.row.lineItem.id,
            name: placement.row.lineItem.name,
            creativeId: placement.creative.creative.id,
            bidMicros: placement.bidMicros,
          },
    losers: own.slice(0, EXPLAINED_LOSERS_MAX).map(({ lineItemId: id, reason }) => ({
      lineItemId: id,
      name: names.get(id) ?? '',
      reason,
      sentence: `It did not serve, because ${describeReason(reason).because}.`,
    })),
    furtherLosers: Math.max(0, own.length - EXPLAINED_LOSERS_MAX),
  };
}
