import { dayCounterKey, lifetimeCounterKey } from '../../src/domain/money/counter-key.ts';
import type { CounterKind, CounterScope } from '../../src/domain/money/counter-key.ts';
import type { Creative } from '../../src/domain/booking/creative.ts';
import type { MediaType } from '../../src/domain/creative-format.ts';
import { frequencyCounterKey } from '../../src/domain/frequency/frequency-key.ts';
import type { Advertiser, Campaign, Deal, DeliveryCaps, LineItem } from '../../src/domain/booking/line-item.ts';
import type { FrequencyCap } from '../../src/domain/frequency/frequency-cap.ts';
import type { WorkspaceSnapshot } from '../../src/domain/booking/snapshot.ts';
import type { CountedKind } from '../../src/domain/pricing/pricing-models.ts';
import type { CompiledLineItem } from '../../src/delivery/decision/index/compile-line-items.ts';
import type { DeliveryState } from '../../src/delivery/decision/delivery-state.ts';
import type { OfferedDeal, Opportunity, Slot } from '../../src/domain/requests/opportunity.ts';
import { paceLineItem } from '../../src/delivery/decision/even-pacing.ts';
import { admits, localMoment } from './oracle-targeting.ts';
/** The reference for decisions: the rules of delivery, written as plainly as possible, without regard for speed. */
export interface OracleWorld {
  readonly snapshot: WorkspaceSnapshot;
  readonly opportunity: Opportunity;
  readonly state: DeliveryState;
  readonly nowMs: number;
  /** What goals bid, as multiples of the usual price, by line item; absent: levels and urgency decide. */
  readonly worths?: { readonly byId: ReadonlyMap<string, number>; readonly usualCpmMicros: number };
}

/** An ad in an earlier slot of the same response. */
export interface PlacedAd {
  readonly lineItemId: string;
  readonly creativeId: string;
  readonly bidMicros: number;
}

/** An ad in a slot, and whether its line item was counted for it before: as companion, or as master of companions. */
export interface CountedAd extends PlacedAd {
  readonly joins: boolean;
}

export interface Family {
  readonly lineItem: LineItem;
  readonly campaign: Campaign;
  readonly advertiser: Advertiser;
  readonly deal: Deal | null;
  /** Live ones, in their stored order. */
  readonly creatives: readonly Creative[];
}

export interface Contender extends Family {
  readonly fitting: readonly Creative[];
  readonly valueMicros: number;
  readonly bidMicros: number;
  readonly urgency: number;
}

const MEDIA_TYPES: Readonly<Record<string, MediaType>> = {
  IMAGE: 'banner',
  HTML: 'banner',
  NATIVE: 'native',
  VIDEO: 'video',
};

export function modeOf({ roadblock, companionMode }: LineItem): LineItem['companionMode'] {
  return roadblock === 'ONE' ? companionMode : 'NONE';
}

export function findFamily(snapshot: WorkspaceSnapshot, lineItem: LineItem): Family[] {
  const campaign = snapshot.campaigns.find(({ id }) => id === lineItem.campaignId);
  const advertiser = snapshot.advertisers.find(({ id }) => id === campaign?.advertiserId);
  const deal = lineItem.dealId === null ? null : snapshot.deals.find(({ id }) => id === lineItem.dealId);
  if (campaign === undefined || advertiser === undefined || deal === undefined) return [];
  if (deal !== null && deal.status !== 'ACTIVE') return [];
  if ([lineItem.status, campaign.status, advertiser.status].some((status) => status !== 'ACTIVE')) return [];
  const creatives = snapshot.creatives.filter(
    (one) => one.lineItemId === lineItem.id && one.status === 'ACTIVE' && one.reviewState === 'APPROVED',
  );
  const masters = creatives.filter((one) => one.masterCreativeId === null);
  const companions = creatives.filter((one) => masters.some(({ id }) => id === one.masterCreativeId));
  const showable = creatives.filter((one) => masters.includes(one) || companions.includes(one));
  return [{ lineItem, campaign, advertiser, deal, creatives: modeOf(lineItem) === 'NONE' ? masters : showable }];
}

export interface Headroom {
  readonly earlier: readonly CountedAd[];
  /** For how many of its ads its caps must have headroom; 0 = none: it is counted already, and may share its labels. */
  readonly ads: number;
}

