import { z } from 'zod';
import { pageOf } from '../protocol/pages.ts';
import { FormatId, LIST_MAX, PageRequest, RequestBase } from '../protocol/parts.ts';
import { findFormat, isOwnFormat, listFormats, renderFormat, type SellerFormat } from '../selling/formats.ts';
import { sellerTool } from './seller-tool.ts';

const Side = z.int().min(0).max(100_000);

const Request = z.looseObject({
  ...RequestBase,
  format_ids: z.array(FormatId).min(1).max(LIST_MAX).optional(),
  type: z.enum(['audio', 'video', 'display', 'dooh']).optional(),
  asset_types: z.array(z.string().max(40)).min(1).max(LIST_MAX).optional(),
  max_width: Side.optional(),
  max_height: Side.optional(),
  min_width: Side.optional(),
  min_height: Side.optional(),
  is_responsive: z.boolean().optional(),
  name_search: z.string().max(200).optional(),
  pagination: PageRequest.optional(),
});
type Request = z.infer<typeof Request>;

/** Formats of creatives that the seller accepts. They are the same for every network, so no key is needed. */
export const listCreativeFormats = sellerTool({
  name: 'list_creative_formats',
  title: 'List formats of creatives',
  description:
    'Formats that this seller accepts, with the assets that each needs. Banners have a format for each size.',
  input: Request,
  run: async ({ agentUrl }, request) => {
    const found = request.format_ids === undefined ? listFormats() : askedFormats(request.format_ids, agentUrl);
    const { items, pagination } = pageOf(
      found.filter((one) => isWanted(one, request)),
      request.pagination,
    );
    return { formats: items.map((one) => renderFormat(one, agentUrl)), pagination };
  },
});

function askedFormats(ids: readonly FormatId[], agentUrl: string): SellerFormat[] {
  return ids.flatMap((one) => (isOwnFormat(one, agentUrl) ? (findFormat(one.id) ?? []) : []));
}

function isWanted({ kind, size, id }: SellerFormat, request: Request): boolean {
  const { type, asset_types: assets, name_search: search, is_responsive: responsive } = request;
  const sides = [request.min_width, request.max_width, request.min_height, request.max_height];
  const isInside =
    sides.every((one) => one === undefined) ||
    (size !== null &&
      size.width >= (request.min_width ?? 0) &&
      size.width <= (request.max_width ?? Infinity) &&
      size.height >= (request.min_height ?? 0) &&
      size.height <= (request.max_height ?? Infinity));
  return (
    (type === undefined || kind.channel === type) &&
    (assets === undefined || assets.every((asset) => kind.assets.some((one) => one.type === asset))) &&
    (search === undefined || `${kind.name} ${id}`.toLowerCase().includes(search.toLowerCase())) &&
    responsive !== true &&
    isInside
  );
}
