import type { Creative } from '../../src/domain/booking/creative.ts';
import type { FloorRule } from '../../src/domain/booking/floor.ts';
import type { AdUnit, Area, Site } from '../../src/domain/booking/inventory.ts';
import type { ReportKey } from '../../src/domain/targeting/key-value.ts';
import { NO_CAPS } from '../../src/domain/booking/line-item.ts';
import type { Advertiser, Campaign, Deal, LineItem } from '../../src/domain/booking/line-item.ts';
import type { Segment } from '../../src/domain/targeting/segment.ts';
import type { WorkspaceSnapshot } from '../../src/domain/booking/snapshot.ts';
import type { Workspace } from '../../src/domain/tenancy/workspace.ts';
import type { DeliveryState } from '../../src/delivery/decision/delivery-state.ts';
import type { Opportunity, Slot } from '../../src/domain/requests/opportunity.ts';

/** Objects of a sample workspace; every member that is left out has a usable default. */
export interface SampleInput {
  readonly workspace?: Partial<Workspace>;
  readonly advertisers?: readonly Partial<Advertiser>[];
  readonly campaigns?: readonly Partial<Campaign>[];
  readonly lineItems?: readonly (Partial<Omit<LineItem, 'caps'>> & { caps?: Partial<LineItem['caps']> })[];
  readonly creatives?: readonly Partial<Creative>[];
  readonly deals?: readonly Partial<Deal>[];
  readonly sites?: readonly Partial<Site>[];
  readonly areas?: readonly Partial<Area>[];
  readonly adUnits?: readonly Partial<AdUnit>[];
  readonly segments?: readonly Segment[];
  readonly floors?: readonly Partial<FloorRule>[];
  readonly reportKeys?: readonly ReportKey[];
}

/** A workspace of small parts: line items belong to campaign 1 of advertiser 1, and each has a 300x250 picture `<id>00`. */
export function sampleSnapshot(input: SampleInput): WorkspaceSnapshot {
  const lineItems = (input.lineItems ?? []).map((overrides, index) =>
    sampleLineItem({ id: String(index + 1), ...overrides }),
  );
  return {
    workspace: {
      workspaceId: 1,
      networkId: '1000',
      environment: 'production',
      networkName: 'Sample',
      status: 'ACTIVE',
      timezone: 'Europe/Warsaw',
      currency: 'PLN',
      floorMicros: 0,
      ...input.workspace,
    },
    advertisers: (input.advertisers ?? [{}]).map((overrides, index) =>
      sampleAdvertiser({ id: String(index + 1), ...overrides }),
    ),
    campaigns: (input.campaigns ?? [{}]).map((overrides, index) =>
      sampleCampaign({ id: String(index + 1), ...overrides }),
    ),
    lineItems,
    creatives: (input.creatives ?? lineItems.map(({ id }) => ({ id: `${id}00`, lineItemId: id }))).map(sampleCreative),
    deals: (input.deals ?? []).map(sampleDeal),
    sites: (input.sites ?? [{}]).map((overrides, index) => ({
      id: String(index + 1),
      code: 'news',
      name: 'News',
      domain: 'news.example',
      status: 'ACTIVE',
      ...overrides,
    })),
    areas: (input.areas ?? [{}]).map((overrides, index) => ({
      id: String(index + 1),
      siteId: '1',
      code: 'sport',
      name: 'Sport',
      ...overrides,
    })),
    adUnits: (input.adUnits ?? [{}]).map((overrides, index) => ({
      id: String(index + 1),
      siteId: '1',
      areaId: null,
      name: 'home/top',
      sizes: [{ width: 300, height: 250 }],
      mediaTypes: ['banner'],
      status: 'ACTIVE',
      floorMicros: 0,
      ...overrides,
    })),
    activities: [],
    segments: input.segments ?? [],
    reportKeys: input.reportKeys ?? [],
    floors: (input.floors ?? []).map((overrides, index) => ({
      id: String(index + 1),
      priority: 0,
      floorMicros: 0,
      siteId: null,
      areaId: null,
      adUnitId: null,
      dealId: null,
      sizes: [],
      mediaTypes: [],
      countries: [],
      ...overrides,
    })),
  };
}

function sampleDeal(overrides: Partial<Deal>, index: number): Deal {
  const names = { id: String(index + 1), code: `deal-${index + 1}`, name: 'Deal' };
  return { ...names, status: 'ACTIVE', floorMicros: 0, fixedPriceMicros: null, seats: [], ...overrides };
}

