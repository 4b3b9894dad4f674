import {
  fillAddress,
  fillText,
  hasVaryingMacro,
  type MacroFacts,
  type MacroIds,
  type MacroPrivacy,
} from '../../domain/booking/macros.ts';
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
  /** Absent: consent macros are left empty. */
  readonly privacy?: MacroPrivacy;
  /** Absent in a preview. */
  readonly ids?: MacroIds;
}

/**
 * Fills the macros in foreign HTML. `${CLICK_URL}` is the address that counts the click and goes to the landing page; `_ESC` and
 * `_ENC` forms are percent-encoded. Other macros stay: `${AUCTION_PRICE}` belongs to the auction.
 */
export function fillMacros(text: string, input: MacroInput): string {
  return fillText(text, factsOf(input));
}

/** The address of a picture, a film or another ad server with its macros filled; '' unless it is a web address. */
export function contentAddress(url: string, input: MacroInput): string {
  const address = webAddress(url);
  return address === null ? '' : fillAddress(address, factsOf(input));
}

/** A creative's tracker addresses, with macros filled and percent-encoded, and without invalid addresses. */
export function trackerAddresses(urls: readonly string[], input: MacroInput): string[] {
  const addresses = webAddresses(urls);
  if (addresses.length === 0) return addresses;
  const facts = factsOf(input);
  return addresses.map((address) => fillAddress(address, facts));
}

/** Whether the markup of a creative differs between requests by more than its links. */
export function variesByRequest(creative: Creative): boolean {
  const known = varying.get(creative);
  if (known !== undefined) return known;
  const varies = hasVaryingMacro(JSON.stringify([creative.content, creative.trackers, creative.clickUrl]));
  varying.set(creative, varies);
  return varies;
}

const varying = new WeakMap<Creative, boolean>();

function factsOf({ creative, links, width, height, privacy, ids }: MacroInput): MacroFacts {
  const cacheBuster = links.token.slice(-TOKEN_TAIL_CHARS);
  const facts = {
    creativeId: creative.id,
    width,
    height,
    cacheBuster,
    timeMs: Date.now(),
    privacy: privacy ?? null,
    ids: ids ?? null,
  };
  const landingUrl = fillAddress(webAddress(creative.clickUrl) ?? '', { ...facts, clickUrl: '', landingUrl: '' });
  return { ...facts, clickUrl: links.clickUrl, landingUrl };
}
