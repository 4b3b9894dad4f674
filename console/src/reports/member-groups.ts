import type { Member } from './report-model.ts';

/** The groups of the members of reports, in the order in which they are offered. `own`: members that the network defined itself. */
const GROUPS = {
  bookings: ['campaign_', 'line_item_', 'advertiser_', 'creative_', 'size', 'deal_', 'advertising_product_'],
  inventory: ['site_', 'ad_unit_', 'area', 'network_id'],
  audience: ['country', 'region', 'device_type', 'os', 'browser', 'npa', 'unique_users'],
  traffic: ['impressions', 'gross_', 'requests', 'served', 'clicks', 'ctr', 'invalid_'],
  money: ['revenue', 'ecpm'],
  visibility: ['viewable_', 'measurable_', 'viewability'],
  conversions: [
    'activities',
    'post_',
    'activity_value',
    'activity_id',
    'activity_name',
    'first_',
    'last_',
    'linear_',
    'position_',
  ],
  video: ['video_'],
} as const;
export type MemberGroupName = keyof typeof GROUPS | 'own';

/** Members about one thing. */
export interface MemberGroup {
  readonly group: MemberGroupName;
  readonly members: readonly Member[];
}

/** Members in groups; in each, names come before ids. Empty groups are left out. */
export function groupMembers(members: ReadonlyMap<string, Member>): readonly MemberGroup[] {
  const names = [...Object.keys(GROUPS), 'own'] as MemberGroupName[];
  return names.flatMap((group) => {
    const inGroup = [...members.values()].filter((member) => groupOf(member) === group);
    const isId = ({ name }: Member): boolean => name.endsWith('_id');
    const sorted = [...inGroup.filter((member) => !isId(member)), ...inGroup.filter(isId)];
    return sorted.length === 0 ? [] : [{ group, members: sorted }];
  });
}

function groupOf({ name }: Member): MemberGroupName {
  const own = name.split('.').at(-1) ?? '';
  const entries = Object.entries(GROUPS) as [keyof typeof GROUPS, readonly string[]][];
  const found = entries.find(([, starts]) =>
    starts.some((start) => (start.endsWith('_') ? own.startsWith(start) : own === start)),
  );
  return found?.[0] ?? 'own';
}
