import { PlacardError } from '../../domain/errors.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import type { Filter, NormalizedQuery } from '../query/query.ts';

const CUBE = 'campaign_overview';

/** What buyers read of their advertisers' delivery. A new member is closed to them until somebody adds it here. */
const MEMBERS: ReadonlySet<string> = new Set(
  [
    'time',
    'advertiser_id',
    'advertiser_name',
    'campaign_id',
    'campaign_name',
    'line_item_id',
    'line_item_name',
    'line_item_type',
    'creative_id',
    'creative_name',
    'creative_format',
    'size',
    'advertising_product_id',
    'advertising_product_name',
    'site_id',
    'site_domain',
    'ad_unit_id',
    'ad_unit_name',
    'country',
    'region',
    'device_type',
    'os',
    'browser',
    'impressions',
    'clicks',
    'ctr',
    'revenue',
    'ecpm',
    'viewable_impressions',
    'measurable_impressions',
    'viewability',
    'activities',
    'post_click_activities',
    'post_view_activities',
    'activity_value',
    'unique_users',
    'video_starts',
    'video_completes',
    'video_completion_rate',
  ].map((name) => `${CUBE}.${name}`),
);

/** The advertisers that a caller's reports are bound to; null: it reads all of its workspace. */
export function boundAdvertisers({ buyer }: Principal): readonly string[] | null {
  return buyer?.advertiserIds ?? null;
}

/**
 * A query bound to the delivery of some advertisers.
 * @throws PlacardError `insufficient_permissions` for a member that buyers do not read
 */
export function bindToAdvertisers(query: NormalizedQuery, advertiserIds: readonly string[]): NormalizedQuery {
  const segments = query.segments ?? [];
  const named = [
    ...(query.measures ?? []),
    ...query.dimensions,
    ...segments,
    ...query.timeDimensions.map(({ dimension }) => dimension),
    ...(query.order ?? []).map(({ id }) => id),
    ...query.filters.flatMap(membersOf),
  ];
  const closed = named.find((name) => !MEMBERS.has(withoutGranularity(name)));
  if (closed !== undefined || segments.length > 0)
    throw new PlacardError(
      'insufficient_permissions',
      `The key of a buyer does not read ${JSON.stringify((closed ?? 'segments').slice(0, 100))}.`,
    );
  // An advertiser with the id 0 does not exist: a key without advertisers reads nothing.
  const values = advertiserIds.length === 0 ? ['0'] : advertiserIds;
  const own: Filter = { member: `${CUBE}.advertiser_id`, operator: 'equals', values };
  return { ...query, filters: [...query.filters, own] };
}

/** `campaign_overview.time.day` → `campaign_overview.time`. */
function withoutGranularity(name: string): string {
  return name.split('.').slice(0, 2).join('.');
}

function membersOf(filter: Filter): readonly string[] {
  if ('or' in filter) return filter.or.flatMap(membersOf);
  if ('and' in filter) return filter.and.flatMap(membersOf);
  return [filter.member];
}
