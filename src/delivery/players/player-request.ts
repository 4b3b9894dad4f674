import { PlacardError } from '../../domain/errors.ts';
import type { Size } from '../../domain/booking/inventory.ts';
import type { PlayerOffer } from '../../domain/requests/opportunity.ts';
import { domainForm, inNfc } from '../../domain/text/one-form.ts';
import { AD_UNIT_CHARS_MAX, parseSize, SIZES_MAX } from '../ad-request/ads-request.ts';
import { POD_ADS_MAX } from '../ad-request/pod-slots.ts';
import { protocolsOf } from '../decision/creative-fit.ts';
import type { VastVersion } from '../decision/creative-fit.ts';
import { parseKeyValues } from '../openrtb/bid-request.ts';
import type { UserIds } from '../openrtb/bid-request.ts';
import { readPrivacySignals } from '../openrtb/privacy-signals.ts';
import type { PrivacySignals } from '../openrtb/privacy-signals.ts';
import { ROLLS } from './ad-breaks.ts';
import type { Roll } from './ad-breaks.ts';
import { PlayerQuery } from './player-query.ts';

/** Longest query that is read, in characters; a longer one is an error. */
export const QUERY_CHARS_MAX = 16_384;
/** Longest key-values that are read, in characters; longer ones are an error. */
export const CUST_PARAMS_CHARS_MAX = 8_192;
const URL_CHARS_MAX = 4_096;
const MIMES_MAX = 20;
const DURATION_MS_MAX = 86_400_000;
const ID_CHARS_MAX = 512;

/** The ads of a break, one after the other. */
export interface PlayerPod {
  readonly adsMax: number;
  readonly timeMs: number;
}

/** A request of a player for one or more ads of an ad unit. */
export interface PlayerRequest {
  /** Name or id, as sent; for `iu` without its network. */
  readonly adUnit: string;
  readonly version: VastVersion;
  readonly pageUrl: string;
  /** Of the page; '' = unknown. */
  readonly domain: string;
  readonly sizes: readonly Size[];
  readonly keyValues: ReadonlyMap<string, readonly string[]>;
  /** Null = not stated. */
  readonly position: Roll | null;
  readonly offer: PlayerOffer;
  /** Null: a break has one ad. */
  readonly pod: PlayerPod | null;
  readonly privacy: PrivacySignals;
  readonly userIds: UserIds;
  readonly test: boolean;
  /** Tags of third parties are followed by the server. */
  readonly unwrap: boolean;
  /** The caller wants to know why a response is empty. */
  readonly debug: boolean;
}

/**
 * Reads the query of an address of players. A parameter that is empty, or an unfilled placeholder, counts as absent; a privacy signal that
 * cannot be read counts as an objection.
 * @param accept the header, which may name a version of VAST
 * @throws PlacardError `invalid_request` naming the parameter
 */
export function parsePlayerRequest(query: string, accept: string): PlayerRequest {
  if (query.length > QUERY_CHARS_MAX) throw invalid('The query', `must have at most ${QUERY_CHARS_MAX} characters`);
  const given = new PlayerQuery(query);
  const pageUrl = given.text('page').slice(0, URL_CHARS_MAX).toWellFormed();
  const version = readVersion(given, accept);
  return {
    adUnit: readAdUnit(given),
    version,
    pageUrl,
    domain: domainForm(URL.parse(pageUrl)?.hostname ?? ''),
    sizes: readSizes(given, 'sizes', '|'),
    keyValues: readKeyValues(given),
    position: readChoice(given, 'position', ROLLS),
    offer: readOffer(given, version),
    pod: readPod(given),
    privacy: readPrivacy(given),
    userIds: { lu: '', aid: given.text('ppid').slice(0, ID_CHARS_MAX).toWellFormed(), hh: '' },
    test: readFlag(given, 'test'),
    unwrap: readFlag(given, 'unwrap'),
    debug: readFlag(given, 'debug'),
  };
}

