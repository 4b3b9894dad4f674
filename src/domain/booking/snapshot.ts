import type { Creative } from './creative.ts';
import type { FloorRule } from './floor.ts';
import type { Activity, AdUnit, Area, Site } from './inventory.ts';
import type { ReportKey } from '../targeting/key-value.ts';
import type { Advertiser, Campaign, Deal, LineItem } from './line-item.ts';
import type { Segment } from '../targeting/segment.ts';
import type { Workspace } from '../tenancy/workspace.ts';

/**
 * All of one workspace that delivery and event counting need, as read from PostgreSQL: lists in ascending order of id. Plain data: it
 * is JSON on disk.
 */
export interface WorkspaceSnapshot {
  readonly workspace: Workspace;
  readonly advertisers: readonly Advertiser[];
  readonly campaigns: readonly Campaign[];
  readonly lineItems: readonly LineItem[];
  readonly creatives: readonly Creative[];
  readonly deals: readonly Deal[];
  readonly sites: readonly Site[];
  readonly areas: readonly Area[];
  readonly adUnits: readonly AdUnit[];
  readonly activities: readonly Activity[];
  /** Those in use. */
  readonly segments: readonly Segment[];
  /** Those in use. */
  readonly floors: readonly FloorRule[];
  /** Keys in use that reports list separately, at most `REPORT_KEYS_MAX`. */
  readonly reportKeys: readonly ReportKey[];
}

/** The kinds of change notices (channel `placard_change`); `network` covers its workspaces. */
export const CHANGE_KINDS = [
  'network',
  'advertiser',
  'campaign',
  'lineItem',
  'creative',
  'deal',
  'advertisingProduct',
  'site',
  'area',
  'adUnit',
  'activity',
  'apiKey',
  'headerCredential',
  'user',
  'segment',
  'floor',
  'keyValue',
  'experiment',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The look-ups of event counting about a served ad; `runtime/compose` builds it from the current snapshot. */
export interface Catalog {
  findWorkspace(networkId: string, environment: Workspace['environment']): Workspace | undefined;
  findWorkspaceById(workspaceId: number): Workspace | undefined;
  findLineItem(workspaceId: number, lineItemId: string): LineItem | undefined;
  findCampaign(workspaceId: number, campaignId: string): Campaign | undefined;
  findAdvertiser(workspaceId: number, advertiserId: string): Advertiser | undefined;
  findCreative(workspaceId: number, creativeId: string): Creative | undefined;
  findActivity(workspaceId: number, actgid: string): Activity | undefined;
  /** Whether any activity is this advertiser's own. */
  hasOwnActivity(workspaceId: number, advertiserId: string): boolean;
  /** The segments that this event of an activity (by its id) makes members of. */
  findSegmentsOfActivity(workspaceId: number, activityId: string, event: string): readonly Segment[];
}
