import type { MessageKey } from '../messages/say.ts';
import type { IconName } from '../ui/icons.tsx';
import { useIsAdmin, useSession } from './session.ts';

/** A page that the navigation leads to. `adminOnly`, `operatorOnly`: the server refuses everyone else. */
export interface NavEntry {
  readonly to: string;
  readonly label: MessageKey;
  readonly icon: IconName;
  readonly group: 'desk' | 'reports' | 'settings';
  readonly adminOnly?: boolean;
  readonly operatorOnly?: boolean;
}

/** The pages, in their order. */
const NAVIGATION: readonly NavEntry[] = [
  { to: '/desk', label: 'nav.today', icon: 'today', group: 'desk' },
  { to: '/desk/line-items', label: 'nav.line_items', icon: 'table', group: 'desk' },
  { to: '/desk/campaigns', label: 'nav.campaigns', icon: 'campaign', group: 'desk' },
  { to: '/lens', label: 'nav.lens', icon: 'chart', group: 'reports' },
  { to: '/dashboards', label: 'nav.dashboards', icon: 'dashboard', group: 'reports' },
  { to: '/settings/api-keys', label: 'nav.api_keys', icon: 'key', group: 'settings', adminOnly: true },
  { to: '/settings/credentials', label: 'nav.credentials', icon: 'credential', group: 'settings', adminOnly: true },
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
