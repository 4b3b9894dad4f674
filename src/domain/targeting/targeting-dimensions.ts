/** The facts of a request for dimensions. Texts are lower case; '' = unknown. */
export interface TargetedRequest {
  readonly pageUrl: string;
  readonly domain: string;
  readonly keywords: readonly string[];
  readonly keyValues: ReadonlyMap<string, readonly string[]>;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
  readonly language: string;
  /** All that the user's browser asks for. */
  readonly browserLanguages: readonly string[];
  readonly segments: readonly string[];
}

/** The facts of a slot for dimensions. Ids are decimal texts, '' = unknown inventory. */
export interface TargetedSlot {
  readonly siteId: string;
  readonly areaId: string;
  readonly adUnitId: string;
  readonly position: string;
  readonly mediaTypes: readonly string[];
  /** Its own key-values together with those of the request; absent: only those of the request. */
  readonly keyValues?: ReadonlyMap<string, readonly string[]>;
}

/** One slot of one request. */
export interface DimensionFacts {
  readonly opportunity: TargetedRequest;
  readonly slot: TargetedSlot;
  /** Offered sizes as "300x250". */
  readonly sizes: readonly string[];
  /** Codes of the deals that the slot offers, lower case. */
  readonly deals: readonly string[];
}

/** The groups in which the "why this ad" page names dimensions to users. */
export type WhyParameter = 'context' | 'place' | 'device' | 'time' | 'language' | 'profile' | 'agreement' | 'campaign';

/** The allowed values of a test: any text, ids of a table, texts of a form, texts under a key, or parts of the week. */
type AcceptedValues =
  | { readonly are: 'texts' | 'keyed' | 'dayParts' }
  | { readonly are: 'ids'; readonly table: string }
  | { readonly are: 'formed'; readonly pattern: RegExp; readonly wants: string };

/** All that is known of a dimension. */
export interface DimensionRow {
  /** Its description in the management API. */
  readonly description: string;
  readonly accepts: AcceptedValues;
  /** Its group on the "why this ad" page. `profile` also tells buyers of the DSA that the user's profile chose the ad. */
  readonly why: WhyParameter;
  /** Its value in the facts, lower case; '' or none = unknown. Null: it is compared with the time. `key` is that of a keyed test. */
  readonly values: ((facts: DimensionFacts, key: string) => string | readonly string[]) | null;
}

const TEXTS = { are: 'texts' } as const;
const idsOf = (table: string): AcceptedValues => ({ are: 'ids', table });
const formed = (pattern: RegExp, wants: string): AcceptedValues => ({ are: 'formed', pattern, wants });

/**
 * Everything that a line item can be targeted by. One row holds all that is known of a dimension: decisions, the index, rules and
 * enumeration of the management API, the "why this ad" page and the DSA read it here.
 */
