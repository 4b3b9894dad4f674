import type { ForecastDraft } from '../../../domain/booking/delivery-insight.ts';
import type { Creative, CreativeContent } from '../../../domain/booking/creative.ts';
import type { MediaType } from '../../../domain/creative-format.ts';
import { NO_CAPS } from '../../../domain/booking/line-item.ts';
import type { Advertiser, Campaign, LineItem } from '../../../domain/booking/line-item.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { SnapshotLists } from '../../decision/index/snapshot-lists.ts';
import { sortById } from '../../decision/index/sorted-by-id.ts';

/** The id of the draft, which sorts after all others; real ids are below 10¹⁸. */
export const DRAFT_ID = '999999999999999999';

/** The bookings that may compete with a draft: all from an instant to the end of its flight, without the one that it replaces. */
export function narrowSnapshot(snapshot: SnapshotLists, draft: ForecastDraft, nowMs: number): WorkspaceSnapshot {
  const overlaps = ({ startsAtMs, endsAtMs }: { startsAtMs: number | null; endsAtMs: number | null }) =>
    (startsAtMs ?? 0) < draft.endsAtMs && (endsAtMs ?? Number.POSITIVE_INFINITY) > nowMs;
  const lineItems = [...snapshot.lineItems].filter(
    (lineItem) => lineItem.status === 'ACTIVE' && lineItem.id !== draft.lineItemId && overlaps(lineItem),
  );
  const ids = new Set(lineItems.map(({ id }) => id));
  return {
    ...snapshot,
    workspace: { ...snapshot.workspace, status: 'ACTIVE' },
    lineItems,
    creatives: [...snapshot.creatives].filter((creative) => ids.has(creative.lineItemId) && overlaps(creative)),
    activities: [],
  };
}

/** A booked line item with its creatives, which a forecast leaves out of one world and has in the other. */
export interface BookedDraft {
  readonly lineItem: LineItem;
  readonly creatives: readonly Creative[];
}

/** A draft, or a booked line item in its place. */
interface Drafted {
  readonly draft: ForecastDraft;
  readonly booked?: BookedDraft;
}

/** The id that the forecast line item has in the world that it is in. */
export function draftIdOf({ booked }: Pick<Drafted, 'booked'>): string {
  return booked?.lineItem.id ?? DRAFT_ID;
}

/** The snapshot with the draft, under a separate advertiser and campaign; a booked line item comes back under its own. */
export function addDraft(snapshot: SnapshotLists, { draft, booked }: Drafted): WorkspaceSnapshot {
  if (booked !== undefined)
    return {
      ...snapshot,
      // Compiled worlds that build on each other have their objects in ascending order of id.
      lineItems: [...sortById([...snapshot.lineItems, booked.lineItem])],
      creatives: [...sortById([...snapshot.creatives, ...booked.creatives])],
    };
  return {
    ...snapshot,
    advertisers: [...snapshot.advertisers, DRAFT_ADVERTISER],
    campaigns: [...snapshot.campaigns, DRAFT_CAMPAIGN],
    lineItems: [...snapshot.lineItems, draftLineItem(draft, snapshot.workspace.timezone)],
    creatives: [...snapshot.creatives, ...draftCreatives(draft)],
  };
}

const DRAFT_ADVERTISER: Advertiser = {
  id: DRAFT_ID,
  name: 'Draft',
  status: 'ACTIVE',
  domains: [],
  dsaBehalf: 'Draft',
  dsaPaid: 'Draft',
  exclusionLabels: [],
  frequencyCaps: [],
  creditMicros: null,
  categories: [],
};
const DRAFT_CAMPAIGN: Campaign = {
  id: DRAFT_ID,
  advertiserId: DRAFT_ID,
  name: 'Draft',
  status: 'ACTIVE',
  startsAtMs: null,
  endsAtMs: null,
  caps: NO_CAPS,
  frequencyCaps: [],
};

function draftLineItem(draft: ForecastDraft, timezone: string): LineItem {
  return {
    id: DRAFT_ID,
    campaignId: DRAFT_ID,
    dealId: draft.dealId,
    advertisingProductId: null,
    name: 'Draft',
    status: 'ACTIVE',
    type: draft.type,
    level: draft.level,
    sharePercent: draft.sharePercent,
    goal: draft.goal,
    pacing: draft.pacing,
    pricingModel: 'CPM',
    priceMicros: draft.cpmMicros,
    caps: draft.caps,
    frequencyCaps: draft.frequencyCaps,
    serveWithoutUser: draft.serveWithoutUser,
    pauseAfterGoal: false,
    startsAtMs: draft.startsAtMs,
    endsAtMs: draft.endsAtMs,
    timezone: draft.timezone ?? timezone,
    dayParts: draft.dayParts,
    targeting: draft.targeting,
    creativeRotation: 'EVEN',
    roadblock: 'ONE',
    companionMode: 'NONE',
    exclusionLabels: [],
  };
}

const DRAFT_CONTENTS: Readonly<Record<MediaType, CreativeContent>> = {
  banner: { format: 'HTML', html: '' },
  native: {
    format: 'NATIVE',
    title: 'Draft',
    body: 'Draft',
    callToAction: 'Draft',
    sponsoredBy: 'Draft',
    imageUrl: 'https://draft.invalid/',
    imageWidth: 10_000,
    imageHeight: 10_000,
    iconUrl: 'https://draft.invalid/',
  },
  video: {
    format: 'VIDEO',
    title: 'Draft',
    durationMs: 15_000,
    mediaFiles: [],
    vastTagUrl: 'https://draft.invalid/',
    skipOffsetMs: null,
  },
  audio: {
    format: 'AUDIO',
    title: 'Draft',
    durationMs: 15_000,
    mediaFiles: [],
    vastTagUrl: 'https://draft.invalid/',
    skipOffsetMs: null,
  },
};

function draftCreatives({ mediaTypes, sizes }: ForecastDraft): Creative[] {
  const anySize = [{ width: 0, height: 0 }];
  return mediaTypes.flatMap((mediaType, kind) =>
    (mediaType === 'banner' && sizes.length > 0 ? sizes : anySize).map((size, at) => ({
      id: `999999999999${String(kind * 1_000 + at).padStart(6, '0')}`,
      lineItemId: DRAFT_ID,
      masterCreativeId: null,
      name: 'Draft',
      status: 'ACTIVE',
      reviewState: 'APPROVED',
      ...size,
      content: DRAFT_CONTENTS[mediaType],
      clickUrl: 'https://draft.invalid/',
      trackers: { impressionUrls: [], clickUrls: [], viewableUrls: [] },
      weight: 1,
      startsAtMs: null,
      endsAtMs: null,
      secure: true,
      attributes: [],
      language: null,
      frequencyCaps: [],
    })),
  );
}
