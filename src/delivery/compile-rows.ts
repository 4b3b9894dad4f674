import { isTimeZone } from '../domain/calendar.ts';
import type { Creative, MediaType } from '../domain/creative.ts';
import { LINE_ITEM_TYPES } from '../domain/line-item.ts';
import type { Advertiser, Campaign, Deal, LineItem } from '../domain/line-item.ts';
import { digestLanding } from '../domain/link-token.ts';
import type { WorkspaceSnapshot } from '../domain/snapshot.ts';
import type { TargetingDimension } from '../domain/targeting.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { CapCheck, FrequencyCheck } from './counter-checks.ts';
import { compileCapChecks, compileFrequencyChecks } from './counter-checks.ts';
import { FIT_FIELD } from './row-index.ts';
import type { FieldRows } from './row-index.ts';
import { compilePredicate, dimensionsOf, splitConjuncts, withParentDomains } from './targeting.ts';
import type { Conjunct, Predicate } from './targeting.ts';
import type { WorkSteps } from './work-steps.ts';

/** A creative that may be shown, with what is worked out once. */
export interface CompiledCreative {
  readonly creative: Creative;
  readonly mediaType: MediaType;
  readonly landingDigest: string;
  /** The creative's own frequency caps. */
  readonly frequencyChecks: readonly FrequencyCheck[];
}

/** A line item that may serve: it, all its parents and at least one creative are live. Flights are looked at when deciding. */
export interface CompiledLineItem {
  readonly lineItem: LineItem;
  readonly campaign: Campaign;
  readonly advertiser: Advertiser;
  readonly deal: Deal | null;
  readonly creatives: readonly CompiledCreative[];
  /** Rows of one group compete; lower groups go first. */
  readonly group: number;
  /** Its price never depends on counters or on the request. */
  readonly staticPrice: boolean;
  /** Own price in micros: the deal's fixed one before the line item's. */
  readonly priceMicros: number;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  /** What the index cannot answer; null = nothing is left to test. */
  readonly residual: Predicate | null;
  readonly exclusionLabels: readonly string[];
  /** The OpenRTB seat that bids. */
  readonly seat: string;
  /** The advertiser's domains, lower case. */
  readonly domains: readonly string[];
  /** The same with the domains above them: blocking example.com blocks shop.example.com. */
  readonly blockableDomains: readonly string[];
  readonly dimensions: readonly TargetingDimension[];
  readonly capChecks: readonly CapCheck[];
  readonly frequencyChecks: readonly FrequencyCheck[];
}

/** A line item that cannot serve whatever is asked, and why: kept for explanations. */
export interface IdleLineItem {
  readonly lineItem: LineItem;
  readonly reason: 'paused' | 'size' | 'not_in_flight';
}

/** Reports a row that cannot be used (malformed targeting, unknown time zone); it is left out. */
export type RefuseRow = (lineItemId: string, error: unknown) => void;

/** Draft rows of the last compilation by line item; good as long as everything they were made of is the same object. */
export type RowMemo = WeakMap<LineItem, DraftRow>;

const ROWS_PER_STEP = 512;

