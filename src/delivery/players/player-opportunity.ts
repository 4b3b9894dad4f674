import type { MediaType } from '../../domain/creative-format.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { AdUnit } from '../../domain/booking/inventory.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import { domainForm } from '../../domain/text/one-form.ts';
import { NO_RULES } from '../ad-request/ads-opportunity.ts';
import { buildOpportunity } from '../ad-request/build-opportunity.ts';
import type { RequestContext } from '../ad-request/build-opportunity.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { findById } from '../decision/index/sorted-by-id.ts';
import type { PodObject } from '../openrtb/player-object.ts';
import { expandPod } from '../ad-request/pod-slots.ts';
import type { PlayerPod, PlayerRequest } from './player-request.ts';

/**
 * The ad unit of a player, by name, else by id.
 * @throws PlacardError `unknown_ad_unit`, and `invalid_request` for an ad unit with neither video nor audio
 */
export function findPlayerUnit({ inventory }: CompiledWorkspace, { adUnit: given }: PlayerRequest): AdUnit {
  const unit = inventory.adUnitsByName.get(given) ?? inventory.adUnitsById.get(given);
  if (unit === undefined)
    throw new PlacardError('unknown_ad_unit', `The network has no ad unit ${JSON.stringify(given.slice(0, 100))}.`);
  if (playedOf(unit).length === 0)
    throw new PlacardError('invalid_request', `unit: the ad unit ${unit.id} has neither video nor audio.`);
  return unit;
}

function playedOf({ mediaTypes }: AdUnit): MediaType[] {
  return mediaTypes.filter((one) => one === 'video' || one === 'audio');
}

/** Most slots of one response. */
const SLOTS_MAX = 60;

/** The players' own slots follow each other: the first and the last are where they stand. */
function podObjectOf(pod: PlayerPod | null): PodObject | undefined {
  if (pod === null) return undefined;
  return { id: '', sequence: 0, slot: 2, sharedMs: pod.timeMs, adsMax: pod.adsMax };
}

/** A slot for each position, or for each ad of its pod, in order; '' = not stated. They are decided together, so that they exclude each other as ads of a page do. */
export function buildPlayerOpportunity(
  request: PlayerRequest,
  of: { readonly adUnit: AdUnit; readonly positions: readonly string[]; readonly secure: boolean },
  { snapshot }: CompiledWorkspace,
  context: RequestContext,
): Opportunity {
  const { pageUrl, keyValues, test } = request;
  const { siteId } = of.adUnit;
  const domain = request.domain || domainForm(findById(snapshot.sites, siteId)?.domain ?? '');
  const slots = of.positions.flatMap((position, index) =>
    expandPod(buildSlot(request, of, position, index), podObjectOf(request.pod), {
      keyValues,
      max: Math.floor(SLOTS_MAX / of.positions.length),
    }),
  );
  const said = { ...NO_RULES, pageUrl, domain, keywords: [], keyValues, device: {}, test };
  return buildOpportunity(said, slots, snapshot.workspace.workspaceId, context);
}

function buildSlot(
  { sizes, offer }: PlayerRequest,
  { adUnit, secure }: { readonly adUnit: AdUnit; readonly secure: boolean },
  position: string,
  index: number,
): Slot {
  return {
    slotId: String(index + 1),
    siteId: adUnit.siteId,
    areaId: adUnit.areaId ?? '',
    adUnitId: adUnit.id,
    position,
    sizes: sizes.length > 0 ? sizes : adUnit.sizes,
    mediaTypes: playedOf(adUnit),
    video: offer,
    audio: offer,
    native: null,
    floorMicros: 0,
    deals: null,
    privateAuction: false,
    secure,
    blockedAttributes: [],
  };
}
