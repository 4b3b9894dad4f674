import type { Creative, CreativeContent } from '../../../domain/booking/creative.ts';
import { formatRow, type MediaType } from '../../../domain/creative-format.ts';
import { compileCapChecks } from '../../../domain/money/limit.ts';
import type { CapCheck } from '../../../domain/money/limit.ts';
import type { Advertiser, Campaign, CompanionMode, Deal, LineItem } from '../../../domain/booking/line-item.ts';
import { splitConjuncts } from '../../../domain/targeting/targeting-conjuncts.ts';
import type { Conjunct, Requirement } from '../../../domain/targeting/targeting-conjuncts.ts';
import type { TargetingDimension } from '../../../domain/targeting/targeting-dimensions.ts';
import { domainForm } from '../../../domain/text/one-form.ts';
import type { Workspace } from '../../../domain/tenancy/workspace.ts';
import type { DecisionMemory } from './decision-memory.ts';
import { compileFrequencyChecks } from './frequency-checks.ts';
import type { FrequencyCheck } from './frequency-checks.ts';
import { groupOfBucket, isStaticBucket, rankOf } from './line-item-order.ts';
import type { LineItemRank } from './line-item-order.ts';
import { withParentDomains } from '../../../domain/targeting/targeting-dimensions.ts';
import { compilePredicate, dimensionsOf } from './targeting.ts';
import { shapeOf } from './targeting-shapes.ts';
import type { Predicate } from './targeting.ts';
import { earliest } from './touched-line-items.ts';
import type { LiveLineItem } from './touched-line-items.ts';

/** A creative that may be shown, with values that are computed once. */
export interface CompiledCreative {
  readonly creative: Creative;
  readonly mediaType: MediaType;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly width: number;
  readonly height: number;
  /** The creative's own frequency caps. */
  readonly frequencyChecks: readonly FrequencyCheck[];
}

/** The pacing of a line item at this moment. */
export interface PacingState {
  /** False when it is ahead of its plan. */
  readonly mayDeliver: boolean;
  /** Share of the goal by which it is behind (negative: ahead); the most urgent goes first. */
  readonly urgency: number;
  /** The bid of its goal for an opportunity, as a multiple of the network's usual price; absent: the state has no worths. */
  readonly worth?: number;
}

/** The pacer's state of a line item and its expiry; the pacer keeps it up to date. */
export interface KnownPacing extends PacingState {
  readonly by: object;
  mayDeliver: boolean;
  urgency: number;
  worth?: number;
  untilMs: number;
}

/**
 * A line item that may be delivered: the line item, all its parents and at least one creative are live. Decisions check the flight. The
 * values that every decision reads are copied into this object, because memory access dominates decisions on many line items.
 */
export interface CompiledLineItem {
  readonly booked: LineItem;
  /** Line items of one group compete; lower groups go first. */
  readonly group: number;
  /** Its price never depends on counters or on the request. */
  readonly staticPrice: boolean;
  /** Own price in micros: the fixed price of the deal, else that of the line item. */
  readonly priceMicros: number;
  readonly campaign: Campaign;
  readonly advertiser: Advertiser;
  readonly deal: Deal | null;
  readonly creatives: readonly CompiledCreative[];
  /** Its only creative; null where it has several. */
  readonly only: CompiledCreative | null;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly goal: LineItem['goal'];
  readonly dayParts: LineItem['dayParts'];
  readonly pricingModel: LineItem['pricingModel'];
  readonly sharePercent: number | null;
  /** Its ads need no other ads beside them: neither roadblock nor companions. */
  readonly isIndependent: boolean;
  /** The conditions that the index does not cover; null = none. */
  readonly residual: Predicate | null;
  readonly exclusionLabels: readonly string[];
  /** The OpenRTB seat that bids. */
  readonly seat: string;
  /** The advertiser's domains in their one form. */
  readonly domains: readonly string[];
  /** The same with their parent domains: blocking example.com blocks shop.example.com. */
  readonly blockableDomains: readonly string[];
  readonly dimensions: readonly TargetingDimension[];
  readonly capChecks: readonly CapCheck[];
  readonly frequencyChecks: readonly FrequencyCheck[];
  /** The last state from its pacer. Every decision reads it, so it is stored here. Only the pacer writes it. */
  pacing: KnownPacing | null;
}

