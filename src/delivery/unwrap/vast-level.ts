import type { PlayerOffer } from '../../domain/requests/opportunity.ts';
import { childrenOf, findElement, textsOf, type XmlElement } from './xml-tree.ts';

/** A chain that came to no ad. The code is VAST's. */
export class ChainProblem extends Error {
  override readonly name = 'ChainProblem';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** VAST's codes of the problems of a chain. */
export const CHAIN_CODES = {
  notXml: 100,
  notVast: 101,
  otherVersion: 102,
  otherLinearity: 201,
  blockedCategory: 205,
  forbidden: 300,
  late: 301,
  tooDeep: 302,
  noAd: 303,
  noFile: 403,
  undefinedError: 900,
} as const;

/** One document of a chain. */
export interface VastLevel {
  /** Addresses that want to know of errors: of the ad, and of the document. */
  readonly errors: readonly string[];
  /** Null: the document has no ad. */
  readonly ad: { readonly kind: 'InLine' | 'Wrapper'; readonly body: XmlElement } | null;
}

const KINDS = ['InLine', 'Wrapper'] as const;

/** The ad of a document: of several, the one without a `sequence`, else the first of the pod. @throws ChainProblem */
export function readLevel(root: XmlElement): VastLevel {
  if (root.name !== 'VAST') throw new ChainProblem(CHAIN_CODES.notVast, 'The document is not VAST.');
  const version = root.attributes.get('version') ?? '';
  if (!/^[234](?:\.\d+)?$/.test(version.trim()))
    throw new ChainProblem(CHAIN_CODES.otherVersion, 'The document is of a version of VAST that is not read.');
  const ads = [...childrenOf(root, 'Ad')].sort((one, other) => sequenceOf(one) - sequenceOf(other));
  const rootErrors = textsOf(root, 'Error');
  for (const ad of ads) {
    for (const kind of KINDS) {
      const body = findElement(ad, kind);
      if (body !== undefined) return { errors: [...rootErrors, ...textsOf(body, 'Error')], ad: { kind, body } };
    }
  }
  return { errors: rootErrors, ad: null };
}

function sequenceOf(ad: XmlElement): number {
  const sequence = Number(ad.attributes.get('sequence') ?? 0);
  return Number.isFinite(sequence) ? sequence : 0;
}

/** Where a wrapper leads; '' = nowhere. */
export function tagOf(wrapper: XmlElement): string {
  return textsOf(wrapper, 'VASTAdTagURI')[0] ?? '';
}

/** Whether another wrapper may follow a wrapper. */
export function followsWrappers({ attributes }: XmlElement): boolean {
  return !['false', '0'].includes(attributes.get('followAdditionalWrappers')?.trim().toLowerCase() ?? 'true');
}

/** The elements `Linear` of the creatives. */
export function linearsOf(body: XmlElement): XmlElement[] {
  return creativesOf(body).flatMap((creative) => childrenOf(creative, 'Linear'));
}

/** The elements `Creative`. */
export function creativesOf(body: XmlElement): readonly XmlElement[] {
  return childrenOf(findElement(body, 'Creatives'), 'Creative');
}

/** The film of an inline ad. @throws ChainProblem when it cannot be shown as one */
export function filmOf(inline: XmlElement): { readonly creative: XmlElement; readonly linear: XmlElement } {
  if (creativesOf(inline).length === 0) throw new ChainProblem(CHAIN_CODES.notVast, 'The ad has no creative.');
  for (const creative of creativesOf(inline)) {
    const linear = findElement(creative, 'Linear');
    if (linear === undefined) continue;
    if (findElement(linear, 'Duration') === undefined || findElement(linear, 'MediaFiles', 'MediaFile') === undefined)
      throw new ChainProblem(CHAIN_CODES.notVast, 'The film has no duration or no media file.');
    return { creative, linear };
  }
  throw new ChainProblem(CHAIN_CODES.otherLinearity, 'The ad is not linear.');
}

/** The media files of a film whose type the player accepts. @param offer null = it accepts all */
export function playableFilesOf(linear: XmlElement, offer: Pick<PlayerOffer, 'mimeTypes'> | null): XmlElement[] {
  const accepted = offer?.mimeTypes ?? [];
  return childrenOf(findElement(linear, 'MediaFiles'), 'MediaFile').filter(
    ({ attributes }) => accepted.length === 0 || accepted.includes(attributes.get('type')?.trim().toLowerCase() ?? ''),
  );
}

/** @throws ChainProblem when a wrapper blocks a category of the ad */
export function checkCategories(wrappers: readonly XmlElement[], inline: XmlElement): void {
  const blocked = new Set(wrappers.flatMap((one) => textsOf(one, 'BlockedAdCategories')).flatMap(codesIn));
  if (textsOf(inline, 'Category').some((category) => codesIn(category).some((code) => blocked.has(code))))
    throw new ChainProblem(CHAIN_CODES.blockedCategory, 'A wrapper blocks the category of the ad.');
}

function codesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((code) => code !== '');
}
