import type { Kysely, Transaction } from 'kysely';
import { parseMicros } from '../domain/money/money.ts';
import type { Targeting } from '../domain/targeting/targeting.ts';
import type { Environment } from '../domain/tenancy/workspace.ts';
import { zonedAt } from '../domain/time/time-zone.ts';
import type { Database } from '../storage/sql/schema.ts';
import {
  DEMO_ACTGID,
  DEMO_AD_UNITS,
  DEMO_ADVERTISERS,
  DEMO_CAMPAIGNS,
  DEMO_DEALS,
  DEMO_NETWORK_ID,
  DEMO_SITES,
  DEMO_TIMEZONE,
  type DemoCreative,
  type DemoLineItem,
} from './booking.ts';
import type { DemoArtwork } from './artwork.ts';
import { seedProducts } from './products/seed-products.sql.ts';
import { seedSegments } from './segments.sql.ts';

/** Whom the audit log and the listings name for what seeding makes. */
export const DEMO_ACTOR = 'system:demo';

type Trx = Transaction<Database>;
/** Stored ids by the names of the demo's booking. */
type Ids = ReadonlyMap<string, bigint>;

/** Creates the network row and its two workspaces; returns the workspace ids. Repeatable. */
export async function seedNetwork(trx: Trx): Promise<Record<Environment, number>> {
  await trx
    .insertInto('networks')
    .values({ id: DEMO_NETWORK_ID, name: 'Demo', timezone: DEMO_TIMEZONE, currency: 'PLN' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const ids = { production: 0, staging: 0 };
  for (const environment of ['production', 'staging'] as const) {
    const row = await trx
      .insertInto('workspaces')
      .values({ network_id: DEMO_NETWORK_ID, environment })
      .onConflict((conflict) => conflict.columns(['network_id', 'environment']).doUpdateSet({ environment }))
      .returning('id')
      .executeTakeFirstOrThrow();
    ids[environment] = row.id;
  }
  return ids;
}

/** Deletes what a workspace has booked, children first; keys, credentials and users stay. */
export async function clearBooking(trx: Trx, workspaceId: number): Promise<void> {
  const tables = [
    'creatives',
    'library_creatives',
    'line_items',
    'campaigns',
    'advertisers',
    'deals',
    'advertising_products',
    'ad_units',
    'areas',
    'sites',
    'activities',
    'segments',
  ] as const;
  for (const table of tables) await trx.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
}

/** What a workspace gets. `midnightMs` is the network's midnight that flights are counted from. */
export interface DemoBooking {
  readonly workspaceId: number;
  readonly items: readonly DemoLineItem[];
  readonly midnightMs: number;
}

/** Books inventory, buyers, line items and audiences in one workspace. */
export async function seedBooking(trx: Trx, booking: DemoBooking, artwork: DemoArtwork): Promise<void> {
  const { workspaceId, items, midnightMs } = booking;
  const inventory = await seedInventory(trx, workspaceId);
  const buyers = await seedBuyers(trx, workspaceId, inventory);
  await insertLibrary(trx, { workspaceId, buyers, artwork });
  for (const item of items) {
    const lineItemId = await insertLineItem(trx, workspaceId, { item, inventory, buyers, midnightMs });
    if (item.creatives.length > 0) await insertCreatives(trx, { workspaceId, lineItemId, item, artwork });
  }
  const activity = await trx
    .insertInto('activities')
    .values({ workspace_id: workspaceId, actgid: DEMO_ACTGID, name: 'Demo purchase' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await seedSegments(trx, { workspaceId, activityId: activity.id, midnightMs });
}

async function seedInventory(trx: Trx, workspaceId: number): Promise<Ids> {
  const ids = new Map<string, bigint>();
  for (const site of DEMO_SITES) {
    const { id } = await trx
      .insertInto('sites')
      .values({ workspace_id: workspaceId, code: site.code, name: site.name, domain: site.domain })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(`site:${site.code}`, id);
    for (const code of site.areas) {
      const area = await trx
        .insertInto('areas')
        .values({ workspace_id: workspaceId, site_id: id, code, name: code[0]?.toUpperCase() + code.slice(1) })
        .returning('id')
        .executeTakeFirstOrThrow();
      ids.set(`area:${site.code}/${code}`, area.id);
    }
  }
  for (const unit of DEMO_AD_UNITS) {
    const { id } = await trx
      .insertInto('ad_units')
      .values({
        workspace_id: workspaceId,
        site_id: need(ids, `site:${unit.site}`),
        area_id: unit.area === null ? null : need(ids, `area:${unit.site}/${unit.area}`),
        name: unit.name,
        sizes: JSON.stringify(unit.sizes.map(([width, height]) => ({ width, height }))),
        media_types: [...unit.mediaTypes],
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(`adUnit:${unit.name}`, id);
  }
  return ids;
}

async function seedBuyers(trx: Trx, workspaceId: number, inventory: Ids): Promise<Ids> {
  const ids = new Map<string, bigint>();
  for (const advertiser of DEMO_ADVERTISERS) {
    const { id } = await trx
      .insertInto('advertisers')
      .values({
        workspace_id: workspaceId,
        name: advertiser.name,
        domains: [advertiser.domain],
        dsa_behalf: advertiser.dsaBehalf,
        dsa_paid: advertiser.dsaPaid,
        exclusion_labels: [...advertiser.exclusionLabels],
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(`advertiser:${advertiser.key}`, id);
  }
  for (const campaign of DEMO_CAMPAIGNS) {
    const { id } = await trx
      .insertInto('campaigns')
      .values({
        workspace_id: workspaceId,
        advertiser_id: need(ids, `advertiser:${campaign.advertiser}`),
        name: campaign.name,
        status: 'ACTIVE',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(`campaign:${campaign.key}`, id);
  }
  for (const deal of DEMO_DEALS) {
    const { id } = await trx
      .insertInto('deals')
      .values({
        workspace_id: workspaceId,
        code: deal.code,
        name: deal.name,
        floor_micros: parseMicros(deal.floor, 'floor'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(`deal:${deal.code}`, id);
  }
  const find = (name: string): bigint => need(name.startsWith('adUnit:') ? inventory : ids, name);
  for (const [name, id] of await seedProducts(trx, workspaceId, find)) ids.set(`product:${name}`, id);
  return ids;
}

interface LineItemSeed {
  readonly item: DemoLineItem;
  readonly inventory: Ids;
  readonly buyers: Ids;
  readonly midnightMs: number;
}

async function insertLineItem(trx: Trx, workspaceId: number, seed: LineItemSeed): Promise<bigint> {
  const { item, inventory, buyers } = seed;
  const caps = {
    ...(item.impressionsPerDay === undefined ? {} : { impressionsPerDay: item.impressionsPerDay }),
    ...(item.spendPerDay === undefined
      ? {}
      : { spendMicrosPerDay: Number(parseMicros(item.spendPerDay, 'spendPerDay')) }),
  };
  const { id } = await trx
    .insertInto('line_items')
    .values({
      workspace_id: workspaceId,
      campaign_id: need(buyers, `campaign:${item.campaign}`),
      deal_id: item.deal === undefined ? null : need(buyers, `deal:${item.deal}`),
      advertising_product_id: item.product === undefined ? null : need(buyers, `product:${item.product}`),
      name: item.name,
      status: item.status ?? 'ACTIVE',
      starts_at: dayOf(seed, item.flight?.[0]),
      ends_at: dayOf(seed, item.flight?.[1]),
      type: item.type,
      level: item.level ?? 8,
      share_percent: item.sharePercent ?? null,
      goal: item.goal === undefined ? null : JSON.stringify(item.goal),
      pacing: item.pacing ?? 'EVEN',
      pricing_model: item.pricingModel,
      price_micros: parseMicros(item.price, 'price'),
      caps: JSON.stringify(caps),
      frequency_caps: JSON.stringify(item.frequencyCaps ?? []),
      serve_without_user: true,
      companion_mode: item.companions === undefined ? 'NONE' : 'OPTIONAL',
      targeting: jsonOrNull(targetingOf(item, inventory)),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function dayOf({ midnightMs }: LineItemSeed, day: number | undefined): Date | null {
  return day === undefined ? null : new Date(zonedAt(DEMO_TIMEZONE, midnightMs).add({ days: day }).epochMilliseconds);
}

function targetingOf(item: DemoLineItem, inventory: Ids): Targeting | null {
  const tests: Targeting[] = [];
  if (item.sites !== undefined)
    tests.push({
      dimension: 'site',
      operator: 'is',
      values: item.sites.map((code) => need(inventory, `site:${code}`).toString()),
    });
  if (item.adUnits !== undefined)
    tests.push({
      dimension: 'adUnit',
      operator: 'is',
      values: item.adUnits.map((name) => need(inventory, `adUnit:${name}`).toString()),
    });
  if (item.countries !== undefined) tests.push({ dimension: 'country', operator: 'is', values: [...item.countries] });
  if (item.keyValue !== undefined) {
    const [key, value] = item.keyValue;
    tests.push({ dimension: 'keyValue', operator: 'is', key, values: [value] });
  }
  if (item.deal !== undefined) tests.push({ dimension: 'deal', operator: 'is', values: [item.deal] });
  return tests.length === 0 ? null : { all: tests };
}

interface CreativesSeed {
  readonly workspaceId: number;
  readonly lineItemId: bigint;
  readonly item: DemoLineItem;
  readonly artwork: DemoArtwork;
}

async function insertCreatives(trx: Trx, { workspaceId, lineItemId, item, artwork }: CreativesSeed): Promise<void> {
  const advertiserKey = DEMO_CAMPAIGNS.find((campaign) => campaign.key === item.campaign)?.advertiser;
  const advertiser = DEMO_ADVERTISERS.find((one) => one.key === advertiserKey);
  if (advertiser === undefined) throw new Error(`The demo's campaign ${item.campaign} has no advertiser.`);
  const insert = (creatives: readonly DemoCreative[], masterId: bigint | null) =>
    trx
      .insertInto('creatives')
      .values(
        creatives.map((creative) => ({
          workspace_id: workspaceId,
          line_item_id: lineItemId,
          master_creative_id: masterId,
          name: creativeName(advertiser.name, creative),
          format: creative[0],
          width: creative[1],
          height: creative[2],
          ...(item.review === undefined ? {} : { review_state: item.review }),
          content: JSON.stringify(artwork.contentOf(advertiser, creative)),
          click_url: `https://www.${advertiser.domain}/?from=placard-demo`,
        })),
      )
      .returning('id')
      .execute();
  const [first] = await insert(item.creatives, null);
  if (item.companions !== undefined && first !== undefined) await insert(item.companions, first.id);
}

/** A creative that no line item uses yet, for each advertiser. */
async function insertLibrary(
  trx: Trx,
  {
    workspaceId,
    buyers,
    artwork,
  }: { readonly workspaceId: number; readonly buyers: Ids; readonly artwork: DemoArtwork },
): Promise<void> {
  const creative: DemoCreative = ['IMAGE', 300, 250];
  const [format, width, height] = creative;
  await trx
    .insertInto('library_creatives')
    .values(
      DEMO_ADVERTISERS.map((advertiser) => ({
        workspace_id: workspaceId,
        advertiser_id: need(buyers, `advertiser:${advertiser.key}`),
        name: `${creativeName(advertiser.name, creative)}, spare`,
        status: 'ACTIVE' as const,
        format,
        width,
        height,
        content: JSON.stringify(artwork.contentOf(advertiser, creative)),
        click_url: `https://www.${advertiser.domain}/?from=placard-demo`,
      })),
    )
    .execute();
}

function creativeName(advertiser: string, [format, width, height]: DemoCreative): string {
  return width === 0
    ? `${advertiser} ${format.toLowerCase()}`
    : `${advertiser} ${format.toLowerCase()} ${width}x${height}`;
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function need(ids: Ids, name: string): bigint {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo's booking names ${name}, which it does not make.`);
  return id;
}

/** The unrevoked keys that an earlier seeding made. */
export async function listDemoKeys(
  sql: Kysely<Database>,
  workspaceIds: readonly number[],
): Promise<{ workspaceId: number; id: string }[]> {
  const rows = await sql
    .selectFrom('api_keys')
    .select(['workspace_id', 'id'])
    .where('workspace_id', 'in', workspaceIds)
    .where('created_by', '=', DEMO_ACTOR)
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map((row) => ({ workspaceId: row.workspace_id, id: row.id.toString() }));
}

/** The enabled header-credential pairs that an earlier seeding made. */
export async function listDemoPairs(
  sql: Kysely<Database>,
  workspaceIds: readonly number[],
): Promise<{ workspaceId: number; id: string }[]> {
  const rows = await sql
    .selectFrom('header_credentials')
    .select(['workspace_id', 'id'])
    .where('workspace_id', 'in', workspaceIds)
    .where('created_by', '=', DEMO_ACTOR)
    .where('disabled_at', 'is', null)
    .execute();
  return rows.map((row) => ({ workspaceId: row.workspace_id, id: row.id.toString() }));
}

/** The id of the account with this address, or null. */
export async function findAccount(sql: Kysely<Database>, email: string): Promise<bigint | null> {
  const row = await sql.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  return row?.id ?? null;
}

/** Gives an account another password. */
export async function replacePassword(sql: Kysely<Database>, userId: bigint, passwordHash: string): Promise<void> {
  await sql.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}