export const DIMENSIONS = {
  site: { description: 'A site, by id.', accepts: idsOf('sites'), why: 'context', values: ({ slot }) => slot.siteId },
  area: { description: 'An area, by id.', accepts: idsOf('areas'), why: 'context', values: ({ slot }) => slot.areaId },
  adUnit: {
    description: 'An ad unit, by id.',
    accepts: idsOf('ad_units'),
    why: 'context',
    values: ({ slot }) => slot.adUnitId,
  },
  position: {
    description: 'Position of the slot on the page, as the request names it.',
    accepts: TEXTS,
    why: 'context',
    values: ({ slot }) => slot.position,
  },
  size: {
    description: 'Size of the slot, such as "300x250".',
    accepts: formed(/^\d{1,5}x\d{1,5}$/, 'a size such as "300x250"'),
    why: 'context',
    values: ({ sizes }) => sizes,
  },
  pageUrl: {
    description: 'Address of the page.',
    accepts: TEXTS,
    why: 'context',
    values: ({ opportunity }) => opportunity.pageUrl,
  },
  domain: {
    description: 'Domain of the site, with its subdomains.',
    accepts: TEXTS,
    why: 'context',
    values: ({ opportunity }) => withParentDomains(opportunity.domain),
  },
  keyword: {
    description: 'A keyword of the page.',
    accepts: TEXTS,
    why: 'context',
    values: ({ opportunity }) => opportunity.keywords,
  },
  keyValue: {
    description: 'A key-value pair of the request or of the slot; `key` names the key.',
    accepts: { are: 'keyed' },
    why: 'context',
    values: ({ opportunity, slot }, key) => (slot.keyValues ?? opportunity.keyValues).get(key) ?? '',
  },
  country: {
    description: 'Country, ISO 3166 alpha-2, such as "PL".',
    accepts: formed(/^[A-Za-z]{2}$/, 'a two-letter country code such as "PL"'),
    why: 'place',
    values: ({ opportunity }) => opportunity.country,
  },
  region: {
    description: 'Region, ISO 3166-2 without the country, such as "MZ".',
    accepts: TEXTS,
    why: 'place',
    values: ({ opportunity }) => opportunity.region,
  },
  city: { description: 'City by name.', accepts: TEXTS, why: 'place', values: ({ opportunity }) => opportunity.city },
  deviceType: {
    description: 'Kind of device: desktop, mobile, tablet, tv.',
    accepts: TEXTS,
    why: 'device',
    values: ({ opportunity }) => opportunity.deviceType,
  },
  os: { description: 'Operating system.', accepts: TEXTS, why: 'device', values: ({ opportunity }) => opportunity.os },
  browser: { description: 'Browser.', accepts: TEXTS, why: 'device', values: ({ opportunity }) => opportunity.browser },
  language: {
    description: 'Language, ISO 639, such as "pl".',
    accepts: TEXTS,
    why: 'language',
    values: ({ opportunity }) => opportunity.language,
  },
  browserLanguage: {
    description: 'A language that the browser asks for, BCP 47: "pl" is any Polish, "pl-PL" that of Poland.',
    accepts: formed(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/, 'a language tag such as "pl" or "pl-PL"'),
    why: 'language',
    values: ({ opportunity }) => opportunity.browserLanguages,
  },
  segment: {
    description: 'An audience segment, by id.',
    accepts: idsOf('segments'),
    why: 'profile',
    values: ({ opportunity }) => opportunity.segments,
  },
  dayPart: {
    description: 'Part of the week, such as "1-5 08:00-18:00".',
    accepts: { are: 'dayParts' },
    why: 'time',
    values: null,
  },
  deal: { description: 'A deal, by code.', accepts: TEXTS, why: 'agreement', values: ({ deals }) => deals },
  mediaType: {
    description: 'banner, video, native or audio.',
    accepts: formed(/^(banner|video|native|audio)$/, 'banner, video, native or audio'),
    why: 'context',
    values: ({ slot }) => slot.mediaTypes,
  },
} as const satisfies Record<string, DimensionRow>;

export type TargetingDimension = keyof typeof DIMENSIONS;

/** The row of a dimension. */
export function dimensionRow(dimension: TargetingDimension): DimensionRow {
  return DIMENSIONS[dimension];
}

/** The row of that name; null when no dimension has it. */
export function findDimension(name: string): DimensionRow | null {
  return Object.hasOwn(DIMENSIONS, name) ? dimensionRow(name as TargetingDimension) : null;
}

const NOTHING: readonly string[] = [];

/** Values that the facts have in a field; empty = unknown, as a fact is that a sample of an earlier version lacks. */
export function valuesOf(facts: DimensionFacts, dimension: TargetingDimension, key: string): readonly string[] {
  const values: string | readonly string[] | undefined = dimensionRow(dimension).values?.(facts, key);
  if (values === undefined || values === '') return NOTHING;
  return typeof values === 'string' ? [values] : values;
}

/** A domain and its parents, without the top level: a.b.example → a.b.example, b.example. */
export function withParentDomains(domain: string): readonly string[] {
  if (domain === '') return NOTHING;
  const labels = domain.split('.');
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_label, at) => labels.slice(at).join('.'));
}
