import type { PlacardServer } from './placard-server.ts';

/** Ids of objects of the demo, for the addresses of their pages. */
export interface DemoIds {
  readonly campaign: string;
  readonly lineItem: string;
  readonly creative: string;
  readonly libraryCreative: string;
}

/**
 * Every route of the console, with an address of it; null for one that only leads elsewhere. A test compares this table with the router, so
 * that a new page cannot be left out of the tests of all pages.
 */
export const CONSOLE_PAGES: Readonly<Record<string, ((ids: DemoIds) => string) | null>> = {
  '/': null,
  '/sign-in': () => '/sign-in',
  '/invitation': () => '/invitation',
  '/forgot-password': () => '/forgot-password',
  '/reset-password': () => '/reset-password',
  '/confirm-address': () => '/confirm-address',
  '/lens': () => '/lens?d=campaign_name&g=none&v=bar&m=impressions,revenue',
  '/dashboards': () => '/dashboards',
  '/desk': () => '/desk',
  '/desk/agents': () => '/desk/agents',
  '/desk/review': () => '/desk/review',
  '/desk/line-items': () => '/desk/line-items',
  '/desk/line-items/new': () => '/desk/line-items/new',
  '/desk/line-items/$id': ({ lineItem }) => `/desk/line-items/${lineItem}`,
  '/desk/campaigns': () => '/desk/campaigns',
  '/desk/campaigns/$id': ({ campaign }) => `/desk/campaigns/${campaign}`,
  '/desk/campaigns/new': () => '/desk/campaigns/new',
  '/desk/campaigns/$id/edit': ({ campaign }) => `/desk/campaigns/${campaign}/edit`,
  '/desk/campaigns/$id/order': ({ campaign }) => `/desk/campaigns/${campaign}/order`,
  '/desk/campaigns/$id/creatives': ({ campaign }) => `/desk/campaigns/${campaign}/creatives`,
  '/desk/advertisers': () => '/desk/advertisers',
  '/desk/creatives': () => '/desk/creatives',
  '/desk/creatives/$id': ({ creative }) => `/desk/creatives/${creative}`,
  '/desk/library': () => '/desk/library',
  '/desk/library/$id': ({ libraryCreative }) => `/desk/library/${libraryCreative}`,
  '/desk/sites': () => '/desk/sites',
  '/desk/ad-units': () => '/desk/ad-units',
  '/desk/activity': () => '/desk/activity',
  '/desk/inspector': () => '/desk/inspector',
  '/desk/integrate': () => '/desk/integrate',
  '/desk/inventory': () => '/desk/inventory',
  '/desk/availability': () => '/desk/availability',
  '/desk/experiments': () => '/desk/experiments',
  '/desk/floors': () => '/desk/floors',
  '/desk/deals': () => '/desk/deals',
  '/desk/segments': () => '/desk/segments',
  '/desk/activities': () => '/desk/activities',
  '/desk/key-values': () => '/desk/key-values',
  '/desk/products': () => '/desk/products',
  '/desk/areas': () => '/desk/areas',
  '/desk/targeting-presets': () => '/desk/targeting-presets',
  '/desk/teams': () => '/desk/teams',
  '/desk/custom-fields': () => '/desk/custom-fields',
  '/settings': null,
  '/settings/api-keys': () => '/settings/api-keys',
  '/settings/credentials': () => '/settings/credentials',
  '/settings/webhooks': () => '/settings/webhooks',
  '/settings/webhooks/$id': () => '/settings/webhooks/1',
  '/settings/report-links': () => '/settings/report-links',
  '/settings/users': () => '/settings/users',
  '/settings/network': () => '/settings/network',
  '/settings/limits': () => '/settings/limits',
  '/settings/audit-log': () => '/settings/audit-log',
  '/settings/cluster': () => '/settings/cluster',
  '/settings/account': () => '/settings/account',
};

/** The addresses of all pages. */
export function consoleAddresses(ids: DemoIds): string[] {
  return Object.values(CONSOLE_PAGES).flatMap((address) => (address === null ? [] : [address(ids)]));
}

/** Objects of the demo network whose pages can be opened. */
export async function readDemoIds(placard: PlacardServer): Promise<DemoIds> {
  const response = await placard.graphql(
    `{ campaigns(first: 1) { nodes { id } } lineItems(first: 1, filter: {statuses: [ACTIVE]}) { nodes { id } }
      creatives(first: 1) { nodes { id } } libraryCreatives(first: 1) { nodes { id } } }`,
  );
  type Nodes = { readonly nodes: readonly { readonly id: string }[] };
  const { data } = response.json<{
    data: { campaigns: Nodes; lineItems: Nodes; creatives: Nodes; libraryCreatives: Nodes };
  }>();
  const firstOf = ({ nodes }: Nodes): string => nodes[0]?.id ?? '';
  return {
    campaign: firstOf(data.campaigns),
    lineItem: firstOf(data.lineItems),
    creative: firstOf(data.creatives),
    libraryCreative: firstOf(data.libraryCreatives),
  };
}
