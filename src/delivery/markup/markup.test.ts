import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VASTClient } from '@dailymotion/vast-client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAdLinks } from '../../domain/events/ad-links.ts';
import type { PlayedContent } from '../../domain/booking/creative.ts';
import { renderBanner } from './banner-markup.ts';
import { sampleCreative } from '../../../test/worlds/sample-workspace.ts';
import { cdata, escapeMarkup, webAddress } from './markup.ts';
import { renderFreeNative, renderNative } from './native-markup.ts';
import { renderVast } from './vast-markup.ts';
import type { VastInput } from './vast-markup.ts';

const links = buildAdLinks('https://ads.example', 'production', '1000', 'a.TOKEN');
const trackers = {
  impressionUrls: ['https://t.example/i?a=1&b=2', 'javascript:alert(1)'],
  clickUrls: ['https://t.example/c'],
  viewableUrls: [],
};
const hostile = `"><script>alert(1)</script>]]>'&`;

describe('banner markup', () => {
  test('hostile texts cannot leave their attributes', () => {
    const content = { format: 'IMAGE', imageUrl: `https://cdn.example/"onerror="x`, alt: hostile } as const;
    const html = renderBanner({
      creative: sampleCreative({ content, trackers }),
      links,
      width: 300,
      height: 250,
      withTracking: true,
    });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('javascript:');
    expect(html).not.toMatch(/"onerror=/);
    expect(html).toContain('src="https://t.example/i?a=1&amp;b=2"');
    expect(html).toContain('ping="https://t.example/c"');
  });

  test('the markup shows foreign HTML in a sandboxed frame with its macros filled', () => {
    const content = {
      format: 'HTML',
      html: '<a href="${CLICK_URL}">x</a><img src="https://p.example/?u=${CLICK_URL_ESC}&v=${CLICK_URL_ENC}&p=${AUCTION_PRICE}">',
    } as const;
    const html = renderBanner({
      creative: sampleCreative({ content }),
      links,
      width: 300,
      height: 250,
      withTracking: true,
    });
    expect(html).toMatch(
      /<iframe sandbox="allow-scripts allow-popups [a-z -]*allow-top-navigation-by-user-activation" srcdoc="/,
    );
    expect(html).toContain('&lt;a href=&quot;https://ads.example/1000/click/a.TOKEN&quot;&gt;');
    expect(html).toContain(
      'u=https%3A%2F%2Fads.example%2F1000%2Fclick%2Fa.TOKEN&amp;v=https%3A%2F%2Fads.example%2F1000%2Fclick%2Fa.TOKEN&amp;p=${AUCTION_PRICE}',
    );
  });

  test('tracker addresses of every format get their macros filled and percent-encoded, except those of the auction', () => {
    const tracker =
      'https://t.example/?cb=${CACHEBUSTER}&c=${CREATIVE_ID}&s=${WIDTH}x${HEIGHT}&u=${CLICK_URL}&e=${CLICK_URL_ENC}&p=${AUCTION_PRICE}';
    const click = encodeURIComponent(links.clickUrl);
    const filled = (size: string) =>
      `https://t.example/?cb=${links.token.slice(-12)}&c=${sampleCreative({}).id}&s=${size}&u=${click}&e=${click}&p=\${AUCTION_PRICE}`;
    const trackers = { impressionUrls: [tracker], clickUrls: [tracker], viewableUrls: [tracker] };
    const image = { format: 'IMAGE', imageUrl: 'https://cdn.example/a.png', alt: '' } as const;
    const banner = { creative: sampleCreative({ content: image, trackers }), links, width: 300, height: 250 };
    const html = renderBanner({ ...banner, withTracking: true });
    expect(html.split(escapeMarkup(filled('300x250'))).length - 1).toBe(2);
    const content = { ...nativeContent, imageWidth: 600, imageHeight: 400 };
    const native = {
      creative: sampleCreative({ content, trackers }),
      content,
      links,
      advertiserName: 'A',
      adUnitName: 'u',
    };
    expect(JSON.parse(renderFreeNative(native))).toMatchObject({
      fields: { Thirdpartyimpressiontracker: filled('600x400'), Thirdpartyclicktracker: filled('600x400') },
    });
    const xml = vastOf({ creative: sampleCreative({ content: video, trackers }) });
    expect(xml.split(cdata(filled('0x0'))).length - 1).toBe(3);
  });

  test('the link "Why this ad?" stays inside the size of the ad, so that a frame of that size shows it', () => {
    const content = { format: 'IMAGE', imageUrl: 'https://cdn.example/a.png', alt: '' } as const;
    const drawing = { creative: sampleCreative({ content }), links, width: 300, height: 250 };
    const html = renderBanner({ ...drawing, withTracking: true });
    expect(html).toMatch(/^<div style="position:relative;width:300px;height:250px;overflow:hidden">.*<\/div>$/);
    expect(html).toMatch(/<a href="[^"]+\/why\/[^"]+" [^>]*style="position:absolute;right:0;bottom:0;/);
    expect(renderBanner({ ...drawing, withTracking: false })).not.toContain('/why/');
  });

  test('any text stays text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeMarkup(text);
        expect(escaped).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
        expect(cdata(text).slice(9, -3).split(']]]]><![CDATA[>').join('')).not.toContain(']]>');
      }),
    );
  });

  test('only web addresses pass', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        expect(webAddress(url)).not.toBeNull();
      }),
    );
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', '//x.example', '', 'ftp://x.example', 'https://'])
      expect(webAddress(bad)).toBeNull();
  });
});

