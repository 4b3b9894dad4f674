import { armOf, type DecidedArm, doGoalsBid, withArm } from '../../domain/experiments/experiment.ts';
import type { Log } from '../../domain/log/log.ts';
import type { RequestCounts } from '../../domain/events/event.ts';
import type { ImpressionIds } from '../../domain/ids/impression-ids.ts';
import type { SegmentObserver } from '../../domain/targeting/segment.ts';
import { signingKey } from '../../domain/events/served-ad.ts';
import type { LinkKey } from '../../domain/events/served-ad.ts';
import type { HotWait } from '../../storage/hot/hot-circuit.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { confirmDecision, decideOnce } from './decide-ads.ts';
import type { DecisionMetrics } from './decision-metrics.ts';
import type { DecisionLog } from '../insight/decision-log/decision-log.ts';
import type { DecisionReasons } from '../insight/diagnosis/decision-reasons.ts';
import type { Decision } from '../decision/decision.ts';
import type { FindGeo } from '../ad-request/geo-lookup.ts';
import type { OpportunityRecorder } from '../traffic/opportunity-sample.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import type { DeliveryControl } from '../pacing/delivery-control.ts';
import type { Draw } from '../decision/draws/quota-draws.ts';
import { SameDraws } from '../decision/draws/same-draws.ts';
import { countRequest } from './request-counting.ts';
import type { HostedAssets } from '../markup/hosted-assets.ts';
import { sealPlacement } from '../markup/served-placement.ts';
import type { ServedPlacement } from '../markup/served-placement.ts';
import type { ReportedValues } from './reported-key-values.ts';
import type { UserIds } from '../openrtb/bid-request.ts';
import { recordKeyValues, withSegments } from '../ad-request/user-segments.ts';

/** The shared dependencies of delivery's endpoints (bids, ads, why). */
export interface AdServerDeps {
  readonly current: () => CompiledNetworks;
  readonly hot: HotStore;
  /** The geo of an address, for requests without one. */
  readonly findGeo: FindGeo;
  readonly deliveryControl: DeliveryControl;
  /** Samples why line items win and lose. */
  readonly reasons: DecisionReasons;
  readonly metrics: DecisionMetrics;
  /** Logs a sample of decisions for replay; absent: none. */
  readonly decisionLog?: DecisionLog;
  /** Samples opportunities for forecasts. */
  readonly recorder: OpportunityRecorder;
  readonly requestCounts: RequestCounts;
  readonly reportedValues: ReportedValues;
  readonly impressionIds: ImpressionIds;
  /** One signs (`signingKey`), all verify; at least one. */
  readonly linkKeys: readonly LinkKey[];
  readonly userHashSecret: Buffer;
  /** Makes members of segments by key-values; absent = requests make none. */
  readonly memberships?: SegmentObserver;
  /** Public base address of delivery, without a trailing slash. */
  readonly deliveryUrl: string;
  readonly hostedAssets: HostedAssets;
  readonly nowMs: () => number;
  readonly random: Draw;
  readonly log: Log;
}

/** The ads of an opportunity. */
export interface FilledOpportunity {
  readonly decision: Decision;
  /** The ads in the order of the slots, empty slots left out. */
  readonly placements: readonly ServedPlacement[];
}

/** How to serve a request, and for whom; `explain` collects losers. */
export interface FillOptions {
  /** The ids of the request; ignored under npa. */
  readonly userIds: UserIds;
  readonly explain: boolean;
  /** The id of the request, for the decision log. */
  readonly requestId: string;
  /** The request was decided before, and comes again because its ads cannot be shown: it is counted already. */
  readonly isRepeat?: boolean;
}

/** Looks up the user's segments, then decides; records the segments that the request's key-values give the user for later requests. */
export function fillOpportunity(
  deps: AdServerDeps,
  compiled: CompiledWorkspace,
  opportunity: Opportunity,
  options: FillOptions,
): FilledOpportunity | Promise<FilledOpportunity> {
  const wait = deps.deliveryControl.newWait();
  const known = withSegments(deps, compiled.segments, { opportunity, userIds: options.userIds, wait });
  recordKeyValues(deps.memberships, compiled.segments, opportunity, deps.nowMs());
  return known instanceof Promise
    ? known.then((whole) => decideAndFill(deps, compiled, whole, { ...options, wait }))
    : decideAndFill(deps, compiled, known, { ...options, wait });
}

