import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import type { Creative } from '../../domain/booking/creative.ts';
import { readLabelCaps } from '../../domain/frequency/label-cap.ts';
import { readExchangeRates } from '../../domain/tenancy/exchange-rates.ts';
import { NO_CAPS } from '../../domain/booking/line-item.ts';
import type { Advertiser, Campaign, Deal, LineItem } from '../../domain/booking/line-item.ts';
import { pricingModelsWhere } from '../../domain/pricing/pricing-models.ts';
import { CLICK_WINDOW_MS, CREDIT_WINDOW_MS } from '../../domain/events/served-ad.ts';
import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { SnapshotPart, SnapshotParts } from '../decision/index/snapshot-parts.ts';
import { readActivities, readAdUnits, readAreas, readSites } from './snapshot-inventory.sql.ts';
import { readFloors, readReportKeys, readSegmentRows } from './snapshot-audience.sql.ts';

const DAY_MS = 86_400_000;
/**
 * How long a stopped line item or creative stays in snapshots, so that its clicks are still redirected and its budgets limit what they
 * earn.
 */
export const STOPPED_KEPT_MS = CLICK_WINDOW_MS + DAY_MS;
/**
 * How long campaigns, and line items that are paid by conversions, stay: until the last conversion that an activity can credit to the last
 * click. We never bill for objects that have left the snapshot.
 */
export const CREDITED_KEPT_MS = CLICK_WINDOW_MS + CREDIT_WINDOW_MS + DAY_MS;

/** At most this many objects are read one by one; beyond it the whole workspace is read. */
export const PART_IDS_MAX = 500;

type Sql = Kysely<Database>;

/** Every workspace of every network, by id; or only this one. */
export async function readWorkspaces(sql: Sql, onlyWorkspaceId?: number): Promise<Workspace[]> {
  const query = sql
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select(['workspaces.id', 'workspaces.environment', 'networks.id as networkId', 'networks.name', 'networks.status'])
    .select(['networks.timezone', 'networks.currency', 'networks.floor_micros', 'networks.settings'])
    .orderBy('workspaces.id');
  const only = onlyWorkspaceId === undefined ? query : query.where('workspaces.id', '=', onlyWorkspaceId);
  const rows = await only.execute();
  const experiments = await readLastExperiments(sql, onlyWorkspaceId);
  return rows.map((row) => ({
    workspaceId: row.id,
    networkId: String(row.networkId),
    environment: row.environment,
    networkName: row.name,
    status: row.status,
    timezone: row.timezone,
    currency: row.currency,
    floorMicros: Number(row.floor_micros),
    ...readWhyLanguages(row.settings['languages']),
    ...(row.settings['impressionTouches'] === 'VIEWABLE_IMPRESSIONS'
      ? { impressionTouches: 'VIEWABLE_IMPRESSIONS' }
      : {}),
    ...(row.settings['goalCompetition'] === 'LEVELS' ? { goalCompetition: 'LEVELS' } : {}),
    ...readLabelCaps(row.settings),
    ...readExchangeRates(row.settings),
    ...experiments.get(row.id),
  }));
}

/** The experiment of each workspace that ends last: of those that have not ended there is one at most. */
async function readLastExperiments(sql: Sql, onlyWorkspaceId?: number) {
  const query = sql
    .selectFrom('experiments')
    .distinctOn('workspace_id')
    .select(['workspace_id', 'id', 'rule', 'share_percent', 'starts_at', 'ends_at'])
    .whereRef('ends_at', '>', 'starts_at')
    .orderBy('workspace_id')
    .orderBy('ends_at', 'desc');
  const only = onlyWorkspaceId === undefined ? query : query.where('workspace_id', '=', onlyWorkspaceId);
  const found = new Map<number, Pick<Workspace, 'experiment'>>();
  for (const row of await only.execute()) {
    const experiment = {
      id: String(row.id),
      rule: row.rule,
      sharePercent: row.share_percent,
      startsAtMs: row.starts_at.getTime(),
      endsAtMs: row.ends_at.getTime(),
    };
    found.set(row.workspace_id, { experiment });
  }
  return found;
}