const nativeContent = {
  format: 'NATIVE',
  title: 'T',
  body: 'B',
  callToAction: 'Go',
  sponsoredBy: 'Acme',
  imageUrl: 'https://cdn.example/n.png',
  imageWidth: 1,
  imageHeight: 1,
  iconUrl: null,
} as const;

describe('native markup', () => {
  test('Native 1.2 has the assets by their ids, the event trackers that are offered, and the privacy link', () => {
    const creative = sampleCreative({ content: nativeContent, trackers });
    const native = { creative, content: nativeContent, links, advertiserName: 'A', adUnitName: 'u' };
    const asset = { required: true, lengthMax: 0, minWidth: 0, minHeight: 0 };
    const assets = [
      { ...asset, id: 7, kind: 'title' },
      { ...asset, id: 9, kind: 'mainImage' },
      { ...asset, id: 3, kind: 'sponsoredBy', required: false },
    ] as const;
    const response = (eventMethods: ReadonlyMap<number, readonly number[]>): unknown =>
      JSON.parse(renderNative(native, { version: '1.2', isWrapped: false, assets, eventMethods }));
    const common = {
      ver: '1.2',
      assets: [
        { id: 7, required: 1, title: { text: 'T' } },
        { id: 9, required: 1, img: { type: 3, url: nativeContent.imageUrl, w: 1, h: 1 } },
        { id: 3, data: { type: 1, value: 'Acme' } },
      ],
      link: { url: links.clickUrl, clicktrackers: trackers.clickUrls, fallback: links.clickUrl },
      privacy: links.whyUrl,
    };
    const impressions = [links.impressionUrl, 'https://t.example/i?a=1&b=2'];
    const events = impressions.map((url) => ({ event: 1, method: 1, url }));
    expect(response(new Map())).toEqual({ ...common, imptrackers: impressions });
    expect(response(new Map([[1, [1, 2]]]))).toEqual({ ...common, eventtrackers: events });
    const viewable = { event: 2, method: 1, url: links.viewableUrl };
    expect(
      response(
        new Map([
          [1, [1]],
          [2, [1]],
        ]),
      ),
    ).toEqual({ ...common, eventtrackers: [...events, viewable] });
  });

  test('the das adapter joins the click link and the verbatim landing address', () => {
    const content = {
      format: 'NATIVE',
      title: hostile,
      body: '',
      callToAction: '',
      sponsoredBy: '',
      imageUrl: 'javascript:x',
      imageWidth: 1,
      imageHeight: 1,
      iconUrl: null,
    } as const;
    const creative = sampleCreative({ content, clickUrl: 'https://acme.example/lp?x=1&y=%20#z', trackers });
    const adm = JSON.parse(renderFreeNative({ creative, content, links, advertiserName: 'A', adUnitName: 'u' })) as {
      fields: Record<string, string>;
      meta: Record<string, string>;
    };
    expect(`${adm.meta['adclick']}${adm.fields['url']}`).toBe(
      'https://ads.example/1000/click/a.TOKEN/https://acme.example/lp?x=1&y=%20#z',
    );
    expect(adm.fields).toMatchObject({
      title: hostile,
      image: '',
      Thirdpartyimpressiontracker: 'https://t.example/i?a=1&b=2',
    });
  });
});

