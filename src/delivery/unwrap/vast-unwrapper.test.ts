import { readdirSync, readFileSync } from 'node:fs';
import { VASTClient } from '@dailymotion/vast-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inlineOf, openThirdParty, type ThirdParty, wrapperOf } from '../../../test/support/vast/third-party-vast.ts';
import { schemaComplaints, VAST_XSD } from '../../../test/support/vast/vast-schemas.ts';
import { sampleCreative } from '../../../test/worlds/sample-workspace.ts';
import type { PlayedContent } from '../../domain/booking/creative.ts';
import { buildAdLinks } from '../../domain/events/ad-links.ts';
import type { VastVersion } from '../decision/creative-fit.ts';
import { renderVast, renderVastRoot, type VastInput } from '../markup/vast-markup.ts';
import { renderUnwrapped } from './render-unwrapped.ts';
import { type FailedChain, type UnwrapDeps, type Unwrapped, VastUnwrapper } from './vast-unwrapper.ts';

let third: ThirdParty;
beforeAll(async () => {
  third = await openThirdParty();
});
afterAll(() => third.close());
beforeEach(() => {
  third.replies.clear();
  third.asked.length = 0;
});

const policy = { allowedRanges: ['127.0.0.1'], allowHttpLoopback: true };
const unwrapperOf = (deps: Partial<UnwrapDeps> = {}) => new VastUnwrapper({ policy, nowMs: Date.now, ...deps });
const serve = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  third.replies.set(path, { body, headers });
const ask = (unwrapper: VastUnwrapper, tagUrl: string, mimeTypes: readonly string[] = []) =>
  unwrapper.unwrap({
    tagUrl,
    owner: '1',
    headers: { 'x-device-user-agent': 'tv' },
    offer: { mimeTypes },
    fill: (url) => url.replace('[CACHEBUSTING]', '42'),
  });

/** A chain of two wrappers around an ad. */
function serveChain(): string {
  serve('/inline', inlineOf());
  serve('/second?cb=42', wrapperOf('second', `${third.base}/inline`));
  serve('/first', wrapperOf('first', `${third.base}/second?cb=[CACHEBUSTING]`));
  return `${third.base}/first`;
}

function inputOf(vastTagUrl: string, version: VastVersion): VastInput {
  const content: PlayedContent = {
    format: 'VIDEO',
    title: 'T',
    durationMs: 15_000,
    mediaFiles: [],
    vastTagUrl,
    skipOffsetMs: null,
  };
  return {
    creative: sampleCreative({ content }),
    content,
    links: buildAdLinks('https://ads.example', 'production', '1000', 'a.TOKEN'),
    version,
    impressionId: '01J',
    advertiserName: 'Acme',
    categories: [],
    price: null,
    offer: null,
    companions: { required: 'none', ads: [] },
  };
}

function documentOf(unwrapped: Unwrapped, input: VastInput): string {
  if ('code' in unwrapped) throw new Error(unwrapped.message);
  return renderVastRoot(input.version, renderUnwrapped(input, unwrapped, null));
}

interface ReadLinear {
  readonly type: string;
  readonly trackingEvents: Readonly<Record<string, readonly string[]>>;
  readonly videoClickTrackingURLTemplates: readonly { readonly url: string }[];
  readonly videoClickThroughURLTemplate: { readonly url: string };
  readonly mediaFiles: readonly { readonly fileURL: string }[];
  readonly icons: readonly object[];
  readonly universalAdIds: readonly { readonly value: string }[];
  readonly adParameters: string;
}

/** What a player makes of a document; levels in any order. */
async function read(address: string) {
  const { ads } = await new VASTClient().get(address);
  const [ad] = ads;
  if (ad === undefined) throw new Error('There is no ad.');
  const linear = ad.creatives.find((one: { readonly type: string }) => one.type === 'linear') as unknown as ReadLinear;
  const urlsOf = (list: readonly { readonly url: string }[]) => list.map(({ url }) => url).toSorted();
  return {
    impressions: urlsOf(ad.impressionURLTemplates),
    errors: ad.errorURLTemplates.map(String).toSorted(),
    midpoint: linear.trackingEvents['midpoint']?.toSorted(),
    clicks: urlsOf(linear.videoClickTrackingURLTemplates),
    through: linear.videoClickThroughURLTemplate.url,
    files: linear.mediaFiles.map(({ fileURL }) => fileURL),
    icons: linear.icons.length,
    registered: linear.universalAdIds.map(({ value }) => value),
    parameters: linear.adParameters,
    verified: (ad.adVerifications as unknown as { vendor: string }[]).map(({ vendor }) => vendor).toSorted(),
    categories: (ad.categories as unknown as { value: string }[]).map(({ value }) => value),
    companions: ad.creatives.filter((one: { readonly type: string }) => one.type === 'companion').length,
  };
}

