import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import { PLAYER_PARAMETERS } from './player-parameters.schema.ts';
import { CUST_PARAMS_CHARS_MAX, parsePlayerRequest, QUERY_CHARS_MAX } from './player-request.ts';

const read = (query: string, accept = '*/*') => parsePlayerRequest(`unit=u&${query}`, accept);
const npaReason = (query: string) => resolvePrivacy(read(query).privacy).reason;

describe('the ad unit', () => {
  test.each([
    ['unit=home/video', 'home/video'],
    ['iu=/1000/home/video', 'home/video'],
    ['iu=/1000,2000/home/video', 'home/video'],
    ['iu=home', 'home'],
    ['unit=/1000/home', '/1000/home'],
    ['unit=[UNIT]&iu=/1000/a', 'a'],
  ])('%s names %s', (query, adUnit) => {
    expect(parsePlayerRequest(query, '').adUnit).toBe(adUnit);
  });

  test.each(['', 'unit=', 'unit=%20', 'unit=${UNIT}', 'unit=%%UNIT%%', 'unit={{unit}}', 'unit=__UNIT__'])(
    'the query "%s" names none',
    (query) => {
      expect(() => parsePlayerRequest(query, '')).toThrow('unit is missing; it must be the name or id of an ad unit.');
    },
  );
});

describe('the version of VAST', () => {
  test.each([
    ['', '*/*', '4.2'],
    ['vast=3', '*/*', '3.0'],
    ['vast=4.1', '*/*', '4.1'],
    ['vast=2.0&output=xml_vast4', '*/*', '2.0'],
    ['output=xml_vast3', 'application/xml;version=2.0', '3.0'],
    ['output=vast', 'application/xml; profile="VAST/4.0"', '4.0'],
    ['', 'text/html, application/xml;version=3', '3.0'],
    ['', 'application/xml;version=7', '4.2'],
    ['vast=[VAST]', '', '4.2'],
  ])('%s with Accept %s chooses version %s', (query, accept, version) => {
    const request = read(query, accept);
    expect(request.version).toBe(version);
    expect(request.offer.protocols).toHaveLength(2);
  });
});

describe('what restricts ads', () => {
  test('durations, media types, companions and non-linear ads reach the offer of the slot', () => {
    const { offer } = read(
      'min_ad_duration=5000&max_ad_duration=30000&mimes=video/MP4,video/webm&ciu_szs=300x250,728x90&vad_type=nonlinear',
    );
    expect(offer).toMatchObject({
      minDurationMs: 5_000,
      maxDurationMs: 30_000,
      mimeTypes: ['video/mp4', 'video/webm'],
      companionPlaces: [{ sizes: [{ width: 300, height: 250 }] }, { sizes: [{ width: 728, height: 90 }] }],
      limits: { isNonLinear: true },
    });
    expect(read('max_ad_duration=0').offer.maxDurationMs).toBe(Number.POSITIVE_INFINITY);
  });

  test('sizes are read as tags write them', () => {
    expect(read('sz=640x480v|400X300|fluid').sizes).toEqual([
      { width: 640, height: 480 },
      { width: 400, height: 300 },
    ]);
  });

  test('key-values are decoded a second time, in one form, and no name changes the object', () => {
    const text = encodeURIComponent('Section=Blog&team=a,b&team=c&__proto__=x&=y&empty=');
    expect([...read(`cust_params=${text}`).keyValues]).toEqual([
      ['section', ['blog']],
      ['team', ['a', 'b', 'c']],
      ['__proto__', ['x']],
      ['empty', []],
    ]);
  });

  test.each([
    ['sz=640', 'sz must hold sizes such as 640x480, separated by |.'],
    ['sz=640x480,1x1', 'sz must hold'],
    ['ciu_szs=300x250|1x1', 'ciu_szs must hold'],
    ['vpos=middle', 'vpos must be one of preroll, midroll, postroll.'],
    ['vad_type=overlay', 'vad_type must be one of linear, nonlinear.'],
    ['min_ad_duration=-1', 'min_ad_duration must be a whole number of milliseconds up to 86400000.'],
    ['max_ad_duration=1e4', 'max_ad_duration must be a whole number'],
    ['min_ad_duration=2000&max_ad_duration=1000', 'min_ad_duration must not be above max_ad_duration.'],
    ['vast=5', 'vast must be 2.0, 3.0, 4.0, 4.1 or 4.2.'],
    ['vast=toString', 'vast must be'],
    ['output=json', 'output must be one of vast, vmap, xml_vmap1, xml_vast2, xml_vast3, xml_vast4.'],
    ['output=constructor', 'output must be'],
    ['mimes=mp4', 'mimes must be at most 20 types'],
    [`cust_params=${'a'.repeat(CUST_PARAMS_CHARS_MAX + 1)}`, 'cust_params must have at most 8192 characters.'],
    ['x'.repeat(QUERY_CHARS_MAX), 'The query must have at most 16384 characters.'],
    [`unit=${'u'.repeat(1_025)}`, 'unit must have at most 1024 characters.'],
  ])('%s is refused by name', (query, message) => {
    const whole = query.startsWith('unit=') ? query : `unit=u&${query}`;
    expect(() => parsePlayerRequest(whole, '')).toThrow(message);
  });

  test('an unfilled placeholder of a player counts as absent', () => {
    const placeholders =
      'sz=[SIZE]&vpos=${POS}&min_ad_duration=%%MIN%%&mimes={{mimes}}&url=[REFERRER]&cust_params=__KV__';
    expect(read(placeholders)).toEqual(read(''));
  });
});

describe('privacy', () => {
  test.each([
    ['', null],
    ['gdpr=0', null],
    ['gdpr=1', 'no_consent'],
    ['gdpr=yes', 'no_consent'],
    ['gdpr=${GDPR}', 'no_consent'],
    ['gdpr=1&gdpr_consent=garbage', 'no_consent'],
    ['gpp=[GPP]', 'gpp_unread'],
    ['us_privacy=1YYN', 'us_opt_out'],
    ['us_privacy=1YNN', null],
    ['npa=1', 'npa_flag'],
    ['npa=0&rdp=1', 'npa_flag'],
    ['ltd=1', 'npa_flag'],
    ['npa=0', null],
    ['tfcd=1', 'coppa'],
    ['tfcd=0&tfua=1', 'coppa'],
    ['coppa=true', 'coppa'],
    ['is_lat=1', 'tracking_limited'],
    ['dnt=0', null],
  ])('%s means %s', (query, reason) => {
    expect(npaReason(query)).toBe(reason);
  });
});

test('any query is read or refused with a name, and its parts are bounded', () => {
  const names = Object.values(PLAYER_PARAMETERS).flatMap(([all]) => [...all]);
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('640x480', '1', '0', '4.2', 'preroll', 'a=b&c=d,e', '%', '%zz', '[X]', '<a>', ']]>'),
  );
  const pair = fc.tuple(fc.constantFrom(...names), value);
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 30 }), fc.string({ maxLength: 60 }), (pairs, accept) => {
      const query = pairs.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join('&');
      try {
        const request = parsePlayerRequest(query, accept);
        expect(request.adUnit).not.toBe('');
        expect(request.sizes.length).toBeLessThanOrEqual(50);
        expect(request.keyValues.size).toBeLessThanOrEqual(400);
      } catch (error) {
        expect(error).toBeInstanceOf(PlacardError);
        expect((error as PlacardError).message).toMatch(/^(The query|[a-z_]+) /);
      }
    }),
    { numRuns: 300 },
  );
});
