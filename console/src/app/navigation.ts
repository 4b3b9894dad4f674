import type { MessageKey } from '../messages/say.ts';
import type { IconName } from '../ui/icons.tsx';
import { useIsAdmin, useSession } from '../session/session.ts';

/** The groups of the navigation, in their order. */
export const NAV_GROUPS = ['desk', 'inventory', 'audience', 'reports', 'settings'] as const;
export type NavGroup = (typeof NAV_GROUPS)[number];

/** A page that the navigation leads to. `adminOnly`, `operatorOnly`: the server refuses everyone else. */
export interface NavEntry {
  readonly to: string;
  readonly label: MessageKey;
  readonly icon: IconName;
  readonly group: NavGroup;
  readonly adminOnly?: boolean;
  readonly operatorOnly?: boolean;
}

/** The pages, in their order. */
const NAVIGATION: readonly NavEntry[] = [
  { to: '/desk', label: 'nav.today', icon: 'today', group: 'desk' },
  { to: '/desk/line-items', label: 'nav.line_items', icon: 'table', group: 'desk' },
  { to: '/desk/campaigns', label: 'nav.campaigns', icon: 'campaign', group: 'desk' },
  { to: '/desk/creatives', label: 'nav.creatives', icon: 'picture', group: 'desk' },
  { to: '/desk/advertisers', label: 'nav.advertisers', icon: 'user', group: 'desk' },
  { to: '/desk/deals', label: 'nav.deals', icon: 'deal', group: 'desk' },
  { to: '/desk/inspector', label: 'nav.inspector', icon: 'search', group: 'desk' },
  { to: '/desk/activity', label: 'nav.activity', icon: 'audit', group: 'desk' },
  { to: '/desk/products', label: 'nav.products', icon: 'product', group: 'desk' },
  { to: '/desk/inventory', label: 'nav.inventory_tree', icon: 'cluster', group: 'inventory' },
  { to: '/desk/availability', label: 'nav.availability', icon: 'today', group: 'inventory' },
  { to: '/desk/sites', label: 'nav.sites', icon: 'network', group: 'inventory' },
  { to: '/desk/ad-units', label: 'nav.ad_units', icon: 'unit', group: 'inventory' },
  { to: '/desk/integrate', label: 'nav.integrate', icon: 'copy', group: 'inventory' },
  { to: '/desk/floors', label: 'nav.floors', icon: 'floor', group: 'inventory' },
  { to: '/desk/experiments', label: 'nav.experiments', icon: 'chart', group: 'inventory' },
  { to: '/desk/key-values', label: 'nav.key_values', icon: 'label', group: 'inventory' },
  { to: '/desk/segments', label: 'nav.segments', icon: 'users', group: 'audience' },
  { to: '/desk/activities', label: 'nav.activities', icon: 'check', group: 'audience' },
  { to: '/lens', label: 'nav.lens', icon: 'chart', group: 'reports' },
  { to: '/dashboards', label: 'nav.dashboards', icon: 'dashboard', group: 'reports' },
  { to: '/settings/api-keys', label: 'nav.api_keys', icon: 'key', group: 'settings', adminOnly: true },
  { to: '/settings/credentials', label: 'nav.credentials', icon: 'credential', group: 'settings', adminOnly: true },
  { to: '/settings/report-links', label: 'nav.report_links', icon: 'share', group: 'settings', adminOnly: true },
  { to: '/settings/users', label: 'nav.users', icon: 'users', group: 'settings', adminOnly: true },
  { to: '/settings/network', label: 'nav.network', icon: 'network', group: 'settings' },
  { to: '/settings/limits', label: 'nav.limits', icon: 'limits', group: 'settings' },
  { to: '/settings/audit-log', label: 'nav.audit', icon: 'audit', group: 'settings', adminOnly: true },
  { to: '/settings/cluster', label: 'nav.cluster', icon: 'cluster', group: 'settings', operatorOnly: true },
  { to: '/settings/account', label: 'nav.account', icon: 'session', group: 'settings' },
];

/** The pages that the signed-in person can use in the network that is looked at. */
export function useNavigation(): readonly NavEntry[] {
  const isAdmin = useIsAdmin();
  const { user } = useSession();
  return NAVIGATION.filter(
    ({ adminOnly, operatorOnly }) => (isAdmin || adminOnly !== true) && (user.operator || operatorOnly !== true),
  );
}