/** Reports a line item that cannot be compiled (malformed targeting, unknown time zone) and is left out. */
export type ReportUnusable = (lineItemId: string, error: unknown) => void;

/** A line item with what the index needs of it. The rest is compiled when a request asks for it. */
export class LineItemDraft implements LineItemRank {
  readonly live: LiveLineItem;
  readonly conjuncts: readonly Conjunct[];
  readonly bucket: number;
  readonly priceMicros: number;
  readonly rankId: bigint;

  constructor(live: LiveLineItem) {
    const { lineItem, deal } = live;
    this.live = live;
    this.conjuncts = splitConjuncts(lineItem.targeting);
    const { bucket, priceMicros, rankId } = rankOf(lineItem, deal);
    this.bucket = bucket;
    this.priceMicros = priceMicros;
    this.rankId = rankId;
  }

  /**
   * A line item that comes into the index must not fail later, in the middle of a request.
   * @throws RangeError for an unknown time zone, and Error for malformed targeting or content
   */
  validate(workspace: Workspace, memory: DecisionMemory): void {
    const { timezone } = this.live.lineItem;
    if (!memory.isTimeZone(timezone) || !memory.isTimeZone(workspace.timezone)) {
      throw new RangeError(`Unknown time zone ${timezone} or ${workspace.timezone}`);
    }
    for (const { tree, exact } of this.conjuncts) if (!exact) compilePredicate(tree, timezone);
    for (const { content } of this.live.creatives) mediaTypeOf(content);
  }

  get startsAtMs(): number {
    return Math.max(this.live.lineItem.startsAtMs ?? 0, this.live.campaign.startsAtMs ?? 0);
  }

  /** The end of the line item or of its campaign; infinite = never. */
  get endsAtMs(): number {
    return earliest(this.live.lineItem.endsAtMs, this.live.campaign.endsAtMs);
  }

  /** The indexed condition of each field that it restricts. Of two conditions on a field the first is indexed and the other is tested. */
  get requirements(): readonly Requirement[] {
    const first: Requirement[] = [];
    for (const { requirement } of this.conjuncts) {
      if (requirement === null || first.some(({ fieldName }) => fieldName === requirement.fieldName)) continue;
      first.push(requirement);
    }
    return first;
  }

  /** The formats and sizes of its creatives, as the index names them. */
  get fitValues(): ReadonlySet<string> {
    const { lineItem, creatives } = this.live;
    const values = new Set<string>();
    for (const creative of listShowable(lineItem, creatives)) addFitValues(values, creative);
    return values;
  }

  get shape(): string {
    return shapeOf(this.conjuncts);
  }

  get targetsSegments(): boolean {
    return dimensionsOf(this.live.lineItem.targeting).includes('segment');
  }

  /** Whether compiling again would give the same result: objects of a snapshot are replaced, never changed. */
  isMadeOf(live: LiveLineItem): boolean {
    const own = this.live;
    return (
      own.lineItem === live.lineItem &&
      own.campaign === live.campaign &&
      own.advertiser === live.advertiser &&
      own.deal === live.deal &&
      own.creatives.length === live.creatives.length &&
      own.creatives.every((creative, index) => creative === live.creatives[index])
    );
  }
}

/** The conditions that these indexed fields do not cover. */
function compileResidual({ conjuncts, live }: LineItemDraft, indexed: ReadonlySet<string>): Predicate | null {
  const indexedFields = new Set<string>();
  const left = conjuncts.filter(({ requirement, exact }) => {
    if (requirement === null || !exact || !indexed.has(requirement.fieldName)) return true;
    if (indexedFields.has(requirement.fieldName)) return true;
    indexedFields.add(requirement.fieldName);
    return false;
  });
  return joinTests(left.map(({ tree }) => compilePredicate(tree, live.lineItem.timezone)));
}

function joinTests(tests: readonly Predicate[]): Predicate | null {
  const [only] = tests;
  if (only === undefined) return null;
  return tests.length === 1 ? only : (facts) => tests.every((test) => test(facts));
}

