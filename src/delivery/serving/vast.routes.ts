import { isPlayed } from '../../domain/booking/creative.ts';
import { PlacardError } from '../../domain/errors.ts';
import { newUlid } from '../../domain/ids/ids.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import { toProblem } from '../../http/shared/problem.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import { resolveContext } from '../ad-request/build-opportunity.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import { recogniseUser } from '../ad-request/user-cookie.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { xmlComment } from '../markup/markup.ts';
import { servedVast } from '../markup/served-vast.ts';
import type { ServedPlacement } from '../markup/served-placement.ts';
import { renderAd, renderVastRoot, XML_DECLARATION } from '../markup/vast-markup.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { renderUnwrapped } from '../unwrap/render-unwrapped.ts';
import { renderVmap } from '../markup/vmap-markup.ts';
import type { VmapBreak } from '../markup/vmap-markup.ts';
import { parseAdBreaks } from '../players/ad-breaks.ts';
import type { AdBreak } from '../players/ad-breaks.ts';
import { buildPlayerOpportunity, findPlayerUnit } from '../players/player-opportunity.ts';
import { PlayerQuery } from '../players/player-query.ts';
import { NEWEST_VERSION, parsePlayerRequest, readBreakAds } from '../players/player-request.ts';
import type { PlayerRequest } from '../players/player-request.ts';
import { type FillOptions, fillOpportunity } from './ad-server.ts';
import type { AdServerDeps, FilledOpportunity } from './ad-server.ts';
import { type UnwrappedAds, unwrapServed, type UnwrapServingDeps, withoutTags } from './unwrapped/unwrap-served.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/xml; charset=utf-8',
  'cache-control': 'no-store',
};
/** Most losers that the comment of an empty response names. */
const LOSERS_MAX = 20;

/**
 * The addresses of players: VAST of an ad unit, and VMAP with its ad breaks. They need no credentials. A request that cannot be served gets
 * its 4xx with an empty document, whose comment says what is wrong: players go on with their content, and people find the reason.
 */
export function createVastRoutes(deps: VastDeps): Route[] {
  return ENVIRONMENTS.flatMap((environment) => {
    const suffix = environment === 'staging' ? '.staging' : '';
    const handlerOf = (form: Form) => (http: HttpRequest) => respond(form, { deps, environment, http });
    const common = { method: 'GET', contentTypes: null, corsCredentials: true } as const;
    return [
      {
        ...common,
        pattern: `${pathPrefix(environment)}/:network/vast`,
        name: `vast${suffix}`,
        handler: handlerOf(FORMS.vast),
      },
      {
        ...common,
        pattern: `${pathPrefix(environment)}/:network/vmap`,
        name: `vmap${suffix}`,
        handler: handlerOf(FORMS.vmap),
      },
    ];
  });
}

interface VastDeps extends AdServerDeps, UnwrapServingDeps {}

interface Asked {
  readonly deps: VastDeps;
  readonly environment: Environment;
  readonly http: HttpRequest;
}

/** A kind of document. */
interface Form {
  reply(asked: Asked): HttpReply | Promise<HttpReply>;
  /** A document without ads. @param note a comment, or '' */
  empty(note: string): string;
}

const FORMS: Readonly<Record<'vast' | 'vmap', Form>> = {
  vast: { reply: replyWithVast, empty: (note) => XML_DECLARATION + renderVastRoot(NEWEST_VERSION, note) },
  vmap: { reply: replyWithVmap, empty: (note) => renderVmap([], note) },
};

function respond(form: Form, asked: Asked): HttpReply | Promise<HttpReply> {
  const refuse = (error: unknown): HttpReply => {
    if (!(error instanceof PlacardError)) throw error;
    const { status, headers } = toProblem(error, asked.http.requestId);
    const note = xmlComment(`${error.code}: ${error.message}`);
    return { status, headers: { ...headers, ...HEADERS }, body: form.empty(note) };
  };
  try {
    const reply = form.reply(asked);
    return reply instanceof Promise ? reply.catch(refuse) : reply;
  } catch (error) {
    return refuse(error);
  }
}

/** A request for the films of an ad unit, with what is known of the caller. */
interface PlayerCall extends Asked {
  readonly compiled: CompiledWorkspace;
  readonly request: PlayerRequest;
}

function readCall(asked: Asked): PlayerCall {
  const { deps, environment, http } = asked;
  const networkId = http.params['network'] ?? '';
  const compiled = deps.current().find(networkId, environment);
  if (compiled === undefined)
    throw new PlacardError('unknown_network', `There is no network ${networkId.slice(0, 40)}.`);
  return { ...asked, compiled, request: parsePlayerRequest(http.query, http.headers.accept ?? '') };
}

function replyWithVast(asked: Asked): HttpReply | Promise<HttpReply> {
  const call = readCall(asked);
  const { request } = call;
  return decide(call, [request.position ?? ''], (served) => {
    const ads = renderAds(served.filled.placements, served, request);
    return XML_DECLARATION + renderVastRoot(request.version, ads === '' ? renderNoFill(call, served) : ads);
  });
}