function sampleAdvertiser(overrides: Partial<Advertiser> & { id: string }): Advertiser {
  return {
    name: 'Acme',
    status: 'ACTIVE',
    domains: ['acme.example'],
    dsaBehalf: 'Acme',
    dsaPaid: 'Acme',
    exclusionLabels: [],
    frequencyCaps: [],
    creditMicros: null,
    categories: [],
    ...overrides,
  };
}

function sampleCampaign(
  overrides: Omit<Partial<Campaign>, 'caps'> & { id: string; caps?: Partial<Campaign['caps']> },
): Campaign {
  const { caps, ...rest } = overrides;
  return {
    advertiserId: '1',
    name: 'Campaign',
    status: 'ACTIVE',
    startsAtMs: null,
    endsAtMs: null,
    frequencyCaps: [],
    ...rest,
    caps: { ...NO_CAPS, ...caps },
  };
}

function sampleLineItem(
  overrides: Partial<Omit<LineItem, 'caps'>> & { id: string; caps?: Partial<LineItem['caps']> },
): LineItem {
  const { caps, ...rest } = overrides;
  return {
    campaignId: '1',
    dealId: null,
    advertisingProductId: null,
    name: `Line item ${overrides.id}`,
    status: 'ACTIVE',
    type: 'PRICE',
    level: 8,
    sharePercent: null,
    goal: null,
    pacing: 'EVEN',
    pricingModel: 'CPM',
    priceMicros: 10_000_000,
    frequencyCaps: [],
    serveWithoutUser: false,
    pauseAfterGoal: false,
    startsAtMs: null,
    endsAtMs: null,
    timezone: 'Europe/Warsaw',
    dayParts: [],
    targeting: null,
    creativeRotation: 'EVEN',
    roadblock: 'ONE',
    companionMode: 'NONE',
    exclusionLabels: [],
    ...rest,
    caps: { ...NO_CAPS, ...caps },
  };
}

/** A 300x250 picture of line item 1. */
export function sampleCreative(overrides: Partial<Creative>): Creative {
  return {
    id: '100',
    lineItemId: '1',
    masterCreativeId: null,
    name: 'Creative',
    status: 'ACTIVE',
    reviewState: 'APPROVED',
    width: 300,
    height: 250,
    content: { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: 'Acme' },
    clickUrl: 'https://acme.example/lp',
    trackers: { impressionUrls: [], clickUrls: [], viewableUrls: [] },
    weight: 100,
    startsAtMs: null,
    endsAtMs: null,
    secure: true,
    attributes: [],
    language: null,
    frequencyCaps: [],
    ...overrides,
  };
}

/** A slot on ad unit 1 (news, home/top) for a 300x250 banner. */
export function sampleSlot(overrides: Partial<Slot>): Slot {
  return {
    slotId: 's1',
    siteId: '1',
    areaId: '',
    adUnitId: '1',
    position: '',
    sizes: [{ width: 300, height: 250 }],
    mediaTypes: ['banner'],
    video: null,
    native: null,
    floorMicros: 0,
    deals: null,
    privateAuction: false,
    secure: false,
    blockedAttributes: [],
    ...overrides,
  };
}

/** A request by a known user in Poland for one such slot. */
export function sampleOpportunity(overrides: Partial<Opportunity>): Opportunity {
  return {
    workspaceId: 1,
    pageUrl: 'https://news.example/sport/1',
    domain: 'news.example',
    keywords: [],
    keyValues: new Map(),
    country: 'pl',
    region: '',
    city: '',
    deviceType: 'mobile',
    os: 'android',
    browser: 'chrome',
    language: 'pl',
    browserLanguages: ['pl-pl', 'pl'],
    segments: [],
    reported: { country: 'PL', region: '', deviceType: 'mobile', os: 'Android', browser: 'Chrome' },
    npa: false,
    userHash: '00112233aabbccdd',
    blockedCategories: new Set(),
    blockedDomains: new Set(),
    allowedSeats: new Set(),
    blockedSeats: new Set(),
    creativeLanguages: new Set(),
    dsaRequired: 0,
    test: false,
    slots: [sampleSlot({})],
    ...overrides,
  };
}

/** Counters from a plain record; all others are 0. */
export function stateOf(counters: Readonly<Record<string, number>>): DeliveryState {
  return { counter: (key) => counters[key] ?? 0 };
}
