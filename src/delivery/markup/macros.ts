import type { AdLinks } from '../../domain/events/ad-links.ts';
import type { Creative } from '../../domain/booking/creative.ts';
import { webAddress, webAddresses } from './markup.ts';

/** How many characters the end of a token has that markup uses by itself (`${CACHEBUSTER}`). */
export const TOKEN_TAIL_CHARS = 12;

/** The values of the macros of one ad. */
export interface MacroInput {
  readonly creative: Creative;
  readonly links: AdLinks;
  /** Pixels as shown; 0 0 = no fixed size. */
  readonly width: number;
  readonly height: number;
}

const MACRO = /\$\{([A-Z_]+)\}/g;

/**
 * Fills the macros in foreign HTML. `${CLICK_URL}` is the address that counts the click and goes to the landing page; `_ESC` and
 * `_ENC` forms are percent-encoded. Other macros stay: `${AUCTION_PRICE}` belongs to the auction.
 */
export function fillMacros(text: string, input: MacroInput): string {
  if (!text.includes('${')) return text;
  const values = valuesOf(input);
  return text.replace(MACRO, (macro, name: string) => values.get(name) ?? macro);
}

/** A creative's tracker addresses, with macros filled and percent-encoded, and without invalid addresses. */
export function trackerAddresses(urls: readonly string[], input: MacroInput): string[] {
  const addresses = webAddresses(urls);
  if (!addresses.some((address) => address.includes('${'))) return addresses;
  const values = valuesOf(input);
  const fill = (macro: string, name: string): string => {
    const value = values.get(name);
    return value === undefined ? macro : /_(?:ESC|ENC)$/.test(name) ? value : encodeURIComponent(value);
  };
  return addresses.map((address) => address.replace(MACRO, fill));
}

function valuesOf({ creative, links, width, height }: MacroInput): Map<string, string> {
  const landing = webAddress(creative.clickUrl) ?? '';
  return new Map([
    ['CLICK_URL', links.clickUrl],
    ['CLICK_URL_ESC', encodeURIComponent(links.clickUrl)],
    ['CLICK_URL_ENC', encodeURIComponent(links.clickUrl)],
    ['LANDING_URL', landing],
    ['LANDING_URL_ESC', encodeURIComponent(landing)],
    ['LANDING_URL_ENC', encodeURIComponent(landing)],
    ['WIDTH', String(width)],
    ['HEIGHT', String(height)],
    ['CREATIVE_ID', creative.id],
    ['CACHEBUSTER', links.token.slice(-TOKEN_TAIL_CHARS)],
  ]);
}
