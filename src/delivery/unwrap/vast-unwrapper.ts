import { fetchOutbound, isAllowedOutbound, type OutboundPolicy } from '../../http/shared/outbound-fetch.ts';
import type { PlayerOffer } from '../../domain/requests/opportunity.ts';
import type { VastChain } from './render-unwrapped.ts';
import { type DocumentDeps, type DocumentRequest, VastDocuments } from './vast-documents.ts';
import {
  CHAIN_CODES,
  ChainProblem,
  checkCategories,
  filmOf,
  followsWrappers,
  playableFilesOf,
  readLevel,
  tagOf,
} from './vast-level.ts';
import type { XmlElement } from './xml-tree.ts';

/** Most addresses that a chain asks, redirects among them. */
export const LEVELS_MAX = 5;
/** Time of a whole chain, milliseconds. */
export const CHAIN_MS = 3_000;
/** Most trackers of errors that are told of a chain; of an installation's worker at a time. */
const ERRORS_MAX = 20;
const REPORTS_MAX = 200;

/** Dependencies of unwrapping. */
export interface UnwrapDeps extends DocumentDeps {
  /** Default {@link CHAIN_MS}. */
  readonly chainMs?: number;
}

/** A tag, and who asks. */
export interface UnwrapRequest extends Omit<DocumentRequest, 'signal'> {
  readonly tagUrl: string;
  /** Null = the player accepts all media files. */
  readonly offer: Pick<PlayerOffer, 'mimeTypes'> | null;
  /** Fills the macros of an address; '' unless it is a web address. */
  readonly fill: (url: string) => string;
}

/** A chain that came to no ad: VAST's code, and the addresses that want to know. */
export interface FailedChain {
  readonly code: number;
  /** For people. */
  readonly message: string;
  readonly errors: readonly string[];
}

export type Unwrapped = VastChain | FailedChain;

/** An unwrapper for public addresses and these ranges; plain HTTP is for ranges that contain this machine. */
export function createVastUnwrapper(allowedRanges: readonly string[], nowMs: () => number): VastUnwrapper {
  const allowHttpLoopback = isAllowedOutbound('127.0.0.1', { allowedRanges });
  return new VastUnwrapper({ policy: { allowedRanges, allowHttpLoopback }, nowMs });
}

/** Follows the tags of third parties to their ads. */
export class VastUnwrapper {
  readonly #documents: VastDocuments;
  readonly #policy: Omit<OutboundPolicy, 'owner'>;
  readonly #chainMs: number;
  #reports = 0;

  constructor(deps: UnwrapDeps) {
    this.#documents = new VastDocuments(deps);
    this.#policy = deps.policy;
    this.#chainMs = deps.chainMs ?? CHAIN_MS;
  }

  /** What is kept and runs, for metrics. */
  get size(): VastDocuments['size'] {
    return this.#documents.size;
  }

  /** Never throws: a failure is a result. */
  async unwrap(request: UnwrapRequest): Promise<Unwrapped> {
    const signal = AbortSignal.timeout(this.#chainMs);
    const wrappers: XmlElement[] = [];
    const errors: string[] = [];
    try {
      let url = request.fill(request.tagUrl);
      for (let level = 0; level < LEVELS_MAX; level += 1) {
        const fetched = await this.#documents.get(url, { ...request, signal });
        if ('redirect' in fetched) {
          url = fetched.redirect;
          continue;
        }
        const { ad, errors: own } = readLevel(fetched.root);
        errors.push(...own);
        if (ad === null) throw new ChainProblem(CHAIN_CODES.noAd, 'The document has no ad.');
        if (ad.kind === 'InLine') {
          checkCategories(wrappers, ad.body);
          if (playableFilesOf(filmOf(ad.body).linear, request.offer).length === 0)
            throw new ChainProblem(CHAIN_CODES.noFile, 'The player accepts no media file of the ad.');
          return { wrappers, inline: ad.body };
        }
        if (wrappers.some((one) => !followsWrappers(one))) break;
        wrappers.push(ad.body);
        url = request.fill(tagOf(ad.body));
        if (url === '') throw new ChainProblem(CHAIN_CODES.notVast, 'A wrapper leads nowhere.');
      }
      throw new ChainProblem(CHAIN_CODES.tooDeep, 'The chain has too many levels.');
    } catch (error) {
      if (!(error instanceof ChainProblem)) throw error;
      return { code: error.code, message: error.message, errors };
    }
  }

  /** Tells the trackers of a failed chain of its error, in the background; beyond the bounds, trackers are left out. */
  reportErrors({ errors, code }: FailedChain, { owner, headers, fill }: Omit<UnwrapRequest, 'tagUrl' | 'offer'>): void {
    for (const address of errors.slice(0, ERRORS_MAX)) {
      if (this.#reports >= REPORTS_MAX) return;
      const url = fill(address.replaceAll(/\[ERRORCODE\]|%5BERRORCODE%5D/gi, String(code)));
      if (url === '') continue;
      this.#reports += 1;
      fetchOutbound(url, { headers, signal: AbortSignal.timeout(this.#chainMs) }, { ...this.#policy, owner })
        .catch(() => undefined)
        .finally(() => {
          this.#reports -= 1;
        });
    }
  }
}
