import fc from 'fast-check';

/** A bid request body that a fuzz sends; `isValid`: it has what the specification requires, so no 4xx may come back, except for a member that restricts. */
export interface FuzzBody {
  readonly body: unknown;
  readonly isValid: boolean;
}

const SITES = ['magazine', 'sports', 'elsewhere'];
const AD_UNITS = [
  'home/top',
  'home/sidebar',
  'article/inline',
  'article/native',
  'article/video',
  'sports/top',
  'sports/sidebar',
  'sports/mobile',
  'nowhere',
];
const SIZES = [
  [970, 250],
  [728, 90],
  [300, 250],
  [300, 600],
  [320, 100],
  [640, 360],
  [1, 1],
] as const;
const DEALS = ['NL-WINTER-PMP', 'KC-PREFERRED', 'no-such-deal'];
const ODD_TEXTS = [
  '',
  ' ',
  '0',
  'NaN',
  '1e999',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '"><script>alert(1)</script>',
  ']]>',
  '${CLICK_URL}',
  '%',
  '%00',
  'é'.repeat(300),
  'x'.repeat(20_000),
];
const ODD_NUMBERS = [0, -0, -1, 1.5, 1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER, 4_294_967_296, 1e-7];

/** Values of no particular type: what a broken client sends anywhere. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], { w: {} }, { length: 3 }),
  fc.constantFrom<unknown>(...ODD_TEXTS),
  fc.constantFrom<unknown>(...ODD_NUMBERS),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Usually as OpenRTB says, now and then anything. */
function mostly<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: oddValue });
}

/** An object whose members are each there or not. */
function some(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(members, { requiredKeys: [], noNullPrototype: true });
}

const from = fc.constantFrom;
const flag = mostly(from(0, 1));
const amount = mostly(fc.oneof(from(0, 0.01, 1, 14, 18, 25, 60, 1_000), fc.double({ min: 0, max: 50, noNaN: true })));
const currency = mostly(from('PLN', 'USD', 'EUR', 'pln'));
const texts = (...values: string[]): fc.Arbitrary<unknown> => mostly(fc.subarray(values));
const integers = (...values: number[]): fc.Arbitrary<unknown> => mostly(fc.subarray(values));

const size = from(...SIZES).map(([w, h]) => ({ w, h }));
const banner = some({
  format: mostly(fc.array(mostly(size), { maxLength: 4 })),
  w: mostly(from(300, 320, 970)),
  h: mostly(from(250, 50, 600)),
  battr: integers(1, 2, 3, 6, 7, 14),
  pos: mostly(from(0, 1, 3, 7)),
});
const video = some({
  mimes: texts('video/mp4', 'video/webm', 'application/javascript'),
  minduration: mostly(from(0, 5, 15, 3_600)),
  maxduration: mostly(from(0, 6, 30, 60)),
  protocols: integers(2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 99),
  protocol: mostly(from(2, 3, 8)),
  w: mostly(from(640, 320)),
  h: mostly(from(360, 180)),
  battr: integers(1, 16, 17),
  companionad: mostly(fc.array(mostly(banner), { maxLength: 3 })),
  companiontype: integers(1, 2, 3),
  linearity: flag,
  skip: flag,
});

const asset = fc
  .tuple(
    mostly(fc.nat(9)),
    flag,
    fc.oneof(
      some({ len: mostly(from(0, 10, 25, 140)) }).map((title) => ({ title })),
      some({ type: mostly(from(1, 2, 3)), w: amount, h: amount, wmin: amount, hmin: amount }).map((img) => ({ img })),
      some({ type: mostly(from(1, 2, 3, 12)), len: mostly(from(0, 5, 90)) }).map((data) => ({ data })),
      oddValue.map((video) => ({ video })),
    ),
  )
  .map(([id, required, kind]) => ({ id, required, ...kind }));
const nativeRequest = some({
  ver: mostly(from('1.0', '1.1', '1.2')),
  assets: mostly(fc.array(mostly(asset), { maxLength: 6 })),
  eventtrackers: mostly(
    fc.array(some({ event: mostly(from(1, 2, 3, 555)), methods: integers(1, 2, 500) }), { maxLength: 4 }),
  ),
  privacy: flag,
});
const native = some({
  request: fc.oneof(
    from<unknown>('{}', '', {}, '{', 'null', '[]'),
    nativeRequest.map((request) => JSON.stringify(request)),
    nativeRequest.map((request) => JSON.stringify({ native: request })),
    nativeRequest,
    oddValue,
  ),
  ver: mostly(from('1.2', '1.1')),
  battr: integers(1, 2),
});

