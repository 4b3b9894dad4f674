import type { Creative, MediaType } from '../domain/creative.ts';
import { digestLanding } from '../domain/link-token.ts';
import type { AdUnit, Area, Site } from '../domain/inventory.ts';
import { LINE_ITEM_TYPES } from '../domain/line-item.ts';
import type { Advertiser, Campaign, Deal, LineItem } from '../domain/line-item.ts';
import type { WorkspaceSnapshot } from '../domain/snapshot.ts';
import type { TargetingDimension } from '../domain/targeting.ts';
import type { CapCheck, FrequencyCheck } from './counter-checks.ts';
import { compileCapChecks, compileFrequencyChecks } from './counter-checks.ts';
import { FIT_FIELD, INDEXED_FIELDS_MAX, RowIndex } from './row-index.ts';
import type { FieldRows } from './row-index.ts';
import { compilePredicate, dimensionsOf, splitConjuncts } from './targeting.ts';
import type { Conjunct, Predicate, Requirement } from './targeting.ts';

/** A creative that may be shown, with what is worked out once. */
export interface CompiledCreative {
  readonly creative: Creative;
  readonly mediaType: MediaType;
  readonly landingDigest: string;
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

/** One workspace, ready to decide on. Immutable but for the index's buffers: one decision at a time. */
export interface CompiledWorkspace {
  readonly snapshot: WorkspaceSnapshot;
  readonly rows: readonly CompiledLineItem[];
  readonly idle: readonly IdleLineItem[];
  readonly index: RowIndex;
  /** Buffer for `index.collect`. */
  readonly matches: Int32Array;
  readonly inventory: Inventory;
}

/** Look-ups of inventory by the names that requests use. Archived inventory is not found. */
export interface Inventory {
  readonly sitesByCode: ReadonlyMap<string, Site>;
  /** By `<site id>/<area code>`. */
  readonly areasByCode: ReadonlyMap<string, Area>;
  readonly adUnitsByName: ReadonlyMap<string, AdUnit>;
  readonly adUnitsBySite: ReadonlyMap<string, readonly AdUnit[]>;
  readonly adUnitsById: ReadonlyMap<string, AdUnit>;
  /** Names of ad units that were taken out of use: they get nothing. */
  readonly archivedAdUnitNames: ReadonlySet<string>;
}

/** Reports a row that cannot be used (malformed targeting, unknown time zone); it is left out. */
export type RefuseRow = (lineItemId: string, error: unknown) => void;

/** Compiles a snapshot. `nowMs` leaves out what has ended; what has not yet begun is kept. */
export function compileWorkspace(snapshot: WorkspaceSnapshot, nowMs: number, refuse: RefuseRow): CompiledWorkspace {
  const drafts: DraftRow[] = [];
  const idle: IdleLineItem[] = [];
  const parents = indexParents(snapshot);
  for (const lineItem of snapshot.lineItems) {
    const found = resolveLineItem(lineItem, parents, nowMs);
    if ('reason' in found) {
      idle.push({ lineItem, reason: found.reason });
      continue;
    }
    try {
      drafts.push(draftRow(found, snapshot));
    } catch (error) {
      refuse(lineItem.id, error);
    }
  }
  drafts.sort(compareRows);
  const fields = chooseFields(drafts);
  const rows = drafts.map((draft) => finishRow(draft, fields));
  return {
    snapshot,
    rows,
    idle,
    index: new RowIndex(rows.length, [fitField(drafts), ...fields.values()]),
    matches: new Int32Array(rows.length),
    inventory: indexInventory(snapshot),
  };
}

interface Parents {
  readonly campaigns: ReadonlyMap<string, Campaign>;
  readonly advertisers: ReadonlyMap<string, Advertiser>;
  readonly deals: ReadonlyMap<string, Deal>;
  readonly creatives: ReadonlyMap<string, readonly Creative[]>;
}

function indexParents(snapshot: WorkspaceSnapshot): Parents {
  return {
    campaigns: new Map(snapshot.campaigns.map((campaign) => [campaign.id, campaign])),
    advertisers: new Map(snapshot.advertisers.map((advertiser) => [advertiser.id, advertiser])),
    deals: new Map(snapshot.deals.map((deal) => [deal.id, deal])),
    creatives: groupBy(snapshot.creatives, (creative) => creative.lineItemId),
  };
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
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
  const creatives = (parents.creatives.get(lineItem.id) ?? []).filter(
    (creative) => creative.status === 'ACTIVE' && creative.reviewState === 'APPROVED',
  );
  return creatives.length === 0 ? { reason: 'size' } : { lineItem, campaign, advertiser, deal, creatives };
}

function earliest(left: number | null, right: number | null): number {
  return Math.min(left ?? Number.POSITIVE_INFINITY, right ?? Number.POSITIVE_INFINITY);
}

interface DraftRow {
  readonly compiled: Omit<CompiledLineItem, 'residual'>;
  readonly conjuncts: readonly Conjunct[];
}

function draftRow(found: ResolvedLineItem, snapshot: WorkspaceSnapshot): DraftRow {
  const { lineItem, campaign, advertiser, deal } = found;
  const owners = { ...snapshot.workspace, lineItem, campaign, advertiser };
  const domains = advertiser.domains.map((domain) => domain.toLowerCase());
  const conjuncts = splitConjuncts(lineItem.targeting);
  // Compiled once for its complaints: a malformed tree is refused here, not in the middle of a request.
  for (const { tree } of conjuncts) compilePredicate(tree, lineItem.timezone);
  const compiled = {
    ...found,
    creatives: found.creatives.map(compileCreative),
    group: groupOf(lineItem),
    staticPrice: deal === null && lineItem.pricingModel === 'CPM',
    priceMicros: deal?.fixedPriceMicros ?? lineItem.priceMicros,
    startsAtMs: Math.max(lineItem.startsAtMs ?? 0, campaign.startsAtMs ?? 0),
    endsAtMs: earliest(lineItem.endsAtMs, campaign.endsAtMs),
    exclusionLabels: [...new Set([...lineItem.exclusionLabels, ...advertiser.exclusionLabels])],
    seat: deal?.seats[0] ?? `advertiser-${advertiser.id}`,
    domains,
    blockableDomains: domains.flatMap(withParents),
    dimensions: dimensionsOf(lineItem.targeting),
    capChecks: compileCapChecks(owners),
    frequencyChecks: compileFrequencyChecks(owners),
  };
  return { compiled, conjuncts };
}

/** A domain and those above it, without the top level: a.b.example → a.b.example, b.example. */
function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_label, at) => labels.slice(at).join('.'));
}

