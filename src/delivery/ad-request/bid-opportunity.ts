import type { AdUnit, Size } from '../../domain/booking/inventory.ts';
import type { MediaType } from '../../domain/booking/creative.ts';
import type { BidDeal, BidImp, BidRequest } from '../openrtb/bid-request.ts';
import type { CompiledWorkspace, Inventory } from '../decision/index/compiled-workspace.ts';
import type { Device } from './device.ts';
import type { Place } from './geo-lookup.ts';
import type { DsaRequest } from '../openrtb/dsa.ts';
import type { OfferedDeal, Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import type { PrivacyVerdict } from './privacy.ts';
import { textOf } from '../openrtb/lenient-json.ts';

/** What was learnt about a request beside its body. */
export interface BidContext {
  readonly device: Device;
  readonly place: Place;
  readonly privacy: PrivacyVerdict;
  readonly dsa: DsaRequest | null;
  /** '' under npa, and without user. */
  readonly userHash: string;
}

/** A bid request as an opportunity: one slot an impression, in order. */
export function toOpportunity(request: BidRequest, compiled: CompiledWorkspace, context: BidContext): Opportunity {
  const { privacy, device, place } = context;
  const { workspace } = compiled.snapshot;
  return {
    workspaceId: workspace.workspaceId,
    pageUrl: request.pageUrl.toLowerCase(),
    domain: request.siteDomain,
    keywords: request.keywords,
    keyValues: request.keyValues,
    ...targetable(device, place),
    language: textOf(request.device['language'], 16).toLowerCase(),
    segments: privacy.npa ? [] : request.segments,
    npa: privacy.npa,
    userHash: context.userHash,
    blockedCategories: toSet(request.blockedCategories),
    blockedDomains: toLowerSet(request.blockedDomains),
    allowedSeats: toSet(request.allowedSeats),
    blockedSeats: toSet(request.blockedSeats),
    creativeLanguages: toLowerSet(request.creativeLanguages),
    dsaRequired: context.dsa?.required ?? 0,
    test: request.test,
    slots: request.imps.map((imp) => toSlot(imp, request, compiled)),
  };
}

const EMPTY_SET: ReadonlySet<string> = new Set();

/** Most requests block nothing: they share one empty set. */
function toSet(texts: readonly string[]): ReadonlySet<string> {
  return texts.length === 0 ? EMPTY_SET : new Set(texts);
}

function toLowerSet(texts: readonly string[]): ReadonlySet<string> {
  return texts.length === 0 ? EMPTY_SET : new Set(texts.map((text) => text.toLowerCase()));
}

/** Device and place, lower case for targeting, and as reports show them. */
export function targetable(
  device: Device,
  place: Place,
): Pick<Opportunity, 'country' | 'region' | 'city' | 'deviceType' | 'os' | 'browser' | 'reported'> {
  return {
    country: place.country.toLowerCase(),
    region: place.region.toLowerCase(),
    city: place.city.toLowerCase(),
    deviceType: device.deviceType.toLowerCase(),
    os: device.os.toLowerCase(),
    browser: device.browser.toLowerCase(),
    reported: {
      country: place.country,
      region: place.region,
      deviceType: device.deviceType,
      os: device.os,
      browser: device.browser,
    },
  };
}

function toSlot(imp: BidImp, request: BidRequest, compiled: CompiledWorkspace): Slot {
  const { workspace } = compiled.snapshot;
  const offered = offeredMediaTypes(imp);
  const sizes = imp.banner?.sizes ?? (imp.video?.size ? [imp.video.size] : []);
  const place = findPlace(imp, request, { inventory: compiled.inventory, offered, sizes });
  const unitSizes = place.adUnit?.sizes ?? [];
  return {
    slotId: imp.id,
    siteId: place.siteId,
    areaId: place.areaId,
    adUnitId: place.adUnit?.id ?? '',
    position: imp.position,
    sizes: sizes.length === 0 && imp.banner !== null ? unitSizes : sizes,
    mediaTypes: place.isClosed ? [] : offered,
    video: imp.video,
    native: typeof imp.native === 'string' ? null : imp.native,
    floorMicros: floorMicros(imp.floor, imp.floorCurrency, workspace.currency) ?? 0,
    deals: imp.deals?.map((deal) => toOfferedDeal(deal, workspace.currency)) ?? null,
    privateAuction: imp.privateAuction,
    secure: imp.secure,
    blockedAttributes: [...(imp.banner?.blockedAttributes ?? []), ...(imp.video?.blockedAttributes ?? [])],
  };
}

function offeredMediaTypes(imp: BidImp): MediaType[] {
  const offered: MediaType[] = [];
  if (imp.banner !== null) offered.push('banner');
  if (imp.video !== null) offered.push('video');
  if (imp.native !== null && imp.native !== 'unreadable') offered.push('native');
  return offered;
}

/**
 * Rounded up to a micro at least, so that no bid is ever below; a floor in a foreign currency is above everything: rates are not
 * ours to guess.
 */
function floorMicros(floor: number | null, currency: string, ours: string): number | null {
  if (floor === null) return null;
  if (floor > 0 && currency !== '' && currency !== ours) return Number.POSITIVE_INFINITY;
  return Math.max(floor > 0 ? 1 : 0, Math.ceil(Number((floor * 1_000_000).toFixed(3))));
}

function toOfferedDeal(deal: BidDeal, currency: string): OfferedDeal {
  const { code, fixedPrice, seats, advertiserDomains } = deal;
  return {
    code,
    fixedPrice,
    seats,
    advertiserDomains,
    floorMicros: floorMicros(deal.floor, deal.floorCurrency, currency),
  };
}

interface FoundPlace {
  readonly siteId: string;
  readonly areaId: string;
  readonly adUnit: AdUnit | null;
  /** The ad unit that was named is out of use: nothing may stand there. */
  readonly isClosed: boolean;
}

interface PlaceInput {
  readonly inventory: Inventory;
  readonly offered: readonly MediaType[];
  readonly sizes: readonly Size[];
}

/**
 * Where an impression is. Named ad units are found by name, others by site, area, size and media type. Inventory that we do not
 * know keeps empty ids: line items that are not targeted by inventory still serve there.
 */
function findPlace(imp: BidImp, request: BidRequest, input: PlaceInput): FoundPlace {
  const { inventory } = input;
  const siteId = inventory.sitesByCode.get(request.siteCode)?.id ?? '';
  const areaId = inventory.areasByCode.get(`${siteId}/${request.areaCode}`)?.id ?? '';
  const named = imp.adUnitName === '' ? undefined : inventory.adUnitsByName.get(imp.adUnitName);
  if (named !== undefined && (siteId === '' || named.siteId === siteId)) {
    return { siteId: named.siteId, areaId: areaId || (named.areaId ?? ''), adUnit: named, isClosed: false };
  }
  const isClosed = imp.adUnitName !== '' && inventory.archivedAdUnitNames.has(imp.adUnitName);
  const adUnit = imp.adUnitName === '' && siteId !== '' ? findFittingUnit(siteId, areaId, input) : null;
  return { siteId, areaId: areaId || (adUnit?.areaId ?? ''), adUnit, isClosed };
}

function findFittingUnit(siteId: string, areaId: string, { inventory, offered, sizes }: PlaceInput): AdUnit | null {
  const fits = (unit: AdUnit): boolean =>
    (areaId === '' || unit.areaId === null || unit.areaId === areaId) &&
    unit.mediaTypes.some((type) => offered.includes(type)) &&
    (sizes.length === 0 || unit.sizes.length === 0 || unit.sizes.some((size) => isAmong(size, sizes)));
  const fitting = (inventory.adUnitsBySite.get(siteId) ?? []).filter(fits);
  return fitting.find((unit) => unit.areaId === areaId && areaId !== '') ?? fitting[0] ?? null;
}

function isAmong(size: Size, sizes: readonly Size[]): boolean {
  return sizes.some((other) => other.width === size.width && other.height === size.height);
}