/** The line item as a contender for the slot, or null. */
export function contend(world: OracleWorld, family: Family, slot: Slot, headroom: Headroom): Contender | null {
  const { opportunity, nowMs, state } = world;
  const { lineItem, campaign } = family;
  for (const { startsAtMs, endsAtMs } of [lineItem, campaign]) {
    if (startsAtMs !== null && nowMs < startsAtMs) return null;
    if (endsAtMs !== null && nowMs >= endsAtMs) return null;
  }
  const { weekday, minute, day } = localMoment(nowMs, lineItem.timezone);
  const inPart = lineItem.dayParts.some(
    (part) => part.days.includes(weekday) && part.startMinute <= minute && minute < part.endMinute,
  );
  if (lineItem.dayParts.length > 0 && !inPart) return null;
  if (!admits(lineItem.targeting, { opportunity, slot, nowMs, timezone: lineItem.timezone })) return null;
  const offered = offeredOf(family, slot);
  if (offered === 'no' || isBlocked(family, opportunity, offered)) return null;
  if (sharesLabel(world, family, headroom)) return null;
  const valueMicros = valueOf(world, family, slot);
  const bidMicros = offered?.fixedPrice === true ? (offered.floorMicros ?? valueMicros) : valueMicros;
  if (valueMicros < bidMicros || bidMicros < floorOf(world, family, slot, offered)) return null;
  if (headroom.ads > 0 && !hasHeadroom(world, family, bidMicros, headroom)) return null;
  const used = new Set(headroom.earlier.map(({ creativeId }) => creativeId));
  const fitting = family.creatives.filter(
    (creative) =>
      !used.has(creative.id) &&
      fits(creative, slot, world) &&
      bidMicros >= floorByRules(world, { family, creative, slot, offered }) &&
      isUnderFrequency(
        world,
        family,
        { scope: 'cr', id: creative.id, caps: creative.frequencyCaps },
        { ...headroom, ads: 1 },
      ),
  );
  if (fitting.length === 0) return null;
  const startsAtMs = Math.max(lineItem.startsAtMs ?? 0, campaign.startsAtMs ?? 0);
  const endsAtMs = Math.min(lineItem.endsAtMs ?? Infinity, campaign.endsAtMs ?? Infinity);
  const compiled = { booked: lineItem, startsAtMs, endsAtMs } as CompiledLineItem;
  // Pacing has tests of its own (pacing*.test.ts).
  const pace = paceLineItem(compiled, { workspaceId: 1, nowMs, local: { weekday, minute, day } }, state);
  return pace.mayDeliver ? { ...family, fitting, valueMicros, bidMicros, urgency: pace.urgency } : null;
}

/** The offered deal of the line item; null = without a deal, 'no' = it may not bid. */
function offeredOf({ deal }: Family, slot: Slot): OfferedDeal | null | 'no' {
  if (deal === null || slot.deals === null) return slot.privateAuction ? 'no' : null;
  return slot.deals.find(({ code }) => code === deal.code) ?? 'no';
}

function isBlocked({ advertiser, deal }: Family, opportunity: Opportunity, offered: OfferedDeal | null): boolean {
  const seat = deal?.seats[0] ?? `advertiser-${advertiser.id}`;
  const { allowedSeats, blockedSeats, blockedDomains, blockedCategories, dsaRequired } = opportunity;
  if (blockedSeats.has(seat) || (allowedSeats.size > 0 && !allowedSeats.has(seat))) return true;
  if (offered !== null && offered.seats.length > 0 && !offered.seats.includes(seat)) return true;
  const domains = advertiser.domains.map((domain) => domain.toLowerCase());
  const targeted = offered?.advertiserDomains ?? [];
  if (targeted.length > 0 && !domains.some((domain) => targeted.includes(domain))) return true;
  if ([...blockedDomains].some((blocked) => domains.some((one) => one === blocked || one.endsWith(`.${blocked}`))))
    return true;
  if (advertiser.categories.some((one) => blockedCategories.has(one) || blockedCategories.has(one.split('-')[0] ?? '')))
    return true;
  return dsaRequired >= 2 && ((advertiser.dsaBehalf ?? '') === '' || (advertiser.dsaPaid ?? '') === '');
}

function sharesLabel(world: OracleWorld, family: Family, { earlier, ads }: Headroom): boolean {
  const labelsOf = (one: Family) => [...one.lineItem.exclusionLabels, ...one.advertiser.exclusionLabels];
  const own = labelsOf(family);
  return earlier.some(({ lineItemId }) => {
    if (lineItemId === family.lineItem.id && (family.lineItem.roadblock !== 'ONE' || ads === 0)) return false;
    const other = world.snapshot.lineItems.find(({ id }) => id === lineItemId) as LineItem;
    return findFamily(world.snapshot, other).some((found) => labelsOf(found).some((label) => own.includes(label)));
  });
}

