/** Privacy signals of a request, as macros pass them on. '' and null = not said. */
export interface MacroPrivacy {
  readonly gdpr: number | null;
  readonly consent: string;
  readonly gpp: string;
  readonly usPrivacy: string;
}

/** What an ad was booked as, and where it stands; '' = none. */
export interface MacroIds {
  readonly lineItemId: string;
  readonly campaignId: string;
  readonly advertiserId: string;
  readonly siteId: string;
  readonly adUnitId: string;
}

/** What the macros of one ad are filled with. Addresses are complete. */
export interface MacroFacts {
  readonly creativeId: string;
  /** The address that counts the click; '' = none, as in landing pages themselves. */
  readonly clickUrl: string;
  readonly landingUrl: string;
  readonly width: number;
  readonly height: number;
  /** Differs for each ad. */
  readonly cacheBuster: string;
  readonly timeMs: number;
  readonly privacy: MacroPrivacy | null;
  /** Null in a preview. */
  readonly ids: MacroIds | null;
}

/** A macro: its names in `${NAME}` and `%%NAME%%`, its names in `[NAME]`, and its value. */
interface Macro {
  readonly names: readonly string[];
  readonly bracketed?: readonly string[];
  readonly value: (facts: MacroFacts) => string;
  /** The value differs between requests by more than the ad's token. */
  readonly varies?: true;
  /** The value is percent-encoded already. */
  readonly isEncoded?: true;
}

const seconds = (timeMs: number): string => String(Math.floor(timeMs / 1_000));

const MACROS: readonly Macro[] = [
  { names: ['CLICK_URL', 'CLICK_URL_UNESC'], value: ({ clickUrl }) => clickUrl },
  {
    names: ['CLICK_URL_ESC', 'CLICK_URL_ENC'],
    value: ({ clickUrl }) => encodeURIComponent(clickUrl),
    isEncoded: true,
  },
  { names: ['LANDING_URL'], value: ({ landingUrl }) => landingUrl },
  {
    names: ['LANDING_URL_ESC', 'LANDING_URL_ENC'],
    value: ({ landingUrl }) => encodeURIComponent(landingUrl),
    isEncoded: true,
  },
  { names: ['WIDTH'], value: ({ width }) => String(width) },
  { names: ['HEIGHT'], value: ({ height }) => String(height) },
  { names: ['LINE_ITEM_ID'], value: ({ ids }) => ids?.lineItemId ?? '' },
  { names: ['CAMPAIGN_ID'], value: ({ ids }) => ids?.campaignId ?? '' },
  { names: ['ADVERTISER_ID'], value: ({ ids }) => ids?.advertiserId ?? '' },
  { names: ['SITE_ID'], value: ({ ids }) => ids?.siteId ?? '', varies: true },
  { names: ['AD_UNIT_ID'], value: ({ ids }) => ids?.adUnitId ?? '', varies: true },
  { names: ['CREATIVE_ID'], bracketed: ['CREATIVE_ID'], value: ({ creativeId }) => creativeId },
  {
    names: ['CACHEBUSTER', 'CACHEBUSTING', 'CACHE_BUSTER', 'RANDOM'],
    bracketed: ['CACHEBUSTER', 'CACHEBUSTING', 'CACHE_BUSTER', 'RANDOM', 'cachebuster', 'cachebusting', 'random'],
    value: ({ cacheBuster }) => cacheBuster,
  },
  {
    names: ['TIMESTAMP'],
    bracketed: ['timestamp'],
    value: ({ timeMs }) => seconds(timeMs),
    varies: true,
  },
  { names: [], bracketed: ['TIMESTAMP'], value: ({ timeMs }) => new Date(timeMs).toISOString(), varies: true },
  { names: ['GDPR'], value: ({ privacy }) => String(privacy?.gdpr ?? ''), varies: true },
  { names: ['GDPR_CONSENT'], value: ({ privacy }) => privacy?.consent ?? '', varies: true },
  { names: ['GPP_STRING'], value: ({ privacy }) => privacy?.gpp ?? '', varies: true },
  { names: ['US_PRIVACY'], value: ({ privacy }) => privacy?.usPrivacy ?? '', varies: true },
];

const BY_NAME = new Map(MACROS.flatMap((macro) => macro.names.map((name) => [name, macro] as const)));
const BY_BRACKETED = new Map(MACROS.flatMap((macro) => (macro.bracketed ?? []).map((name) => [name, macro] as const)));

/** Prices belong to the auction, which fills them later. */
const OF_AUCTION = /^AUCTION_[A-Z_]+$/;
/** `${NAME}` and `%%NAME%%`; consent macros may name a vendor (`${GDPR_CONSENT_755}`). */
const NAMED = /\$\{([A-Z][A-Z0-9_]*)\}|%%([A-Z][A-Z0-9_]*)%%/g;
const BRACKETED = /\[([A-Za-z_]+)\]/g;
const ADDRESS = /(?:https?:)?\/\/[^\s"'<>\\`]+/gi;

function macroOf(name: string): Macro | undefined {
  return BY_NAME.get(name) ?? BY_NAME.get(name.replace(/^(GDPR_CONSENT|GPP_STRING)_\d+$/, '$1'));
}

/** Fills the macros of an address; every value is percent-encoded. Unknown macros stay. */
export function fillAddress(address: string, facts: MacroFacts): string {
  if (!mayHoldMacro(address)) return address;
  const encode = (macro: Macro): string =>
    macro.isEncoded === true ? macro.value(facts) : encodeURIComponent(macro.value(facts));
  return replaceAll(address, encode);
}

/**
 * Fills the macros of a text that holds HTML. Forms in brackets are filled within addresses only, because code has brackets of its own.
 * Consent is percent-encoded, because a request chose it.
 */
export function fillText(text: string, facts: MacroFacts): string {
  if (!mayHoldMacro(text)) return text;
  const encode = (macro: Macro): string =>
    macro.varies === true ? encodeURIComponent(macro.value(facts)) : macro.value(facts);
  return replaceNamed(
    text.replace(ADDRESS, (address) => replaceBracketed(address, encode)),
    encode,
  );
}

/** Whether a text has macros whose values differ between requests by more than the ad's token. */
export function hasVaryingMacro(text: string): boolean {
  return mayHoldMacro(text) && replaceAll(text, ({ varies }) => (varies === true ? '\u0000' : '')).includes('\u0000');
}

/** The macros of texts that nothing fills, as written, each once. */
export function unknownMacros(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => [...text.matchAll(NAMED)]);
  return [
    ...new Set(
      found
        .filter(([, braced, marked]) => {
          const name = braced ?? marked ?? '';
          return macroOf(name) === undefined && !OF_AUCTION.test(name);
        })
        .map(([macro]) => macro),
    ),
  ];
}

function mayHoldMacro(text: string): boolean {
  return text.includes('${') || text.includes('%%') || text.includes('[');
}

function replaceAll(text: string, valueOf: (macro: Macro) => string): string {
  return replaceNamed(replaceBracketed(text, valueOf), valueOf);
}

function replaceBracketed(text: string, valueOf: (macro: Macro) => string): string {
  if (!text.includes('[')) return text;
  return text.replace(BRACKETED, (written, name: string) => {
    const macro = BY_BRACKETED.get(name);
    return macro === undefined ? written : valueOf(macro);
  });
}

function replaceNamed(text: string, valueOf: (macro: Macro) => string): string {
  return text.replace(NAMED, (written, braced: string | undefined, marked: string | undefined) => {
    const macro = macroOf(braced ?? marked ?? '');
    return macro === undefined ? written : valueOf(macro);
  });
}
