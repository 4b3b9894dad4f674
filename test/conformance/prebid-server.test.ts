/** What Prebid Server's generic adapters send, and what they make of the response. */
import { Ajv } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { HttpResponse } from '../support/http-client.ts';
import { type BidResponse, BROWSER, eventually, send, server } from './support/server.ts';

const SDK = new URL('../../sdk/prebid-server/', import.meta.url);
const readYaml = (name: string): unknown => parse(readFileSync(new URL(name, SDK), 'utf8'));

/** The members of both definitions that decide what is sent. */
interface Definition {
  readonly endpoint: string;
  readonly compression: string;
  readonly version: string;
  readonly mediaTypes: readonly string[];
}

function goDefinition(): Definition {
  const info = readYaml('static/bidder-info/placard.yaml') as {
    endpoint: string;
    endpointCompression: string;
    openrtb: { version: number };
    capabilities: { site: { mediaTypes: string[] } };
  };
  const { mediaTypes } = info.capabilities.site;
  return {
    endpoint: info.endpoint,
    compression: info.endpointCompression,
    version: String(info.openrtb.version),
    mediaTypes,
  };
}

function javaDefinition(): Definition {
  const config = readYaml('java/generic-alias.yaml') as {
    adapters: { generic: { aliases: { placard: Record<string, unknown> } } };
  };
  const { placard } = config.adapters.generic.aliases;
  const meta = placard['meta-info'] as Record<string, readonly string[]>;
  return {
    endpoint: String(placard['endpoint']),
    compression: String(placard['endpoint-compression']),
    version: String(placard['ortb-version']),
    mediaTypes: meta['site-media-types'] ?? [],
  };
}

/** The request as a bidder gets it: its parameters in `imp.ext.bidder`, and what Prebid Server adds for everybody. */
function bidderRequest(tagid: string, media: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    id: crypto.randomUUID(),
    at: 1,
    tmax: 850,
    cur: ['USD', 'PLN'],
    imp: [
      {
        id: 'div-1',
        tagid,
        secure: 1,
        // Late in the day, the films of the demo that are paid have reached their goals of the day: its own film has no price.
        ...('video' in media ? {} : { bidfloor: 0.01, bidfloorcur: 'PLN' }),
        ext: { bidder: { adUnit: tagid }, gpid: `/1000/${tagid}`, tid: crypto.randomUUID() },
        ...media,
      },
    ],
    site: {
      id: 'magazine',
      domain: 'magazine.example',
      page: 'https://www.magazine.example/bread',
      publisher: { id: '7', domain: 'magazine.example' },
      ext: { amp: 0 },
    },
    device: { ua: BROWSER, ip: '192.0.2.1', language: 'en' },
    user: { ext: { eids: [{ source: 'pubcid.org', uids: [{ id: 'p-1', atype: 1 }] }] } },
    regs: { gdpr: 0, gpp: 'DBAA', gpp_sid: [2] },
    source: { tid: crypto.randomUUID(), schain: { ver: '1.0', complete: 1, nodes: [] } },
    ext: { prebid: { server: { datacenter: 'x', gvlid: 1 } } },
  };
}

/** The media type of a bid: by `mtype`, or by the first media type of its imp as the Java adapter does. */
const MTYPES: Readonly<Record<number, string>> = { 1: 'banner', 2: 'video', 4: 'native' };
const firstMedia = (request: Record<string, unknown>): string | undefined => {
  const [imp] = request['imp'] as readonly Record<string, unknown>[];
  return ['banner', 'video', 'native'].find((name) => imp?.[name] !== undefined);
};

const MEDIA = {
  banner: ['home/sidebar', { banner: { format: [{ w: 300, h: 250 }], topframe: 1 } }],
  video: ['article/video', { video: { mimes: ['video/mp4'], protocols: [3, 7], w: 640, h: 360, plcmt: 4 } }],
  native: ['article/native', { native: { request: '{"ver":"1.2","assets":[]}', ver: '1.2' } }],
} as const;

