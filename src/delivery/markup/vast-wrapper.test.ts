import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VASTClient } from '@dailymotion/vast-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleCreative } from '../../../test/worlds/sample-workspace.ts';
import type { PlayedContent } from '../../domain/booking/creative.ts';
import { buildAdLinks } from '../../domain/events/ad-links.ts';
import type { VastVersion } from '../decision/creative-fit.ts';
import { renderVast } from './vast-markup.ts';

/** Paths of a third party's server, and what it returns. */
const theirs = new Map<string, string>();
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/xml');
    response.end(theirs.get(request.url ?? '') ?? '<VAST version="4.2"></VAST>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const url = (name: string) => `<![CDATA[https://other.example/${name}]]>`;
const wrapperOf = (level: string, tagUrl: string) =>
  `<VAST version="4.2"><Ad id="${level}"><Wrapper><AdSystem>${level}</AdSystem><Error>${url(`${level}-error`)}</Error>` +
  `<Impression>${url(`${level}-imp`)}</Impression><Creatives><Creative><Linear><TrackingEvents>` +
  `<Tracking event="midpoint">${url(`${level}-midpoint`)}</Tracking></TrackingEvents><VideoClicks>` +
  `<ClickTracking>${url(`${level}-click`)}</ClickTracking></VideoClicks></Linear></Creative></Creatives>` +
  `<VASTAdTagURI><![CDATA[${tagUrl}]]></VASTAdTagURI></Wrapper></Ad></VAST>`;
const INLINE =
  `<VAST version="4.2"><Ad id="film"><InLine><AdSystem>film</AdSystem><Error>${url('film-error')}</Error>` +
  `<Impression>${url('film-imp')}</Impression><AdServingId>theirs</AdServingId><AdTitle>Film</AdTitle>` +
  `<AdVerifications><Verification vendor="omid.example"><JavaScriptResource apiFramework="omid">${url('omid.js')}</JavaScriptResource>` +
  `<VerificationParameters><![CDATA[{"a":1}]]></VerificationParameters></Verification></AdVerifications>` +
  `<Category authority="https://iabtechlab.example">IAB1</Category><Creatives><Creative id="c" adId="c">` +
  `<UniversalAdId idRegistry="ad-id.org">CNPA0484000H</UniversalAdId><Linear><Icons><Icon program="AdChoices" width="20" height="20" ` +
  `xPosition="right" yPosition="top"><StaticResource creativeType="image/png">${url('icon.png')}</StaticResource></Icon></Icons>` +
  `<TrackingEvents><Tracking event="midpoint">${url('film-midpoint')}</Tracking></TrackingEvents><Duration>00:00:15</Duration>` +
  `<MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">${url('film.mp4')}</MediaFile></MediaFiles>` +
  `<VideoClicks><ClickTracking>${url('film-click')}</ClickTracking><ClickThrough>${url('landing')}</ClickThrough></VideoClicks></Linear></Creative>` +
  `<Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">${url('companion.png')}</StaticResource>` +
  `</Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>`;

/** What a player makes of our wrapper around a tag of the third party. */
async function play(version: VastVersion, tagPath: string) {
  const content: PlayedContent = {
    format: 'VIDEO',
    title: 'T',
    durationMs: 15_000,
    mediaFiles: [],
    vastTagUrl: base + tagPath,
    skipOffsetMs: null,
  };
  const ours = renderVast({
    creative: sampleCreative({ content: content }),
    content,
    links: buildAdLinks('https://ads.example', 'production', '1000', 'a.TOKEN'),
    version,
    impressionId: '01J',
    advertiserName: 'Acme',
    categories: [],
    price: null,
    offer: null,
    companions: { required: 'none', ads: [] },
  });
  theirs.set('/ours', ours);
  const client = new VASTClient();
  const codes: string[] = [];
  client.getParser().on('VAST-error', ({ ERRORCODE }: { ERRORCODE: number }) => codes.push(String(ERRORCODE)));
  const { ads } = await client.get(`${base}/ours`);
  return { ad: ads[0], codes };
}

interface PlayedLinear {
  readonly type: string;
  readonly trackingEvents: Readonly<Record<string, readonly string[]>>;
  readonly videoClickTrackingURLTemplates: readonly { readonly url: string }[];
  readonly icons: readonly object[];
  readonly universalAdIds: readonly { readonly value: string }[];
}

test.each(['2.0', '3.0', '4.2'] as const)(
  'a player keeps impressions, errors, events and clicks of every level around a wrapper of VAST %s',
  async (version) => {
    theirs.set('/inline', INLINE);
    theirs.set('/second', wrapperOf('second', `${base}/inline`));
    theirs.set('/first', wrapperOf('first', `${base}/second`));
    const { ad, codes } = await play(version, '/first');
    const levels = ['first', 'second', 'film'];
    const linear = ad?.creatives.find(
      (one: { readonly type: string }) => one.type === 'linear',
    ) as unknown as PlayedLinear;
    const of = (kind: string, own: string) =>
      [own, ...levels.map((level) => `https://other.example/${level}-${kind}`)].toSorted();
    expect(codes).toEqual([]);
    expect(ad?.impressionURLTemplates.map((one: { readonly url: string }) => one.url).toSorted()).toEqual(
      of('imp', 'https://ads.example/1000/imp/a.TOKEN'),
    );
    expect(ad?.errorURLTemplates.map(String).toSorted()).toEqual(
      of('error', 'https://ads.example/1000/video/error/a.TOKEN?code=[ERRORCODE]'),
    );
    expect(linear.trackingEvents['midpoint']?.toSorted()).toEqual(
      of('midpoint', 'https://ads.example/1000/video/midpoint/a.TOKEN'),
    );
    expect(linear.videoClickTrackingURLTemplates.map(({ url: address }) => address).toSorted()).toEqual(
      of('click', 'https://ads.example/1000/click/a.TOKEN'),
    );
    expect(linear.icons).toHaveLength(1);
    expect(linear.universalAdIds.map(({ value }) => value)).toEqual(['CNPA0484000H']);
    expect(ad?.adVerifications).toMatchObject([{ vendor: 'omid.example', resource: 'https://other.example/omid.js' }]);
    expect(ad?.categories).toMatchObject([{ value: 'IAB1' }]);
    expect(ad?.creatives.some((one: { readonly type: string }) => one.type === 'companion')).toBe(true);
  },
);

test('a tag of a third party without an ad is error 303, which the player sends to our link', async () => {
  const { codes } = await play('4.2', '/nothing');
  expect(codes).toContain('303');
});
