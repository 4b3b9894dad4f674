import { PlacardError } from '../../domain/errors.ts';
import type { AdUnit, Size } from '../../domain/booking/inventory.ts';
import type { MediaType } from '../../domain/creative-format.ts';
import { IMPS_MAX } from '../openrtb/bid-request.ts';
import type { BidDeal, BidImp, BidRequest } from '../openrtb/bid-request.ts';
import type { PodObject } from '../openrtb/player-object.ts';
import { expandPod, podFacts } from './pod-slots.ts';
import { rateAt } from '../openrtb/currencies.ts';
import { dearestHeaderBid } from '../openrtb/header-bids.ts';
import { buildOpportunity } from './build-opportunity.ts';
import type { RequestContext } from './build-opportunity.ts';
import type { CompiledWorkspace, Inventory } from '../decision/index/compiled-workspace.ts';
import { toNetworkMicros } from '../../domain/tenancy/exchange-rates.ts';
import type { OfferedDeal, Opportunity, Slot, TimedFloors } from '../../domain/requests/opportunity.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';

/**
 * The opportunity of a bid request: one slot per impression, in order.
 * @throws PlacardError `invalid_request` for an impression of audio alone whose ad unit takes none
 */
export function buildBidOpportunity(
  request: BidRequest,
  compiled: CompiledWorkspace,
  context: RequestContext,
): Opportunity {
  const slots: Slot[] = [];
  for (const [index, imp] of request.imps.entries()) {
    const slot = buildSlot(imp, request, compiled, context.nowMs);
    if (isAudioAlone(imp) && compiled.inventory.adUnitsById.get(slot.adUnitId)?.mediaTypes.includes('audio') !== true)
      throw new PlacardError(
        'invalid_request',
        `imp[${index}] needs one of banner, video, native; audio alone is for ad units of media type AUDIO.`,
      );
    slots.push(...expandPod(slot, podOf(imp), { keyValues: request.keyValues, max: IMPS_MAX - slots.length }));
  }
  return buildOpportunity(request, slots, compiled.snapshot.workspace.workspaceId, context);
}

function buildSlot(imp: BidImp, request: BidRequest, compiled: CompiledWorkspace, nowMs: number): Slot {
  const { workspace } = compiled.snapshot;
  const offered = offeredMediaTypes(imp);
  const sizes = imp.banner?.sizes ?? (imp.video?.size ? [imp.video.size] : []);
  const inventory = resolveInventory(imp, request, { inventory: compiled.inventory, offered, sizes });
  const unitSizes = inventory.adUnit?.sizes ?? [];
  const headerBid = imp.headerBids === undefined ? null : dearestHeaderBid(imp.headerBids, workspace, nowMs);
  return {
    slotId: imp.id,
    siteId: inventory.siteId,
    areaId: inventory.areaId,
    adUnitId: inventory.adUnit?.id ?? '',
    position: imp.position,
    sizes: sizes.length === 0 && imp.banner !== null ? unitSizes : sizes,
    mediaTypes: inventory.isClosed ? [] : offered,
    video: imp.video,
    ...(imp.audio === null ? {} : { audio: imp.audio }),
    native: typeof imp.native === 'string' ? null : imp.native,
    ...floorsOf(imp, workspace, nowMs),
    deals: imp.deals?.map((deal) => toOfferedDeal(deal, workspace, nowMs)) ?? null,
    privateAuction: imp.privateAuction,
    secure: imp.secure,
    blockedAttributes: [],
    ...blockedOf(imp),
    ...(headerBid === null ? {} : { headerBid }),
    ...ownKeyValues(imp, request),
  };
}

/** Whether an impression has nothing but audio: the specification wants one of the other three, but for ad units that take audio. */
function isAudioAlone({ banner, video, native, audio }: BidImp): boolean {
  return audio !== null && banner === null && video === null && native === null;
}

/** Key-values of the slot alone: those that the impression has, and what is known of its pod. Sent ones count first. */
function ownKeyValues(imp: BidImp, { keyValues }: BidRequest): Pick<Slot, 'keyValues'> {
  const facts = podFacts(podOf(imp));
  if (imp.keyValues === undefined && facts.length === 0) return {};
  return { keyValues: new Map([...facts, ...keyValues, ...(imp.keyValues ?? [])]) };
}

