import { registerBidder } from '../src/adapters/bidderFactory.js';
import { config } from '../src/config.js';
import { BANNER, NATIVE, VIDEO } from '../src/mediaTypes.js';
import { deepSetValue, isPlainObject, isStr, logWarn } from '../src/utils.js';
import { ortbConverter } from '../libraries/ortbConverter/converter.js';

const BIDDER_CODE = 'placard';
const TTL_S = 300;

const converter = ortbConverter({
  context: { netRevenue: true, ttl: TTL_S },
  imp(buildImp, bidRequest, context) {
    const imp = buildImp(bidRequest, context);
    const { adUnit, position, keyValues } = bidRequest.params;
    imp.tagid = adUnit;
    if (position) deepSetValue(imp, 'ext.pos', String(position));
    if (isPlainObject(keyValues)) deepSetValue(imp, 'ext.keyvalues', keyValues);
    return imp;
  },
  request(buildRequest, imps, bidderRequest, context) {
    const request = buildRequest(imps, bidderRequest, context);
    const [{ params }] = context.bidRequests;
    deepSetValue(request, 'site.id', String(params.site ?? request.site?.domain ?? ''));
    if (params.area) deepSetValue(request, 'site.ext.area', params.area);
    if (params.keywords?.length) deepSetValue(request, 'site.ext.kwrd', params.keywords.join('+'));
    // One ad unit without personalised ads: no ad of the request is personal.
    if (context.bidRequests.some((bid) => bid.params.npa === true)) deepSetValue(request, 'user.ext.npa', true);
    if (params.userId) deepSetValue(request, 'user.ext.ids.lu', String(params.userId));
    if (params.hashedUserId) deepSetValue(request, 'user.ext.ids.aid', String(params.hashedUserId));
    const { gdprConsent } = bidderRequest;
    if (gdprConsent) {
      const applies = gdprConsent.gdprApplies ? 1 : 0;
      deepSetValue(request, 'regs.gdpr', applies);
      if (gdprConsent.consentString) deepSetValue(request, 'user.consent', gdprConsent.consentString);
      // Where GDPR applies the DSA does too; what the page says of it itself comes first.
      if (applies === 1 && request.regs.ext?.dsa === undefined)
        deepSetValue(request, 'regs.ext.dsa', { dsarequired: 1 });
    }
    return request;
  },
  bidResponse(buildBidResponse, bid, context) {
    const bidResponse = buildBidResponse(bid, context);
    // The page behind "Why this ad?", for publishers that draw the link themselves.
    if (bid.ext?.dsaurl) bidResponse.meta.dsaUrl = bid.ext.dsaurl;
    return bidResponse;
  },
});

/** The ad server's address: of the ad unit, else `pbjs.setConfig({ placard: { endpoint } })`. */
function endpointOf(params) {
  const endpoint = params?.endpoint ?? config.getConfig(BIDDER_CODE)?.endpoint;
  return isStr(endpoint) && /^https:\/\/[^\s?#]+$/.test(endpoint) ? endpoint.replace(/\/+$/, '') : null;
}

/** Bids that may go in one request: what a request holds once is the same in all of these. */
function groupKey({ params }) {
  const { network, site, area, keywords, userId, hashedUserId } = params;
  const texts = [network, site, area, userId, hashedUserId].map((value) => String(value ?? ''));
  return JSON.stringify([endpointOf(params), ...texts, keywords ?? []]);
}

export const spec = {
  code: BIDDER_CODE,
  supportedMediaTypes: [BANNER, VIDEO, NATIVE],

  isBidRequestValid(bid) {
    const { network, adUnit } = bid?.params ?? {};
    if (endpointOf(bid?.params) === null) {
      logWarn(
        `${BIDDER_CODE}: endpoint must be an https:// address, in params or in setConfig({ ${BIDDER_CODE}: { endpoint } })`,
      );
      return false;
    }
    return /^\d+$/.test(String(network ?? '')) && isStr(adUnit) && adUnit !== '';
  },

  buildRequests(validBidRequests, bidderRequest) {
    const groups = new Map();
    for (const bid of validBidRequests) {
      const key = groupKey(bid);
      groups.set(key, [...(groups.get(key) ?? []), bid]);
    }
    return [...groups.values()].map((bidRequests) => {
      const { params } = bidRequests[0];
      return {
        method: 'POST',
        url: `${endpointOf(params)}/${encodeURIComponent(params.network)}/bid`,
        data: converter.toORTB({ bidRequests, bidderRequest }),
        // No preflight; cookies come along where the browser lets them.
        options: { contentType: 'text/plain', withCredentials: true },
      };
    });
  },

  interpretResponse(serverResponse, request) {
    // 204: no bid.
    if (!serverResponse?.body?.seatbid) return [];
    return converter.fromORTB({ response: serverResponse.body, request: request.data }).bids;
  },

  /** The ad server keeps no id of its own across sites: there is nothing to sync, whatever the page allows. */
  getUserSyncs() {
    return [];
  },
};

registerBidder(spec);
