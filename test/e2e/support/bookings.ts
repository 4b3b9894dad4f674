import { USER_AGENT } from './chromium.ts';
import { eventually, type PlacardServer } from './placard-server.ts';

/** A line item with all that it needs to serve, on a site that nothing else is sold on. */
export interface Booked {
  readonly site: string;
  readonly unit: string;
  readonly advertiser: string;
  readonly campaign: string;
  readonly lineItem: string;
  readonly creative: string;
  readonly name: string;
}

/** One banner request of a booking's site, as far as it differs from the usual one. */
export interface AskOver {
  readonly root?: object;
  readonly user?: string;
}

interface Bid {
  readonly crid: string;
  readonly ext: { readonly ems_link: string };
}

/** A size that no line item of the demo has: nothing else competes for it. */
const SIZE = { width: 468, height: 60 };

/** Books through the management API, and asks the bid endpoint as a page does. */
export class Bookings {
  readonly #placard: PlacardServer;

  constructor(placard: PlacardServer) {
    this.#placard = placard;
  }

  async graphql<T>(query: string, variables?: object): Promise<T> {
    const body = (await this.#placard.graphql(query, variables)).json<{ data?: T; errors?: unknown }>();
    if (body.data === undefined || body.errors !== undefined) throw new Error(JSON.stringify(body));
    return body.data;
  }

  /** Creates an object and returns its id. @param type such as `LineItem` */
  async create(type: string, input: object): Promise<string> {
    const member = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
    const data = await this.graphql<Record<string, Record<string, { id: string }>>>(
      `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${member} { id } } }`,
      { input },
    );
    return data[`create${type}`]?.[member]?.id ?? '';
  }

  async update(type: string, id: string, input: object): Promise<void> {
    await this.graphql(
      `mutation ($id: ID!, $input: Update${type}Input!) { update${type}(id: $id, input: $input) { __typename } }`,
      { id, input },
    );
  }

  /** Books a line item for 5.00 a thousand, with a banner of 468 × 60, on a site of its own. @param name also the code of the site @param lineItem differences from that */
  async book(name: string, lineItem: object = {}): Promise<Booked> {
    const siteId = await this.create('Site', { code: name, name, domain: `${name}.example` });
    const unitId = await this.create('AdUnit', { siteId, name: `${name}-box`, sizes: [SIZE] });
    const advertiserId = await this.create('Advertiser', { name: `${name} company` });
    const campaignId = await this.create('Campaign', { name: `${name} campaign`, advertiserId, status: 'ACTIVE' });
    const lineItemId = await this.create('LineItem', {
      name,
      campaignId,
      type: 'PRICE',
      price: '5.00',
      status: 'ACTIVE',
      targeting: { test: { dimension: 'SITE', values: [siteId] } },
      ...lineItem,
    });
    const creativeId = await this.create('Creative', {
      lineItemId,
      name: `${name} banner`,
      ...SIZE,
      reviewState: 'APPROVED',
      clickUrl: `https://${name}.example/offer`,
      content: { html: { html: `<b>${name}</b>` } },
    });
    return {
      site: siteId,
      unit: unitId,
      advertiser: advertiserId,
      campaign: campaignId,
      lineItem: lineItemId,
      creative: creativeId,
      name,
    };
  }

  /** The bid for one slot of a booking's site; null: none. */
  async ask({ name }: Pick<Booked, 'name'>, { root = {}, user = 'u' }: AskOver = {}): Promise<Bid | null> {
    const response = await this.#placard.client.send(
      `${this.#placard.deliveryUrl}/${this.#placard.demo.networkId}/bid`,
      {
        json: {
          id: crypto.randomUUID(),
          imp: [{ id: '1', tagid: `${name}-box`, secure: 1, banner: { format: [{ w: SIZE.width, h: SIZE.height }] } }],
          site: { id: name, domain: `${name}.example`, page: `https://${name}.example/` },
          device: { devicetype: 2, geo: { country: 'POL' } },
          user: { ext: { npa: false, ids: { lu: user } } },
          regs: { gdpr: 0 },
          ext: { keyvalues: { section: 'news' } },
          ...root,
        },
      },
    );
    if (response.status === 204) return null;
    if (response.status !== 200) throw new Error(`bid ${response.status}: ${response.text}`);
    return response.json<{ seatbid?: { bid: Bid[] }[] }>().seatbid?.[0]?.bid[0] ?? null;
  }

  /** Whether an ad of the line item is in the response to one request. */
  async serves(booked: Booked, over: AskOver = {}): Promise<boolean> {
    const bid = await this.ask(booked, over);
    if (bid === null) return false;
    const { creatives } = await this.graphql<{ creatives: { nodes: { lineItem: { id: string } | null }[] } }>(
      'query ($ids: [ID!]) { creatives(filter: { ids: $ids }) { nodes { lineItem { id } } } }',
      { ids: [bid.crid] },
    );
    return creatives.nodes[0]?.lineItem?.id === booked.lineItem;
  }

  /** Asks until the line item serves, or no longer does. Returns how long it took, in milliseconds. */
  async untilServes(booked: Booked, wanted: boolean, over: AskOver = {}): Promise<number> {
    const startedAt = performance.now();
    const found = await eventually(
      () => this.serves(booked, over),
      (serves) => serves === wanted,
    );
    if (found !== wanted) throw new Error(`${booked.name} ${wanted ? 'does not serve' : 'still serves'}`);
    return performance.now() - startedAt;
  }

  /** Shows one ad on a booking's site, as the browser of a person does. @returns whether there was one */
  async show(booked: Booked, over: AskOver = {}): Promise<boolean> {
    const bid = await this.ask(booked, over);
    if (bid !== null) await this.#placard.client.send(bid.ext.ems_link, { headers: { 'user-agent': USER_AGENT } });
    return bid !== null;
  }
}
