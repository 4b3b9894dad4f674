import { bidBody, graphql } from './server.ts';

/** Differs between runs against one server. */
export const unique = `${process.pid}-${Date.now()}`;

/** The data of a GraphQL response. @throws Error with the body, where the response has errors */
export async function dataOf<T>(query: string, variables?: unknown): Promise<T> {
  const response = await graphql(query, { variables });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.errors !== undefined || body.data === undefined) throw new Error(JSON.stringify(body));
  return body.data;
}

/** Creates an object of the management API, and returns its id. @throws Error with the body, where the response has errors */
export async function create(type: string, input: unknown): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${field} { id } } }`;
  return (await dataOf<{ made: { object: { id: string } } }>(query, { input })).made.object.id;
}

/** A site that no other test knows: its figures are those of its own test. */
export interface OwnSite {
  readonly siteId: string;
  readonly lineItemId: string;
  /** The body of a bid request for the ad of the site's line item. */
  body(over?: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/**
 * Books a line item of a new advertiser on a new site, with one ad of 468x60. Delivery knows it shortly after that.
 * @param ownFields of the line item
 * @param ofAdvertiser further fields of the advertiser
 */
export async function bookOwnSite(name: string, ownFields: object, ofAdvertiser: object = {}): Promise<OwnSite> {
  const code = `${name}-${unique}`;
  const siteId = await create('Site', { code, name, domain: `${name}.example` });
  const facts = { domains: ['ads.example'], dsaBehalf: 'A', dsaPaid: 'A' };
  const advertiserId = await create('Advertiser', { name, ...facts, ...ofAdvertiser });
  const campaignId = await create('Campaign', { advertiserId, name, status: 'ACTIVE' });
  const targeting = { test: { dimension: 'SITE', values: [siteId] } };
  const booking = { campaignId, name, type: 'PRICE', price: '5', status: 'ACTIVE', targeting };
  const lineItemId = await create('LineItem', { ...booking, ...ownFields });
  const content = { image: { imageUrl: 'https://ads.example/ad.png', alt: name } };
  const picture = { width: 468, height: 60, clickUrl: 'https://ads.example/', content };
  await create('Creative', { lineItemId, name, ...picture });
  const site = { id: code, domain: `${name}.example`, page: `https://${name}.example/` };
  const imp = { tagid: '', banner: { format: [{ w: 468, h: 60 }] } };
  return { siteId, lineItemId, body: (over = {}) => bidBody({ site, ...over }, imp) };
}
