import { z } from 'zod';

const httpsUrl = z.string().regex(/^https:\/\/[^\s"<>]+$/);
const positive = z.int().min(1);
const dsaFacts = z.strictObject({
  behalf: z.string().min(1).max(100).optional(),
  paid: z.string().min(1).max(100).optional(),
  adrender: z.union([z.literal(0), z.literal(1)]),
  transparency: z
    .array(z.strictObject({ domain: z.string().min(1), dsaparams: z.array(z.union([z.literal(1), z.literal(2)])) }))
    .min(1),
});
const bid = z.strictObject({
  id: z.string().min(1),
  impid: z.string().min(1),
  price: z.number().min(0),
  adm: z.string().min(1),
  adomain: z.array(z.string().min(1)).min(1),
  cid: z.string().min(1),
  crid: z.string().min(1),
  w: positive.optional(),
  h: positive.optional(),
  /** Seconds, of an ad in a pod and of any film. */
  dur: z.number().int().positive().optional(),
  slotinpod: z.number().int().optional(),
  mtype: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  cat: z.array(z.string().min(1)).min(1).optional(),
  attr: z.array(z.int()).min(1).optional(),
  dealid: z.string().min(1).optional(),
  exp: positive,
  burl: httpsUrl,
  ext: z.strictObject({ ems_link: httpsUrl, dsaurl: httpsUrl, dsa: dsaFacts.optional() }),
});

/** OpenRTB 2.6 BidResponse, as strict as what we send: an unknown member is a fault, too. */
const bidResponse = z.strictObject({
  id: z.string().min(1),
  cur: z.string().regex(/^[A-Z]{3}$/),
  seatbid: z.array(z.strictObject({ seat: z.string().min(1), bid: z.array(bid).min(1) })).min(1),
  ext: z.strictObject({ dsaurl: httpsUrl }),
});
type Bid = z.infer<typeof bid>;
type Json = Readonly<Record<string, unknown>>;

/**
 * The faults of a 200 of the bid endpoint for its request; empty when there is none. `videos` collects VAST documents to be parsed.
 * The request counts as the server reads it: without keys named `__proto__`, and with U+FFFD for halves of surrogate pairs.
 */
export function findBidFaults(request: unknown, response: unknown, videos: string[]): string[] {
  const parsed = bidResponse.safeParse(response);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const { id, cur, seatbid, ext } = parsed.data;
  const asked = object(asRead(request));
  const bids = seatbid.flatMap((seat) => seat.bid);
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  must(id === text(asked['id']), `id is ${id}`);
  must(allows(asked['cur'], cur), `cur ${cur} is not among cur`);
  must(new Set(seatbid.map(({ seat }) => seat)).size === seatbid.length, 'a seat stands twice');
  for (const { seat } of seatbid) {
    must(allows(asked['wseat'], seat), `seat ${seat} is not among wseat`);
    must(!list(asked['bseat']).includes(seat), `seat ${seat} is among bseat`);
  }
  must(new Set(bids.map((one) => one.id)).size === bids.length, 'a bid id stands twice');
  must(new Set(bids.map((one) => one.crid)).size === bids.length, 'a creative stands twice');
  must(ext.dsaurl === bids[0]?.ext.dsaurl, 'ext.dsaurl is not of the first bid');
  for (const one of bids) faults.push(...findFaultsOfBid(asked, one, cur).map((fault) => `${one.impid}: ${fault}`));
  videos.push(...bids.filter((one) => one.mtype === 2 || one.mtype === 3).map((one) => one.adm));
  return faults;
}

function findFaultsOfBid(asked: Json, bid: Bid, cur: string): string[] {
  const imps = list(asked['imp'])
    .map(object)
    .filter((imp) => text(imp['id']) === bid.impid);
  if (imps.length === 0) return ['was not asked for'];
  // Ids may stand twice in a broken request: the bid must be right for one of its impressions.
  const faults = imps.map((imp) => [...offerFaults(imp, bid, cur), ...markupFaults(imp, bid)]);
  const best = faults.find((found) => found.length === 0) ?? faults[0] ?? [];
  return [...best, ...requestFaults(asked, bid)];
}

const MEDIA = { 1: 'banner', 2: 'video', 3: 'audio', 4: 'native' } as const;

function offerFaults(imp: Json, bid: Bid, cur: string): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const media = MEDIA[bid.mtype];
  const offer = imp[media];
  must(isObject(offer), `mtype ${bid.mtype} was not offered`);
  const blocked = list(object(offer)['battr']);
  must(!(bid.attr ?? []).some((attribute) => blocked.includes(attribute)), 'a blocked attribute');
  const pmp = object(imp['pmp']);
  const deals = list(pmp['deals']).map(object);
  const deal = deals.find((one) => text(one['id']) === bid.dealid);
  if (bid.dealid !== undefined && isObject(imp['pmp'])) must(deal !== undefined, `deal ${bid.dealid} was not offered`);
  if (pmp['private_auction'] === 1) must(bid.dealid !== undefined, 'a private auction got an open bid');
  // A floor that is not a number is read leniently; what it then means is left open here.
  const isOwn = deal?.['bidfloor'] !== undefined;
  const floored = isOwn ? deal : imp;
  const floor = floored['bidfloor'];
  const floorCurrency = text(floored['bidfloorcur']).toUpperCase();
  if (typeof floor === 'number' && floor > 0) {
    must(['', cur].includes(floorCurrency), `priced against a floor in ${floorCurrency}`);
    must(bid.price >= floor, `price ${bid.price} is below the floor ${floor}`);
  }
  if (media === 'banner') must(fitsSize(object(offer), bid), `${bid.w}x${bid.h} was not offered`);
  return faults;
}

/** Only requests whose sizes are all readable can be checked. */
function fitsSize(banner: Json, { w, h }: Bid): boolean {
  const formats = list(banner['format']).map(object);
  const sizes = formats.length > 0 ? formats : [banner];
  const isReadable = (side: unknown): boolean => Number.isInteger(side) && Number(side) >= 1 && Number(side) <= 10_000;
  if (!sizes.every((size) => isReadable(size['w']) && isReadable(size['h']))) return true;
  return sizes.length > 50 || sizes.some((size) => size['w'] === w && size['h'] === h);
}

function requestFaults(asked: Json, bid: Bid): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const blocked = list(asked['badv']).map((domain) => text(domain).toLowerCase());
  must(!bid.adomain.some((domain) => blocked.includes(domain.toLowerCase())), 'a blocked advertiser');
  must(!(bid.cat ?? []).some((category) => list(asked['bcat']).includes(category)), 'a blocked category');
  const regs = object(asked['regs']);
  const sent = object(regs['ext'])['dsa'] ?? regs['dsa'];
  const required = isObject(sent) ? (sent['dsarequired'] ?? sent['required']) : sent;
  if (required === 1 || required === 2 || required === 3) must(bid.ext.dsa !== undefined, 'no DSA facts');
  if (required === 2 || required === 3) {
    const { behalf, paid } = bid.ext.dsa ?? {};
    must(behalf !== undefined && paid !== undefined, 'DSA facts are required');
  }
  return faults;
}

