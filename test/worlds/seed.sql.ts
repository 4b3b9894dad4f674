import type { Kysely } from 'kysely';
import type { DeliveryCaps } from '../../src/domain/booking/line-item.ts';
import type { FrequencyCap } from '../../src/domain/frequency/frequency-cap.ts';
import type { PricingModel } from '../../src/domain/pricing/pricing-models.ts';
import type { Database } from '../../src/storage/sql/schema.ts';

/** Network 1000 with workspaces 1 (production) and 2 (staging), an advertiser, a campaign, a site with two ad units. */
export async function seedNetwork(db: Kysely<Database>): Promise<void> {
  await db
    .insertInto('networks')
    .values({ id: 1000n, name: 'Demo', timezone: 'Europe/Warsaw', currency: 'PLN' })
    .execute();
  const workspaces = [
    { id: 1, network_id: 1000n, environment: 'production' },
    { id: 2, network_id: 1000n, environment: 'staging' },
  ] as const;
  await db.insertInto('workspaces').values(workspaces).execute();
  const advertiser = {
    name: 'Acme & <Sons>',
    domains: ['acme.example'],
    dsa_behalf: 'Acme',
    dsa_paid: 'Acme Holding',
    credit_micros: null,
  };
  const more = { external_id: null };
  await db
    .insertInto('advertisers')
    .values({ workspace_id: 1, id: 1n, ...advertiser, ...more })
    .execute();
  await db
    .insertInto('campaigns')
    .values({ workspace_id: 1, id: 1n, advertiser_id: 1n, name: 'C', status: 'ACTIVE', ...more })
    .execute();
  await db
    .insertInto('sites')
    .values({ workspace_id: 1, id: 1n, code: 'news', name: 'News', domain: 'news.example' })
    .execute();
  const units = [
    {
      id: 1n,
      name: 'home/top',
      sizes: JSON.stringify([{ width: 300, height: 250 }]),
      media_types: ['banner', 'native'],
    },
    { id: 2n, name: 'home/video', sizes: '[]', media_types: ['video'] },
  ];
  await db
    .insertInto('ad_units')
    .values(units.map((unit) => ({ workspace_id: 1, site_id: 1n, ...unit })))
    .execute();
}

/** A PRICE line item of workspace 1 with one creative of this content. */
export async function seedLineItem(
  db: Kysely<Database>,
  row: {
    id: bigint;
    cpm: bigint;
    content: object & { format: string };
    width?: number;
    height?: number;
    targeting?: object;
  },
): Promise<void> {
  const { id, cpm, content, width = 300, height = 250, targeting } = row;
  await db
    .insertInto('line_items')
    .values({
      workspace_id: 1,
      id,
      campaign_id: 1n,
      name: `L${id}`,
      status: 'ACTIVE',
      type: 'PRICE',
      price_micros: cpm * 1_000_000n,
      share_percent: null,
      timezone: null,
      external_id: null,
      targeting: targeting === undefined ? null : JSON.stringify(targeting),
    })
    .execute();
  await db
    .insertInto('creatives')
    .values({
      workspace_id: 1,
      id: id * 100n,
      line_item_id: id,
      name: 'c',
      format: content.format as 'IMAGE',
      width,
      height,
      content: JSON.stringify(content),
      click_url: 'https://acme.example/lp?a=1&b="2"',
      language: null,
      external_id: null,
    })
    .execute();
}

/** Sets the status of a line item. */
export async function setLineItemStatus(db: Kysely<Database>, id: bigint, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
  await db
    .updateTable('line_items')
    .set({ status, updated_at: new Date() })
    .where('workspace_id', '=', 1)
    .where('id', '=', id)
    .execute();
}

/** Sets the status of network 1000. */
export async function setNetworkStatus(db: Kysely<Database>, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
  await db.updateTable('networks').set({ status }).where('id', '=', 1000n).execute();
}

/** Makes a line item a draft that has not changed for a long time. */
export async function draftLineItem(db: Kysely<Database>, id: bigint): Promise<void> {
  await db
    .updateTable('line_items')
    .set({ status: 'DRAFT', updated_at: new Date(Date.now() - 90 * 86_400_000) })
    .where('workspace_id', '=', 1)
    .where('id', '=', id)
    .execute();
}

/** Removes all line items with ids above `lastKeptId` from snapshots, as if they had stopped long ago. */
export async function archiveLineItems(db: Kysely<Database>, lastKeptId: bigint): Promise<void> {
  const longAgo = new Date(Date.now() - 90 * 86_400_000);
  const stopped = { status: 'ARCHIVED', updated_at: longAgo } as const;
  await db.updateTable('line_items').set(stopped).where('workspace_id', '=', 1).where('id', '>', lastKeptId).execute();
}

/** Sets limits, a goal, another pricing model or another tier of a line item. */
export async function changeLineItem(
  db: Kysely<Database>,
  id: bigint,
  change: {
    readonly caps?: Partial<DeliveryCaps>;
    readonly frequencyCaps?: readonly FrequencyCap[];
    readonly pricingModel?: PricingModel;
    readonly priceMicros?: bigint;
  },
): Promise<void> {
  const { caps, frequencyCaps, pricingModel, priceMicros } = change;
  await db
    .updateTable('line_items')
    .set({
      ...(caps === undefined ? {} : { caps: JSON.stringify(caps) }),
      ...(frequencyCaps === undefined ? {} : { frequency_caps: JSON.stringify(frequencyCaps) }),
      ...(pricingModel === undefined ? {} : { pricing_model: pricingModel }),
      ...(priceMicros === undefined ? {} : { price_micros: priceMicros }),
    })
    .where('workspace_id', '=', 1)
    .where('id', '=', id)
    .execute();
}
