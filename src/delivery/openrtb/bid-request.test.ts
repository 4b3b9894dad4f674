import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasAudioAlone, readCases } from '../../../test/rtb/rtb-case.ts';
import { PlacardError } from '../../domain/errors.ts';
import { buildBidOpportunity } from '../ad-request/bid-opportunity.ts';
import { parseBidRequest } from './bid-request.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { readDevice, resolveGeo } from '../ad-request/device.ts';
import { findNoGeo } from '../ad-request/geo-lookup.ts';
import { readDsaRequest } from './dsa.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const minimal = { id: 'r', imp: [{ id: 'i', banner: {} }], site: { id: 's', domain: 'd.example' } };
const exchangeRates = [
  { currency: 'USD', rate: '4.0000001', from: '2026-11-02' },
  { currency: 'CHF', rate: '4.5', from: '2026-11-03' },
];
const compiled = compileWorkspace(
  sampleSnapshot({
    workspace: { exchangeRates },
    lineItems: [{}],
    adUnits: [{}, { name: 'radio', mediaTypes: ['audio'] }],
  }),
  0,
  () => {},
);

/** The steps between the body and the decision. */
function parse(body: unknown) {
  const request = parseBidRequest(body);
  const privacy = resolvePrivacy(request.privacy);
  const device = readDevice(request.device, {});
  return buildBidOpportunity(request, compiled, {
    device,
    geo: resolveGeo(request.device, '', findNoGeo),
    browserLanguages: [],
    privacy,
    dsa: readDsaRequest(request.dsa),
    userHash: '',
    householdHash: '',
    nowMs: Date.parse('2026-11-02T00:00:00+01:00'),
  });
}

function outcomeOf(body: unknown): 'taken' | 'refused' {
  try {
    parse(body);
    return 'taken';
  } catch (error) {
    if (error instanceof PlacardError && error.code === 'invalid_request') return 'refused';
    throw error;
  }
}

