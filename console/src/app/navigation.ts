import type { MessageKey } from '../messages/say.ts';
import type { IconName } from '../ui/icons.tsx';
import { useIsAdmin, useSession } from '../session/session.ts';

/** The groups of the navigation, in their order. */
export const NAV_GROUPS = ['desk', 'inventory', 'audience', 'reports', 'settings'] as const;
export type NavGroup = (typeof NAV_GROUPS)[number];

/** A page that the navigation leads to. `adminOnly`, `operatorOnly`: the server refuses everyone else. */
export interface NavEntry {
  readonly to: string;
  /** Pages without an entry of their own that belong to this one. */
  readonly also?: readonly string[];
  readonly label: MessageKey;
  readonly icon: IconName;
  readonly group: NavGroup;
  /** The page of the guide about it, below `/docs/`. */
  readonly guide: string;
  readonly adminOnly?: boolean;
  readonly operatorOnly?: boolean;
}

/** The pages, in their order. */
export const NAVIGATION: readonly NavEntry[] = [
  { to: '/desk', label: 'nav.today', icon: 'today', group: 'desk', guide: 'console#the-desk' },
  { to: '/desk/line-items', label: 'nav.line_items', icon: 'table', group: 'desk', guide: 'pacing' },
  { to: '/desk/campaigns', label: 'nav.campaigns', icon: 'campaign', group: 'desk', guide: 'console#the-desk' },
  {
    to: '/desk/creatives',
    also: ['/desk/review', '/desk/library'],
    label: 'nav.creatives',
    icon: 'picture',
    group: 'desk',
    guide: 'macros',
  },
  {
    to: '/desk/advertisers',
    label: 'nav.advertisers',
    icon: 'user',
    group: 'desk',
    guide: 'glossary#people-and-parties',
  },
  { to: '/desk/deals', label: 'nav.deals', icon: 'deal', group: 'desk', guide: 'deals' },
  { to: '/desk/inspector', label: 'nav.inspector', icon: 'eye', group: 'desk', guide: 'diagnosis' },
  { to: '/desk/activity', label: 'nav.activity', icon: 'pulse', group: 'desk', guide: 'access#the-audit-log' },
  {
    to: '/desk/products',
    label: 'nav.products',
    icon: 'product',
    group: 'desk',
    guide: 'glossary#inventory-and-booking',
  },
  { to: '/desk/agents', label: 'nav.agents', icon: 'agent', group: 'desk', guide: 'selling-to-agents' },
  {
    to: '/desk/inventory',
    label: 'nav.inventory_tree',
    icon: 'tree',
    group: 'inventory',
    guide: 'glossary#inventory-and-booking',
  },
  { to: '/desk/availability', label: 'nav.availability', icon: 'calendar', group: 'inventory', guide: 'availability' },
  {
    to: '/desk/sites',
    label: 'nav.sites',
    icon: 'site',
    group: 'inventory',
    guide: 'glossary#inventory-and-booking',
  },
  { to: '/desk/areas', label: 'nav.areas', icon: 'area', group: 'inventory', guide: 'glossary#inventory-and-booking' },
  {
    to: '/desk/ad-units',
    label: 'nav.ad_units',
    icon: 'unit',
    group: 'inventory',
    guide: 'glossary#inventory-and-booking',
  },
  { to: '/desk/integrate', label: 'nav.integrate', icon: 'code', group: 'inventory', guide: 'start' },
  { to: '/desk/floors', label: 'nav.floors', icon: 'floor', group: 'inventory', guide: 'floors' },
  { to: '/desk/experiments', label: 'nav.experiments', icon: 'flask', group: 'inventory', guide: 'experiments' },
  { to: '/desk/key-values', label: 'nav.key_values', icon: 'label', group: 'inventory', guide: 'openrtb' },
  { to: '/desk/segments', label: 'nav.segments', icon: 'overlap', group: 'audience', guide: 'privacy' },
  { to: '/desk/activities', label: 'nav.activities', icon: 'flag', group: 'audience', guide: 'conversions' },
  {
    to: '/desk/targeting-presets',
    label: 'nav.presets',
    icon: 'target',
    group: 'audience',
    guide: 'glossary#inventory-and-booking',
  },
  { to: '/lens', label: 'nav.lens', icon: 'chart', group: 'reports', guide: 'console#the-lens' },
  { to: '/dashboards', label: 'nav.dashboards', icon: 'dashboard', group: 'reports', guide: 'console#dashboards' },
  {
    to: '/settings/api-keys',
    label: 'nav.api_keys',
    icon: 'key',
    group: 'settings',
    adminOnly: true,
    guide: 'access#keys-credentials-people',
  },
  {
    to: '/settings/credentials',
    label: 'nav.credentials',
    icon: 'credential',
    group: 'settings',
    adminOnly: true,
    guide: 'access#keys-credentials-people',
  },
  {
    to: '/settings/webhooks',
    label: 'nav.webhooks',
    icon: 'webhook',
    group: 'settings',
    adminOnly: true,
    guide: 'changes#webhooks',
  },
  {
    to: '/settings/report-links',
    label: 'nav.report_links',
    icon: 'share',
    group: 'settings',
    adminOnly: true,
    guide: 'team',
  },
  {
    to: '/settings/users',
    label: 'nav.users',
    icon: 'users',
    group: 'settings',
    adminOnly: true,
    guide: 'access#invitations-and-new-passwords',
  },
  { to: '/desk/teams', label: 'nav.teams', icon: 'team', group: 'settings', guide: 'team' },
  { to: '/desk/custom-fields', label: 'nav.custom_fields', icon: 'field', group: 'settings', guide: 'graphql' },
  {
    to: '/settings/network',
    label: 'nav.network',
    icon: 'network',
    group: 'settings',
    guide: 'access#networks-and-environments',
  },
  { to: '/settings/limits', label: 'nav.limits', icon: 'limits', group: 'settings', guide: 'access#limits' },
  {
    to: '/settings/audit-log',
    label: 'nav.audit',
    icon: 'audit',
    group: 'settings',
    adminOnly: true,
    guide: 'access#the-audit-log',
  },
  {
    to: '/settings/cluster',
    label: 'nav.cluster',
    icon: 'cluster',
    group: 'settings',
    operatorOnly: true,
    guide: 'operations/cluster',
  },
  { to: '/settings/account', label: 'nav.account', icon: 'session', group: 'settings', guide: 'access#passkeys' },
];

/** The pages that the signed-in person can use in the network that is looked at. */
export function useNavigation(): readonly NavEntry[] {
  const isAdmin = useIsAdmin();
  const { user } = useSession();
  return NAVIGATION.filter(
    ({ adminOnly, operatorOnly }) => (isAdmin || adminOnly !== true) && (user.operator || operatorOnly !== true),
  );
}

/** Whether the page of an entry is open, or a page that belongs to it. The page of a group is not open with the others of the group. */
export function isOpenPage({ to, also = [] }: Pick<NavEntry, 'to' | 'also'>, pathname: string): boolean {
  return [to, ...also].some((path) => pathname === path || (path !== '/desk' && pathname.startsWith(`${path}/`)));
}

/** The address of the guide's page about an open page; its first page where there is none. */
export function guideOf(pathname: string): string {
  const found = NAVIGATION.find((entry) => isOpenPage(entry, pathname));
  return found === undefined ? '/docs' : `/docs/${found.guide}`;
}