function readWhyLanguages(languages: unknown): Pick<Workspace, 'whyLanguages'> {
  return Array.isArray(languages) && languages.length > 0 ? { whyLanguages: languages.map(String) } : {};
}

/**
 * Reads all workspaces, each in one consistent transaction: active objects, the parents and inventory that they need, and objects that
 * stopped within `STOPPED_KEPT_MS` (`CREDITED_KEPT_MS` where conversions may earn). Older drafts are left out.
 */
export async function readSnapshots(
  sql: Sql,
  nowMs: number,
  onlyWorkspaceIds?: readonly number[],
): Promise<WorkspaceSnapshot[]> {
  return sql
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const workspaces = await readWorkspaces(trx);
      const snapshots: WorkspaceSnapshot[] = [];
      for (const workspace of workspaces) {
        if (onlyWorkspaceIds !== undefined && !onlyWorkspaceIds.includes(workspace.workspaceId)) continue;
        snapshots.push({ workspace, ...(await readAllParts(trx, workspace, nowMs)) });
      }
      return snapshots;
    });
}

async function readAllParts(sql: Sql, workspace: Workspace, nowMs: number): Promise<SnapshotParts> {
  return {
    ...(await readShortParts(sql, workspace, nowMs)),
    lineItems: await readPart(sql, workspace, { part: 'lineItems', nowMs, ids: null }),
    creatives: await readPart(sql, workspace, { part: 'creatives', nowMs, ids: null }),
  };
}

/** All lists of a workspace but the two long ones. */
export async function readShortParts(
  sql: Sql,
  workspace: Workspace,
  nowMs: number,
): Promise<Omit<SnapshotParts, 'lineItems' | 'creatives'>> {
  const read = <P extends SnapshotPart>(part: P) => readPart(sql, workspace, { part, nowMs, ids: null });
  return {
    advertisers: await read('advertisers'),
    campaigns: await read('campaigns'),
    deals: await read('deals'),
    sites: await read('sites'),
    areas: await read('areas'),
    adUnits: await read('adUnits'),
    activities: await read('activities'),
    segments: await read('segments'),
    floors: await read('floors'),
    reportKeys: await read('reportKeys'),
  };
}

/** Selects the objects of one workspace: the whole snapshot, or those of it with these ids (at most `PART_IDS_MAX`). */
export interface PartQuery<P extends SnapshotPart> {
  readonly part: P;
  readonly nowMs: number;
  readonly ids: readonly string[] | null;
}

/** Reads objects of one kind. An id without a result no longer belongs in the snapshot. */
export async function readPart<P extends SnapshotPart>(
  sql: Sql,
  workspace: Workspace,
  query: PartQuery<P>,
): Promise<SnapshotParts[P]> {
  const readPart: { readonly [K in SnapshotPart]: () => Promise<SnapshotParts[K]> } = {
    advertisers: () => readAdvertisers(sql, workspace.workspaceId, query.ids),
    campaigns: () => readCampaigns(sql, workspace.workspaceId, query),
    lineItems: () => readLineItems(sql, workspace, query),
    creatives: () => readCreatives(sql, workspace.workspaceId, query),
    deals: () => readDeals(sql, workspace.workspaceId, query.ids),
    sites: () => readSites(sql, workspace.workspaceId, query.ids),
    areas: () => readAreas(sql, workspace.workspaceId, query.ids),
    adUnits: () => readAdUnits(sql, workspace.workspaceId, query.ids),
    activities: () => readActivities(sql, workspace.workspaceId, query.ids),
    segments: () => readSegmentRows(sql, workspace.workspaceId, query.ids),
    floors: () => readFloors(sql, workspace.workspaceId, query.ids),
    reportKeys: () => readReportKeys(sql, workspace.workspaceId, query.ids),
  };
  return readPart[query.part]();
}

interface Kept {
  readonly nowMs: number;
  readonly ids: readonly string[] | null;
}

/** One page of a list: so many records with greater ids. */
interface KeptPage extends Kept {
  readonly page?: { readonly after: string; readonly records: number };
}