const MEDIA_TYPE_OF_FORMAT = { IMAGE: 'banner', HTML: 'banner', NATIVE: 'native', VIDEO: 'video' } as const;

function compileCreative(creative: Creative): CompiledCreative {
  const mediaType = MEDIA_TYPE_OF_FORMAT[creative.content.format];
  return { creative, mediaType, landingDigest: digestLanding(creative.clickUrl) };
}

const LEVELS = 32;

/** Tier, then level; levels count within SPONSORSHIP and STANDARD only. */
function groupOf(lineItem: LineItem): number {
  const tier = LINE_ITEM_TYPES.indexOf(lineItem.type);
  return tier * LEVELS + (tier < 2 ? lineItem.level : 0);
}

/** By group; inside, those of varying price first, then the dearest, so that a scan in PRICE can stop at its first hit. */
function compareRows({ compiled: left }: DraftRow, { compiled: right }: DraftRow): number {
  if (left.group !== right.group) return left.group - right.group;
  if (left.staticPrice !== right.staticPrice) return left.staticPrice ? 1 : -1;
  return right.priceMicros - left.priceMicros || Number(left.lineItem.id) - Number(right.lineItem.id);
}

function chooseFields(drafts: readonly DraftRow[]): Map<string, FieldRows> {
  const fields = new Map<string, { name: string; source: Requirement; restricted: Map<number, ReadonlySet<string>> }>();
  for (const [row, { conjuncts }] of drafts.entries()) {
    for (const { requirement } of conjuncts) {
      if (requirement === null) continue;
      let field = fields.get(requirement.fieldName);
      if (field === undefined) {
        field = { name: requirement.fieldName, source: requirement, restricted: new Map() };
        fields.set(requirement.fieldName, field);
      }
      // Of two conditions on one field the first is indexed; the other stays a test.
      if (!field.restricted.has(row)) field.restricted.set(row, requirement.values);
    }
  }
  const chosen = [...fields.values()].sort((left, right) => right.restricted.size - left.restricted.size);
  return new Map(chosen.slice(0, INDEXED_FIELDS_MAX).map((field) => [field.name, field]));
}

function finishRow({ compiled, conjuncts }: DraftRow, fields: ReadonlyMap<string, FieldRows>): CompiledLineItem {
  const answered = new Set<string>();
  const left = conjuncts.filter(({ requirement, exact }) => {
    if (requirement === null || !exact || !fields.has(requirement.fieldName)) return true;
    if (answered.has(requirement.fieldName)) return true;
    answered.add(requirement.fieldName);
    return false;
  });
  const tests = left.map(({ tree }) => compilePredicate(tree, compiled.lineItem.timezone));
  return { ...compiled, residual: joinTests(tests) };
}

function joinTests(tests: readonly Predicate[]): Predicate | null {
  const [only] = tests;
  if (only === undefined) return null;
  return tests.length === 1 ? only : (facts) => tests.every((test) => test(facts));
}

function fitField(drafts: readonly DraftRow[]): FieldRows {
  const restricted = new Map(
    drafts.map(({ compiled }, row) => [row, new Set(compiled.creatives.flatMap(fitValuesOf))]),
  );
  return { name: FIT_FIELD, source: null, restricted };
}

/** `banner` (any size wanted), `banner:300x250`, `banner:0x0` (fits any), `video`, `native`. */
function fitValuesOf({ creative, mediaType }: CompiledCreative): string[] {
  return mediaType === 'banner' ? ['banner', `banner:${creative.width}x${creative.height}`] : [mediaType];
}

function indexInventory(snapshot: WorkspaceSnapshot): Inventory {
  const sites = snapshot.sites.filter((site) => site.status === 'ACTIVE');
  const adUnits = snapshot.adUnits.filter((unit) => unit.status === 'ACTIVE');
  return {
    sitesByCode: new Map(sites.map((site) => [site.code, site])),
    areasByCode: new Map(snapshot.areas.map((area) => [`${area.siteId}/${area.code}`, area])),
    adUnitsByName: new Map(adUnits.map((unit) => [unit.name, unit])),
    adUnitsBySite: groupBy(adUnits, (unit) => unit.siteId),
    adUnitsById: new Map(adUnits.map((unit) => [unit.id, unit])),
    archivedAdUnitNames: new Set(snapshot.adUnits.filter((unit) => unit.status !== 'ACTIVE').map((unit) => unit.name)),
  };
}
