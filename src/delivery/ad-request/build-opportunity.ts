import type { IncomingHttpHeaders } from 'node:http';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import { domainForm, foldText } from '../../domain/text/one-form.ts';
import type { UserIds } from '../openrtb/bid-request.ts';
import type { DsaRequest } from '../openrtb/dsa.ts';
import { textOf } from '../openrtb/lenient-json.ts';
import type { JsonObject } from '../openrtb/lenient-json.ts';
import { readBrowserLanguages } from './browser-languages.ts';
import { readDevice, resolveGeo } from './device.ts';
import type { Device } from './device.ts';
import type { FindGeo, Geo } from './geo-lookup.ts';
import type { PrivacyVerdict } from './privacy.ts';
import { hashHousehold, hashUserIds } from './user-identity.ts';

/** The content of a request in any form. Texts as sent, unless noted. */
export interface AdRequest {
  readonly pageUrl: string;
  /** Lower case. */
  readonly domain: string;
  readonly keywords: readonly string[];
  readonly keyValues: ReadonlyMap<string, readonly string[]>;
  readonly device: JsonObject;
  readonly segments: readonly string[];
  readonly blockedCategories: readonly string[];
  /** Absent or empty: any. */
  readonly allowedCategories?: readonly string[];
  readonly blockedDomains: readonly string[];
  readonly allowedSeats: readonly string[];
  readonly blockedSeats: readonly string[];
  readonly creativeLanguages: readonly string[];
  readonly test: boolean;
}

/** The context of a request besides its content. */
export interface RequestContext {
  readonly device: Device;
  readonly geo: Geo;
  /** As {@link readBrowserLanguages}. */
  readonly browserLanguages: readonly string[];
  readonly privacy: PrivacyVerdict;
  readonly dsa: DsaRequest | null;
  /** '' under npa, and without user. */
  readonly userHash: string;
  /** '' under npa, and where the caller names no household. */
  readonly householdHash: string;
  /** When the request came: exchange rates are those of its day. */
  readonly nowMs: number;
}

/** The input of a context. */
export interface ContextSource {
  readonly device: JsonObject;
  readonly privacy: PrivacyVerdict;
  readonly dsa: DsaRequest | null;
  readonly userIds: UserIds;
  /** Of the user's browser; null where the HTTP client is a server. */
  readonly headers: IncomingHttpHeaders | null;
  /** Of the user's browser; '' where the HTTP client is a server. */
  readonly address: string;
}

/** The services of the installation that resolve contexts. */
export interface ContextDeps {
  readonly findGeo: FindGeo;
  readonly userHashSecret: Buffer;
  readonly nowMs: () => number;
}

/** Resolves device, geo and user. Under npa, the user stays unknown. */
export function resolveContext(source: ContextSource, workspaceId: number, deps: ContextDeps): RequestContext {
  const { device, privacy, dsa, userIds } = source;
  return {
    device: readDevice(device, source.headers),
    geo: resolveGeo(device, source.address, deps.findGeo),
    browserLanguages: readBrowserLanguages(device, source.headers),
    privacy,
    dsa,
    userHash: privacy.npa ? '' : hashUserIds(userIds, workspaceId, deps.userHashSecret),
    householdHash: privacy.npa ? '' : hashHousehold(userIds, workspaceId, deps.userHashSecret),
    nowMs: deps.nowMs(),
  };
}

/** Builds the opportunity that decisions are made on. */
export function buildOpportunity(
  request: AdRequest,
  slots: readonly Slot[],
  workspaceId: number,
  context: RequestContext,
): Opportunity {
  const { privacy, device, geo } = context;
  return {
    workspaceId,
    pageUrl: foldText(request.pageUrl),
    domain: request.domain,
    keywords: request.keywords,
    keyValues: request.keyValues,
    country: geo.country.toLowerCase(),
    region: foldText(geo.region),
    city: foldText(geo.city),
    deviceType: device.deviceType.toLowerCase(),
    os: device.os.toLowerCase(),
    browser: device.browser.toLowerCase(),
    reported: {
      country: geo.country,
      region: geo.region,
      deviceType: device.deviceType,
      os: device.os,
      browser: device.browser,
    },
    language: textOf(request.device['language'], 16).toLowerCase(),
    browserLanguages: context.browserLanguages,
    segments: privacy.npa ? [] : request.segments,
    npa: privacy.npa,
    userHash: context.userHash,
    householdHash: context.householdHash,
    blockedCategories: toSet(request.blockedCategories),
    ...(request.allowedCategories?.length ? { allowedCategories: toSet(request.allowedCategories) } : {}),
    blockedDomains: toSet(request.blockedDomains.map(domainForm)),
    allowedSeats: toSet(request.allowedSeats),
    blockedSeats: toSet(request.blockedSeats),
    creativeLanguages: toLowerSet(request.creativeLanguages),
    dsaRequired: context.dsa?.required ?? 0,
    test: request.test,
    slots,
  };
}

const EMPTY_SET: ReadonlySet<string> = new Set();

/** Most requests block nothing and share one empty set. */
function toSet(texts: readonly string[]): ReadonlySet<string> {
  return texts.length === 0 ? EMPTY_SET : new Set(texts);
}

function toLowerSet(texts: readonly string[]): ReadonlySet<string> {
  return texts.length === 0 ? EMPTY_SET : new Set(texts.map((text) => text.toLowerCase()));
}