describe('the parser of bid requests', () => {
  test('the parser accepts any JSON or refuses it as malformed, with no other error', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (body) => void outcomeOf(body)),
      { numRuns: runsOf(2_000) },
    );
  });

  test.each([
    [undefined, []],
    [[{ w: 300, h: 250 }], ['300x250']],
    [
      [
        {
          format: [
            { w: 300, h: 250 },
            { w: 300, h: 600 },
          ],
        },
        { w: 728, h: 90 },
      ],
      ['300x250', '300x600', '728x90'],
    ],
    [[{}, 7, null], []],
  ])('the companion slots of a player, %j, have the sizes %j', (companionad, sizes) => {
    const video = { companionad, companiontype: [1, '3'] };
    const [slot] = parse({ ...minimal, imp: [{ id: 'i', video }] }).slots;
    const offered = slot?.video?.companionPlaces.flatMap((context) => context.sizes);
    expect(offered?.map(({ width, height }) => `${width}x${height}`)).toEqual(sizes);
    expect(slot?.video?.companionTypes).toEqual([1, 3]);
  });

  test.each([
    [[{ w: 300, h: 250, battr: [1] }], [[1]]],
    [
      [
        { w: 300, h: 250, battr: [1] },
        { w: 300, h: 250 },
      ],
      [[1], []],
    ],
    [[{ battr: [3] }, {}, 7], [[3]]],
    [[{ w: 300, h: 250 }, { battr: [3] }], [[]]],
  ])('each companion slot of a player, %j, blocks its own attributes: %j', (companionad, blocked) => {
    const [slot] = parse({ ...minimal, imp: [{ id: 'i', video: { companionad, battr: [16] } }] }).slots;
    expect(slot?.video?.companionPlaces.map(({ blockedAttributes }) => blockedAttributes)).toEqual(blocked);
    expect(slot?.blockedByMedia?.video).toEqual([16]);
  });

  test('banners, films and native ads of one slot block attributes of their own', () => {
    const [slot] = parse({
      ...minimal,
      imp: [{ id: 'i', banner: { battr: [1], btype: [3] }, video: { battr: [2] }, native: { battr: [3] } }],
    }).slots;
    expect(slot).toMatchObject({
      blockedAttributes: [],
      blockedByMedia: { banner: [1], video: [2], native: [3] },
      blockedBanners: ['HTML'],
    });
  });

  test('bitrates, delivery, durations and linearity limit the films of a slot', () => {
    const video = { minbitrate: 300, maxbitrate: 1_500, delivery: [2], rqddurs: [15, 30], linearity: 2 };
    expect(parse({ ...minimal, imp: [{ id: 'i', video }] }).slots[0]?.video?.limits).toEqual({
      minBitrateKbps: 300,
      maxBitrateKbps: 1_500,
      deliveryMethods: [2],
      durationsMs: [15_000, 30_000],
      isNonLinear: true,
    });
    expect(
      parse({ ...minimal, imp: [{ id: 'i', video: { mimes: ['video/mp4'] } }] }).slots[0]?.video?.limits,
    ).toBeUndefined();
  });

  test('allowed categories and languages as tags restrict a request', () => {
    const opportunity = parse({ ...minimal, acat: ['IAB1'], wlang: ['pl'], wlangb: ['de-AT'] });
    expect([...(opportunity.allowedCategories ?? [])]).toEqual(['IAB1']);
    expect([...opportunity.creativeLanguages]).toEqual(['pl', 'de']);
  });

  test('the parser accepts a good request with junk in every member that restricts nothing', () => {
    const junk = fc.jsonValue({ maxDepth: 3 });
    const names = ['regs', 'user', 'device', 'ext', 'test', 'at', 'source', 'tmax'] as const;
    const record = (keys: readonly string[]) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, junk])), { requiredKeys: [] });
    const body = fc
      .tuple(
        record(names),
        record(['tagid', 'ext', 'instl']),
        record(['page', 'ext', 'keywords', 'kwarray']),
        junk,
        junk,
      )
      .map(([root, imp, site, ids, pos]) => ({
        ...root,
        ...minimal,
        user: { ext: { ids }, data: ids },
        site: { ...site, ...minimal.site },
        imp: [{ ...imp, id: 'i', banner: { pos }, video: { w: pos, h: pos } }],
      }));
    fc.assert(
      fc.property(body, (value) => {
        expect(outcomeOf(value)).toBe('taken');
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  test.each([
    [{ bidfloor: '1,200' }, 'imp[0].bidfloor must be a number'],
    [{ bidfloor: '0x10' }, 'imp[0].bidfloor must be a number'],
    [{ bidfloor: '' }, 'imp[0].bidfloor must be a number'],
    [{ bidfloor: '1e999' }, 'imp[0].bidfloor must be a number'],
    [{ pmp: { deals: [{ id: 'd', bidfloor: 'free' }] } }, 'imp[0].pmp.deals[0].bidfloor must be a number'],
    [{ pmp: { deals: [{ id: 'd', at: '3.5' }] } }, 'imp[0].pmp.deals[0].at must be a whole number'],
    [{ banner: { format: [{ w: 300.5, h: 250 }] } }, 'imp[0].banner.format[0].w must be a whole number of pixels'],
    [{ banner: { format: [{ w: 300, h: 250 }, { w: 300 }] } }, 'imp[0].banner.format[1].h must be sent'],
    [{ banner: { format: [{}] } }, 'imp[0].banner.format[0] must be an object with w and h'],
    [{ banner: { format: ['300x250'] } }, 'imp[0].banner.format[0] must be an object with w and h'],
    [{ banner: { w: 300, h: 2.5 } }, 'imp[0].banner.h must be a whole number'],
    [{ banner: { w: 300, h: 250, battr: [1, 'x'] } }, 'imp[0].banner.battr must be a list of whole numbers'],
    [{ video: { maxduration: '15s' } }, 'imp[0].video.maxduration must be a number'],
    [{ video: { companionad: [{ w: 'x', h: 250 }] } }, 'imp[0].video.companionad[0].w must be'],
    [{ secure: 'yes' }, 'imp[0].secure must be 0 or 1'],
  ])('%j is refused, not read as no limit', (imp, message) => {
    expect(() => parse({ ...minimal, imp: [{ id: 'i', banner: {}, ...imp }] })).toThrow(message);
  });

  test.each([
    [{ cur: 'PLN' }, 'cur must be a list'],
    [{ badv: [null] }, 'badv must be a list of texts'],
    [{ bcat: Array.from({ length: 5_001 }, () => 'IAB1') }, 'bcat must be a list of at most 5,000'],
  ])('%j is refused, not read as no limit of the request', (member, message) => {
    expect(() => parse({ ...minimal, ...member })).toThrow(message);
  });

  test.each([{ w: 300 }, { w: -1, h: 250 }, { w: 20_000, h: 1 }, { format: [{ wratio: 6, hratio: 5 }] }])(
    'no banner fits a slot %j',
    (banner) => {
      expect(parseBidRequest({ ...minimal, imp: [{ id: 'i', banner }] }).imps[0]?.banner).toBeNull();
    },
  );

  test.each([
    [{ w: 0, h: 0 }, []],
    [
      {
        format: [
          { wratio: 6, hratio: 5 },
          { w: 300, h: '250' },
        ],
      },
      ['300x250'],
    ],
    [{ format: [{ w: 300, h: 250 }], w: 0, h: 'x' }, ['300x250']],
  ])('a banner %j has the sizes %j', (banner, sizes) => {
    const [slot] = parse({ ...minimal, imp: [{ id: 'i', banner }] }).slots;
    expect(slot?.sizes.map(({ width, height }) => `${width}x${height}`)).toEqual(sizes);
  });

  test.each([
    [
      'joins keywords by plus and comma',
      { site: { ...minimal.site, keywords: 'A, b', ext: { kwrd: 'c+D e' } } },
      'keywords',
      ['c', 'd', 'e', 'a', 'b'],
    ],
    [
      'finds key-values with and without kv',
      { ext: { keyvalues: { kvColor: 'Red' } } },
      'keyValues',
      new Map([
        ['kvcolor', ['red']],
        ['color', ['red']],
      ]),
    ],
    ['maps countries of three letters', { device: { geo: { country: 'POL' } } }, 'country', 'pl'],
    [
      'leaves segments out under npa',
      { user: { data: [{ segment: [{ id: 's1' }] }], ext: { npa: true } } },
      'segments',
      [],
    ],
    ['accepts segments otherwise', { user: { data: [{ segment: [{ id: 'S1' }] }] } }, 'segments', ['s1']],
    ['reads a DSA number', { regs: { ext: { dsa: 3 } } }, 'dsaRequired', 3],
    ['reads a DSA object', { regs: { ext: { dsa: { required: 2 } } } }, 'dsaRequired', 2],
    ['reads a DSA text as required', { regs: { ext: { dsa: 'yes' } } }, 'dsaRequired', 3],
    ['reads an empty DSA object as nothing', { regs: { ext: { dsa: {} } } }, 'dsaRequired', 0],
  ] as const)('%s', (_title, content, member, expected) => {
    expect(parse({ ...minimal, ...content })[member]).toEqual(expected);
  });

  test.each([
    ['a floor in our currency, rounded up', { bidfloor: 1.0000001, bidfloorcur: 'PLN' }, 1_000_001],
    ['a floor without currency is in the network’s', { bidfloor: 0.29 }, 290_000],
    [
      'a floor in a currency without a rate is above every price',
      { bidfloor: 0.01, bidfloorcur: 'GBP' },
      Number.POSITIVE_INFINITY,
    ],
    ['a floor in a currency with a rate, rounded up', { bidfloor: 0.3, bidfloorcur: 'usd' }, 1_200_001],
    [
      'a floor in a currency whose rate begins tomorrow',
      { bidfloor: 0.3, bidfloorcur: 'CHF' },
      Number.POSITIVE_INFINITY,
    ],
    ['a floor of nothing in any currency', { bidfloor: 0, bidfloorcur: 'GBP' }, 0],
    ['a negative floor, which every price passes', { bidfloor: -4 }, 0],
    ['a floor as text', { bidfloor: '0.29' }, 290_000],
  ])('%s', (_title, imp, floorMicros) => {
    expect(parse({ ...minimal, imp: [{ id: 'i', banner: {}, ...imp }] }).slots[0]?.floorMicros).toBe(floorMicros);
  });

  test.each([
    ['a named ad unit', { tagid: 'home/top' }, 'news', ['1', '1']],
    ['an unknown name', { tagid: 'nowhere' }, 'news', ['1', '']],
    ['no name: a unit of the site that fits', { banner: { w: 300, h: 250 } }, 'news', ['1', '1']],
    ['no name and no unit that fits', { banner: { w: 1, h: 1 } }, 'news', ['1', '']],
    ['an unknown site', {}, 'elsewhere', ['', '']],
  ])('an impression finds its ad unit by %s', (_title, imp, siteCode, context) => {
    const body = { ...minimal, site: { id: siteCode, domain: 'd.example' }, imp: [{ id: 'i', banner: {}, ...imp }] };
    const slot = parse(body).slots[0];
    expect([slot?.siteId, slot?.adUnitId]).toEqual(context);
  });

  test('key-values of an impression go before those of the page, for its slot alone', () => {
    const imp = [
      { id: 'a', banner: {}, ext: { keyvalues: { kvTopic: 'Rye', size: ['XL', 2] } } },
      { id: 'b', banner: {}, ext: { keyvalues: {} } },
      { id: 'c', banner: {}, ext: { keyvalues: 'rye' } },
    ];
    const { keyValues, slots } = parse({ ...minimal, imp, ext: { keyvalues: { topic: 'bread', tone: 'dry' } } });
    expect([...keyValues.keys()]).toEqual(['topic', 'tone']);
    expect(slots.map((slot) => slot.keyValues)).toEqual([
      new Map([
        ['topic', ['rye']],
        ['tone', ['dry']],
        ['kvtopic', ['rye']],
        ['size', ['xl', '2']],
      ]),
      undefined,
      undefined,
    ]);
  });

  describe('where the ad is shown', () => {
    const { site: _site, ...imp } = minimal;

    test.each([
      ['app', { id: 'a', bundle: 'org.example.a', domain: 'A.example' }, ['a', 'a.example']],
      ['app', { bundle: 'org.example.a' }, ['org.example.a', '']],
      ['dooh', { id: 'screen', domain: 'screens.example' }, ['screen', 'screens.example']],
      ['dooh', {}, ['', '']],
    ])('%s %j replaces the site', (name, object, expected) => {
      const { siteCode, domain } = parseBidRequest({ ...imp, [name]: object });
      expect([siteCode, domain]).toEqual(expected);
    });

    test('a site counts before an app, an app before a screen', () => {
      const app = { id: 'a', bundle: 'b' };
      expect(parseBidRequest({ ...minimal, app, dooh: { id: 'd' } }).siteCode).toBe('s');
      expect(parseBidRequest({ ...imp, app, dooh: { id: 'd' } }).siteCode).toBe('a');
    });

    test('key-values hold what the request says of app, screen and content; sent ones count before it', () => {
      const content = {
        genre: 'Jazz',
        genres: ['1', 2],
        livestream: 1,
        realtime: 0,
        episode: 3,
        network: { name: 'One' },
        title: {},
        keywords: 'Rye,bread',
      };
      const app = { bundle: 'org.example.a', ver: '4', keywords: 'bread', content };
      const { keyValues, keywords } = parseBidRequest({ ...imp, app, ext: { keyvalues: { 'content.genre': 'Own' } } });
      expect(Object.fromEntries(keyValues)).toEqual({
        'app.bundle': ['org.example.a'],
        'app.ver': ['4'],
        'content.genre': ['own'],
        'content.genres': ['1', '2'],
        'content.livestream': ['1'],
        'content.realtime': ['0'],
        'content.episode': ['3'],
        'content.network.name': ['one'],
      });
      expect(keywords).toEqual(['bread', 'rye']);
      const screen = parseBidRequest({ ...imp, dooh: { venuetype: ['30101', 'x'] } });
      expect(screen.keyValues.get('dooh.venuetype')).toEqual(['30101', 'x']);
    });
  });

  test('an audio impression offers audio, with what its player accepts', () => {
    const audio = { mimes: ['audio/MPEG'], maxduration: 30, battr: [6], companionad: [{ w: 300, h: 250 }] };
    const [slot] = parse({ ...minimal, imp: [{ id: 'i', tagid: 'radio', audio }] }).slots;
    expect(slot).toMatchObject({
      mediaTypes: ['audio'],
      audio: { mimeTypes: ['audio/mpeg'], maxDurationMs: 30_000, companionPlaces: [{ sizes: [{ width: 300 }] }] },
      blockedByMedia: { audio: [6] },
    });
  });

  test('an impression of audio alone is refused where the ad unit takes no audio', () => {
    for (const tagid of ['', 'unknown'])
      expect(() => parse({ ...minimal, imp: [{ id: 'i', tagid, audio: {} }] })).toThrow(
        /needs one of banner, video, native; audio alone is for/,
      );
    expect(parse({ ...minimal, imp: [{ id: 'i', audio: {}, banner: {} }] }).slots).toHaveLength(1);
  });

  describe('pods', () => {
    const mimes = ['video/mp4'];

    test('a pod of stated slots has one slot for each impression, and key-values say which', () => {
      const imp = [1, 0, -1].map((slotinpod, at) => ({ id: `${at}`, video: { podid: 'p', podseq: 1, slotinpod } }));
      const { slots } = parse({ ...minimal, imp, ext: { keyvalues: { tone: 'dry' } } });
      expect(slots.map(({ pod }) => [pod?.id, pod?.sharedMs])).toEqual(imp.map(() => ['p', null]));
      expect(slots.map(({ keyValues }) => Object.fromEntries(keyValues ?? []))).toEqual([
        { 'pod.slot': ['first'], 'pod.sequence': ['first'], tone: ['dry'] },
        { 'pod.sequence': ['first'], tone: ['dry'] },
        { 'pod.slot': ['last'], 'pod.sequence': ['first'], tone: ['dry'] },
      ]);
    });

    test.each([
      [{ poddur: 60, maxseq: 3 }, 3],
      [{ poddur: 60, maxseq: 99 }, 12],
      [{ poddur: 60, minduration: 15 }, 4],
      [{ poddur: 3_600 }, 20],
      [{ poddur: 4 }, 1],
      [{ maxseq: 3 }, 1],
    ])('a pod of %j has %i slots, which share time and an id', (video, expected) => {
      const { slots } = parse({ ...minimal, imp: [{ id: 'i', video: { mimes, ...video } }] });
      expect(slots).toHaveLength(expected);
      expect(new Set(slots.map(({ slotId }) => slotId))).toEqual(new Set(['i']));
      if ('poddur' in video) expect(slots[0]?.video?.maxDurationMs).toBe(video.poddur * 1_000);
    });

    test('a pod of many impressions has at most as many slots as a request', () => {
      const imp = Array.from({ length: 10 }, (_imp, at) => ({ id: `${at}`, video: { poddur: 600, maxseq: 20 } }));
      expect(parse({ ...minimal, imp }).slots.length).toBeLessThanOrEqual(110);
    });

    test('a slot has floors by duration and by second, in micros; the lowest is that of the slot', () => {
      const video = { mimes, mincpmpersec: 0.1, durfloors: [{ mindur: 16, bidfloor: 9 }, { maxdur: 15 }] };
      const [slot] = parse({ ...minimal, imp: [{ id: 'i', bidfloor: 5, video, banner: {} }] }).slots;
      expect(slot).toMatchObject({
        floorMicros: 0,
        timedFloors: {
          banner: { otherwiseMicros: 5_000_000, ranges: [], perSecondMicros: 0 },
          video: {
            perSecondMicros: 100_000,
            otherwiseMicros: 5_000_000,
            ranges: [
              { minMs: 16_000, maxMs: Number.POSITIVE_INFINITY, floorMicros: 9_000_000 },
              { minMs: 0, maxMs: 15_000, floorMicros: 0 },
            ],
          },
        },
      });
    });
  });

  test('recorded requests get their expected responses', () => {
    const wrong = readCases().filter(
      ({ expect: wanted, body }) =>
        !hasAudioAlone(body) && (wanted === '400') !== (outcomeOf(body) === 'refused') && wanted !== 'any but 5xx',
    );
    expect(wrong).toEqual([]);
  });
});

describe('evaluating privacy', () => {
  const none = { gdpr: null, consent: '', gpp: '', usPrivacy: '', coppa: false, npa: false, trackingLimited: false };
  const nothingAllowed = 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA';
  test.each([
    ['nothing said', {}, null],
    ['the flag', { npa: true }, 'npa_flag'],
    ['children', { coppa: true }, 'coppa'],
    ['GDPR without consent', { gdpr: 1 }, 'no_consent'],
    ['GDPR with junk', { gdpr: 1, consent: 'junk' }, 'no_consent'],
    ['a TCF string that allows nothing', { gdpr: 1, consent: nothingAllowed }, 'no_consent'],
    ['no GDPR, no consent needed', { gdpr: 0 }, null],
    ['a US opt-out', { usPrivacy: '1YYN' }, 'us_opt_out'],
    ['a US notice without opt-out', { usPrivacy: '1YNN' }, null],
    ['limited tracking', { trackingLimited: true }, 'tracking_limited'],
  ] as const)('%s', (_title, signals, reason) => {
    expect(resolvePrivacy({ ...none, ...signals })).toMatchObject({ reason, npa: reason !== null });
  });

  test('a TCF string with purposes 1, 3 and 4 allows personalisation, in consent, gpp and inside a GPP string', async () => {
    const { TCModel, TCString, GVL } = await import('@iabtcf/core');
    const encode = (purposes: number[]) => {
      const model = new TCModel();
      const list = {
        gvlSpecificationVersion: 3,
        vendorListVersion: 1,
        tcfPolicyVersion: 4,
        lastUpdated: '2024-01-01T00:00:00Z',
        purposes: {},
        specialPurposes: {},
        features: {},
        specialFeatures: {},
        stacks: {},
        vendors: {},
        dataCategories: {},
      };
      model.gvl = new GVL(list as unknown as ConstructorParameters<typeof GVL>[0]);
      model.cmpId = 10;
      model.cmpVersion = 1;
      model.purposeConsents.set(purposes);
      return TCString.encode(model);
    };
    const [yes, no] = [encode([1, 3, 4]), encode([1, 3])];
    expect(resolvePrivacy({ ...none, gdpr: 1, consent: yes }).npa).toBe(false);
    expect(resolvePrivacy({ ...none, gdpr: 1, consent: no }).npa).toBe(true);
    expect(resolvePrivacy({ ...none, gdpr: 1, gpp: yes }).npa).toBe(false);
    expect(resolvePrivacy({ ...none, gdpr: 1, gpp: `DBABMA~${yes}` }).npa).toBe(false);
  });
});