const deal = some({
  id: mostly(from(...DEALS)),
  bidfloor: amount,
  bidfloorcur: currency,
  at: mostly(from(1, 2, 3)),
  wseat: texts('advertiser-1', 'advertiser-2', 'advertiser-3', 'seat'),
  wadomain: texts('nordlicht.example', 'kiteandcrane.example', 'other.example'),
});
const pmp = some({ private_auction: flag, deals: mostly(fc.array(mostly(deal), { maxLength: 3 })) });

/** Objects alone here: an imp needs one of them to be one. */
const media = fc
  .record({ banner, video, native }, { requiredKeys: [], noNullPrototype: true })
  .map((offered) => (Object.keys(offered).length === 0 ? { banner: { format: [{ w: 300, h: 250 }] } } : offered));
const imp = fc
  .tuple(
    media,
    some({
      tagid: mostly(from(...AD_UNITS)),
      secure: flag,
      instl: flag,
      bidfloor: amount,
      bidfloorcur: currency,
      pmp: mostly(pmp),
      ext: mostly(some({ pos: mostly(from('1', 'top')), placement: mostly(from(...AD_UNITS)) })),
    }),
  )
  .map(([offered, rest]) => ({ ...rest, ...offered }));
const imps = fc
  .array(imp, { minLength: 1, maxLength: 5 })
  .chain((list) =>
    fc.tuple(fc.constant(list), fc.array(mostlyId(), { minLength: list.length, maxLength: list.length })),
  )
  .map(([list, ids]) => list.map((one, index) => ({ ...one, id: ids[index] })))
  .filter((list) => new Set(list.map(({ id }) => String(id).toWellFormed())).size === list.length);

/** Any text that is not empty, or a number, is an id. */
function mostlyId(): fc.Arbitrary<string | number> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }) },
    { weight: 1, arbitrary: from<string | number>(1, 0, -1.5, '__proto__', 'i1', 'ü'.repeat(1_000)) },
  );
}

const site = fc
  .tuple(
    from(...SITES),
    from('magazine.example', 'sports.example', 'MAGAZINE.example', '\u0000', 'b'.repeat(5_000)),
    some({
      page: mostly(from('https://www.magazine.example/', 'not an address', 'https://x.example/?q=%zz')),
      keywords: mostly(from('a,b', ',,,', 'x'.repeat(10_000))),
      kwarray: texts('a', 'b'),
      ext: mostly(
        some({ area: mostly(from('home', 'culture', 'none')), kwrd: mostly(from('coffee+tea', '+ +', 'a b')) }),
      ),
      publisher: oddValue,
    }),
  )
  .map(([id, domain, rest]) => ({ id, domain, ...rest }));
