import { timingSafeEqual } from 'node:crypto';
import { CREATIVE_FORMATS } from '../creative-format.ts';
import { ARM_KEY_ID } from '../experiments/experiment.ts';
import { ByteParser, ByteWriter } from '../text/byte-fields.ts';
import { NO_KEY_VALUES, REPORT_KEYS_MAX, type ReportedKeyValues } from '../targeting/key-value.ts';
import { hmacSha256 } from '../ids/keyed-hash.ts';
import { LINE_ITEM_TYPES } from '../booking/line-item.ts';
import { PRICING_MODELS } from '../pricing/pricing-models.ts';
import type { LinkKey, ServedAd } from './served-ad.ts';

/** Longest token that is looked at, in characters; a real one has 130 to 400, and up to 760 more of reported key-values. */
export const LINK_TOKEN_CHARS_MAX = 2_048;

/** The reported keys of a network, and the arm of an experiment. */
const KEYS_MAX = REPORT_KEYS_MAX + 1;

const VERSION = 1;
const MAC_BYTES = 16;
const CHOSEN_BY_MAX = 32;
const FLAG_NPA = 1;
const FLAG_TEST = 2;
const FLAG_USER = 4;
/** Of links from before clicks went to the creative's present landing page: six bytes that mean nothing any more. */
const FLAG_LANDING = 8;
const LANDING_BYTES = 6;
const FLAG_KEY_VALUES = 16;
const FLAG_COMPANION = 32;
const FLAG_LIMITS = 64;
/** Programs without caps per household do not know it, and find the link invalid. */
const FLAG_HOUSEHOLD = 128;

/** One token is written at a time. */
const sealing = new ByteWriter();

/**
 * Seals what was served into the token of its links: `<key id>.<base64url>`, made of letters, digits, `-`, `_` and one dot,
 * so that a path holds it as it is. Fields are positional binary, signed by HMAC-SHA-256 cut to 16 bytes.
 * Free texts (country … browser) are cut to 64 bytes of UTF-8.
 *
 * @throws RangeError when a field is outside of its type: an id that is not decimal text, a number that is not a safe integer ≥ 0,
 *   an impression id that is not a ULID
 */
export function sealServedAd(ad: ServedAd, key: LinkKey): string {
  const writer = sealing;
  writer.clear();
  const purpose = purposeOf(key);
  writer.latin1(purpose);
  writeServedAd(ad, writer);
  writer.latin1(hmacSha256(key.secret, writer.bytes(), 'latin1').slice(0, MAC_BYTES));
  return `${key.keyId}.${writer.bytes().toString('base64url', purpose.length)}`;
}

/**
 * The content of a token; null for one that is forged, cut, changed, or signed by a key that is not (or no longer) among `keys`.
 * Never throws. The caller decides whether the token is still fresh.
 */
export function openServedAd(token: string, keys: readonly LinkKey[]): ServedAd | null {
  if (token.length > LINK_TOKEN_CHARS_MAX) return null;
  const dot = token.indexOf('.');
  if (dot < 1) return null;
  const key = keyOf(token, keys);
  if (key === undefined) return null;
  const text = token.slice(dot + 1);
  const bytes = Buffer.from(text, 'base64url');
  // Node skips characters outside base64url; we accept only the spelling that we wrote.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return null;
  const payload = bytes.subarray(0, bytes.length - MAC_BYTES);
  if (!timingSafeEqual(sign(payload, key), bytes.subarray(bytes.length - MAC_BYTES))) return null;
  return decodeServedAd(payload);
}

/** Tokens of one generation of {@link LinkTokenCache}: about 15 MB. */
const TOKENS_MAX = 10_000;

/** Remembers the newest tokens that were opened: the impression, the viewable impression, video events and clicks of an ad bring the same. */
export class LinkTokenCache {
  #young = new Map<string, OpenedToken>();
  #old = new Map<string, OpenedToken>();

  /** As `openServedAd`. */
  open(token: string, keys: readonly LinkKey[]): ServedAd | null {
    const known = this.#young.get(token) ?? this.#old.get(token);
    // The operator may have removed its key meanwhile.
    if (known !== undefined && keys.includes(known.key)) return known.ad;
    const ad = openServedAd(token, keys);
    const key = ad === null ? undefined : keyOf(token, keys);
    if (ad !== null && key !== undefined) this.#remember(token, { ad, key });
    return ad;
  }

  #remember(token: string, opened: OpenedToken): void {
    if (this.#young.size >= TOKENS_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(token, opened);
  }
}

interface OpenedToken {
  readonly ad: ServedAd;
  readonly key: LinkKey;
}

function keyOf(token: string, keys: readonly LinkKey[]): LinkKey | undefined {
  const keyId = token.slice(0, token.indexOf('.'));
  return keys.find((one) => one.keyId === keyId);
}

function sign(payload: Buffer, key: LinkKey): Buffer {
  const message = Buffer.concat([Buffer.from(purposeOf(key)), payload]);
  return Buffer.from(hmacSha256(key.secret, message, 'latin1').slice(0, MAC_BYTES), 'latin1');
}

/** The prefix of the payload in the signature, so that a signature for another purpose is invalid here. */
function purposeOf(key: LinkKey): string {
  return `placard-link/${key.keyId}/`;
}

