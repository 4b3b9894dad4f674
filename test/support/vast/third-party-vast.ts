import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A third party's ad server on this machine. */
export interface ThirdParty {
  readonly base: string;
  /** The paths that were asked for, with their headers, in order. */
  readonly asked: { path: string; headers: IncomingHttpHeaders }[];
  /** What a path returns: a document, or more of a response. A path without an entry never responds. */
  readonly replies: Map<string, ThirdPartyReply>;
  close(): Promise<void>;
}

export interface ThirdPartyReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The response waits for it. */
  readonly after?: Promise<unknown>;
}

export async function openThirdParty(): Promise<ThirdParty> {
  const asked: ThirdParty['asked'] = [];
  const replies: ThirdParty['replies'] = new Map();
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, headers: request.headers });
    const reply = replies.get(path);
    if (reply === undefined) return;
    void Promise.resolve(reply.after).then(() => {
      response.writeHead(reply.status ?? 200, { 'content-type': 'text/xml', ...reply.headers });
      response.end(reply.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    replies,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const url = (name: string) => `<![CDATA[https://other.example/${name}]]>`;

/** A wrapper that asks for its impression, error, midpoint, click and viewability by addresses with its name. @param attributes of the wrapper */
export function wrapperOf(level: string, tagUrl: string, attributes = ''): string {
  return (
    `<VAST version="4.2"><Ad id="${level}"><Wrapper${attributes}><AdSystem>${level}</AdSystem><Error>${url(`${level}-error`)}</Error>` +
    `<Extensions><Extension type="${level}"><Note>${level}</Note></Extension></Extensions>` +
    `<Impression>${url(`${level}-imp`)}</Impression><ViewableImpression><Viewable>${url(`${level}-viewable`)}</Viewable></ViewableImpression>` +
    `<AdVerifications><Verification vendor="${level}.example"><JavaScriptResource apiFramework="omid">${url(`${level}.js`)}</JavaScriptResource></Verification></AdVerifications>` +
    `<BlockedAdCategories>IAB25</BlockedAdCategories><Creatives><Creative><Linear><TrackingEvents>` +
    `<Tracking event="midpoint">${url(`${level}-midpoint`)}</Tracking></TrackingEvents><VideoClicks>` +
    `<ClickTracking>${url(`${level}-click`)}</ClickTracking></VideoClicks></Linear></Creative></Creatives>` +
    `<VASTAdTagURI><![CDATA[${tagUrl}]]></VASTAdTagURI></Wrapper></Ad></VAST>`
  );
}

/** An ad with everything that has to go through. @param category of the ad */
export function inlineOf(category = 'IAB1', mediaUrl = 'https://other.example/film.mp4'): string {
  return (
    `<VAST version="4.2"><Ad id="film"><InLine><AdSystem version="2">film</AdSystem><Error>${url('film-error')}</Error>` +
    `<Impression>${url('film-imp')}</Impression><Pricing model="CPM" currency="EUR">7.00</Pricing><ViewableImpression><Viewable>${url('film-viewable')}</Viewable>` +
    `<NotViewable>${url('film-not-viewable')}</NotViewable></ViewableImpression><AdServingId>theirs</AdServingId><AdTitle>Film &amp; Co</AdTitle>` +
    `<AdVerifications><Verification vendor="omid.example"><JavaScriptResource apiFramework="omid">${url('omid.js')}</JavaScriptResource>` +
    `<VerificationParameters><![CDATA[{"a":1}]]></VerificationParameters></Verification></AdVerifications>` +
    `<Category authority="https://iabtechlab.example">${category}</Category><Creatives><Creative id="c" adId="c">` +
    `<UniversalAdId idRegistry="ad-id.org">CNPA0484000H</UniversalAdId><Linear skipoffset="00:00:05"><Icons><Icon program="AdChoices" width="20" height="20" ` +
    `xPosition="right" yPosition="top"><StaticResource creativeType="image/png">${url('icon.png')}</StaticResource>` +
    `<IconClicks><IconClickThrough>${url('icon')}</IconClickThrough></IconClicks></Icon></Icons>` +
    `<TrackingEvents><Tracking event="midpoint">${url('film-midpoint')}</Tracking><Tracking event="fullscreen">${url('film-fullscreen')}</Tracking>` +
    `<Tracking event="progress" offset="00:00:03">${url('film-progress')}</Tracking></TrackingEvents><Duration>00:00:15</Duration>` +
    `<AdParameters>a=1&amp;b=&lt;2&gt;</AdParameters><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360"><![CDATA[${mediaUrl}]]></MediaFile>` +
    `<MediaFile delivery="progressive" type="video/webm" width="640" height="360">${url('film.webm')}</MediaFile></MediaFiles>` +
    `<VideoClicks><ClickTracking>${url('film-click')}</ClickTracking><ClickThrough>${url('landing')}</ClickThrough></VideoClicks></Linear></Creative>` +
    `<Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">${url('companion.png')}</StaticResource>` +
    `</Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>`
  );
}