const regs = some({
  gdpr: flag,
  coppa: flag,
  gpp: mostly(from('DBACNYA~CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA', 'x~~y', 'CPXxRfAP')),
  gpp_sid: integers(2, 7),
  us_privacy: mostly(from('1YNN', '1NYN', '1---')),
  ext: mostly(
    some({
      gdpr: flag,
      dsa: fc.oneof(
        from<unknown>(0, 1, 2, 3, 4),
        some({
          dsarequired: mostly(from(0, 1, 2, 3)),
          pubrender: mostly(from(0, 1, 2)),
          datatopub: mostly(from(0, 1, 2)),
          transparency: mostly(fc.array(some({ domain: oddValue, dsaparams: integers(1, 2, 3) }), { maxLength: 2 })),
        }),
        oddValue,
      ),
    }),
  ),
});
const user = some({
  id: oddValue,
  consent: mostly(from('CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA', 'CO', 'C'.repeat(3_000))),
  data: mostly(
    fc.array(some({ segment: mostly(fc.array(some({ id: mostly(from('1', 'cars')) }), { maxLength: 2 })) }), {
      maxLength: 2,
    }),
  ),
  ext: mostly(
    some({
      npa: mostly(fc.boolean()),
      ids: mostly(some({ lu: mostly(fc.stringMatching(/^[0-9a-f]{0,32}$/)), aid: mostly(fc.uuid()) })),
      consent: oddValue,
    }),
  ),
});
const device = some({
  ua: mostly(from('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', '(((((((((', 'Googlebot/2.1')),
  ip: mostly(from('203.0.113.9', '::1', '999.1.1.1')),
  ipv6: mostly(from('2001:db8::1', 'x')),
  geo: mostly(some({ country: mostly(from('POL', 'PL', 'ZZZ')), region: mostly(from('MZ')), city: mostly(from('x')) })),
  devicetype: mostly(from(1, 2, 3, 4, 5, 6, 7, 8)),
  language: mostly(from('pl', 'en-GB')),
  dnt: flag,
  lmt: flag,
  sua: oddValue,
  os: mostly(from('iOS')),
});
const requestRest = some({
  cur: texts('PLN', 'USD', 'EUR'),
  tmax: mostly(from(1, 50, 300, 5_000)),
  test: flag,
  at: mostly(from(1, 2, 3)),
  bcat: texts('IAB1', 'IAB2-3', 'IAB25'),
  badv: texts('nordlicht.example', 'example', 'pinewood.example'),
  wseat: texts('advertiser-1', 'advertiser-2', 'advertiser-3', 'advertiser-4', 'advertiser-5'),
  bseat: texts('advertiser-1', 'advertiser-2'),
  wlang: texts('pl', 'en'),
  regs: mostly(regs),
  user: mostly(user),
  device: mostly(device),
  source: oddValue,
  ext: mostly(
    some({
      network: oddValue,
      keyvalues: mostly(fc.dictionary(fc.string({ maxLength: 12 }), oddValue, { maxKeys: 4, noNullPrototype: true })),
    }),
  ),
});

/** Requests by the grammar of OpenRTB 2.6: what is required is right, what is optional may be anything. */
export const grammarBody: fc.Arbitrary<FuzzBody> = fc
  .tuple(mostlyId(), imps, site, requestRest)
  .map(([id, list, where, rest]) => ({ body: { ...rest, id, imp: list, site: where }, isValid: true }));

type Change = 'delete' | 'replace' | 'double' | 'rename' | 'wrap' | 'deepen';
const mutation = fc.record({
  at: fc.nat(),
  change: from<Change>('delete', 'replace', 'replace', 'double', 'rename', 'wrap', 'deepen'),
  value: oddValue,
  name: from('__proto__', 'constructor', 'id', 'imp', 'ext', '', 'toJSON'),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

/** Bodies that were seen elsewhere, changed at a few positions. */
export function mutatedBody(seeds: readonly unknown[]): fc.Arbitrary<FuzzBody> {
  return fc
    .tuple(from(...seeds), fc.array(mutation, { maxLength: 6 }))
    .map(([seed, mutations]) => ({ body: mutations.reduce(mutate, structuredClone(seed)), isValid: false }));
}

interface Spot {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

const SPOTS_MAX = 5_000;

function mutate(body: unknown, { at, change, value: drawn, name }: Mutation): unknown {
  const value: unknown = structuredClone(drawn);
  const spots = findSpots(body);
  const spot = spots[at % Math.max(1, spots.length)];
  if (spot === undefined) return value;
  const { parent, key } = spot;
  const before = parent[key];
  if (change === 'delete') delete parent[key];
  else if (change === 'replace') parent[key] = value;
  else if (change === 'double') parent[key] = [before, before];
  else if (change === 'wrap') parent[key] = { [name]: before };
  else if (change === 'deepen') parent[key] = nest(before, at % 80);
  else Object.defineProperty(parent, name, { value: before, enumerable: true, configurable: true, writable: true });
  return body;
}

function findSpots(body: unknown): Spot[] {
  const spots: Spot[] = [];
  const open: unknown[] = [body];
  for (let value = open.pop(); value !== undefined && spots.length < SPOTS_MAX; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const parent = value as Record<string, unknown>;
    for (const key of Object.keys(parent)) {
      spots.push({ parent, key });
      open.push(parent[key]);
    }
  }
  return spots;
}

function nest(value: unknown, levels: number): unknown {
  let nested = value;
  for (let level = 0; level < levels; level += 1) nested = level % 2 === 0 ? [nested] : { a: nested };
  return nested;
}
