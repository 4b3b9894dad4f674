import type { Advertiser } from '../../domain/booking/line-item.ts';
import { dimensionRow } from '../../domain/targeting/targeting-dimensions.ts';
import type { TargetingDimension } from '../../domain/targeting/targeting-dimensions.ts';
import { asObject, integerOf } from './lenient-json.ts';

const TEXT_MAX = 100;
/** An online platform on which facts are needed. */
const REQUIRED_MAX = 3;

/** The demands of a request under the Digital Services Act (IAB "DSA Transparency" 1.0). */
export interface DsaRequest {
  /** 0 not needed, 1 wanted, 2 and 3 needed. */
  readonly required: number;
  /** Who renders the facts: 0 the publisher cannot, 1 could, 2 will. */
  readonly publisherRenders: number;
}

/** `bid.ext.dsa` of a response, without unknown facts. */
export interface DsaResponse {
  readonly behalf?: string;
  readonly paid?: string;
  readonly adrender: 0 | 1;
  readonly transparency: readonly { readonly domain: string; readonly dsaparams: readonly number[] }[];
}

/** Reads `regs.ext.dsa`: a number n means `{dsarequired: n}`; null when it is absent. What cannot be read must not permit anything: facts are needed. */
export function readDsaRequest(value: unknown): DsaRequest | null {
  const object = asObject(value);
  const stated = (object === null ? value : (object['dsarequired'] ?? object['required'])) ?? null;
  if (stated === null) return null;
  const required = stated === false ? 0 : (integerOf(stated, 0, REQUIRED_MAX) ?? REQUIRED_MAX);
  return { required, publisherRenders: integerOf(object?.['pubrender'], 0, 2) ?? 1 };
}

/** The DSA facts of an ad. `domain` is that of delivery, which applied the parameters; `params` from `dsaParams`. */
export function buildDsa(
  advertiser: Advertiser,
  request: DsaRequest,
  by: { readonly domain: string; readonly params: readonly number[] },
): DsaResponse {
  return {
    ...(advertiser.dsaBehalf === null ? {} : { behalf: advertiser.dsaBehalf.slice(0, TEXT_MAX) }),
    ...(advertiser.dsaPaid === null ? {} : { paid: advertiser.dsaPaid.slice(0, TEXT_MAX) }),
    adrender: request.publisherRenders === 2 ? 0 : 1,
    transparency: [{ domain: by.domain, dsaparams: by.params }],
  };
}

/** The parameters that chose the ad, in the IAB's numbers: 1 profiling (audience segments), 2 basic (context, device, country). */
export function dsaParams(dimensions: readonly TargetingDimension[], npa: boolean): number[] {
  return !npa && dimensions.some((dimension) => dimensionRow(dimension).why === 'profile') ? [1, 2] : [2];
}
