/** The page's settings on the tag's own script element. */
export interface TagSettings {
  /** Its key-values are those of the page. */
  readonly script: HTMLScriptElement;
  /** Address of the bid endpoint. */
  readonly bidUrl: string;
  /** Address of the empty document that banners are drawn in. */
  readonly frameUrl: string;
  readonly siteId: string;
  readonly domain: string;
  readonly area: string;
  /** Joined with `+`. */
  readonly keywords: string;
  /** 1, 0, or null: the consent tool says, or nobody does. */
  readonly gdpr: 0 | 1 | null;
  /** Milliseconds that a consent tool has to say anything. */
  readonly consentTimeoutMs: number;
  /** Milliseconds until a response must come. */
  readonly timeoutMs: number;
  /** Milliseconds that the page's header bids may take. */
  readonly headerBidTimeoutMs: number;
  /** Ad units are drawn again when the address changes under them. */
  readonly singlePage: boolean;
  /** All ad units of the page share one request; each is drawn once it is near. */
  readonly singleRequest: boolean;
}

/** A width and a height in CSS pixels. */
export type Size = readonly [number, number];

/** The address of the page. A frame that a page writes itself (`srcdoc`) has none, and is a part of that page. */
export function pageAddress(): string {
  return location.host === '' ? document.baseURI : location.href;
}

/** Reads the script element; null when it does not name a network. */
export function readSettings(script: HTMLScriptElement): TagSettings | null {
  const { dataset, src } = script;
  const { network } = dataset;
  if (!network) return null;
  const base = new URL('.', src).href.replace(/\/$/, '') + (dataset.environment === 'staging' ? '/staging' : '');
  const domain = dataset.domain ?? new URL(pageAddress()).hostname.replace(/^www\./, '');
  return {
    script,
    bidUrl: `${base}/${encodeURIComponent(network)}/bid`,
    frameUrl: new URL('tag-frame.html', src).href,
    siteId: dataset.site ?? domain,
    domain,
    area: dataset.area ?? '',
    keywords: dataset.keywords ?? '',
    gdpr: dataset.gdpr === undefined ? null : dataset.gdpr === '1' ? 1 : 0,
    consentTimeoutMs: numberOr(dataset.consentTimeout, 2_000),
    timeoutMs: numberOr(dataset.timeout, 3_000),
    headerBidTimeoutMs: numberOr(dataset.headerBidTimeout, 1_000),
    singleRequest: 'singleRequest' in dataset,
    singlePage: dataset.spa !== undefined && dataset.spa !== 'off',
  };
}

/**
 * Sizes for a viewport's width: `970x250,728x90`, or by breakpoint `1024:970x250,728x90;0:320x100` (the widest that fits counts; one
 * without sizes asks for no ad).
 */
export function sizesFor(text: string, viewportWidth: number): Size[] {
  let best = -1;
  let sizes: Size[] = [];
  for (const rule of text.split(';')) {
    const [list = '', breakpoint = '0'] = rule.split(':').reverse();
    const from = parseInt(breakpoint, 10) || 0;
    if (from > viewportWidth || from <= best) continue;
    best = from;
    sizes = [...list.matchAll(/(\d+)x(\d+)/g)].map(([, width, height]) => [Number(width), Number(height)]);
  }
  return sizes;
}

/** The number that a text says, or another. */
export function numberOr(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return text && value >= 0 ? value : otherwise;
}
