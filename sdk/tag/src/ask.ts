import type { PlacardHeaderBid, PlacardKeyValues } from '../tag.d.ts';
import type { WonHeaderBid } from './header-bids.ts';
import type { Bid } from './bid.ts';
import { awaitConsent, type Consent, restrictions, userId } from './consent.ts';
import { pageJson } from './page-json.ts';
import { randomId } from './random-id.ts';
import { pageAddress, type Size, type TagSettings } from './settings.ts';
import { keyValuesOf } from './slots.ts';

/** The request of one ad unit on the page. */
export interface Ask {
  readonly element: Element;
  readonly adUnit: string;
  readonly media: readonly string[];
  readonly sizes: readonly Size[];
  readonly position: string;
  /** Of the ad unit; those of the page stand at the request's top. */
  readonly keyValues: PlacardKeyValues;
  readonly headerBids: readonly PlacardHeaderBid[];
}

interface Waiting {
  readonly ask: Ask;
  readonly resolve: (bid: Bid | WonHeaderBid | null) => void;
  readonly fail: (error: unknown) => void;
}

/** Ad units that come due together are asked for together, so that they are decided together. */
const GATHER_MS = 10;
/** VAST 2.0 to 4.2, inline and as wrappers. */
const VAST_PROTOCOLS = [2, 3, 5, 6, 7, 8, 11, 12, 13, 14];
const IMPS_MAX = 50;

let waiting: Waiting[] = [];

/** What won an ad unit: a bid, or a header bid; null when there is none. Rejects without a response. */
export function askForAd(settings: TagSettings, ask: Ask): Promise<Bid | WonHeaderBid | null> {
  return new Promise((resolve, fail) => {
    if (waiting.push({ ask, resolve, fail }) === 1) setTimeout(() => sendAll(settings), GATHER_MS);
  });
}

function sendAll(settings: TagSettings): void {
  // In document order: the first ad unit of a page is decided first.
  const all = waiting.sort(({ ask: a }, { ask: b }) => (a.element.compareDocumentPosition(b.element) & 4 ? -1 : 1));
  waiting = [];
  for (let start = 0; start < all.length; start += IMPS_MAX) {
    const part = all.slice(start, start + IMPS_MAX);
    send(settings, part).catch((error: unknown) => part.forEach(({ fail }) => fail(error)));
  }
}

async function send(settings: TagSettings, part: readonly Waiting[]): Promise<void> {
  const consent = await awaitConsent(settings);
  const lu = userId(consent);
  const request = {
    id: randomId(),
    imp: part.map(({ ask }, index) => toImp(ask, index)),
    site: {
      id: settings.siteId,
      domain: settings.domain,
      page: pageAddress(),
      ref: document.referrer,
      ext: { area: settings.area, kwrd: settings.keywords },
    },
    user: { consent: consent.text, ext: { npa: !consent.personal, ids: lu ? { lu } : {} } },
    regs: {
      gdpr: consent.gdpr,
      gpp: consent.gpp,
      gpp_sid: consent.gppSections,
      us_privacy: consent.usPrivacy,
      coppa: restrictions.isForChildren ? 1 : undefined,
      ext: { dsa: consent.gdpr },
    },
    ext: { keyvalues: keyValuesOf(settings.script) },
  };
  // A text body avoids the preflight request.
  const response = await fetch(settings.bidUrl, {
    method: 'POST',
    body: pageJson(request),
    credentials: consent.personal ? 'include' : 'omit',
    signal: AbortSignal.timeout(settings.timeoutMs),
  });
  for (const index of response.headers.get('placard-unknown-ad-units')?.split(',') ?? []) {
    // oxlint-disable-next-line no-console -- the page's developer looks there
    console.warn(`placard: the network has no ad unit "${part[Number(index)]?.ask.adUnit}"`);
  }
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const result = (response.status === 204 ? {} : await response.json()) as {
    seatbid?: { bid: Bid[] }[];
    ext?: { hb?: WonHeaderBid[] };
  };
  const privacy = privacyQuery(consent);
  const own = (result.seatbid ?? []).flatMap((seat) => seat.bid).map((bid) => ({ ...bid, privacy }));
  const bids = [...(result.ext?.hb ?? []), ...own];
  part.forEach(({ resolve }, index) => resolve(bids.find((bid) => bid.impid === String(index)) ?? null));
}

function privacyQuery({ gdpr, text, gpp, usPrivacy, personal }: Consent): string {
  const npa = personal ? '' : '1';
  return `${new URLSearchParams({ gdpr: `${gdpr}`, gdpr_consent: text, gpp: gpp ?? '', us_privacy: usPrivacy ?? '', npa })}`;
}

function toImp({ adUnit, media, sizes, position, keyValues, headerBids }: Ask, index: number): object {
  const [width, height] = sizes[0] ?? [];
  return {
    id: String(index),
    tagid: adUnit,
    secure: 1,
    ext: {
      keyvalues: keyValues,
      ...(position ? { pos: position } : {}),
      ...(headerBids.length > 0 ? { hb: headerBids } : {}),
    },
    ...(media.includes('banner') ? { banner: { format: sizes.map(([w, h]) => ({ w, h })) } } : {}),
    ...(media.includes('native') ? { native: { request: '{}', ver: '1.2' } } : {}),
    ...(media.includes('video')
      ? { video: { mimes: ['video/mp4', 'video/webm'], protocols: VAST_PROTOCOLS, w: width, h: height, plcmt: 4 } }
      : {}),
  };
}