function invalid(name: string, problem: string): PlacardError {
  return new PlacardError('invalid_request', `${name} ${problem}.`);
}

function readAdUnit(given: PlayerQuery): string {
  const text = given.text('unit');
  if (text === '') throw invalid('unit', 'is missing; it must be the name or id of an ad unit');
  if (text.length > AD_UNIT_CHARS_MAX)
    throw invalid(given.nameOf('unit'), `must have at most ${AD_UNIT_CHARS_MAX} characters`);
  // `/network/name`; a network with a child network is written `/one,other/name`.
  const path = given.nameOf('unit') === 'iu' ? (/^\/[\d,]+\/(.+)$/.exec(text)?.[1] ?? text) : text;
  return inNfc(path);
}

const VERSIONS: Readonly<Record<string, VastVersion>> = {
  '2': '2.0',
  '2.0': '2.0',
  '3': '3.0',
  '3.0': '3.0',
  '4': '4.2',
  '4.0': '4.0',
  '4.1': '4.1',
  '4.2': '4.2',
};
/** Of `output`; null: it says nothing of the version. */
const OUTPUTS: Readonly<Record<string, VastVersion | null>> = {
  vast: null,
  vmap: null,
  xml_vmap1: null,
  xml_vast2: '2.0',
  xml_vast3: '3.0',
  xml_vast4: '4.2',
};
export const NEWEST_VERSION: VastVersion = '4.2';
const ACCEPTED_VERSION = /;\s*(?:version|profile)="?(?:vast[/ _-]?)?([2-4](?:\.[0-2])?)"?\s*(?:[;,]|$)/i;

/** `vast`, else `output`, else a parameter `version` or `profile` of the header `Accept`, else the newest. */
function readVersion(given: PlayerQuery, accept: string): VastVersion {
  const stated = given.text('version');
  if (stated !== '') {
    const version = Object.hasOwn(VERSIONS, stated) ? VERSIONS[stated] : undefined;
    if (version === undefined) throw invalid('vast', 'must be 2.0, 3.0, 4.0, 4.1 or 4.2');
    return version;
  }
  const output = given.text('output').toLowerCase();
  if (output !== '' && !Object.hasOwn(OUTPUTS, output))
    throw invalid('output', `must be one of ${Object.keys(OUTPUTS).join(', ')}`);
  const accepted = ACCEPTED_VERSION.exec(accept.slice(0, ID_CHARS_MAX))?.[1] ?? '';
  return OUTPUTS[output] ?? VERSIONS[accepted] ?? NEWEST_VERSION;
}

/** Sizes, separated by a sign; `fluid` is none. */
function readSizes(given: PlayerQuery, key: 'sizes' | 'companions', separator: '|' | ','): Size[] {
  const text = given.text(key).toLowerCase();
  if (text === '') return [];
  const parts = text.split(separator, SIZES_MAX + 1).slice(0, SIZES_MAX);
  return parts
    .filter((part) => part !== 'fluid')
    .map((part) => {
      // Tags of Google Ad Manager write a player's size as `640x480v`.
      const size = parseSize(part.replace(/v$/, ''));
      if (size === null) throw invalid(given.nameOf(key), `must hold sizes such as 640x480, separated by ${separator}`);
      return size;
    });
}

function readKeyValues(given: PlayerQuery): Map<string, readonly string[]> {
  const text = given.text('keyValues');
  if (text.length > CUST_PARAMS_CHARS_MAX)
    throw invalid('cust_params', `must have at most ${CUST_PARAMS_CHARS_MAX} characters`);
  const pairs = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === '') continue;
    const values = pairs.get(name) ?? [];
    values.push(...value.split(',').filter((one) => one !== ''));
    pairs.set(name, values);
  }
  return parseKeyValues(Object.fromEntries(pairs));
}

