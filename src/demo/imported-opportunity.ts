import type { MediaType } from '../domain/creative-format.ts';
import type { Size } from '../domain/booking/inventory.ts';
import type { Opportunity, Slot, PlayerOffer } from '../domain/requests/opportunity.ts';
import type { ImportedRequests } from './imported-requests.olap.ts';

const ANY_VIDEO: PlayerOffer = {
  mimeTypes: [],
  minDurationMs: 0,
  maxDurationMs: Number.POSITIVE_INFINITY,
  protocols: [],
  companionPlaces: [],
  companionTypes: [],
};

/** An ad unit, as requests offer it. */
export interface ImportedUnit {
  readonly sizes: readonly Size[];
  readonly mediaTypes: readonly MediaType[];
  readonly domain: string;
}

/** The opportunity of one of these requests, of an unknown user. */
export function opportunityOf(alike: ImportedRequests, { sizes, mediaTypes, domain }: ImportedUnit): Opportunity {
  const { workspaceId, country, deviceType, os, browser } = alike;
  const slot: Slot = {
    slotId: '1',
    siteId: alike.siteId,
    areaId: alike.areaId,
    adUnitId: alike.adUnitId,
    position: '',
    sizes,
    mediaTypes,
    video: mediaTypes.includes('video') ? ANY_VIDEO : null,
    native: null,
    floorMicros: 0,
    deals: null,
    privateAuction: false,
    secure: true,
    blockedAttributes: [],
  };
  return {
    workspaceId,
    pageUrl: `https://${domain}/`,
    domain,
    keywords: [],
    keyValues: new Map(),
    country: country.toLowerCase(),
    region: '',
    city: '',
    deviceType: deviceType.toLowerCase(),
    os: os.toLowerCase(),
    browser: browser.toLowerCase(),
    language: '',
    browserLanguages: [],
    segments: [],
    reported: { country, region: '', deviceType, os, browser },
    npa: alike.npa === 1,
    userHash: '',
    blockedCategories: new Set(),
    blockedDomains: new Set(),
    allowedSeats: new Set(),
    blockedSeats: new Set(),
    creativeLanguages: new Set(),
    dsaRequired: 0,
    test: false,
    slots: [slot],
  };
}