function valueOf(world: OracleWorld, { lineItem, deal }: Family, slot: Slot): number {
  const price = deal?.fixedPriceMicros ?? lineItem.priceMicros;
  const perThousand = (kind: CounterKind, of: CountedKind, { share, weight, most }: Prior) => {
    const shown = counterOf(world, { scope: 'li', id: lineItem.id, kind: 'imp', zone: null });
    const counted = counterOf(world, { scope: 'li', id: lineItem.id, kind, zone: null });
    const value = Math.round(most * Math.min(1, (counted + share * weight) / (shown + weight)));
    return Math.min(most, Math.round(value * liftOf(world, of, { lineItem, slot })));
  };
  const values: Record<LineItem['pricingModel'], () => number> = {
    CPM: () => price,
    VCPM: () => perThousand('view', 'viewable', { share: 0.5, weight: 1_000, most: price }),
    CPC: () => perThousand('clk', 'click', { share: 0.001, weight: 1_000, most: price * 1_000 }),
    CPA: () => perThousand('conv', 'activity', { share: 0.0001, weight: 30_000, most: price * 1_000 }),
    CPCV: () => perThousand('cpl', 'video_complete', { share: 0.6, weight: 1_000, most: price * 1_000 }),
    FLAT: () => Math.round(price / 10),
  };
  return values[lineItem.pricingModel]();
}

/** What is expected of a rate before anything is counted, with the weight of so many impressions, and the value if each impression had the event. */
interface Prior {
  readonly share: number;
  readonly weight: number;
  readonly most: number;
}

function liftOf(world: OracleWorld, kind: CountedKind, asked: { lineItem: LineItem; slot: Slot }): number {
  const { deviceType, country } = world.opportunity.reported;
  const { siteId, adUnitId } = asked.slot;
  const context = { siteId, adUnitId, deviceType, country, timeMs: world.nowMs };
  return world.state.lifts?.(1)?.lift({ kind, lineItemId: asked.lineItem.id, creativeId: '' }, context) ?? 1;
}

function floorOf(world: OracleWorld, { deal }: Family, slot: Slot, offered: OfferedDeal | null): number {
  if (deal !== null && offered !== null) return Math.max(offered.floorMicros ?? slot.floorMicros, deal.floorMicros);
  const unit = world.snapshot.adUnits.find(({ id, status }) => id === slot.adUnitId && status === 'ACTIVE');
  return Math.max(
    slot.floorMicros,
    world.snapshot.workspace.floorMicros,
    unit?.floorMicros ?? 0,
    deal?.floorMicros ?? 0,
  );
}

interface FlooredCreative {
  readonly family: Family;
  readonly creative: Creative;
  readonly slot: Slot;
  readonly offered: OfferedDeal | null;
}

/** The floor of the network's rules for one creative in one slot: of the matching rules, the first by priority, then by height. */
function floorByRules({ snapshot, opportunity }: OracleWorld, { family, creative, slot, offered }: FlooredCreative) {
  const isAnySize = creative.width === 0 && creative.height === 0;
  const shown = isAnySize ? slot.sizes[0] : creative;
  const matching = snapshot.floors.filter((rule) => {
    if (rule.siteId !== null && rule.siteId !== slot.siteId) return false;
    if (rule.areaId !== null && rule.areaId !== slot.areaId) return false;
    if (rule.adUnitId !== null && rule.adUnitId !== slot.adUnitId) return false;
    if (rule.countries.length > 0 && !rule.countries.includes(opportunity.country)) return false;
    // An offered deal has its own floor; only a rule of that very deal overrides it.
    if (rule.dealId === null && family.deal !== null && offered !== null) return false;
    if (rule.dealId !== null && rule.dealId !== family.deal?.id) return false;
    const mediaType = MEDIA_TYPES[creative.content.format] as MediaType;
    if (rule.mediaTypes.length > 0 && !rule.mediaTypes.includes(mediaType)) return false;
    return (
      rule.sizes.length === 0 ||
      rule.sizes.some(({ width, height }) => width === shown?.width && height === shown?.height)
    );
  });
  const priority = Math.max(...matching.map((rule) => rule.priority));
  return Math.max(0, ...matching.filter((rule) => rule.priority === priority).map(({ floorMicros }) => floorMicros));
}