type Booked = 'campaigns' | 'line_items';

/** Active, or changed recently: a draft or reserved line item may have been active until then. */
function isKept(nowMs: number, keptMs = STOPPED_KEPT_MS) {
  return (eb: ExpressionBuilder<Database, Booked>) =>
    eb.or([eb('status', '=', 'ACTIVE'), eb('updated_at', '>', new Date(nowMs - keptMs))]);
}

function isKeptLineItem(eb: ExpressionBuilder<Database, 'line_items'>, nowMs: number, keptMs: number) {
  const isBeforeEnd = eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', new Date(nowMs - keptMs))]);
  return eb.and([isKept(nowMs, keptMs)(eb as ExpressionBuilder<Database, Booked>), isBeforeEnd]);
}

function toInt8(ids: readonly string[]): bigint[] {
  return ids.map(BigInt);
}

function labelsOf({ labels }: { readonly labels: readonly string[] }): { labels?: readonly string[] } {
  return labels.length === 0 ? {} : { labels };
}

async function readAdvertisers(sql: Sql, workspaceId: number, ids: readonly string[] | null): Promise<Advertiser[]> {
  const query = sql.selectFrom('advertisers').selectAll().where('workspace_id', '=', workspaceId);
  const rows = await (ids === null ? query : query.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    status: row.status,
    domains: row.domains,
    dsaBehalf: row.dsa_behalf,
    dsaPaid: row.dsa_paid,
    exclusionLabels: row.exclusion_labels,
    ...labelsOf(row),
    frequencyCaps: row.frequency_caps,
    creditMicros: row.credit_micros === null ? null : Number(row.credit_micros),
    categories: row.categories,
  }));
}

