import { isPlayed } from '../../../domain/booking/creative.ts';
import type { ServedAd } from '../../../domain/events/served-ad.ts';
import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import type { HttpRequest } from '../../../http/shared/route.ts';
import { inlineProtocolOf } from '../../decision/creative-fit.ts';
import { servedVast, type VastTerms } from '../../markup/served-vast.ts';
import type { ServedPlacement } from '../../markup/served-placement.ts';
import { tagAddress, type VastInput } from '../../markup/vast-markup.ts';
import type { VastChain } from '../../unwrap/render-unwrapped.ts';
import type { Unwrapped, VastUnwrapper } from '../../unwrap/vast-unwrapper.ts';

/** The dependencies of endpoints that may unwrap. */
export interface UnwrapServingDeps {
  readonly unwrapper: VastUnwrapper;
  /** Records an error of a video that no player has met. */
  readonly recordVideoError: (ad: ServedAd, code: number) => void;
}

/** The ads of a response, with the documents behind the tags of third parties. */
export interface UnwrappedAds {
  /** Without the ads whose tag led to none. */
  readonly placements: readonly ServedPlacement[];
  readonly chains: ReadonlyMap<ServedPlacement, VastChain>;
  /** What was wrong with the tags that led to none, for people. */
  readonly problems: readonly string[];
}

/** Who asks for the ads, and in which form. */
export interface UnwrapTerms {
  readonly http: Pick<HttpRequest, 'headers' | 'remoteAddress'>;
  /** The address of the device is not passed on. */
  readonly npa: boolean;
  readonly terms: VastTerms;
}

/**
 * Follows the tags of all ads at the same time. A tag that leads to no ad is an error of its creative, and its trackers are told of it; the ad is left out.
 */
export async function unwrapServed(
  deps: UnwrapServingDeps,
  served: readonly ServedPlacement[],
  asked: UnwrapTerms,
): Promise<UnwrappedAds> {
  const chains = new Map<ServedPlacement, VastChain>();
  const problems: string[] = [];
  const follow = async (one: ServedPlacement): Promise<ServedPlacement[]> => {
    const { content } = one.placement.creative.creative;
    if (!isPlayed(content) || content.vastTagUrl === null) return [one];
    const chain = await followTag(deps, servedVast(one, content, asked.terms), content.vastTagUrl, {
      asked,
      workspaceId: one.ad.workspaceId,
    });
    if ('code' in chain) {
      deps.recordVideoError(one.ad, chain.code);
      problems.push(`creative ${one.ad.creativeId}: error ${chain.code}, ${chain.message}`);
      return [];
    }
    chains.set(one, chain);
    return [one];
  };
  const placements = await Promise.all(served.map(follow));
  return { placements: placements.flat(), chains, problems };
}

/** Follows the tag of one ad; tells its trackers when it leads to none. */
export async function followTag(
  { unwrapper }: Pick<UnwrapServingDeps, 'unwrapper'>,
  input: VastInput,
  tagUrl: string,
  { asked, workspaceId }: { readonly asked: Omit<UnwrapTerms, 'terms'>; readonly workspaceId: number },
): Promise<Unwrapped> {
  const common = {
    owner: String(workspaceId),
    headers: deviceHeaders(asked),
    fill: (url: string) => tagAddress(input, url),
  };
  const chain = await unwrapper.unwrap({ ...common, tagUrl, offer: input.offer });
  if ('code' in chain) unwrapper.reportErrors(chain, common);
  return chain;
}

/** What a server that asks for a device tells of it (VAST 4.1, "X-Device" headers). */
function deviceHeaders({ http, npa }: Omit<UnwrapTerms, 'terms'>): Record<string, string> {
  const agent = http.headers['user-agent'];
  const languages = http.headers['accept-language'];
  return {
    'user-agent': 'Placard',
    accept: 'application/xml, text/xml',
    ...(agent === undefined ? {} : { 'x-device-user-agent': agent }),
    ...(languages === undefined ? {} : { 'x-device-accept-language': languages }),
    ...(npa ? {} : { 'x-device-ip': http.remoteAddress }),
  };
}

/** The same opportunity for own media files alone. */
export function withoutTags(opportunity: Opportunity, version: VastTerms['version']): Opportunity {
  const protocols = [inlineProtocolOf(version)];
  const slots = opportunity.slots.map((slot) => ({
    ...slot,
    video: slot.video && { ...slot.video, protocols },
    ...(slot.audio === undefined ? {} : { audio: { ...slot.audio, protocols } }),
  }));
  return { ...opportunity, slots };
}