function hasHeadroom(world: OracleWorld, family: Family, bidMicros: number, headroom: Headroom): boolean {
  const { lineItem, campaign, advertiser } = family;
  const networkZone = world.snapshot.workspace.timezone;
  const caps: Limit[] = [
    ...limitsOf(lineItem.caps, 'li', lineItem.id, lineItem.timezone),
    ...limitsOf(campaign.caps, 'ca', campaign.id, networkZone),
  ];
  if (advertiser.creditMicros !== null)
    caps.push({ scope: 'ad', id: advertiser.id, kind: 'spend', zone: null, limit: advertiser.creditMicros * 1_000 });
  const { goal } = lineItem;
  if (goal !== null && lineItem.pauseAfterGoal) {
    const kind = ({ IMPRESSIONS: 'imp', VIEWABLE_IMPRESSIONS: 'view', CLICKS: 'clk', CONVERSIONS: 'conv' } as const)[
      goal.kind
    ];
    const zone = goal.period === 'DAY' ? lineItem.timezone : null;
    caps.push({ scope: 'li', id: lineItem.id, kind, zone, limit: goal.amount });
  }
  const priceOf = (one: Pick<Family, 'lineItem' | 'deal'>) => one.deal?.fixedPriceMicros ?? one.lineItem.priceMicros;
  const sureNanos = (one: Pick<Family, 'lineItem' | 'deal'>, bid: number) =>
    ({ CPM: bid, VCPM: priceOf(one), CPC: 0, CPA: 0, FLAT: 0, CPCV: 0 })[one.lineItem.pricingModel];
  const nextNanos = (): number => {
    const sure = sureNanos(family, bidMicros);
    if (sure > 0) return sure * headroom.ads;
    const zone = lineItem.timezone;
    const isEarnedToday = counterOf(world, { scope: 'li', id: lineItem.id, kind: 'spend', zone }) > 0;
    if (lineItem.pricingModel === 'FLAT' && isEarnedToday) return 0;
    const each = { CPM: 0, VCPM: 0, CPC: 1_000, CPA: 1_000, FLAT: 1_000, CPCV: 1_000 };
    return Math.max(1, priceOf(family) * each[lineItem.pricingModel]);
  };
  const isInside = ({ scope, id, kind, zone, limit }: Limit): boolean => {
    const own = headroom.earlier.filter((one) => !one.joins && ownerIds(world, one.lineItemId)[scope] === id);
    const pending =
      kind === 'spend'
        ? own.reduce((sum, one) => sum + sureNanos(bookingOf(world, one.lineItemId), one.bidMicros), 0)
        : kind === 'imp'
          ? own.length
          : 0;
    const next = kind === 'spend' ? nextNanos() : kind === 'imp' ? headroom.ads : 1;
    return counterOf(world, { scope, id, kind, zone }) + pending + next <= limit;
  };
  return (
    caps.every(isInside) &&
    isUnderFrequency(world, family, { scope: 'li', id: lineItem.id, caps: lineItem.frequencyCaps }, headroom) &&
    isUnderFrequency(world, family, { scope: 'ca', id: campaign.id, caps: campaign.frequencyCaps }, headroom) &&
    isUnderFrequency(world, family, { scope: 'ad', id: advertiser.id, caps: advertiser.frequencyCaps }, headroom) &&
    isUnderLabels(world, family, headroom)
  );
}

/** A cap per household counts the user where the household is unknown. */
function seerOf({ opportunity: { userHash, householdHash = '' } }: OracleWorld, { per }: FrequencyCap): string {
  return per === 'HOUSEHOLD' && householdHash !== '' ? householdHash : userHash;
}

/** An ad bears the labels of its line item, its campaign and its advertiser. */
function labelsOf({ snapshot }: OracleWorld, lineItemId: string): readonly string[] {
  const lineItem = snapshot.lineItems.find(({ id }) => id === lineItemId);
  const campaign = snapshot.campaigns.find(({ id }) => id === lineItem?.campaignId);
  const advertiser = snapshot.advertisers.find(({ id }) => id === campaign?.advertiserId);
  return [lineItem, campaign, advertiser].flatMap((one) => one?.labels ?? []);
}

function isUnderLabels(world: OracleWorld, { lineItem }: Family, headroom: Headroom): boolean {
  const own = labelsOf(world, lineItem.id);
  const bound = (world.snapshot.workspace.labelCaps ?? []).filter(({ label }) => own.includes(label));
  return bound.every(({ label, frequencyCaps }) => {
    const bears = headroom.earlier.filter((one) => !one.joins && labelsOf(world, one.lineItemId).includes(label));
    return frequencyCaps.every((cap) => {
      const userHash = seerOf(world, cap);
      if (userHash === '') return lineItem.serveWithoutUser;
      const { window, every, event } = cap;
      const kind = event === 'CLICKS' ? 'clk' : 'imp';
      const counted = world.state.counter(`f/1/${userHash}/la/${encodeURIComponent(label)}/${kind}/${every}${window}`);
      return counted + (event === 'IMPRESSIONS' ? bears.length : 0) + headroom.ads <= cap.count;
    });
  });
}