describe.each([
  ['Go', goDefinition()],
  ['Java', javaDefinition()],
])('the definition for Prebid Server in %s', (_language, { endpoint, compression, version, mediaTypes }) => {
  test.each(mediaTypes)('a %s request in gzip gets a bid that the adapter can read', async (name) => {
    const [tagid, media] = MEDIA[name as keyof typeof MEDIA];
    const request = bidderRequest(tagid, media);
    expect(compression).toBe('gzip');
    const ask = (): Promise<HttpResponse> =>
      send(`${server.deliveryUrl}${new URL(endpoint).pathname}`, {
        method: 'POST',
        body: gzipSync(JSON.stringify(request)),
        headers: {
          'user-agent': BROWSER,
          'content-type': 'application/json;charset=utf-8',
          'content-encoding': compression,
          'x-openrtb-version': version,
        },
      });
    // Pacing holds an ad back now and then.
    const response = await eventually(ask, ({ status }) => status === 200);
    expect([response.status, response.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    const { id, cur, seatbid } = response.json<BidResponse & { id: string; cur: string }>();
    const [bid] = seatbid.flatMap((seat) => seat.bid) as unknown as Record<string, unknown>[];
    expect([id, cur]).toEqual([request['id'], expect.stringMatching(/^[A-Z]{3}$/)]);
    expect(bid).toMatchObject({ impid: 'div-1', crid: expect.any(String), adomain: [expect.any(String)] });
    const isPriced = Number(bid?.['price']) > 0;
    expect(isPriced || name === 'video').toBe(true);
    expect(MTYPES[Number(bid?.['mtype'])]).toBe(name);
    expect(firstMedia(request)).toBe(name);
  });

  test('a request without a fitting ad gets an empty 204, which adapters take for no bid', async () => {
    const request = bidderRequest('home/sidebar', { banner: { format: [{ w: 13, h: 17 }] } });
    const response = await send(`${server.deliveryUrl}${new URL(endpoint).pathname}`, {
      json: request,
      headers: { 'user-agent': BROWSER, 'x-openrtb-version': version },
    });
    expect([response.status, response.text]).toEqual([204, '']);
  });
});

/** A case in the form of Prebid Server's own adapter tests: what goes in, what is sent, what comes back, what the adapter makes of it. */
interface AdapterCase {
  readonly mockBidRequest: Record<string, unknown>;
  readonly httpCalls: readonly {
    readonly expectedRequest: { readonly uri: string; readonly body: unknown };
    readonly mockResponse: {
      readonly status: number;
      readonly body: { readonly cur?: string; readonly seatbid?: Seat[] };
    };
  }[];
  readonly expectedBidResponses: readonly {
    readonly currency: string;
    readonly bids: readonly { readonly bid: Record<string, unknown>; readonly type: string }[];
  }[];
}

interface Seat {
  readonly bid: readonly Record<string, unknown>[];
}

const CASES = ['exemplary', 'supplemental'].flatMap((kind) =>
  readdirSync(new URL(`placardtest/${kind}/`, SDK)).map((name) => {
    const text = readFileSync(new URL(`placardtest/${kind}/${name}`, SDK), 'utf8');
    return { name: `${kind}/${name}`, adapterCase: JSON.parse(text) as AdapterCase };
  }),
);

/** The generic rules: the request as it is, to the address of the definition; bids by `mtype`, in the currency of the response. */
function adapt({ cur, seatbid = [] }: { cur?: string | undefined; seatbid?: readonly Seat[] | undefined }) {
  const bids = seatbid.flatMap((seat) => seat.bid).map((bid) => ({ bid, type: MTYPES[Number(bid['mtype'])] }));
  return bids.length === 0 ? [] : [{ currency: cur, bids }];
}

describe('the cases in the form of Prebid Server’s adapter tests', () => {
  test('there is one for each media type of the definition, one without a bid and one that is refused', () => {
    const names = goDefinition().mediaTypes.map((name) => `exemplary/${name}.json`);
    expect(CASES.map(({ name }) => name).toSorted()).toEqual(
      [...names, 'supplemental/bad-request.json', 'supplemental/no-bid.json'].toSorted(),
    );
  });

  test.each(CASES)('the generic rules make of $name what it expects', ({ adapterCase }) => {
    const { mockBidRequest, httpCalls, expectedBidResponses } = adapterCase;
    const [call] = httpCalls;
    expect(call?.expectedRequest.uri).toBe(goDefinition().endpoint);
    expect(call?.expectedRequest.body).toEqual(mockBidRequest);
    expect(adapt(call?.mockResponse.body ?? {})).toEqual(expectedBidResponses);
  });

  test.each(CASES)(
    'the bid endpoint responds to the request of $name with its status and its type of bid',
    async ({ adapterCase }) => {
      const { httpCalls, expectedBidResponses } = adapterCase;
      const { expectedRequest, mockResponse } = httpCalls[0] as AdapterCase['httpCalls'][number];
      const request = { ...(expectedRequest.body as object), id: crypto.randomUUID() };
      const response = await send(`${server.deliveryUrl}${new URL(expectedRequest.uri).pathname}`, {
        json: request,
        headers: { 'user-agent': BROWSER, 'x-openrtb-version': goDefinition().version },
      });
      expect(response.status).toBe(mockResponse.status);
      const body = response.status === 200 ? response.json<{ cur: string; seatbid: Seat[] }>() : {};
      const shapes = (responses: ReturnType<typeof adapt> | AdapterCase['expectedBidResponses']) =>
        responses.map(({ currency, bids }) => [
          currency,
          bids.map(({ bid, type }) => [bid['impid'], bid['mtype'], type]),
        ]);
      expect(shapes(adapt(body))).toEqual(shapes(expectedBidResponses));
    },
  );

  test('the parameters of the cases fit the definition, and others do not', () => {
    const { $schema: _draft, ...schema } = JSON.parse(
      readFileSync(new URL('static/bidder-params/placard.json', SDK), 'utf8'),
    ) as Record<string, unknown>;
    const fits = new Ajv().compile(schema);
    for (const { adapterCase } of CASES)
      for (const { ext } of adapterCase.mockBidRequest['imp'] as { ext: { bidder: unknown } }[])
        expect(fits(ext.bidder)).toBe(true);
    for (const wrong of [{ adUnit: 7 }, { adUnit: '' }, [], 'home']) expect(fits(wrong)).toBe(false);
  });
});