async function readCampaigns(sql: Sql, workspaceId: number, { nowMs, ids }: Kept): Promise<Campaign[]> {
  const query = sql
    .selectFrom('campaigns')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(isKept(nowMs, CREDITED_KEPT_MS));
  const rows = await (ids === null ? query : query.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map((row) => ({
    id: String(row.id),
    advertiserId: String(row.advertiser_id),
    name: row.name,
    status: row.status,
    startsAtMs: row.starts_at?.getTime() ?? null,
    endsAtMs: row.ends_at?.getTime() ?? null,
    caps: { ...NO_CAPS, ...row.caps },
    frequencyCaps: row.frequency_caps,
    ...labelsOf(row),
  }));
}

/** Models that are paid by conversions, which come long after the ad. */
const CREDITED_MODELS = pricingModelsWhere(({ event }) => event === 'activity');

/** Line items in ascending order of id: all, those of ids, or a page. */
export async function readLineItems(
  sql: Sql,
  workspace: Workspace,
  { nowMs, ids, page }: KeptPage,
): Promise<LineItem[]> {
  const query = sql
    .selectFrom('line_items')
    .selectAll()
    .where('workspace_id', '=', workspace.workspaceId)
    .where((eb) =>
      eb.or([
        isKeptLineItem(eb, nowMs, STOPPED_KEPT_MS),
        eb.and([
          // Line items that name activities stay just as long: without the names, every activity would be credited to them.
          eb.or([eb('pricing_model', 'in', CREDITED_MODELS), eb(eb.cast('counted_activities', 'text'), '!=', '[]')]),
          isKeptLineItem(eb, nowMs, CREDITED_KEPT_MS),
        ]),
      ]),
    );
  const paged = page === undefined ? query : query.where('id', '>', BigInt(page.after)).limit(page.records);
  const rows = await (ids === null ? paged : paged.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map((row) => toLineItem(row, workspace.timezone));
}

function toLineItem(row: Selectable<Database['line_items']>, networkTimezone: string): LineItem {
  return {
    id: String(row.id),
    campaignId: String(row.campaign_id),
    dealId: row.deal_id === null ? null : String(row.deal_id),
    advertisingProductId: row.advertising_product_id === null ? null : String(row.advertising_product_id),
    name: row.name,
    status: row.status,
    type: row.type,
    level: row.level,
    sharePercent: row.share_percent,
    goal: row.goal,
    pacing: row.pacing,
    pricingModel: row.pricing_model,
    priceMicros: Number(row.price_micros),
    caps: { ...NO_CAPS, ...row.caps },
    frequencyCaps: row.frequency_caps,
    serveWithoutUser: row.serve_without_user,
    pauseAfterGoal: row.pause_after_goal,
    startsAtMs: row.starts_at?.getTime() ?? null,
    endsAtMs: row.ends_at?.getTime() ?? null,
    timezone: row.timezone ?? networkTimezone,
    dayParts: row.day_parts,
    targeting: row.targeting,
    creativeRotation: row.creative_rotation,
    roadblock: row.roadblock,
    companionMode: row.companion_mode,
    exclusionLabels: row.exclusion_labels,
    ...labelsOf(row),
    ...(row.optimisation_goal === null ? {} : { optimisationGoal: row.optimisation_goal }),
    ...(row.counted_activities.length === 0 ? {} : { countedActivities: row.counted_activities }),
  };
}

/** Creatives of these line items (at most `PART_IDS_MAX`): a line item that was just activated brings its own. */
export async function readCreativesOf(
  sql: Sql,
  workspaceId: number,
  query: { readonly nowMs: number; readonly lineItemIds: readonly string[] },
): Promise<Creative[]> {
  const rows = await selectCreatives(sql, workspaceId, query.nowMs)
    .where('line_item_id', 'in', toInt8(query.lineItemIds))
    .orderBy('id')
    .execute();
  return rows.map(toCreative);
}

/** Creatives in ascending order of id: all, those of ids, or a page. */
export async function readCreatives(
  sql: Sql,
  workspaceId: number,
  { nowMs, ids, page }: KeptPage,
): Promise<Creative[]> {
  const query = selectCreatives(sql, workspaceId, nowMs);
  const paged = page === undefined ? query : query.where('id', '>', BigInt(page.after)).limit(page.records);
  const rows = await (ids === null ? paged : paged.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map(toCreative);
}

function selectCreatives(sql: Sql, workspaceId: number, nowMs: number) {
  return sql
    .selectFrom('creatives')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('status', '=', 'ACTIVE'), eb('updated_at', '>', new Date(nowMs - STOPPED_KEPT_MS))]))
    .where((eb) =>
      eb(
        'line_item_id',
        'in',
        sql.selectFrom('line_items').select('id').where('workspace_id', '=', workspaceId).where(isKept(nowMs)),
      ),
    );
}

function toCreative(row: Selectable<Database['creatives']>): Creative {
  return {
    id: String(row.id),
    lineItemId: String(row.line_item_id),
    masterCreativeId: row.master_creative_id === null ? null : String(row.master_creative_id),
    name: row.name,
    status: row.status,
    reviewState: row.review_state,
    width: row.width,
    height: row.height,
    content: row.content,
    clickUrl: row.click_url,
    trackers: {
      impressionUrls: row.trackers.impressionUrls ?? [],
      clickUrls: row.trackers.clickUrls ?? [],
      viewableUrls: row.trackers.viewableUrls ?? [],
    },
    weight: row.weight,
    startsAtMs: row.starts_at?.getTime() ?? null,
    endsAtMs: row.ends_at?.getTime() ?? null,
    secure: row.secure,
    attributes: row.attributes,
    language: row.language,
    frequencyCaps: row.frequency_caps,
  };
}

async function readDeals(sql: Sql, workspaceId: number, ids: readonly string[] | null): Promise<Deal[]> {
  const query = sql.selectFrom('deals').selectAll().where('workspace_id', '=', workspaceId);
  const rows = await (ids === null ? query : query.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map((row) => ({
    id: String(row.id),
    code: row.code,
    name: row.name,
    status: row.status,
    floorMicros: Number(row.floor_micros),
    fixedPriceMicros: row.fixed_price_micros === null ? null : Number(row.fixed_price_micros),
    seats: row.seats,
    ...(row.kind === 'PRIVATE' ? {} : { kind: row.kind }),
  }));
}
