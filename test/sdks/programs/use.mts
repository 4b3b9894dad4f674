import { type Ad, type BidRequest, PlacardApiError, PlacardClient, PlacardGraphqlError } from '@placard/client';
import {
  type CreateCampaignInput,
  type LineItem,
  mutate,
  query,
  type ResultOf,
  type Query,
} from '@placard/client/graphql';
import type { PlacardTag } from '@placard/tag';
import { AdSlot, PlacardScript } from '@placard/react';
import { createElement } from 'react';

const client = new PlacardClient({ network: '1000', deliveryUrl: 'https://d.example', coreUrl: 'https://c.example' });

export async function first(request: BidRequest): Promise<Ad | undefined> {
  await client.bid(request);
  const { ads } = await client.ads({ adUnit: 'home' });
  return ads[0];
}
// @ts-expect-error: the width of an ad is a number
export const wrong = async (): Promise<string | undefined> => (await first({} as BidRequest))?.width;
export const isOurs = (error: unknown): boolean =>
  (error instanceof PlacardApiError && error.status === 404) || error instanceof PlacardGraphqlError;

export async function typed(): Promise<string[]> {
  const { campaigns, network, creative } = await query(client, {
    campaigns: [
      { first: 5, filter: { statuses: ['ACTIVE'] } },
      { totalCount: true, nodes: { id: true, advertiser: { name: true } } },
    ],
    network: [{ id: '1000' }, { name: true, status: false }],
    creative: [{ id: '7' }, { content: { on_HtmlContent: { html: true }, on_NativeContent: { title: true } } }],
  });
  const total: number = campaigns.totalCount;
  const names: (string | undefined)[] = campaigns.nodes.map((one) => one.advertiser?.name);
  // @ts-expect-error: the name of a campaign was not asked for
  campaigns.nodes.map((one) => one.name);
  // @ts-expect-error: the status of the network was not asked for
  network?.status;
  if (creative?.content?.__typename === 'HtmlContent') {
    const html: string = creative.content.html;
    // @ts-expect-error: an HTML creative has no title
    creative.content.title;
    return [html];
  }
  return [String(total), ...names.map(String)];
}

export async function book(input: CreateCampaignInput): Promise<string | undefined> {
  const { createCampaign } = await mutate(client, { createCampaign: [{ input }, { campaign: { id: true } }] });
  // @ts-expect-error: a campaign has no such field
  await query(client, { campaigns: { nodes: { colour: true } } });
  // @ts-expect-error: the field has no such argument
  await query(client, { campaigns: [{ frist: 5 }, { totalCount: true }] });
  // @ts-expect-error: the id is needed
  await query(client, { campaign: { name: true } });
  return createCampaign?.campaign?.id;
}
export type Name = ResultOf<Query, { network: [{ id: '1' }, { name: true }] }>['network'];
export const status = (lineItem: LineItem): string => lineItem.status;

window.placard ??= { cmd: [] };
window.placard.cmd.push((tag: PlacardTag) => {
  const slot = tag.defineSlot(
    'home/top',
    [
      [970, 250],
      [728, 90],
    ],
    'top',
    { lazy: 'off' },
  );
  tag.display(slot.setTargeting('topic', ['rye']));
  tag.on('filled', ({ detail }) => detail.width?.toFixed());
  // @ts-expect-error: an element or its id, not a number
  tag.refresh(7);
});

export const page = [
  createElement(PlacardScript, { src: 'https://ads.example/tag.js', network: '1000' }),
  createElement(AdSlot, { adUnit: 'home/top', sizes: [[970, 250]], onFilled: ({ detail }) => detail.width?.toFixed() }),
];
// @ts-expect-error: an ad unit has a name
createElement(AdSlot, { sizes: '300x250' });