/**
 * Decides, reserves what the ads may use of hard limits, counts the requests and the ads, and seals the links. Waits only when the hot
 * store is asynchronous or a lease on a limit has to be taken.
 */
function decideAndFill(
  deps: AdServerDeps,
  compiled: CompiledWorkspace,
  opportunity: Opportunity,
  options: FillOptions & { readonly wait: HotWait | null },
): FilledOpportunity | Promise<FilledOpportunity> {
  const nowMs = deps.nowMs();
  const state = deps.deliveryControl.newState(nowMs, options.wait);
  const { workspaceId, test } = opportunity;
  const isWanted = !test && deps.reasons.shouldExplain(workspaceId, nowMs, countLineItems(compiled));
  const startedMs = performance.now();
  const { experiment } = compiled.snapshot.workspace;
  const arm =
    experiment === undefined
      ? null
      : armOf(experiment, opportunity, { secret: deps.userHashSecret, nowMs, random: deps.random });
  const draws = new SameDraws(deps.random);
  const recording =
    options.explain || test ? null : (deps.decisionLog?.open(compiled, opportunity, nowMs, isWanted) ?? null);
  recording?.nameRequest(options.requestId);
  recording?.nameArm(arm);
  const isSampled = isWanted && recording === null;
  const explain = options.explain || isSampled;
  const input = { compiled, opportunity, state, nowMs, draws, arm, explain, recording };
  const usedBefore = isSampled ? process.threadCpuUsage() : undefined;
  const first = decideOnce(input);
  // Not the time that passed: on a busy machine, other processes take most of that.
  const used = usedBefore === undefined ? null : process.threadCpuUsage(usedBefore);
  const decision = confirmDecision(input, first, deps.deliveryControl);
  const finish = (final: Decision): FilledOpportunity => {
    if (used !== null) {
      const tookMs = (used.user + used.system) / 1_000;
      deps.reasons.record(workspaceId, final, { nowMs, tookMs, changes: compiled.memory.changes });
    }
    const { isRepeat = false } = options;
    return finishFilling(deps, compiled, opportunity, { decision: final, arm, nowMs, startedMs, isRepeat });
  };
  return decision instanceof Promise ? decision.then(finish) : finish(decision);
}

function countLineItems({ lineItems, idle }: CompiledWorkspace): number {
  return lineItems.length + idle.length;
}

function finishFilling(
  deps: AdServerDeps,
  compiled: CompiledWorkspace,
  opportunity: Opportunity,
  {
    decision,
    arm,
    nowMs,
    startedMs,
    isRepeat,
  }: { decision: Decision; arm: DecidedArm | null; nowMs: number; startedMs: number; isRepeat: boolean },
): FilledOpportunity {
  if (!opportunity.test) deps.metrics.record(decision, startedMs);
  const { workspace } = compiled.snapshot;
  const linkKey = signingKey(deps.linkKeys, nowMs);
  const reported = deps.reportedValues.bySlot(compiled.snapshot.reportKeys, opportunity, nowMs);
  const keyValuesOf = arm === null ? reported : withArm(reported, arm);
  const newId = () => deps.impressionIds.next(nowMs);
  const seal = { linkKey, deliveryUrl: deps.deliveryUrl, hostedAssets: deps.hostedAssets, nowMs, keyValuesOf, newId };
  const placements: ServedPlacement[] = [];
  for (const placement of decision.placements)
    if (placement !== null) placements.push(sealPlacement(placement, opportunity, workspace, seal));
  if (!opportunity.test) {
    deps.deliveryControl.recordServed(decision, doGoalsBid(arm));
    if (!isRepeat) deps.recorder.record(opportunity, nowMs);
    countRequest(deps.requestCounts, opportunity, { placements, keyValuesOf, isRepeat });
  }
  return { decision, placements };
}