/** Of `video`, else of `audio`. */
function podOf({ video, audio }: BidImp): PodObject | undefined {
  return video?.pod ?? audio?.pod;
}

/** Floors by duration, and the lowest floor, from which line items are looked at. */
function floorsOf(imp: BidImp, workspace: Workspace, nowMs: number): Pick<Slot, 'floorMicros' | 'timedFloors'> {
  const micros = (floor: number | null): number => floorMicros(floor, imp.floorCurrency, workspace, nowMs) ?? 0;
  const otherwiseMicros = micros(imp.floor);
  if (imp.video?.timedFloors === undefined && imp.audio?.timedFloors === undefined)
    return { floorMicros: otherwiseMicros };
  const floors = offeredMediaTypes(imp).map((mediaType): [MediaType, TimedFloors] => {
    const sent = mediaType === 'video' || mediaType === 'audio' ? imp[mediaType]?.timedFloors : undefined;
    const ranges = (sent?.ranges ?? []).map(({ minMs, maxMs, floor }) => ({
      minMs,
      maxMs,
      floorMicros: micros(floor),
    }));
    return [mediaType, { perSecondMicros: micros(sent?.perSecond ?? 0), ranges, otherwiseMicros }];
  });
  const lowest = floors.flatMap(([, { ranges }]) => ranges.map((range) => range.floorMicros));
  return { floorMicros: Math.min(otherwiseMicros, ...lowest), timedFloors: Object.fromEntries(floors) };
}

/** The attributes and forms that the slot blocks, by the object that blocks them. */
function blockedOf({ banner, video, audio, nativeBlocked }: BidImp): Pick<Slot, 'blockedByMedia' | 'blockedBanners'> {
  const blockedByMedia = {
    banner: banner?.blockedAttributes ?? [],
    video: video?.blockedAttributes ?? [],
    native: nativeBlocked ?? [],
    audio: audio?.blockedAttributes ?? [],
  } satisfies Slot['blockedByMedia'];
  const isBlocking = Object.values(blockedByMedia).some((attributes) => attributes.length > 0);
  return {
    ...(isBlocking ? { blockedByMedia } : {}),
    ...(banner?.blockedForms?.length ? { blockedBanners: banner.blockedForms } : {}),
  };
}

function offeredMediaTypes(imp: BidImp): MediaType[] {
  const offered: MediaType[] = [];
  if (imp.banner !== null) offered.push('banner');
  if (imp.video !== null) offered.push('video');
  if (imp.native !== null && imp.native !== 'unreadable') offered.push('native');
  if (imp.audio !== null) offered.push('audio');
  return offered;
}

/** Rounded up to a micro at least, so that no bid is ever below. A floor in a currency without a rate is above every price. */
function floorMicros(floor: number | null, currency: string, workspace: Workspace, nowMs: number): number | null {
  if (floor === null) return null;
  if (floor > 0 && currency !== '' && currency !== workspace.currency) {
    const rate = rateAt(workspace, currency, nowMs);
    return rate === null ? Number.POSITIVE_INFINITY : toNetworkMicros(floor, rate);
  }
  return Math.max(floor > 0 ? 1 : 0, Math.ceil(Number((floor * 1_000_000).toFixed(3))));
}

function toOfferedDeal(deal: BidDeal, workspace: Workspace, nowMs: number): OfferedDeal {
  const { code, fixedPrice, seats, advertiserDomains } = deal;
  return {
    code,
    fixedPrice,
    seats,
    advertiserDomains,
    floorMicros: floorMicros(deal.floor, deal.floorCurrency, workspace, nowMs),
  };
}

interface ResolvedInventory {
  readonly siteId: string;
  readonly areaId: string;
  readonly adUnit: AdUnit | null;
  /** The named ad unit is archived: nothing may serve there. */
  readonly isClosed: boolean;
}

interface InventoryInput {
  readonly inventory: Inventory;
  readonly offered: readonly MediaType[];
  readonly sizes: readonly Size[];
}

/**
 * The inventory of an impression. Named ad units are found by name, others by site, area, size and media type. Unknown inventory has empty
 * ids: line items without inventory targeting still serve there.
 */
function resolveInventory(imp: BidImp, request: BidRequest, input: InventoryInput): ResolvedInventory {
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

function findFittingUnit(siteId: string, areaId: string, { inventory, offered, sizes }: InventoryInput): AdUnit | null {
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