function readChoice<Choice extends string>(
  given: PlayerQuery,
  key: 'position' | 'linearity' | 'breakAds',
  choices: readonly Choice[],
): Choice | null {
  const text = given.text(key).toLowerCase();
  if (text === '') return null;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw invalid(given.nameOf(key), `must be one of ${choices.join(', ')}`);
  return found;
}

function readDuration(given: PlayerQuery, key: 'minDuration' | 'maxDuration' | 'podTime'): number {
  const text = given.text(key);
  if (text === '') return 0;
  const milliseconds = /^\d{1,8}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (milliseconds > DURATION_MS_MAX)
    throw invalid(given.nameOf(key), `must be a whole number of milliseconds up to ${DURATION_MS_MAX}`);
  return milliseconds;
}

function readOffer(given: PlayerQuery, version: VastVersion): PlayerOffer {
  const minDurationMs = readDuration(given, 'minDuration');
  const maxDurationMs = readDuration(given, 'maxDuration') || Number.POSITIVE_INFINITY;
  if (minDurationMs > maxDurationMs) throw invalid('min_ad_duration', 'must not be above max_ad_duration');
  const mimes = given.text('mimes').toLowerCase();
  const isNonLinear = readChoice(given, 'linearity', ['linear', 'nonlinear'] as const) === 'nonlinear';
  return {
    mimeTypes: mimes === '' ? [] : readMimes(mimes),
    minDurationMs,
    maxDurationMs,
    protocols: protocolsOf(version),
    companionPlaces: readSizes(given, 'companions', ',').map((size) => ({ sizes: [size], blockedAttributes: [] })),
    companionTypes: [],
    ...(isNonLinear ? { limits: NON_LINEAR } : {}),
  };
}

function readPod(given: PlayerQuery): PlayerPod | null {
  const ads = given.text('podAds');
  const timeMs = readDuration(given, 'podTime') || DURATION_MS_MAX;
  if (ads === '') return timeMs === DURATION_MS_MAX ? null : { adsMax: POD_ADS_MAX, timeMs };
  const adsMax = /^\d{1,2}$/.test(ads) ? Number(ads) : 0;
  if (adsMax < 1 || adsMax > POD_ADS_MAX)
    throw invalid(given.nameOf('podAds'), `must be a whole number from 1 to ${POD_ADS_MAX}`);
  return { adsMax, timeMs };
}

const NON_LINEAR = {
  minBitrateKbps: 0,
  maxBitrateKbps: Number.MAX_SAFE_INTEGER,
  deliveryMethods: [],
  durationsMs: [],
  isNonLinear: true,
} as const;

function readMimes(text: string): string[] {
  const mimes = text.split(',', MIMES_MAX + 1).map((one) => one.trim());
  if (mimes.length > MIMES_MAX || !mimes.every((mime) => /^[a-z]+\/[a-z0-9.+-]{1,64}$/.test(mime)))
    throw invalid('mimes', `must be at most ${MIMES_MAX} types such as video/mp4, separated by commas`);
  return mimes;
}

/** The privacy signals of an address; one that cannot be read counts as an objection. */
export function readPrivacy(given: PlayerQuery): PrivacySignals {
  return readPrivacySignals({
    regs: {
      gdpr: given.signal('gdpr'),
      consent: given.signal('consent'),
      gpp: given.signal('gpp'),
      us_privacy: given.signal('usPrivacy'),
      coppa: given.strictestFlag('coppa'),
    },
    user: { npa: given.strictestFlag('npa') },
    device: { lmt: given.strictestFlag('limited') },
  });
}

function readFlag(given: PlayerQuery, key: 'test' | 'debug' | 'unwrap'): boolean {
  return ['1', 'on', 'true'].includes(given.text(key).toLowerCase());
}

/** Whether a VMAP document names an address for each break, or holds the ads themselves. @throws PlacardError `invalid_request` */
export function readBreakAds(query: PlayerQuery): 'tag' | 'inline' {
  return readChoice(query, 'breakAds', ['tag', 'inline'] as const) ?? 'tag';
}