const video: PlayedContent = {
  format: 'VIDEO',
  title: `Film ${hostile}`,
  durationMs: 15_500,
  vastTagUrl: null,
  skipOffsetMs: 5_000,
  mediaFiles: [
    { url: 'https://cdn.example/a.mp4', mimeType: 'video/mp4', width: 640, height: 360, bitrateKbps: 800 },
    { url: 'https://cdn.example/a.webm', mimeType: 'video/webm', width: 640, height: 360, bitrateKbps: null },
  ],
};

const offer = {
  mimeTypes: [],
  minDurationMs: 0,
  maxDurationMs: 60_000,
  protocols: [],
  companionPlaces: [],
  companionTypes: [],
};

function vastOf(overrides: Partial<VastInput>): string {
  const content = overrides.content ?? video;
  return renderVast({
    creative: sampleCreative({ content: content, trackers }),
    content,
    links,
    version: '4.2',
    impressionId: '01J',
    advertiserName: 'Acme & <Sons>',
    categories: ['IAB1'],
    price: { decimal: '12.5', currency: 'PLN' },
    offer: null,
    companions: { required: 'none', ads: [] },
    ...overrides,
  });
}

async function readByClient(xml: string) {
  const server = createServer((_request, response) => void response.end(xml));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new VASTClient().get(`http://127.0.0.1:${port}/`);
  } finally {
    server.close();
  }
}

/** Elements by nesting, without a validating parser: every tag must close, and the order of siblings is what the schema says. */
function childrenOf(xml: string, parent: string): string[] {
  const names: string[] = [];
  const open: string[] = [];
  for (const match of xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '').matchAll(/<(\/)?([A-Za-z]+)[^>]*?(\/)?>/g)) {
    const [, closing, name = '', selfClosing] = match;
    if (closing !== undefined) expect(open.pop()).toBe(name);
    else {
      if (open.at(-1) === parent) names.push(name);
      if (selfClosing === undefined) open.push(name);
    }
  }
  expect(open).toEqual([]);
  return names.filter((name, index) => names[index - 1] !== name);
}

const TRACKED_NAMES = [
  ['start', 'start'],
  ['first_quartile', 'firstQuartile'],
  ['midpoint', 'midpoint'],
  ['third_quartile', 'thirdQuartile'],
  ['complete', 'complete'],
  ['mute', 'mute'],
  ['unmute', 'unmute'],
  ['pause', 'pause'],
  ['resume', 'resume'],
  ['skip', 'skip'],
] as const;