describe('the ad behind a chain of wrappers', () => {
  test.each(['2.0', '3.0', '4.0', '4.1', '4.2'] as const)(
    'a player finds in VAST %s what it would find by following the wrappers itself',
    async (version) => {
      const input = inputOf(serveChain(), version);
      serve('/second?cb=[CACHEBUSTING]', wrapperOf('second', `${third.base}/inline`));
      serve('/ours', renderVast(input));
      serve('/unwrapped', documentOf(await ask(unwrapperOf(), `${third.base}/first`), input));
      const byPlayer = await read(`${third.base}/ours`);
      const byServer = await read(`${third.base}/unwrapped`);
      expect(byServer.impressions).toHaveLength(4);
      // VAST 2.0 has no icons, and only VAST 4 has registered ids and categories.
      const isModern = version.startsWith('4');
      const known = { registered: isModern ? ['CNPA0484000H'] : [], categories: isModern ? ['IAB1'] : [] };
      expect(byServer).toEqual({ ...byPlayer, ...known, icons: version === '2.0' ? 0 : 1 });
    },
  );

  test('viewability, extensions and events of VAST 4 come from every level, and no price of others', async () => {
    const input = inputOf(serveChain(), '4.2');
    const document = documentOf(await ask(unwrapperOf(), `${third.base}/first`), input);
    for (const name of ['first', 'second', 'film'])
      expect(document).toContain(`<Viewable><![CDATA[https://other.example/${name}-viewable]]></Viewable>`);
    expect(document).toContain('<NotViewable><![CDATA[https://other.example/film-not-viewable]]></NotViewable>');
    expect(document).toContain('<Extension type="first"><Note>first</Note></Extension>');
    expect(document).toContain('<Tracking event="playerExpand"><![CDATA[https://other.example/film-fullscreen]]>');
    expect(document).toContain('<Tracking event="progress" offset="00:00:03">');
    expect(document).toContain('<Linear skipoffset="00:00:05">');
    expect(document).toContain('<AdServingId>theirs</AdServingId><AdTitle>Film &amp; Co</AdTitle>');
    expect(document).not.toContain('Pricing');
  });

  test.skipIf(VAST_XSD === '')('the document is valid by the schema of VAST 4.2', async () => {
    const chain = await ask(unwrapperOf(), serveChain());
    serve('/inline', inlineOf());
    const alone = await ask(unwrapperOf(), `${third.base}/inline`);
    const input = inputOf(`${third.base}/first`, '4.2');
    expect(schemaComplaints([documentOf(chain, input), documentOf(alone, input)], VAST_XSD)).toBe('');
  });

  test('only media files that the player accepts are left', async () => {
    serve('/inline', inlineOf());
    const unwrapped = await ask(unwrapperOf(), `${third.base}/inline`, ['video/webm']);
    const offer = { mimeTypes: ['video/webm'] } as unknown as VastInput['offer'];
    const document = documentOf(unwrapped, { ...inputOf('', '4.2'), offer });
    expect(document).toContain('film.webm');
    expect(document).not.toContain('film.mp4');
  });

  test('servers of third parties learn of the device, and nothing else of the request', async () => {
    await ask(unwrapperOf(), serveChain());
    expect(third.asked.map(({ path }) => path)).toEqual(['/first', '/second?cb=42', '/inline']);
    const { headers } = third.asked[2] ?? {};
    expect(Object.keys(headers ?? {}).toSorted()).toEqual([
      'accept-encoding',
      'connection',
      'host',
      'x-device-user-agent',
    ]);
  });
});