function writeServedAd(ad: ServedAd, writer: ByteWriter): void {
  writer.byte(VERSION);
  writer.byte(
    (ad.npa ? FLAG_NPA : 0) |
      (ad.test ? FLAG_TEST : 0) |
      (ad.userHash === '' ? 0 : FLAG_USER) |
      (ad.keyValues === NO_KEY_VALUES ? 0 : FLAG_KEY_VALUES) |
      (ad.companion ? FLAG_COMPANION : 0) |
      (ad.heldLimits === 0 ? 0 : FLAG_LIMITS) |
      (ad.householdHash === '' ? 0 : FLAG_HOUSEHOLD),
  );
  writer.ulid(ad.impressionId);
  writer.integer(ad.workspaceId);
  // Fields by their names, in the order of `readIds` and `readTexts`: a look-up by a variable name costs as much as the writing.
  writer.decimalId(ad.advertiserId);
  writer.decimalId(ad.campaignId);
  writer.decimalId(ad.lineItemId);
  writer.decimalId(ad.creativeId);
  writer.decimalId(ad.dealId);
  writer.decimalId(ad.advertisingProductId);
  writer.decimalId(ad.siteId);
  writer.decimalId(ad.areaId);
  writer.decimalId(ad.adUnitId);
  writer.byte(choiceOf(LINE_ITEM_TYPES, ad.lineItemType));
  writer.byte(choiceOf(CREATIVE_FORMATS, ad.creativeFormat));
  writer.byte(choiceOf(PRICING_MODELS, ad.pricingModel));
  writer.integer(ad.priceMicros);
  writer.integer(ad.width);
  writer.integer(ad.height);
  writer.integer(ad.decidedAtMs);
  writer.text(ad.country);
  writer.text(ad.region);
  writer.text(ad.deviceType);
  writer.text(ad.os);
  writer.text(ad.browser);
  if (ad.userHash !== '') writer.hex(ad.userHash, 8);
  if (ad.householdHash !== '') writer.hex(ad.householdHash, 8);
  if (ad.keyValues !== NO_KEY_VALUES) writeKeyValues(ad.keyValues, writer);
  if (ad.heldLimits !== 0) writer.integer(ad.heldLimits);
  const chosenBy = ad.chosenBy.slice(0, CHOSEN_BY_MAX);
  writer.byte(chosenBy.length);
  for (const text of chosenBy) writer.text(text);
}

function writeKeyValues(keyValues: ReportedKeyValues, writer: ByteWriter): void {
  const entries = Object.entries(keyValues).slice(0, KEYS_MAX);
  writer.byte(entries.length);
  for (const [id, value] of entries) {
    writer.decimalId(id === ARM_KEY_ID ? '' : id);
    writer.text(value);
  }
}

function readKeyValues(parser: ByteParser): ReportedKeyValues {
  const count = Math.min(parser.byte(), KEYS_MAX);
  return Object.fromEntries(Array.from({ length: count }, () => [parser.decimalId() || ARM_KEY_ID, parser.text()]));
}

function choiceOf<T extends string>(choices: readonly T[], value: T): number {
  const index = choices.indexOf(value);
  if (index < 0) throw new RangeError(`${value} is none of ${choices.join(', ')}`);
  return index;
}

/** Null when the bytes are not of this version: a newer program signed them, with a key that we share. */
function decodeServedAd(payload: Buffer): ServedAd | null {
  const parser = new ByteParser(payload);
  if (parser.byte() !== VERSION) return null;
  const flags = parser.byte();
  // The order of these reads is the order of the bytes.
  const impressionId = parser.ulid();
  const workspaceId = parser.integer();
  const ids = readIds(parser);
  const lineItemType = LINE_ITEM_TYPES[parser.byte()];
  const creativeFormat = CREATIVE_FORMATS[parser.byte()];
  const pricingModel = PRICING_MODELS[parser.byte()];
  if (lineItemType === undefined || creativeFormat === undefined || pricingModel === undefined) return null;
  const priceMicros = parser.integer();
  const width = parser.integer();
  const height = parser.integer();
  const decidedAtMs = parser.integer();
  const texts = readTexts(parser);
  const userHash = (flags & FLAG_USER) === 0 ? '' : parser.hex(8);
  const householdHash = (flags & FLAG_HOUSEHOLD) === 0 ? '' : parser.hex(8);
  if ((flags & FLAG_LANDING) !== 0) parser.hex(LANDING_BYTES);
  const keyValues = (flags & FLAG_KEY_VALUES) === 0 ? NO_KEY_VALUES : readKeyValues(parser);
  const heldLimits = (flags & FLAG_LIMITS) === 0 ? 0 : parser.integer();
  const chosenBy = Array.from({ length: Math.min(parser.byte(), CHOSEN_BY_MAX) }, () => parser.text());
  if (!parser.isExhausted()) return null;
  return {
    impressionId,
    workspaceId,
    ...ids,
    lineItemType,
    creativeFormat,
    companion: (flags & FLAG_COMPANION) !== 0,
    pricingModel,
    priceMicros,
    width,
    height,
    decidedAtMs,
    ...texts,
    keyValues,
    userHash,
    householdHash,
    heldLimits,
    chosenBy,
    npa: (flags & FLAG_NPA) !== 0,
    test: (flags & FLAG_TEST) !== 0,
  };
}

/** Members in the order of their bytes. */
function readIds(parser: ByteParser) {
  return {
    advertiserId: parser.decimalId(),
    campaignId: parser.decimalId(),
    lineItemId: parser.decimalId(),
    creativeId: parser.decimalId(),
    dealId: parser.decimalId(),
    advertisingProductId: parser.decimalId(),
    siteId: parser.decimalId(),
    areaId: parser.decimalId(),
    adUnitId: parser.decimalId(),
  };
}

/** Members in the order of their bytes. */
function readTexts(parser: ByteParser) {
  return {
    country: parser.text(),
    region: parser.text(),
    deviceType: parser.text(),
    os: parser.text(),
    browser: parser.text(),
  };
}