/** Most line items have no labels, caps or day-parts: they share one empty list, which stays in the processor's cache. */
const EMPTY: readonly never[] = [];

function shareEmpty<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? EMPTY : list;
}

/**
 * Compiles a line item, which tests the conditions that these indexed fields do not cover. One object literal, beginning with the members that
 * every decision reads, so that they are close together in memory.
 */
export function compileLineItem(
  draft: LineItemDraft,
  workspace: Workspace,
  indexed: ReadonlySet<string>,
): CompiledLineItem {
  const { lineItem, campaign, advertiser, deal } = draft.live;
  const owners = { workspaceId: workspace.workspaceId, timezone: workspace.timezone, lineItem, campaign, advertiser };
  const domains = advertiser.domains.map(domainForm);
  const creatives = shareEmpty(listShowable(lineItem, draft.live.creatives).map(compileCreative));
  return {
    residual: compileResidual(draft, indexed),
    startsAtMs: draft.startsAtMs,
    endsAtMs: draft.endsAtMs,
    goal: lineItem.goal,
    dayParts: shareEmpty(lineItem.dayParts),
    pacing: null,
    deal,
    advertiser,
    only: creatives.length === 1 ? (creatives[0] ?? null) : null,
    exclusionLabels: shareEmpty([...new Set([...lineItem.exclusionLabels, ...advertiser.exclusionLabels])]),
    pricingModel: lineItem.pricingModel,
    priceMicros: draft.priceMicros,
    capChecks: shareEmpty(compileCapChecks(owners)),
    frequencyChecks: shareEmpty(compileFrequencyChecks(owners, workspace.labelCaps)),
    isIndependent: lineItem.roadblock === 'ONE' && lineItem.companionMode === 'NONE',
    sharePercent: lineItem.sharePercent,
    group: groupOfBucket(draft.bucket),
    staticPrice: isStaticBucket(draft.bucket),
    booked: lineItem,
    campaign,
    creatives,
    seat: deal?.seats[0] ?? `advertiser-${advertiser.id}`,
    domains,
    blockableDomains: domains.flatMap(withParentDomains),
    dimensions: dimensionsOf(lineItem.targeting),
  };
}

function mediaTypeOf({ format }: CreativeContent): MediaType {
  return formatRow(format).mediaType;
}

function compileCreative(creative: Creative): CompiledCreative {
  const mediaType = mediaTypeOf(creative.content);
  const frequencyChecks = creative.frequencyCaps.map(
    (cap) => ({ level: 'creative', scope: 'cr', id: creative.id, cap }) as const,
  );
  return {
    creative,
    mediaType,
    startsAtMs: creative.startsAtMs ?? 0,
    endsAtMs: creative.endsAtMs ?? Number.POSITIVE_INFINITY,
    width: creative.width,
    height: creative.height,
    frequencyChecks: shareEmpty(frequencyChecks),
  };
}

/** `banner` (any size), `banner:300x250`, `banner:0x0` (fits any), `video`, `native`, `audio`. */
function addFitValues(values: Set<string>, { content, width, height }: Creative): void {
  const mediaType = mediaTypeOf(content);
  values.add(mediaType);
  if (mediaType === 'banner') values.add(`banner:${width}x${height}`);
}

/** How a line item shows its companions; a roadblock has none. */
export function companionModeOf({ roadblock, companionMode }: LineItem): CompanionMode {
  return roadblock === 'ONE' ? companionMode : 'NONE';
}

/** The live creatives of a line item that can ever be shown: companions only where the line item uses them and their master is live. */
function listShowable(lineItem: LineItem, creatives: readonly Creative[]): readonly Creative[] {
  if (creatives.every(({ masterCreativeId }) => masterCreativeId === null)) return creatives;
  const masters = creatives.filter(({ masterCreativeId }) => masterCreativeId === null);
  if (companionModeOf(lineItem) === 'NONE') return masters;
  const masterIds = new Set(masters.map(({ id }) => id));
  return creatives.filter(({ masterCreativeId }) => masterCreativeId === null || masterIds.has(masterCreativeId));
}
