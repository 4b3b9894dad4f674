import { isTimeZone } from '../../../domain/time/calendar.ts';
import type { Creative, MediaType } from '../../../domain/booking/creative.ts';
import { compileCapChecks } from '../../../domain/money/limit.ts';
import type { CapCheck } from '../../../domain/money/limit.ts';
import type { Advertiser, Campaign, CompanionMode, Deal, LineItem } from '../../../domain/booking/line-item.ts';
import { splitConjuncts } from '../../../domain/targeting/targeting-conjuncts.ts';
import type { Conjunct, Requirement } from '../../../domain/targeting/targeting-conjuncts.ts';
import type { TargetingDimension } from '../../../domain/targeting/targeting-dimensions.ts';
import type { Workspace } from '../../../domain/tenancy/workspace.ts';
import { compileFrequencyChecks } from './frequency-checks.ts';
import type { FrequencyCheck } from './frequency-checks.ts';
import { rankOf } from './line-item-order.ts';
import type { LineItemRank } from './line-item-order.ts';
import { withParentDomains } from '../../../domain/targeting/targeting-dimensions.ts';
import { compilePredicate, dimensionsOf } from './targeting.ts';
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
}

/** The pacer's state of a line item and its expiry; the pacer keeps it up to date. */
export interface KnownPacing extends PacingState {
  readonly by: object;
  mayDeliver: boolean;
  urgency: number;
  untilMs: number;
}

/**
 * A line item that may be delivered: the line item, all its parents and at least one creative are live. Decisions check the flight. The
 * values that every decision reads are copied into this object, because memory access dominates decisions on many line items.
 */
export interface CompiledLineItem extends LineItemRank {
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
  /** The advertiser's domains, lower case. */
  readonly domains: readonly string[];
  /** The same with their parent domains: blocking example.com blocks shop.example.com. */
  readonly blockableDomains: readonly string[];
  readonly dimensions: readonly TargetingDimension[];
  readonly capChecks: readonly CapCheck[];
  readonly frequencyChecks: readonly FrequencyCheck[];
  /** The input of the compilation. */
  readonly draft: LineItemDraft;
  /** The last state from its pacer. Every decision reads it, so it is stored here. Only the pacer writes it. */
  pacing: KnownPacing | null;
}

/** Reports a line item that cannot be compiled (malformed targeting, unknown time zone) and is left out. */
export type ReportUnusable = (lineItemId: string, error: unknown) => void;

/** A line item whose index fields are not chosen yet, with everything that does not depend on them. */
export class LineItemDraft {
  readonly live: LiveLineItem;
  readonly creatives: readonly CompiledCreative[];
  readonly conjuncts: readonly Conjunct[];
  readonly dimensions: readonly TargetingDimension[];

  /** @throws RangeError for an unknown time zone */
  constructor(live: LiveLineItem, workspace: Workspace) {
    const { lineItem } = live;
    if (!isTimeZone(lineItem.timezone) || !isTimeZone(workspace.timezone)) {
      throw new RangeError(`Unknown time zone ${lineItem.timezone} or ${workspace.timezone}`);
    }
    this.live = live;
    this.conjuncts = splitConjuncts(lineItem.targeting);
    // This compilation only validates: a malformed tree fails here, not in the middle of a request.
    for (const { tree } of this.conjuncts) compilePredicate(tree, lineItem.timezone);
    this.dimensions = dimensionsOf(lineItem.targeting);
    this.creatives = shareEmpty(listShowable(lineItem, live.creatives).map(compileCreative));
  }

  /** The end of the line item or of its campaign; infinite = never. */
  get endsAtMs(): number {
    return earliest(this.live.lineItem.endsAtMs, this.live.campaign.endsAtMs);
  }

  /** The indexed condition of each field that it restricts. Of two conditions on a field the first is indexed and the other is tested. */
  get requirements(): Requirement[] {
    const first = new Map<string, Requirement>();
    for (const { requirement } of this.conjuncts) {
      if (requirement !== null && !first.has(requirement.fieldName)) first.set(requirement.fieldName, requirement);
    }
    return [...first.values()];
  }

  /** The formats and sizes of its creatives, as the index names them. */
  get fitValues(): ReadonlySet<string> {
    return new Set(this.creatives.flatMap(fitValuesOf));
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

  /** The compiled line item, which tests the conditions that these indexed fields do not cover. */
  finish(workspace: Workspace, indexed: ReadonlySet<string>): CompiledLineItem {
    return compileLineItem(this, workspace, this.#testRest(indexed));
  }

  #testRest(indexed: ReadonlySet<string>): Predicate | null {
    const indexedFields = new Set<string>();
    const left = this.conjuncts.filter(({ requirement, exact }) => {
      if (requirement === null || !exact || !indexed.has(requirement.fieldName)) return true;
      if (indexedFields.has(requirement.fieldName)) return true;
      indexedFields.add(requirement.fieldName);
      return false;
    });
    return joinTests(left.map(({ tree }) => compilePredicate(tree, this.live.lineItem.timezone)));
  }
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

/** One object literal, beginning with the members that every decision reads, so that they are close together in memory. */
function compileLineItem(draft: LineItemDraft, workspace: Workspace, residual: Predicate | null): CompiledLineItem {
  const { lineItem, campaign, advertiser, deal } = draft.live;
  const owners = { workspaceId: workspace.workspaceId, timezone: workspace.timezone, lineItem, campaign, advertiser };
  const domains = advertiser.domains.map((domain) => domain.toLowerCase());
  const { group, staticPrice, priceMicros } = rankOf(lineItem, deal);
  return {
    residual,
    startsAtMs: Math.max(lineItem.startsAtMs ?? 0, campaign.startsAtMs ?? 0),
    endsAtMs: draft.endsAtMs,
    goal: lineItem.goal,
    dayParts: shareEmpty(lineItem.dayParts),
    pacing: null,
    deal,
    advertiser,
    only: draft.creatives.length === 1 ? (draft.creatives[0] ?? null) : null,
    exclusionLabels: shareEmpty([...new Set([...lineItem.exclusionLabels, ...advertiser.exclusionLabels])]),
    pricingModel: lineItem.pricingModel,
    priceMicros,
    capChecks: shareEmpty(compileCapChecks(owners)),
    frequencyChecks: shareEmpty(compileFrequencyChecks(owners)),
    isIndependent: lineItem.roadblock === 'ONE' && lineItem.companionMode === 'NONE',
    sharePercent: lineItem.sharePercent,
    group,
    staticPrice,
    booked: lineItem,
    campaign,
    creatives: draft.creatives,
    seat: deal?.seats[0] ?? `advertiser-${advertiser.id}`,
    domains,
    blockableDomains: domains.flatMap(withParentDomains),
    dimensions: draft.dimensions,
    draft,
  };
}

const MEDIA_TYPE_OF_FORMAT = { IMAGE: 'banner', HTML: 'banner', NATIVE: 'native', VIDEO: 'video' } as const;

function compileCreative(creative: Creative): CompiledCreative {
  const mediaType = MEDIA_TYPE_OF_FORMAT[creative.content.format];
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

/** `banner` (any size), `banner:300x250`, `banner:0x0` (fits any), `video`, `native`. */
function fitValuesOf({ creative, mediaType }: CompiledCreative): string[] {
  return mediaType === 'banner' ? ['banner', `banner:${creative.width}x${creative.height}`] : [mediaType];
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