describe('a chain that comes to no ad', () => {
  const wrapped = (body: string) => {
    serve('/end', body);
    serve('/tag', wrapperOf('first', `${third.base}/end`));
  };
  const LINEAR = /<Linear.+<\/Linear>/s;
  test.each<[string, number, () => void]>([
    ['without an ad', 303, () => wrapped('<VAST version="4.2"><Error>https://other.example/root</Error></VAST>')],
    ['with an empty body', 303, () => wrapped('')],
    ['that is not XML', 100, () => wrapped('<VAST version="4.2"><Ad>')],
    ['with a DOCTYPE', 100, () => wrapped(`<!DOCTYPE VAST>${inlineOf()}`)],
    ['that is a page', 101, () => wrapped('<html><body>Hello</body></html>')],
    ['without a media file', 101, () => wrapped(inlineOf().replaceAll(/<MediaFile .+<\/MediaFile>/gs, ''))],
    ['of VAST 9', 102, () => wrapped('<VAST version="9.0"></VAST>')],
    ['that is not linear', 201, () => wrapped(inlineOf().replace(LINEAR, '<NonLinearAds/>'))],
    ['of a blocked category', 205, () => wrapped(inlineOf('IAB25'))],
    ['beyond 1 MB', 300, () => wrapped(' '.repeat(1_000_001))],
    ['at a private address', 300, () => serve('/tag', wrapperOf('first', 'https://169.254.169.254/latest'))],
    ['at another protocol', 300, () => serve('/tag', wrapperOf('first', 'file:///etc/passwd'))],
    ['with a status 500', 301, () => (wrapped(inlineOf()), third.replies.set('/end', { status: 500 }))],
    ['that never comes', 301, () => (wrapped(''), third.replies.delete('/end'))],
    ['behind itself', 302, () => serve('/tag', wrapperOf('first', `${third.base}/tag`))],
    [
      'of types that the player does not accept',
      403,
      () =>
        wrapped(
          inlineOf()
            .replaceAll('type="video/webm"', 'type="video/ogg"')
            .replaceAll('type="video/mp4"', 'type="video/ogg"'),
        ),
    ],
  ])('a document %s is error %i', async (_name, code, prepare) => {
    prepare();
    const failed = (await ask(unwrapperOf({ chainMs: code === 301 ? 200 : 3_000 }), `${third.base}/tag`, [
      'video/mp4',
      'video/webm',
    ])) as FailedChain;
    expect(failed.code, failed.message).toBe(code);
    expect(failed.errors[0]).toBe('https://other.example/first-error');
  });

  test('five addresses are asked, redirects among them, and none after them', async () => {
    serve('/inline', inlineOf());
    for (const at of [1, 2, 3, 4])
      serve(`/${at}`, wrapperOf('w', at === 1 ? `${third.base}/inline` : `${third.base}/${at - 1}`));
    expect(await ask(unwrapperOf(), `${third.base}/4`)).toMatchObject({ inline: { name: 'InLine' } });
    third.replies.set('/moved', { status: 302, headers: { location: '/4' } });
    third.asked.length = 0;
    expect(await ask(unwrapperOf(), `${third.base}/moved`)).toMatchObject({ code: 302 });
    expect(third.asked).toHaveLength(5);
  });

  test('a redirect to a forbidden address is not followed', async () => {
    third.replies.set('/tag', { status: 302, headers: { location: 'https://10.0.0.1/' } });
    expect(await ask(unwrapperOf(), `${third.base}/tag`)).toMatchObject({ code: 300 });
  });

  test('a wrapper that allows no further wrapper ends the chain', async () => {
    serve('/tag', wrapperOf('first', `${third.base}/second`, ' followAdditionalWrappers="false"'));
    serve('/second', wrapperOf('second', `${third.base}/inline`));
    serve('/inline', inlineOf());
    expect(await ask(unwrapperOf(), `${third.base}/tag`)).toMatchObject({ code: 302 });
  });

  test('its trackers are told of the code', async () => {
    const unwrapper = unwrapperOf();
    serve('/told?code=303', '');
    const errors = [`${third.base}/told?code=[ERRORCODE]`, 'https://10.0.0.1/', 'file:///x'];
    unwrapper.reportErrors({ code: 303, message: '', errors }, { owner: '1', headers: {}, fill: (url) => url });
    await expect.poll(() => third.asked.map(({ path }) => path)).toEqual(['/told?code=303']);
  });
});

/** A folder with the public samples of IAB (InteractiveAdvertisingBureau/VAST_Samples). */
const SAMPLES = process.env['VAST_SAMPLES'] ?? '';

test.skipIf(SAMPLES === '' || VAST_XSD === '')(
  'each public sample becomes a valid document, or an error that says what it is',
  async () => {
    const input = inputOf('', '4.2');
    const names = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.xml'));
    expect(names.length).toBeGreaterThan(50);
    const documents: string[] = [];
    const failed: string[] = [];
    for (const name of names) {
      serve('/sample', readFileSync(`${SAMPLES}/${name}`, 'utf8'));
      const unwrapped = await ask(unwrapperOf({ chainMs: 200 }), `${third.base}/sample`);
      if ('code' in unwrapped) failed.push(`${name}: ${unwrapped.code} ${unwrapped.message}`);
      else documents.push(documentOf(unwrapped, input));
    }
    // The samples themselves leave out attributes, and have one of an older version and a macro of their own.
    const ofSamples = /is required but missing|adSlotID|\[REASON\]| (?:fails to )?validates?$/;
    const complaints = schemaComplaints(documents, VAST_XSD).split('\n');
    expect(complaints.filter((one) => one !== '' && !ofSamples.test(one))).toEqual([]);
    expect(failed.filter((one) => !/: (?:201|301|102) /.test(one))).toEqual([]);
  },
);
