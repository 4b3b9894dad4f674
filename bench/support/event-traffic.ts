import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { sealServedAd } from '../../src/domain/events/link-token.ts';
import { signingKey } from '../../src/domain/events/served-ad.ts';
import type { ServedAd } from '../../src/domain/events/served-ad.ts';
import { hashUser } from '../../src/domain/ids/user-hash.ts';
import { ImpressionIds } from '../../src/domain/ids/impression-ids.ts';
import type { LineItemType } from '../../src/domain/booking/line-item.ts';
import { ALL_LIMITS } from '../../src/domain/money/reservation.ts';
import type { PricingModel } from '../../src/domain/pricing/pricing-models.ts';
import { NO_KEY_VALUES } from '../../src/domain/targeting/key-value.ts';
import type { InstallationSecrets } from '../../src/storage/secrets.ts';
import { BENCH_NETWORK_ID } from './bench-network.ts';

/**
 * The features of line items in production that the plain bench network lacks: frequency caps, budgets of campaigns, limits of
 * the day, all pricing models; and an activity. $1 is the workspace. Limits are far away: nothing stops.
 */
export const EVENT_BOOKINGS: readonly string[] = [
  `UPDATE campaigns SET caps = '{"spendMicrosLifetime":900000000000000}',
     frequency_caps = '[{"event":"IMPRESSIONS","count":50,"window":"WEEK","every":1}]' WHERE workspace_id = $1`,
  `UPDATE line_items SET
     frequency_caps = '[{"event":"IMPRESSIONS","count":5,"window":"HOUR","every":1},{"event":"IMPRESSIONS","count":20,"window":"DAY","every":1}]',
     caps = '{"impressionsPerDay":900000000,"spendMicrosPerDay":900000000000000}',
     goal = '{"kind":"IMPRESSIONS","amount":100000000,"period":"DAY"}',
     pricing_model = CASE id % 10 WHEN 6 THEN 'CPC' WHEN 7 THEN 'CPC' WHEN 8 THEN 'CPA' WHEN 9 THEN 'VCPM' ELSE 'CPM' END
   WHERE workspace_id = $1 AND type <> 'HOUSE'`,
  `INSERT INTO activities (workspace_id, actgid, name) VALUES ($1, 'bench-order', 'Order')`,
];

/** The kinds of events that are measured. */
export const EVENT_KINDS_MEASURED = ['impression', 'viewable', 'click', 'activity'] as const;
export type MeasuredKind = (typeof EVENT_KINDS_MEASURED)[number];

const USERS = 20_000;
/** Headers that a browser sends with a pixel. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
  referer: 'https://www.bench.example/article/7',
};

interface BookedLineItem {
  readonly workspace_id: number;
  readonly line_item_id: string;
  readonly type: LineItemType;
  readonly pricing_model: PricingModel;
  readonly price_micros: string;
  readonly campaign_id: string;
  readonly advertiser_id: string;
  readonly creative_id: string;
}

/** Makes requests of events that were never sent before. */
export class EventTraffic {
  readonly #booked: readonly BookedLineItem[];
  readonly #secrets: InstallationSecrets;
  readonly #run = randomBytes(6).toString('hex');
  readonly #ids = new ImpressionIds();
  #turn = 0;

  private constructor(booked: readonly BookedLineItem[], secrets: InstallationSecrets) {
    this.#booked = booked;
    this.#secrets = secrets;
  }

  static async open(postgresUrl: string, secrets: InstallationSecrets): Promise<EventTraffic> {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    const { rows } = await client.query<BookedLineItem>(
      `SELECT l.workspace_id, l.id AS line_item_id, l.type, l.pricing_model, l.price_micros, l.campaign_id, c.advertiser_id, cr.id AS creative_id
       FROM line_items l JOIN workspaces w ON w.id = l.workspace_id JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.id = l.campaign_id
       JOIN creatives cr ON cr.workspace_id = l.workspace_id AND cr.line_item_id = l.id
       WHERE w.network_id = $1 AND w.environment = 'production' ORDER BY l.id`,
      [BENCH_NETWORK_ID],
    );
    await client.end();
    return new EventTraffic(rows, secrets);
  }

  /** Writes requests of one kind; the viewable ones are of the impressions that are given. Returns the tokens. */
  write(file: string, kind: MeasuredKind, count: number, tokens: readonly string[] = []): readonly string[] {
    const used = kind === 'activity' ? [] : Array.from({ length: count }, (_, at) => tokens[at] ?? this.#token());
    const path = { impression: 'imp', viewable: 'view', click: 'click', activity: '' }[kind];
    const lines =
      kind === 'activity'
        ? Array.from({ length: count }, () => `POST\t/api/v1/events\t${this.#activity()}`)
        : used.map((token) => `GET\t/${BENCH_NETWORK_ID}/${path}/${token}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return used;
  }

  #activity(): string {
    this.#turn += 1;
    return JSON.stringify({
      network: BENCH_NETWORK_ID,
      actgid: 'bench-order',
      event: 'purchased',
      cost: '12.50',
      ord: `${this.#run}-${this.#turn}`,
      lu: `user-${(this.#turn * 7919) % USERS}`,
      qty: 2,
    });
  }

  #token(): string {
    this.#turn += 1;
    const booked = this.#booked[(this.#turn * 31) % this.#booked.length] as BookedLineItem;
    const nowMs = Date.now();
    const user = `user-${(this.#turn * 7919) % USERS}`;
    const ad: ServedAd = {
      impressionId: this.#ids.next(nowMs),
      workspaceId: booked.workspace_id,
      advertiserId: booked.advertiser_id,
      campaignId: booked.campaign_id,
      lineItemId: booked.line_item_id,
      lineItemType: booked.type,
      creativeId: booked.creative_id,
      creativeFormat: 'IMAGE',
      companion: false,
      dealId: '',
      advertisingProductId: '',
      siteId: String(1000 + (this.#turn % 4)),
      areaId: '',
      adUnitId: String(1000 + (this.#turn % 20)),
      width: 300,
      height: 250,
      country: 'PL',
      region: '',
      deviceType: 'desktop',
      os: 'Linux',
      browser: 'Chrome',
      keyValues: NO_KEY_VALUES,
      npa: false,
      userHash: hashUser(this.#secrets.userHashSecret, booked.workspace_id, 'lu', user),
      householdHash: '',
      pricingModel: booked.pricing_model,
      priceMicros: Number(booked.price_micros),
      decidedAtMs: nowMs,
      test: false,
      heldLimits: ALL_LIMITS,
      chosenBy: ['adUnit'],
    };
    return sealServedAd(ad, signingKey(this.#secrets.linkKeys, nowMs));
  }
}