interface Limit {
  readonly scope: CounterScope;
  readonly id: string;
  readonly kind: CounterKind;
  readonly zone: string | null;
  readonly limit: number;
}

function limitsOf(caps: DeliveryCaps, scope: Limit['scope'], id: string, timezone: string): Limit[] {
  const all: [number | null, CounterKind, string | null][] = [
    [caps.impressionsPerDay, 'imp', timezone],
    [caps.impressionsLifetime, 'imp', null],
    [caps.clicksPerDay, 'clk', timezone],
    [caps.clicksLifetime, 'clk', null],
    [caps.spendMicrosPerDay === null ? null : caps.spendMicrosPerDay * 1_000, 'spend', timezone],
    [caps.spendMicrosLifetime === null ? null : caps.spendMicrosLifetime * 1_000, 'spend', null],
  ];
  return all.flatMap(([limit, kind, zone]) => (limit === null ? [] : [{ scope, id, kind, zone, limit }]));
}

export function isUnderFrequency(
  world: OracleWorld,
  { lineItem }: Family,
  { scope, id, caps }: { scope: Exclude<CounterScope, 'un'>; id: string; caps: readonly FrequencyCap[] },
  headroom: Headroom,
): boolean {
  if (caps.length === 0) return true;
  return caps.every((cap) => {
    const userHash = seerOf(world, cap);
    if (userHash === '') return lineItem.serveWithoutUser;
    const counted = world.state.counter(frequencyCounterKey({ workspaceId: 1, userHash, scope, id, cap }));
    const pending = headroom.earlier.filter((one) =>
      scope === 'cr' ? one.creativeId === id : !one.joins && ownerIds(world, one.lineItemId)[scope] === id,
    ).length;
    return counted + (cap.event === 'IMPRESSIONS' ? pending : 0) + headroom.ads <= cap.count;
  });
}

export function fits(creative: Creative, slot: Slot, { opportunity, nowMs }: OracleWorld): boolean {
  const mediaType = MEDIA_TYPES[creative.content.format] as MediaType;
  const { width, height, content } = creative;
  if (!slot.mediaTypes.includes(mediaType)) return false;
  if (
    (creative.startsAtMs !== null && nowMs < creative.startsAtMs) ||
    (creative.endsAtMs !== null && nowMs >= creative.endsAtMs)
  )
    return false;
  const anySize = slot.sizes.length === 0 || (width === 0 && height === 0);
  if (mediaType === 'banner' && !anySize && !slot.sizes.some((size) => size.width === width && size.height === height))
    return false;
  if (slot.secure && !creative.secure) return false;
  if (creative.attributes.some((attribute) => slot.blockedAttributes.includes(attribute))) return false;
  const languages = opportunity.creativeLanguages;
  if (languages.size > 0 && creative.language !== null && !languages.has(creative.language.toLowerCase())) return false;
  if (content.format !== 'VIDEO' || slot.video === null) return true;
  return content.durationMs >= slot.video.minDurationMs && content.durationMs <= slot.video.maxDurationMs;
}

export function counterOf(world: OracleWorld, { scope, id, kind, zone }: Omit<Limit, 'limit'>): number {
  const subject = { workspaceId: 1, scope, id, kind };
  return world.state.counter(
    zone === null ? lifetimeCounterKey(subject) : dayCounterKey(subject, localMoment(world.nowMs, zone).day),
  );
}

function bookingOf({ snapshot }: OracleWorld, lineItemId: string): Pick<Family, 'lineItem' | 'deal'> {
  const lineItem = snapshot.lineItems.find(({ id }) => id === lineItemId) as LineItem;
  return { lineItem, deal: snapshot.deals.find(({ id }) => id === lineItem.dealId) ?? null };
}

function ownerIds({ snapshot }: OracleWorld, lineItemId: string): Partial<Record<CounterScope, string>> {
  const lineItem = snapshot.lineItems.find(({ id }) => id === lineItemId) as LineItem;
  const campaign = snapshot.campaigns.find(({ id }) => id === lineItem.campaignId) as Campaign;
  return { li: lineItemId, ca: campaign.id, ad: campaign.advertiserId };
}
