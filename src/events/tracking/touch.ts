import { NO_KEY_VALUES } from '../../domain/targeting/key-value.ts';
import type { ReportedKeyValues } from '../../domain/targeting/key-value.ts';
import { CREDIT_WINDOW_MS } from '../../domain/events/served-ad.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import type { ListPush } from '../../storage/hot/hot-store.ts';

/** The fields that a conversion takes over from the impression or click that it is attributed to. */
export type TouchedAd = Omit<
  ServedAd,
  | 'workspaceId'
  | 'decidedAtMs'
  | 'userHash'
  | 'householdHash'
  | 'npa'
  | 'test'
  | 'companion'
  | 'heldLimits'
  | 'chosenBy'
>;

/** A user's contact with an ad. */
export interface Touch {
  readonly timeMs: number;
  readonly ad: TouchedAd;
}

/** How long touches are kept, in milliseconds; longer attribution windows are cut to these. */
export const CLICK_TOUCH_TTL_MS = CREDIT_WINDOW_MS;
export const IMPRESSION_TOUCH_TTL_MS = 30 * 86_400_000;

/** Newest touches that are kept in one list. Only the last one before an event counts, so a few are enough. */
const TOUCHES_MAX = 8;

/** List of a user's clicks or impressions, newest first. */
export function userTouchKey(kind: 'click' | 'view', workspaceId: number, userHash: string): string {
  return `t${kind === 'click' ? 'c' : 'v'}/${workspaceId}/${userHash}`;
}

/**
 * The same for one advertiser's ads, for advertisers with activities of their own: in a shared list, ads that a user sees more often would
 * push theirs out.
 */
export function advertiserTouchKey(
  kind: 'click' | 'view',
  workspaceId: number,
  user: { readonly userHash: string; readonly advertiserId: string },
): string {
  return `${userTouchKey(kind, workspaceId, user.userHash)}/${user.advertiserId}`;
}

/** List (of one) that holds the click of an impression id, which is what pixels send as `clickId`. */
export function clickIdKey(workspaceId: number, impressionId: string): string {
  return `ti/${workspaceId}/${impressionId}`;
}

/** How a touch is stored. */
export interface NewTouch {
  readonly kind: 'click' | 'view';
  readonly timeMs: number;
  /** The advertiser has activities that credit only its own ads. */
  readonly hasOwnActivity: boolean;
}

/** The list entries of a billable impression or click. Without a user only the click itself is remembered, by its id. */
export function touchPushes(ad: ServedAd, { kind, timeMs, hasOwnActivity }: NewTouch): ListPush[] {
  const value = encodeTouch({ timeMs, ad });
  const ttlMs = kind === 'click' ? CLICK_TOUCH_TTL_MS : IMPRESSION_TOUCH_TTL_MS;
  const pushes: ListPush[] = [];
  if (ad.userHash !== '' && !ad.npa) {
    pushes.push({ key: userTouchKey(kind, ad.workspaceId, ad.userHash), value, max: TOUCHES_MAX, ttlMs });
    if (hasOwnActivity) {
      pushes.push({ key: advertiserTouchKey(kind, ad.workspaceId, ad), value, max: TOUCHES_MAX, ttlMs });
    }
  }
  if (kind === 'click') pushes.push({ key: clickIdKey(ad.workspaceId, ad.impressionId), value, max: 1, ttlMs });
  return pushes;
}

/** In the order in which they are written. A change makes stored touches unreadable, which loses attributions. */
const AD_FIELDS = [
  'impressionId',
  'advertiserId',
  'campaignId',
  'lineItemId',
  'lineItemType',
  'creativeId',
  'creativeFormat',
  'dealId',
  'advertisingProductId',
  'siteId',
  'areaId',
  'adUnitId',
  'width',
  'height',
  'country',
  'region',
  'deviceType',
  'os',
  'browser',
  'pricingModel',
  'priceMicros',
] as const satisfies readonly (keyof TouchedAd)[];

/** Positional JSON, the time first, reported key-values last where there are any: millions of them are stored. */
export function encodeTouch({ timeMs, ad }: Touch): string {
  const values = [timeMs, ...AD_FIELDS.map((field) => ad[field])];
  return JSON.stringify(ad.keyValues === NO_KEY_VALUES ? values : [...values, ad.keyValues]);
}

/** Reads what {@link encodeTouch} wrote; null for a text of another shape, from an older or newer program. */
export function decodeTouch(text: string): Touch | null {
  const values = JSON.parse(text) as unknown;
  if (!Array.isArray(values) || values.length < AD_FIELDS.length + 1 || values.length > AD_FIELDS.length + 2)
    return null;
  const ad: Record<string, unknown> = {};
  // A loop over the names: an object from a list of entries takes several times as long, and a conversion reads up to 33 touches.
  for (const [index, field] of AD_FIELDS.entries()) ad[field] = values[index + 1];
  ad['keyValues'] = (values[AD_FIELDS.length + 1] ?? NO_KEY_VALUES) as ReportedKeyValues;
  return { timeMs: values[0] as number, ad: ad as unknown as TouchedAd };
}