/** The rows of a snapshot in the order of the index, unfinished: which fields are indexed is known only when all are there. */
export function* compileRowSteps(
  snapshot: WorkspaceSnapshot,
  context: { readonly nowMs: number; readonly refuse: RefuseRow; readonly memo: RowMemo },
): WorkSteps<{ drafts: DraftRow[]; idle: IdleLineItem[] }> {
  const drafts: DraftRow[] = [];
  const idle: IdleLineItem[] = [];
  const parents = yield* indexParents(snapshot);
  for (const [position, lineItem] of snapshot.lineItems.entries()) {
    if (position % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    const found = resolveLineItem(lineItem, parents, context.nowMs);
    if ('reason' in found) {
      idle.push({ lineItem, reason: found.reason });
      continue;
    }
    try {
      drafts.push(recallDraft(found, snapshot.workspace, context.memo));
    } catch (error) {
      context.refuse(lineItem.id, error);
    }
  }
  return { drafts: sortDrafts(drafts), idle };
}

interface Parents {
  readonly campaigns: ReadonlyMap<string, Campaign>;
  readonly advertisers: ReadonlyMap<string, Advertiser>;
  readonly deals: ReadonlyMap<string, Deal>;
  readonly creatives: ReadonlyMap<string, readonly Creative[]>;
}

function* indexParents(snapshot: WorkspaceSnapshot): WorkSteps<Parents> {
  const creatives = new Map<string, Creative[]>();
  for (const [position, creative] of snapshot.creatives.entries()) {
    if (position % (ROWS_PER_STEP * 4) === 0) yield;
    if (creative.status !== 'ACTIVE' || creative.reviewState !== 'APPROVED') continue;
    const siblings = creatives.get(creative.lineItemId);
    if (siblings === undefined) creatives.set(creative.lineItemId, [creative]);
    else siblings.push(creative);
  }
  return {
    campaigns: new Map(snapshot.campaigns.map((campaign) => [campaign.id, campaign])),
    advertisers: new Map(snapshot.advertisers.map((advertiser) => [advertiser.id, advertiser])),
    deals: new Map(snapshot.deals.map((deal) => [deal.id, deal])),
    creatives,
  };
}

interface ResolvedLineItem {
  readonly lineItem: LineItem;
  readonly campaign: Campaign;
  readonly advertiser: Advertiser;
  readonly deal: Deal | null;
  readonly creatives: readonly Creative[];
}

function resolveLineItem(
  lineItem: LineItem,
  parents: Parents,
  nowMs: number,
): ResolvedLineItem | { readonly reason: IdleLineItem['reason'] } {
  const campaign = parents.campaigns.get(lineItem.campaignId);
  const advertiser = campaign === undefined ? undefined : parents.advertisers.get(campaign.advertiserId);
  if (campaign === undefined || advertiser === undefined) return { reason: 'paused' };
  const deal = lineItem.dealId === null ? null : parents.deals.get(lineItem.dealId);
  if (deal === undefined || (deal !== null && deal.status !== 'ACTIVE')) return { reason: 'paused' };
  const live = lineItem.status === 'ACTIVE' && campaign.status === 'ACTIVE' && advertiser.status === 'ACTIVE';
  if (!live) return { reason: 'paused' };
  if (earliest(lineItem.endsAtMs, campaign.endsAtMs) <= nowMs) return { reason: 'not_in_flight' };
  const creatives = parents.creatives.get(lineItem.id);
  return creatives === undefined ? { reason: 'size' } : { lineItem, campaign, advertiser, deal, creatives };
}

function earliest(left: number | null, right: number | null): number {
  return Math.min(left ?? Number.POSITIVE_INFINITY, right ?? Number.POSITIVE_INFINITY);
}

function recallDraft(found: ResolvedLineItem, workspace: Workspace, memo: RowMemo): DraftRow {
  const known = memo.get(found.lineItem);
  if (known !== undefined && known.isMadeOf(found, workspace)) return known;
  const made = new DraftRow(found, workspace);
  memo.set(found.lineItem, made);
  return made;
}

/** A row whose index fields are not chosen yet, with all that does not depend on them. */
export class DraftRow {
  readonly compiled: Omit<CompiledLineItem, 'residual'>;
  readonly conjuncts: readonly Conjunct[];
  readonly fitValues: ReadonlySet<string>;
  readonly #found: ResolvedLineItem;
  readonly #workspace: Workspace;
  #finished: { readonly indexed: string; readonly row: CompiledLineItem } | null = null;

  /** @throws Error for an unknown time zone */
  constructor(found: ResolvedLineItem, workspace: Workspace) {
    if (!isTimeZone(found.lineItem.timezone) || !isTimeZone(workspace.timezone)) {
      throw new RangeError(`Unknown time zone ${found.lineItem.timezone} or ${workspace.timezone}`);
    }
    this.#found = found;
    this.#workspace = workspace;
    this.conjuncts = splitConjuncts(found.lineItem.targeting);
    // Compiled once for its complaints: a malformed tree is refused here, not in the middle of a request.
    for (const { tree } of this.conjuncts) compilePredicate(tree, found.lineItem.timezone);
    this.compiled = compileLineItem(found, workspace);
    this.fitValues = new Set(this.compiled.creatives.flatMap(fitValuesOf));
  }

  /** Whether the row would come out the same: rows of a snapshot are replaced, never changed. */
  isMadeOf(found: ResolvedLineItem, workspace: Workspace): boolean {
    const own = this.#found;
    return (
      this.#workspace === workspace &&
      own.campaign === found.campaign &&
      own.advertiser === found.advertiser &&
      own.deal === found.deal &&
      own.creatives.length === found.creatives.length &&
      own.creatives.every((creative, index) => creative === found.creatives[index])
    );
  }

  /** The row, testing what these indexed fields do not answer. */
  finish(fields: ReadonlyMap<string, FieldRows>): CompiledLineItem {
    const answered = new Set<string>();
    const left = this.conjuncts.filter(({ requirement, exact }) => {
      if (requirement === null || !exact || !fields.has(requirement.fieldName)) return true;
      if (answered.has(requirement.fieldName)) return true;
      answered.add(requirement.fieldName);
      return false;
    });
    const indexed = [...answered].join('\n');
    if (this.#finished?.indexed === indexed) return this.#finished.row;
    const tests = left.map(({ tree }) => compilePredicate(tree, this.compiled.lineItem.timezone));
    const row = { ...this.compiled, residual: joinTests(tests) };
    this.#finished = { indexed, row };
    return row;
  }
}

function joinTests(tests: readonly Predicate[]): Predicate | null {
  const [only] = tests;
  if (only === undefined) return null;
  return tests.length === 1 ? only : (facts) => tests.every((test) => test(facts));
}

function compileLineItem(found: ResolvedLineItem, workspace: Workspace): Omit<CompiledLineItem, 'residual'> {
  const { lineItem, campaign, advertiser, deal } = found;
  const owners = { workspaceId: workspace.workspaceId, timezone: workspace.timezone, lineItem, campaign, advertiser };
  const domains = advertiser.domains.map((domain) => domain.toLowerCase());
  return {
    lineItem,
    campaign,
    advertiser,
    deal,
    creatives: found.creatives.map(compileCreative),
    group: groupOf(lineItem),
    staticPrice: deal === null && lineItem.pricingModel === 'CPM',
    priceMicros: deal?.fixedPriceMicros ?? lineItem.priceMicros,
    startsAtMs: Math.max(lineItem.startsAtMs ?? 0, campaign.startsAtMs ?? 0),
    endsAtMs: earliest(lineItem.endsAtMs, campaign.endsAtMs),
    exclusionLabels: [...new Set([...lineItem.exclusionLabels, ...advertiser.exclusionLabels])],
    seat: deal?.seats[0] ?? `advertiser-${advertiser.id}`,
    domains,
    blockableDomains: domains.flatMap(withParentDomains),
    dimensions: dimensionsOf(lineItem.targeting),
    capChecks: compileCapChecks(owners),
    frequencyChecks: compileFrequencyChecks(owners),
  };
}

const MEDIA_TYPE_OF_FORMAT = { IMAGE: 'banner', HTML: 'banner', NATIVE: 'native', VIDEO: 'video' } as const;

function compileCreative(creative: Creative): CompiledCreative {
  const mediaType = MEDIA_TYPE_OF_FORMAT[creative.content.format];
  const frequencyChecks = creative.frequencyCaps.map(
    (cap) => ({ level: 'creative', scope: 'cr', id: creative.id, cap }) as const,
  );
  return { creative, mediaType, landingDigest: digestLanding(creative.clickUrl), frequencyChecks };
}

const LEVELS = 32;

/** Tier, then level; levels count within SPONSORSHIP and STANDARD only. */
function groupOf(lineItem: LineItem): number {
  const tier = LINE_ITEM_TYPES.indexOf(lineItem.type);
  return tier * LEVELS + (tier < 2 ? lineItem.level : 0);
}

/**
 * By group; inside, those of varying price first, then the dearest, so that a scan in PRICE can stop at its first hit. Each
 * bucket is sorted as numbers (price, then position), which is many times faster than comparing rows.
 */
function sortDrafts(drafts: readonly DraftRow[]): DraftRow[] {
  const buckets = Map.groupBy(drafts, ({ compiled }) => compiled.group * 2 + (compiled.staticPrice ? 1 : 0));
  const ordered = [...buckets.keys()].sort((left, right) => left - right);
  return ordered.flatMap((key) => sortByPrice(buckets.get(key) ?? []));
}

function sortByPrice(bucket: readonly DraftRow[]): DraftRow[] {
  const positions = 2 ** Math.ceil(Math.log2(bucket.length + 1));
  // What is dearer than the limit (tens of thousands of currency units at 100,000 rows) counts as equally dear.
  const limit = Math.floor(2 ** 52 / positions);
  const keys = Float64Array.from(bucket, ({ compiled }, position) => {
    return (limit - Math.min(limit, compiled.priceMicros)) * positions + position;
  });
  return Array.from(keys.sort(), (key) => bucket[key % positions] as DraftRow);
}

/** The index's field of formats and sizes. */
export function* fitField(drafts: readonly DraftRow[]): WorkSteps<FieldRows> {
  const restricted = new Map<number, ReadonlySet<string>>();
  for (const [row, draft] of drafts.entries()) {
    restricted.set(row, draft.fitValues);
    if (row % (ROWS_PER_STEP * 8) === 0) yield;
  }
  return { name: FIT_FIELD, source: null, restricted };
}

/** `banner` (any size wanted), `banner:300x250`, `banner:0x0` (fits any), `video`, `native`. */
function fitValuesOf({ creative, mediaType }: CompiledCreative): string[] {
  return mediaType === 'banner' ? ['banner', `banner:${creative.width}x${creative.height}`] : [mediaType];
}
