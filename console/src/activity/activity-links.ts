import { type ActivityEntry, subjectOf } from '../api/account/activity-feed.ts';
import type { AppSearch } from '../session/app-search.ts';

/** Where an object of the desk is shown. */
export interface DeskAddress {
  readonly to: string;
  readonly params?: { readonly id: string };
  readonly search: AppSearch;
}

/** Tables of the desk that open an object beside them. */
const TABLES: Readonly<Record<string, string>> = {
  activity: '/desk/activities',
  adUnit: '/desk/ad-units',
  advertiser: '/desk/advertisers',
  advertisingProduct: '/desk/products',
  area: '/desk/areas',
  creative: '/desk/creatives',
  customField: '/desk/custom-fields',
  deal: '/desk/deals',
  floor: '/desk/floors',
  keyValue: '/desk/key-values',
  libraryCreative: '/desk/library',
  segment: '/desk/segments',
  site: '/desk/sites',
  targetingPreset: '/desk/targeting-presets',
  team: '/desk/teams',
};

/** The page of the object of an entry; null where the desk has none. */
export function deskAddressOf(entry: ActivityEntry): DeskAddress | null {
  const { kind, id } = subjectOf(entry);
  if (kind === 'lineItem') return { to: '/desk/line-items/$id', params: { id }, search: {} };
  if (kind === 'campaign') return campaign(id);
  if (kind === 'reportShare') {
    const { campaignId } = (entry.details['after'] ?? {}) as { readonly campaignId?: string };
    return campaignId === undefined ? null : campaign(campaignId);
  }
  const table = TABLES[kind];
  return table === undefined ? null : { to: table, search: { open: id } };
}

function campaign(id: string): DeskAddress {
  return { to: '/desk/campaigns/$id', params: { id }, search: {} };
}
