import type { AdUnit, Site } from '../../domain/booking/inventory.ts';
import { PlacardError } from '../../domain/errors.ts';
import { domainForm, foldText } from '../../domain/text/one-form.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { newUlid } from '../../domain/ids/ids.ts';
import { PIXEL_REPLY } from '../../http/fast/pixel-reply.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import { NO_RULES } from '../ad-request/ads-opportunity.ts';
import { buildOpportunity, resolveContext } from '../ad-request/build-opportunity.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import { readCookie } from '../ad-request/user-cookie.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { findById } from '../decision/index/sorted-by-id.ts';
import { PlayerQuery } from '../players/player-query.ts';
import { readPrivacy } from '../players/player-request.ts';
import { type AdServerDeps, fillOpportunity } from './ad-server.ts';
import { oldTagScript } from './revive/old-tag-script.ts';

/** Where installations of Revive serve: the web server's root is its `www` folder, or the one above it. */
const PREFIXES = ['/delivery', '/www/delivery'] as const;
/** A new zone is known on all pages after this time. */
const CACHING = 'public, max-age=900';
const FRESH: Readonly<Record<string, string>> = { 'cache-control': 'no-store' };
const EMPTY_PAGE: HttpReply = {
  status: 200,
  headers: { ...FRESH, 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Advertisement</title>',
};
/** How long a click of a picture finds its ad. */
const PAIR_SECONDS = 3_600;
const PAIR_NAME = /^\w{1,32}$/;
const TOKEN = /^[\w.~-]{1,2000}$/;

/**
 * The addresses of Revive Adserver's tags, for one network: asynchronous tags, frames, and pairs of a picture and a link. A zone is the ad
 * unit `revive-<id>`, as `placard import revive` names it. No address needs credentials; an unknown zone stays empty, as on Revive.
 */
export function createReviveRoutes(deps: AdServerDeps, networkId: string | null): Route[] {
  if (networkId === null) return [];
  const old = { deps, networkId };
  const files: Readonly<Record<string, Route['handler']>> = {
    'asyncjs.php': () => replyWithScript(old),
    'afr.php': (http) => replyWithFrame(old, http),
    'avw.php': (http) => replyWithPicture(old, http),
    'ck.php': (http) => replyWithClick(old, http),
    // Pages that were stored before the switch: the ad that it counts is one of Revive.
    'lg.php': () => PIXEL_REPLY,
  };
  return PREFIXES.flatMap((prefix) =>
    Object.entries(files).map(
      ([file, handler]): Route => ({ method: 'GET', pattern: `${prefix}/${file}`, name: `revive.${file}`, handler }),
    ),
  );
}

interface OldServer {
  readonly deps: AdServerDeps;
  readonly networkId: string;
}

/** The ad unit of a zone with its site, as far as they are known. */
interface Zone {
  readonly compiled: CompiledWorkspace;
  readonly adUnit: AdUnit;
  readonly site: Site | undefined;
}

function findZone({ deps, networkId }: OldServer, given: URLSearchParams): Zone | null {
  const compiled = deps.current().find(networkId, 'production');
  const zoneId = given.get('zoneid') ?? '';
  const adUnit = /^\d{1,9}$/.test(zoneId) ? compiled?.inventory.adUnitsByName.get(`revive-${zoneId}`) : undefined;
  if (compiled === undefined || adUnit === undefined) return null;
  return { compiled, adUnit, site: findById(compiled.snapshot.sites, adUnit.siteId) };
}

const sourceOf = (given: URLSearchParams): string => (given.get('source') ?? '').slice(0, 200).toWellFormed();

const scripts = new WeakMap<CompiledWorkspace, Buffer>();

/** The script is made once for each state of the network's bookings. */
function replyWithScript({ deps, networkId }: OldServer): HttpReply {
  const compiled = deps.current().find(networkId, 'production');
  const headers = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': CACHING };
  if (compiled === undefined) return { status: 200, headers: { ...headers, ...FRESH }, body: '' };
  const known = scripts.get(compiled);
  const body = known ?? Buffer.from(oldTagScript(deps.deliveryUrl, networkId, zonesOf(compiled)));
  if (known === undefined) scripts.set(compiled, body);
  return { status: 200, headers, body };
}

function zonesOf({ inventory }: CompiledWorkspace): number[] {
  return [...inventory.adUnitsByName.keys()].flatMap((name) => {
    const id = /^revive-(\d{1,9})$/.exec(name)?.[1];
    return id === undefined ? [] : [Number(id)];
  });
}

/** A frame shows the page of one ad unit. */
function replyWithFrame(old: OldServer, { query }: HttpRequest): HttpReply {
  const given = new URLSearchParams(query);
  const zone = findZone(old, given);
  if (zone === null) return EMPTY_PAGE;
  const source = sourceOf(given);
  const asked = new URLSearchParams({
    network: old.networkId,
    'ad-unit': zone.adUnit.name,
    ...(zone.site === undefined ? {} : { site: zone.site.code, domain: zone.site.domain }),
    ...(source === '' ? {} : { 'kv-source': source }),
  });
  return {
    status: 302,
    headers: { ...FRESH, location: `${old.deps.deliveryUrl}/tag-page.html?${asked}` },
    body: null,
  };
}

/** A picture: the impression is counted where the redirect leads. Its ad is remembered in the browser under the name that the link gives, too. */
async function replyWithPicture(old: OldServer, http: HttpRequest): Promise<HttpReply> {
  const given = new URLSearchParams(http.query);
  const zone = findZone(old, given);
  if (zone === null || http.method === 'HEAD') return PIXEL_REPLY;
  const [shown] = await decidePicture(old.deps, zone, http);
  if (shown === undefined) return PIXEL_REPLY;
  const { impressionUrl, clickUrl } = shown.links;
  const name = given.get('n') ?? '';
  const token = clickUrl.slice(clickUrl.lastIndexOf('/') + 1);
  const pair = `placard-pair-${name}=${token}; Path=/; Max-Age=${PAIR_SECONDS}; HttpOnly; Secure; SameSite=None`;
  return {
    status: 302,
    headers: {
      ...FRESH,
      location: `${impressionUrl}?image=1`,
      'cross-origin-resource-policy': 'cross-origin',
      ...(PAIR_NAME.test(name) ? { 'set-cookie': pair } : {}),
    },
    body: null,
  };
}

async function decidePicture(deps: AdServerDeps, { compiled, adUnit, site }: Zone, http: HttpRequest) {
  const { workspaceId } = compiled.snapshot.workspace;
  const given = new URLSearchParams(http.query);
  const privacy = resolvePrivacy(readPrivacy(new PlayerQuery(http.query)));
  const asked = {
    device: {},
    privacy,
    dsa: null,
    userIds: { lu: '', aid: '', hh: '' },
    headers: http.headers,
    address: http.remoteAddress,
  };
  const context = resolveContext(asked, workspaceId, deps);
  const source = sourceOf(given);
  const said = {
    ...NO_RULES,
    pageUrl: '',
    domain: domainForm(site?.domain ?? ''),
    keywords: [],
    keyValues: new Map<string, readonly string[]>(source === '' ? [] : [['source', [foldText(source)]]]),
    device: {},
  };
  const opportunity: Opportunity = buildOpportunity(said, [pictureSlot(adUnit, http)], workspaceId, context);
  const filled = await fillOpportunity(deps, compiled, opportunity, {
    userIds: asked.userIds,
    explain: false,
    requestId: newUlid(context.nowMs),
  });
  return filled.placements;
}

function pictureSlot(adUnit: AdUnit, { protocolSecure: secure }: HttpRequest): Opportunity['slots'][number] {
  return {
    slotId: '1',
    siteId: adUnit.siteId,
    areaId: adUnit.areaId ?? '',
    adUnitId: adUnit.id,
    position: '',
    sizes: adUnit.sizes,
    mediaTypes: ['banner'],
    video: null,
    native: null,
    floorMicros: 0,
    deals: null,
    privateAuction: false,
    secure,
    blockedAttributes: [],
    blockedBanners: ['HTML'],
  };
}

/** The click of the picture that this browser got last under the same name. */
function replyWithClick({ networkId, deps }: OldServer, { query, headers }: HttpRequest): HttpReply {
  const name = new URLSearchParams(query).get('n') ?? '';
  const token = PAIR_NAME.test(name) ? readCookie(headers.cookie ?? '', `placard-pair-${name}`) : '';
  if (!TOKEN.test(token))
    throw new PlacardError('not_found', 'This browser has shown no picture to which the link belongs.');
  return {
    status: 302,
    headers: { ...FRESH, location: `${deps.deliveryUrl}/${networkId}/click/${token}` },
    body: null,
  };
}
