import type { PackageRequest, PlannedPackage } from '../selling/plan-package.ts';
import type { Assigned } from './assign-creatives.ts';
import type { PackageTerms } from './media-buys.ts';

/** The terms of a package that its line item does not have. */
export function termsOf(
  request: PackageRequest,
  { option }: Pick<PlannedPackage, 'option'>,
  creatives: ReadonlyMap<string, unknown>,
): PackageTerms {
  const awaited: Assigned[] = (request.creative_assignments ?? [])
    .filter(({ creative_id: id }) => !creatives.has(id))
    .map(({ creative_id, weight }) => ({ creative_id, ...(weight === undefined ? {} : { weight }) }));
  return {
    ...(request.context === undefined ? {} : { context: request.context }),
    ...(option.price === null ? { isAuction: true } : {}),
    ...(request.targeting_overlay === undefined ? {} : { overlay: request.targeting_overlay }),
    ...(request.format_ids === undefined ? {} : { formatIds: request.format_ids }),
    ...(awaited.length === 0 ? {} : { awaited }),
  };
}