function markupFaults(imp: Json, bid: Bid): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  if (imp['secure'] === 1) must(!/http:\/\/(?!www\.w3\.org\/|www\.iab)/.test(bid.adm), 'markup that is not secure');
  if (bid.mtype === 1) {
    must(bid.adm.includes(bid.ext.ems_link), 'the banner has no impression pixel');
    must(bid.adm.includes(bid.ext.dsaurl), 'the banner has no "Why this ad?" link');
    must(isNested(bid.adm), 'the banner is not well-formed markup');
  }
  if (bid.mtype === 2 || bid.mtype === 3) {
    must(/^<\?xml [^>]+>\n<VAST version="[2-4]\.\d"/.test(bid.adm), 'no VAST');
    must(bid.adm.includes(`<![CDATA[${bid.ext.ems_link}]]>`), 'the video has no impression');
    must(bid.adm.includes(`<![CDATA[${bid.ext.dsaurl}]]>`), 'the video has no "Why this ad?" link');
    must(isNested(bid.adm), 'the video is not well-formed XML');
  }
  return bid.mtype === 4 ? [...faults, ...nativeFaults(object(imp['native']), bid)] : faults;
}

/** Whether every element closes in its place. */
function isNested(markup: string): boolean {
  const open: string[] = [];
  const plain = markup.replace(/<!\[CDATA\[[\s\S]*?\]\]>|<\?xml[^>]*>/g, '');
  for (const [, closing, name = '', empty] of plain.matchAll(/<(\/)?([A-Za-z]+)(?:[^>"]|"[^"]*")*?(\/)?>/g)) {
    if (closing !== undefined && open.pop() !== name) return false;
    if (closing === undefined && empty === undefined && name !== 'img') open.push(name);
  }
  return open.length === 0;
}

const freeNative = z.strictObject({
  tplCode: z.string().min(1),
  fields: z.looseObject({ title: z.string().min(1), image: httpsUrl, url: httpsUrl }),
  meta: z.looseObject({ adclick: httpsUrl, dsaurl: httpsUrl, adid: z.string() }),
});
const tracker = z.strictObject({ event: positive, method: z.union([z.literal(1), z.literal(2)]), url: httpsUrl });
const requiredFlag = z.literal(1).optional();
const assetId = z.int().min(0);
const native12 = z.strictObject({
  ver: z.string().min(1),
  assets: z.array(
    z.union([
      z.strictObject({ id: assetId, required: requiredFlag, title: z.strictObject({ text: z.string().min(1) }) }),
      z.strictObject({
        id: assetId,
        required: requiredFlag,
        img: z.strictObject({ type: z.int(), url: httpsUrl, w: positive.optional(), h: positive.optional() }),
      }),
      z.strictObject({
        id: assetId,
        required: requiredFlag,
        data: z.strictObject({ type: positive, value: z.string().min(1) }),
      }),
    ]),
  ),
  link: z.strictObject({ url: httpsUrl, clicktrackers: z.array(httpsUrl), fallback: httpsUrl }),
  imptrackers: z.array(httpsUrl).min(1).optional(),
  eventtrackers: z.array(tracker).min(1).optional(),
  privacy: httpsUrl,
});

function nativeFaults(offer: Json, bid: Bid): string[] {
  const adm = readJson(bid.adm);
  const request = object(readJson(offer['request']));
  const inner = isObject(request['native']) ? request['native'] : request;
  if (Object.keys(inner).length === 0) {
    const free = freeNative.safeParse(adm);
    if (!free.success) return free.error.issues.map(({ path, message }) => `adm.${path.join('.')}: ${message}`);
    return free.data.meta.dsaurl === bid.ext.dsaurl ? [] : ['the native ad has another "Why this ad?" link'];
  }
  const isWrapped = isObject(request['native']);
  const responded = native12.safeParse(isWrapped ? object(adm)['native'] : adm);
  if (!responded.success) return responded.error.issues.map(({ path, message }) => `adm.${path.join('.')}: ${message}`);
  const { assets, eventtrackers, imptrackers, privacy } = responded.data;
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const wanted = list(inner['assets']).map(object);
  const has = (id: number): boolean =>
    wanted.some((asset, index) => Number(asset['id'] ?? index) === id || id === index);
  must(
    assets.every((asset) => has(asset.id)),
    'an asset that was not asked for',
  );
  for (const asset of wanted.filter(
    (one) => one['required'] === 1 && Number.isSafeInteger(one['id']) && Number(one['id']) >= 0,
  ))
    must(
      assets.some((one) => one.id === asset['id']),
      `required asset ${String(asset['id'])} is missing`,
    );
  const urls = [...(imptrackers ?? []), ...(eventtrackers ?? []).map(({ url }) => url)];
  must(urls.includes(bid.ext.ems_link), 'the native ad has no impression tracker');
  must(privacy === bid.ext.dsaurl, 'the native ad has another privacy link');
  return faults;
}

function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function asRead(request: unknown): unknown {
  return JSON.parse(JSON.stringify(request ?? null), (key, value: unknown) => {
    if (key === '__proto__') return undefined;
    return typeof value === 'string' ? value.toWellFormed() : value;
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function object(value: unknown): Json {
  return isObject(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Whether a list of texts is absent, empty or unreadable, or holds the value. */
function allows(allowed: unknown, value: string): boolean {
  const texts = list(allowed).map(text).filter(Boolean);
  return texts.length === 0 || texts.some((one) => one.toUpperCase() === value.toUpperCase());
}