describe('VAST', () => {
  test('4.2 has its elements in the order of the schema', () => {
    const xml = vastOf({});
    expect(xml).toContain('<VAST version="4.2" xmlns="http://www.iab.com/VAST">');
    expect(childrenOf(xml, 'InLine')).toEqual([
      'AdSystem',
      'Error',
      'Extensions',
      'Impression',
      'Pricing',
      'ViewableImpression',
      'AdServingId',
      'AdTitle',
      'Advertiser',
      'Category',
      'Creatives',
      'Expires',
    ]);
    expect(childrenOf(xml, 'Creative')).toEqual(['Linear', 'UniversalAdId']);
    expect(childrenOf(xml, 'Linear')).toEqual(['TrackingEvents', 'Duration', 'MediaFiles', 'VideoClicks']);
    expect(childrenOf(xml, 'VideoClicks')).toEqual(['ClickTracking', 'ClickThrough']);
    expect(xml).toContain('<Duration>00:00:15.500</Duration>');
    expect(xml).toContain('skipoffset="00:00:05"');
    expect(xml).toContain('Film &quot;&gt;&lt;script&gt;');
  });

  test('trackers of a film and of its companion are told what was booked, and where the ad is', () => {
    const ids = { lineItemId: '11', campaignId: '12', advertiserId: '13', siteId: '14', adUnitId: '15' };
    const told = { ...trackers, impressionUrls: ['https://t.example/?li=${LINE_ITEM_ID}&u=${AD_UNIT_ID}'] };
    const creative = sampleCreative({ content: video, trackers: told });
    const companion = { creative: sampleCreative({ trackers: told }), links, ids: { ...ids, lineItemId: '21' } };
    const xml = vastOf({ creative, ids, companions: { required: 'none', ads: [companion] } });
    expect(xml).toContain('https://t.example/?li=11&u=15');
    expect(xml).toContain('https://t.example/?li=21&u=15');
  });

  test('a wrapper has its elements in the order of the schema', () => {
    const xml = vastOf({ content: { ...video, vastTagUrl: 'https://tag.example/?a=1&b=]]>', mediaFiles: [] } });
    expect(childrenOf(xml, 'Wrapper')).toEqual([
      'AdSystem',
      'Error',
      'Extensions',
      'Impression',
      'Pricing',
      'ViewableImpression',
      'Creatives',
      'VASTAdTagURI',
    ]);
    expect(childrenOf(xml, 'Linear')).toEqual(['TrackingEvents', 'VideoClicks']);
  });

  test.each(['2.0', '3.0'] as const)('%s leaves out elements of version 4', (version) => {
    expect(vastOf({ version })).not.toMatch(/UniversalAdId|AdServingId|ViewableImpression|Expires|xmlns/);
  });

  test('the document has the media files that the player accepts', () => {
    expect(vastOf({ offer: { ...offer, mimeTypes: ['video/webm'] } })).not.toContain('a.mp4');
    const limits = { minBitrateKbps: 0, maxBitrateKbps: 700, deliveryMethods: [], durationsMs: [], isNonLinear: false };
    expect(vastOf({ offer: { ...offer, limits } })).not.toContain('a.mp4');
    expect(vastOf({ offer: { ...offer, limits: { ...limits, maxBitrateKbps: 800 } } })).toContain('a.mp4');
  });

  test.each(['4.2', '4.0', '3.0', '2.0'] as const)('the client of Dailymotion parses %s', async (version) => {
    const parsed = await readByClient(vastOf({ version }));
    const [ad] = parsed.ads as unknown as {
      impressionURLTemplates: { url: string }[];
      title: string;
      creatives: Record<string, unknown>[];
    }[];
    expect(ad?.title).toBe(`Film ${hostile}`);
    expect(ad?.impressionURLTemplates.map(({ url }) => url)).toEqual([
      'https://ads.example/1000/imp/a.TOKEN',
      'https://t.example/i?a=1&b=2',
    ]);
    expect(ad?.creatives[0]).toMatchObject({ type: 'linear', duration: 15.5, skipDelay: version === '2.0' ? -1 : 5 });
    expect(ad?.creatives[0]?.['mediaFiles']).toHaveLength(2);
    const tracked = ad?.creatives[0]?.['trackingEvents'] as Record<string, string[]>;
    const names = TRACKED_NAMES.filter(([, event]) => version !== '2.0' || event !== 'skip');
    expect(tracked).toEqual(
      Object.fromEntries(names.map(([name, event]) => [event, [`https://ads.example/1000/video/${name}/a.TOKEN`]])),
    );
  });

  test.each(['4.2', '4.0', '3.0', '2.0'] as const)('companions are in a separate creative: %s', async (version) => {
    const of = (token: string) => buildAdLinks('https://ads.example', 'production', '1000', token);
    const image = { format: 'IMAGE', imageUrl: 'https://cdn.example/a.png?x=1', alt: hostile } as const;
    const html = { format: 'HTML', html: '<a href="${CLICK_URL}">]]></a>' } as const;
    const ads = [
      { creative: sampleCreative({ id: '7', content: image, trackers }), links: of('b.PICTURE') },
      { creative: sampleCreative({ id: '8', content: html, width: 728, height: 90 }), links: of('c.TAG') },
    ];
    const xml = vastOf({ version, companions: { required: 'any', ads } });
    expect(childrenOf(xml, 'CompanionAds')).toEqual(['Companion']);
    if (version === '2.0') expect(xml).toContain('<CompanionAds>');
    else expect(xml).toContain('<CompanionAds required="any">');
    const parsed = await readByClient(xml);
    const { creatives } = parsed.ads[0] as unknown as { creatives: { type: string; variations: object[] }[] };
    expect(creatives.map(({ type }) => type)).toEqual(['linear', 'companion']);
    expect(creatives[1]?.variations).toMatchObject([
      {
        id: '7',
        width: '300',
        height: '250',
        staticResources: [{ url: 'https://cdn.example/a.png?x=1', creativeType: 'image/png' }],
        altText: hostile,
        companionClickThroughURLTemplate: 'https://ads.example/1000/click/b.PICTURE',
        companionClickTrackingURLTemplates: version === '2.0' ? [] : [{ url: 'https://t.example/c' }],
        trackingEvents: { creativeView: ['https://ads.example/1000/imp/b.PICTURE', 'https://t.example/i?a=1&b=2'] },
      },
      {
        id: '8',
        width: '728',
        height: '90',
        htmlResources: [expect.stringContaining('https://ads.example/1000/click/c.TAG&quot;&gt;]]&gt;')],
        trackingEvents: { creativeView: ['https://ads.example/1000/imp/c.TAG'] },
      },
    ]);
  });
});
