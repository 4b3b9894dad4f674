import { createClient } from '../support/http-client.ts';
import type { LeanPlacard } from '../support/lean-placard.ts';
import type { Storyboard } from './storyboard.ts';

/** Fills a network with what storyboards expect to be there, as the publisher would. */
export class Publisher {
  readonly #server: LeanPlacard;

  readonly #sellerUrl: string;
  /** Products of the storyboard that runs. */
  #products: string[] = [];

  constructor(server: LeanPlacard, sellerUrl: string) {
    this.#server = server;
    this.#sellerUrl = sellerUrl;
  }

  /** Runs a document with the key of an administrator. @throws Error with the API's errors */
  async graphql<T>(query: string, variables: object): Promise<T> {
    const client = createClient(this.#server.ca);
    try {
      const reply = await client.send(`${this.#server.coreUrl}/staging/graphql`, {
        headers: { authorization: `Bearer ${this.#server.demo.keys.staging}` },
        json: { query, variables },
      });
      const { data, errors } = reply.json<{ data?: T; errors?: unknown }>();
      if (errors !== undefined || data === undefined) throw new Error(JSON.stringify(errors ?? reply.text));
      return data;
    } finally {
      client.close();
    }
  }

  /** Makes an object and returns its id. */
  async make(type: string, input: object): Promise<string> {
    const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
    const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { ${field} { id } } }`;
    const { made } = await this.graphql<{ made: Record<string, { id: string }> }>(query, { input });
    return made[field]?.id ?? '';
  }

  /** Makes a key of a buyer, bound to advertisers, and returns its value. */
  async makeBuyerKey(advertiserIds: readonly string[], spendLimit: string | null = null): Promise<string> {
    const query = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { value } }';
    const input = { name: 'Buyer', permission: 'READ_WRITE', scope: 'BUYER', advertiserIds, spendLimit };
    return (await this.graphql<{ createApiKey: { value: string } }>(query, { input })).createApiKey.value;
  }

  /** Archives the products of a storyboard, so that the next one has its own. */
  async retireProducts(): Promise<void> {
    for (const id of this.#products)
      await this.graphql('mutation ($id: ID!) { archiveAdvertisingProduct(id: $id) { validatedOnly } }', { id });
    this.#products = [];
  }

  /** Approves a buy that waits: makes its campaign and line items live, then decides. */
  async approve(taskId: string): Promise<void> {
    const { agentRequest } = await this.graphql<{ agentRequest: { campaignId: string } }>(
      'query ($id: ID!) { agentRequest(id: $id) { campaignId } }',
      { id: taskId },
    );
    const { campaign } = await this.graphql<{ campaign: { lineItems: { nodes: { id: string }[] } } }>(
      'query ($id: ID!) { campaign(id: $id) { lineItems(first: 50) { nodes { id } } } }',
      { id: agentRequest.campaignId },
    );
    const updates = campaign.lineItems.nodes.map(({ id }) => ({ id, input: { status: 'ACTIVE' } }));
    await this.graphql(
      `mutation ($id: ID!, $campaign: ID!, $updates: [UpdateLineItemEntry!]!) {
        updateCampaign(id: $campaign, input: { status: ACTIVE }) { campaign { id } }
        updateLineItems(updates: $updates) { results { index } }
        decideAgentRequest(id: $id, decision: APPROVE) { agentRequest { state } }
      }`,
      { id: taskId, campaign: agentRequest.campaignId, updates },
    );
  }

  /** Makes the products and creatives of a storyboard's fixtures. Returns the ids that its requests name, by those of the fixtures. */
  async seed({ id, fixtures = {} }: Storyboard, advertiserId: string): Promise<Map<string, string>> {
    const aliases = new Map<string, string>();
    // This storyboard names an account that it does not list.
    aliases.set('acct_pagination_integrity', advertiserId);
    for (const account of fixtures['accounts'] ?? []) aliases.set(String(account['account_id']), advertiserId);
    for (const creative of fixtures['creatives'] ?? [])
      await this.make('LibraryCreative', {
        advertiserId,
        externalId: `${advertiserId}/${String(creative['creative_id'])}`,
        name: String(creative['name'] ?? creative['creative_id']),
        width: 300,
        height: 250,
        clickUrl: 'https://acmeoutdoor.example/',
        content: { html: { html: '<b>Acme</b>' } },
      });
    for (const product of fixtures['products'] ?? []) {
      const own = String(product['product_id']);
      const options = (fixtures['pricing_options'] ?? []).filter((one) => one['product_id'] === own);
      // A storyboard that does not apply may have products without a price.
      if (options.length === 0) continue;
      const name = `${own.replaceAll('_', ' ')} (${id})`;
      const made = await this.make('AdvertisingProduct', productInput(name, product, options));
      this.#products.push(made);
      aliases.set(own, made);
    }
    // Storyboards name an address and formats that each seller has otherwise.
    aliases.set('https://your-platform.example.com', this.#sellerUrl);
    for (const [theirs, own] of Object.entries(FORMATS)) aliases.set(theirs, own);
    return aliases;
  }
}

const FORMATS = {
  display_300x250: 'display_image_300x250',
  display_728x90: 'display_image_728x90',
  video_30s: 'video_hosted',
};

type FixtureRow = Readonly<Record<string, unknown>>;

/** A product of a fixture, with everything that the fixture leaves open. */
export function productInput(name: string, product: FixtureRow, options: readonly FixtureRow[]): object {
  const channels = (product['channels'] ?? ['display']) as readonly string[];
  const isVideo = channels.some((one) => ['video', 'olv', 'ctv'].includes(one));
  return {
    name,
    description: `Advertising on sports, outdoor and lifestyle sites: ${channels.join(', ')}.`,
    delivery: product['delivery_type'] === 'guaranteed' ? 'GUARANTEED' : 'NON_GUARANTEED',
    channels: [isVideo ? 'ONLINE_VIDEO' : 'DISPLAY'],
    formats: isVideo ? [{ format: 'VIDEO' }] : [{ format: 'IMAGE', sizes: [{ width: 300, height: 250 }] }],
    buyerDimensions: ['COUNTRY', 'REGION', 'DEVICE_TYPE', 'OS', 'BROWSER_LANGUAGE'],
    priceOptions: options.map((one) => ({
      id: one['pricing_option_id'],
      pricingModel: String(one['pricing_model']).toUpperCase(),
      ...(typeof one['fixed_price'] === 'number'
        ? { price: one['fixed_price'].toString() }
        : { floor: Number(one['floor_price']).toString() }),
    })),
    offeredToBuyers: true,
  };
}
