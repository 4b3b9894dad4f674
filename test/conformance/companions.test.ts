import { beforeAll, describe, expect, test } from 'vitest';
import {
  bid,
  type BidResponse,
  bidBody,
  credentialHeaders,
  eventually,
  fire,
  graphql,
  load,
  send,
  server,
  todayRange,
} from './support/server.ts';

/** A separate site with a slot for a video and one for a banner, where only one line item may serve. */
const name = `companions-${process.pid}-${Date.now()}`;
const booked = { lineItem: '', film: '', banner: '', wide: '', spot: '', beside: '' };

async function make(resource: string, input: object): Promise<string> {
  const singular = resource[0]?.toLowerCase() + resource.slice(1);
  const query = `mutation ($input: Create${resource}Input!) { made: create${resource}(input: $input) { ${singular} { id } } }`;
  const response = await graphql(query, { variables: { input } });
  const { data } = response.json<{ data: { made: Record<string, { id: string }> } | null }>();
  if (!data) throw new Error(`GraphQL returned ${response.status}: ${response.text}`);
  return data.made[singular]?.id ?? '';
}

beforeAll(async () => {
  const domain = `${name}.example`;
  const siteId = await make('Site', { code: name, name, domain });
  await make('AdUnit', { siteId, name: `${name}/radio`, mediaTypes: ['AUDIO'] });
  await make('AdUnit', { siteId, name: `${name}/film`, mediaTypes: ['VIDEO'], sizes: [{ width: 640, height: 360 }] });
  const advertiserId = await make('Advertiser', { name, domains: [domain], dsaBehalf: 'Acme', dsaPaid: 'Acme' });
  const campaignId = await make('Campaign', { advertiserId, name, status: 'ACTIVE' });
  const lineItemId = await make('LineItem', {
    campaignId,
    name,
    type: 'SPONSORSHIP',
    sharePercent: 100,
    status: 'ACTIVE',
    price: '20.00',
    companionMode: 'ALL',
    targeting: { test: { dimension: 'SITE', operator: 'IS', values: [siteId] } },
  });
  const file = { url: 'https://cdn.example/film.mp4', mimeType: 'video/mp4', width: 640, height: 360 };
  const clickUrl = `https://${domain}/`;
  const video = { title: 'Film', durationMs: 15_000, mediaFiles: [file] };
  booked.lineItem = lineItemId;
  booked.film = await make('Creative', { lineItemId, name: 'Film', clickUrl, content: { video } });
  const beside = { lineItemId, clickUrl, masterCreativeId: booked.film };
  const image = { imageUrl: 'https://cdn.example/beside.png', alt: 'Acme' };
  booked.banner = await make('Creative', { ...beside, name: 'Beside', width: 300, height: 250, content: { image } });
  const html = { html: '<a href="${CLICK_URL}">Acme</a>' };
  booked.wide = await make('Creative', { ...beside, name: 'Below', width: 728, height: 90, content: { html } });
  const spotItem = await make('LineItem', {
    campaignId,
    name: `${name} audio`,
    type: 'SPONSORSHIP',
    sharePercent: 100,
    status: 'ACTIVE',
    price: '10.00',
    companionMode: 'OPTIONAL',
    targeting: { test: { dimension: 'SITE', operator: 'IS', values: [siteId] } },
  });
  const audioFile = { url: 'https://cdn.example/spot.mp3', mimeType: 'audio/mpeg', bitrateKbps: 128 };
  const audio = { title: 'Spot', durationMs: 15_000, mediaFiles: [audioFile] };
  booked.spot = await make('Creative', { lineItemId: spotItem, name: 'Spot', clickUrl, content: { audio } });
  const besideSpot = { lineItemId: spotItem, clickUrl, masterCreativeId: booked.spot, width: 300, height: 250 };
  booked.beside = await make('Creative', { ...besideSpot, name: 'Beside the spot', content: { image } });
  // Separate connections: each worker has to know the last companion.
  const responses = await eventually(
    () => Promise.all(Array.from({ length: 8 }, () => film())),
    (all) => all.every(({ text }) => text.includes(`<Companion id=\\"${booked.wide}`)),
  );
  await eventually(
    () => Promise.all(Array.from({ length: 8 }, () => spot())),
    (all) => all.every(({ text }) => text.includes(`<Companion id=\\"${booked.beside}`)),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
});

const filmImp = { id: 'film', tagid: `${name}/film`, secure: 1, video: { mimes: ['video/mp4'], w: 640, h: 360 } };
const request = (...imp: object[]) =>
  bidBody({ imp, site: { id: name, domain: `${name}.example`, page: `https://${name}.example/` } });
const film = (video?: object) => bid(request({ ...filmImp, video: { ...filmImp.video, ...video } }));

const spot = () =>
  bid(request({ id: 'spot', tagid: `${name}/radio`, audio: { mimes: ['audio/mpeg'], maxduration: 30 } }));

const bidsOf = ({ seatbid }: BidResponse) => seatbid.flatMap((seat) => seat.bid);
const links = (xml: string, element: RegExp) => [...xml.matchAll(element)].map((match) => match[1] ?? '');

describe('companions', () => {
  // Conformance: B5
  test('a video brings its companions, and each has an impression and a click link', async () => {
    const response = (await film()).json<BidResponse>();
    const [only] = bidsOf(response);
    expect(only).toMatchObject({ crid: booked.film, mtype: 2, price: 20 });
    const xml = only?.adm ?? '';
    expect(xml).toContain('<CompanionAds required="all">');
    expect(links(xml, /<Companion id="(\d+)"/g)).toEqual([booked.banner, booked.wide]);
    expect(xml).toContain('<StaticResource creativeType="image/png"><![CDATA[https://cdn.example/beside.png]]>');
    const [click] = links(xml, /<CompanionClickThrough><!\[CDATA\[([^\]]+)\]\]>/g);
    const clicked = await send(click ?? '', { headers: { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' } });
    expect([clicked.status, clicked.headers['location']]).toEqual([302, `https://${name}.example/`]);
  });

  // Conformance: B5
  test('an audio impression gets audio as VAST, with its companion, and never a banner', async () => {
    const [only] = bidsOf((await spot()).json<BidResponse>());
    expect(only).toMatchObject({ crid: booked.spot, mtype: 3, price: 10 });
    const xml = only?.adm ?? '';
    expect(xml).toContain('adType="audio"');
    expect(xml).toContain('type="audio/mpeg" width="0" height="0" bitrate="128"');
    expect(links(xml, /<Companion id="(\d+)"/g)).toEqual([booked.beside]);
    expect((await fire(only?.ext.ems_link ?? '')).status).toBe(200);
  });

  // Conformance: B5
  test('a player that names its companion slots gets fitting companions, or another set when ALL have to fit', async () => {
    const both = [{ w: 300, h: 250 }, { format: [{ w: 728, h: 90 }] }];
    const shownWith = async (companionad: object[]) =>
      bidsOf((await film({ companionad })).json<BidResponse>()).map(({ crid }) => crid);
    expect(await shownWith(both)).toEqual([booked.film]);
    // Line items of the demo fill the remaining slots.
    expect(await shownWith([{ w: 300, h: 250 }])).not.toContain(booked.film);
  });

  // Conformance: B6
  test('a companion counts its own impression, and only the master is billed', async () => {
    const [only] = bidsOf((await film()).json<BidResponse>());
    const views = links(only?.adm ?? '', /<Tracking event="creativeView"><!\[CDATA\[([^\]]+)\]\]>/g);
    expect(views).toHaveLength(2);
    for (const view of [...views, ...views, only?.ext.ems_link ?? '']) expect((await fire(view)).status).toBe(200);
    const measures = ['impressions', 'revenue'].map((measure) => `campaign_overview.${measure}`);
    const query = {
      measures,
      dimensions: ['campaign_overview.creative_id'],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange() }],
      filters: [{ member: 'campaign_overview.line_item_id', operator: 'equals', values: [booked.lineItem] }],
    };
    const counted = async () => {
      const { data } = (await load(query, credentialHeaders())).json<{ data: Record<string, string>[] }>();
      return Object.fromEntries(
        data.map((row) => [row['campaign_overview.creative_id'], measures.map((measure) => Number(row[measure]))]),
      );
    };
    const wanted = { [booked.film]: [1, 0.02], [booked.banner]: [1, 0], [booked.wide]: [1, 0] };
    expect(await eventually(counted, (found) => JSON.stringify(found) === JSON.stringify(wanted))).toEqual(wanted);
    const { lineItem } = (
      await graphql(`{ lineItem(id: "${booked.lineItem}") { delivery { lifetime { impressions spend } } } }`)
    ).json<{ data: { lineItem: object } }>().data;
    expect(lineItem).toEqual({ delivery: { lifetime: { impressions: 1, spend: '0.02' } } });
  });

  // Conformance: B7
  test('a companion fills the slot of the page that it fits, and the video carries the others', async () => {
    const side = { id: 'side', tagid: 'unheard-of', secure: 1, banner: { format: [{ w: 300, h: 250 }] } };
    for (const imps of [
      [filmImp, side],
      [side, filmImp],
    ]) {
      const bids = bidsOf((await bid(request(...imps))).json<BidResponse>());
      expect(Object.fromEntries(bids.map(({ impid, crid }) => [impid, crid]))).toEqual({
        film: booked.film,
        side: booked.banner,
      });
      const xml = bids.find(({ impid }) => impid === 'film')?.adm ?? '';
      expect(links(xml, /<Companion id="(\d+)"/g)).toEqual([booked.wide]);
      expect(new Set(bids.map(({ id }) => id)).size).toBe(2);
    }
  });

  // Conformance: A4
  test('the ad request API returns the companions of a video, each with the ad that it belongs to', async () => {
    const response = await send(`${server.deliveryUrl}/api/v1/ads`, {
      headers: { authorization: `Bearer ${server.demo.keys.admin}` },
      json: { network: server.demo.networkId, adUnit: `${name}/film`, count: 1 },
    });
    const { ads } = response.json<{ ads: { content: { companions: object[]; vast: string } }[] }>();
    expect(ads).toMatchObject([
      {
        creativeId: booked.film,
        companionOf: null,
        format: 'VIDEO',
        content: {
          companions: [
            { creativeId: booked.banner, format: 'IMAGE', width: 300, height: 250, content: { alt: 'Acme' } },
            { creativeId: booked.wide, format: 'HTML', html: expect.stringContaining('iframe') },
          ],
        },
      },
    ]);
    expect(ads[0]?.content.vast).toContain('<CompanionAds required="all">');
  });

  // Conformance: A4
  test('explain says when a line item did not serve because its companions are missing', async () => {
    const archive = (id: string, verb: string) => graphql(`mutation { ${verb}(id: "${id}") { validatedOnly } }`);
    for (const id of [booked.banner, booked.wide]) await archive(id, 'archiveCreative');
    const reason = async () => {
      const response = await send(`${server.deliveryUrl}/api/v1/ads`, {
        headers: { authorization: `Bearer ${server.demo.keys.admin}` },
        json: { network: server.demo.networkId, adUnit: `${name}/film`, count: 1, explain: true },
      });
      const { losers } = response.json<{ losers: { lineItemId: string; reason: string }[] }>();
      return losers.find(({ lineItemId }) => lineItemId === booked.lineItem)?.reason;
    };
    expect(await eventually(reason, (found) => found === 'companion')).toBe('companion');
  });
});