function replyWithVmap(asked: Asked): HttpReply | Promise<HttpReply> {
  const call = readCall(asked);
  const query = new PlayerQuery(asked.http.query);
  const breaks = parseAdBreaks(query.text('breaks'));
  if (readBreakAds(query) === 'tag') {
    findPlayerUnit(call.compiled, call.request);
    return { status: 200, headers: HEADERS, body: renderVmap(breaks.map((one) => tagBreak(one, asked))) };
  }
  return decide(
    call,
    breaks.map(({ roll }) => roll),
    (served) => {
      const byBreak = Map.groupBy(served.filled.placements, ({ placement }) => Number(placement.slot.slotId) - 1);
      const filled = [...byBreak].map(([at, ads]): VmapBreak => {
        const { timeOffset, breakId } = breaks[at] as AdBreak;
        const vast = renderVastRoot(call.request.version, renderAds(ads, served, call.request));
        return { timeOffset, breakId, source: { vast } };
      });
      return renderVmap(filled, filled.length < breaks.length ? renderNoFill(call, served) : '');
    },
  );
}

/** The address of a break's ads: the parameters of this request, and the position. */
function tagBreak({ timeOffset, breakId, roll }: AdBreak, { deps, environment, http }: Asked): VmapBreak {
  const parameters = new URLSearchParams(http.query);
  for (const name of ['breaks', 'break_ads', 'output']) parameters.delete(name);
  parameters.set('vpos', roll);
  const tagUrl = `${deps.deliveryUrl}${pathPrefix(environment)}/${http.params['network']}/vast?${parameters}`;
  return { timeOffset, breakId, source: { tagUrl } };
}

/** Decides one slot for each position, and responds with the document that `render` makes. */
function decide(
  call: PlayerCall,
  positions: readonly string[],
  render: (served: UnwrappedOpportunity) => string,
): HttpReply | Promise<HttpReply> {
  const { deps, environment, http, compiled, request } = call;
  const adUnit = findPlayerUnit(compiled, request);
  // Only a GET is an opportunity: HEAD looks whether the address works.
  if (http.method === 'HEAD') return { status: 200, headers: HEADERS };
  const { workspaceId } = compiled.snapshot.workspace;
  const privacy = resolvePrivacy(request.privacy);
  const { headers, remoteAddress: address, protocolSecure: secure } = http;
  const { userIds, setCookie } = recogniseUser({
    userIds: request.userIds,
    signals: request.privacy,
    verdict: privacy,
    headers,
    workspaceId,
  });
  const context = resolveContext({ device: {}, privacy, dsa: null, userIds, headers, address }, workspaceId, deps);
  const opportunity = buildPlayerOpportunity(request, { adUnit, positions, secure }, compiled, context);
  const explain = request.debug && environment === 'staging';
  const requestId = newUlid(context.nowMs);
  const options = { userIds, explain, requestId };
  const served = fillOpportunity(deps, compiled, opportunity, options);
  const reply = (result: UnwrappedOpportunity): HttpReply => ({
    status: 200,
    headers: setCookie === null ? HEADERS : { ...HEADERS, 'set-cookie': setCookie },
    body: render(result),
  });
  if (request.unwrap) return unwrapAll(call, { opportunity, options }, served).then(reply);
  const asWrappers = (filled: FilledOpportunity): HttpReply => reply({ filled, chains: NO_CHAINS, problems: [] });
  return served instanceof Promise ? served.then(asWrappers) : asWrappers(served);
}

/** What was decided, with the documents behind tags; the ads whose tag led to none are left out. */
interface UnwrappedOpportunity extends Pick<UnwrappedAds, 'chains' | 'problems'> {
  readonly filled: FilledOpportunity;
}

const NO_CHAINS: UnwrappedOpportunity['chains'] = new Map();

/** Where no ad is left behind the tags of third parties, the slots are decided once more, for own media files alone. */
async function unwrapAll(
  { deps, compiled, http, request }: PlayerCall,
  { opportunity, options }: { readonly opportunity: Opportunity; readonly options: FillOptions },
  served: FilledOpportunity | Promise<FilledOpportunity>,
): Promise<UnwrappedOpportunity> {
  const { version, privacy } = request;
  const filled = await served;
  const asked = { http, npa: opportunity.npa, terms: { version, privacy, currency: null } };
  const { placements, chains, problems } = await unwrapServed(deps, filled.placements, asked);
  if (problems.length === 0 || placements.length > 0) return { filled: { ...filled, placements }, chains, problems };
  const own = withoutTags(opportunity, version);
  return { filled: await fillOpportunity(deps, compiled, own, { ...options, isRepeat: true }), chains, problems };
}

/** The ads of one break. */
function renderAds(
  ads: readonly ServedPlacement[],
  { chains }: UnwrappedOpportunity,
  { pod, version, privacy }: PlayerRequest,
): string {
  // Without its price: anybody may ask.
  const terms = { version, privacy, currency: null };
  const adOf = (served: ServedPlacement, sequence: number | null): string => {
    const { content } = served.placement.creative.creative;
    if (!isPlayed(content)) return '';
    const input = servedVast(served, content, terms);
    const chain = chains.get(served);
    return chain === undefined ? renderAd(input, sequence) : renderUnwrapped(input, chain, sequence);
  };
  return ads.map((one, index) => adOf(one, pod === null ? null : index + 1)).join('');
}

/** Why there is no ad, for those who may know; else ''. */
function renderNoFill(
  { environment, request }: PlayerCall,
  { filled: { decision }, problems }: UnwrappedOpportunity,
): string {
  if (!request.debug || environment !== 'staging') return '';
  const losers = decision.losers.slice(0, LOSERS_MAX).map(({ lineItemId, reason }) => `${lineItemId} ${reason}`);
  const of = losers.length === 0 ? '' : ` Line items: ${losers.join(', ')}.`;
  const behind = problems.length === 0 ? '' : ` Tags: ${problems.slice(0, LOSERS_MAX).join('; ')}`;
  return xmlComment(`No ad: ${decision.noFill ?? 'no_match'}.${of}${behind}`);
}
