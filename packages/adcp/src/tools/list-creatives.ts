import { z } from 'zod';
import { buyersId, type LibraryCreative, readLibrary, REVIEW_STATUSES } from '../buying/assign-creatives.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import { pageOf } from '../protocol/pages.ts';
import { AccountRef, FormatId, Id, Instant, LIST_MAX, PageRequest, RequestBase } from '../protocol/parts.ts';
import { resolveAccount } from '../selling/accounts.ts';
import { formatsFor, isOwnFormat, type PlacardFormat, type SellerFormat } from '../selling/formats.ts';
import { sellerTool } from './seller-tool.ts';

const Status = z.enum(['processing', 'pending_review', 'approved', 'suspended', 'rejected', 'archived']);
const Filters = z.looseObject({
  creative_ids: z.array(Id).min(1).max(LIST_MAX).optional(),
  statuses: z.array(Status).min(1).max(10).optional(),
  format_ids: z.array(FormatId).min(1).max(LIST_MAX).optional(),
  name_contains: z.string().max(200).optional(),
  created_after: Instant.optional(),
  created_before: Instant.optional(),
  updated_after: Instant.optional(),
  updated_before: Instant.optional(),
});
type Filters = z.infer<typeof Filters>;
const FILTERS = new Set([...Object.keys(Filters.shape), 'accounts', 'ext']);

/** Creatives of the accounts of a key. */
export const listCreatives = sellerTool({
  name: 'list_creatives',
  title: 'List creatives',
  description: 'Creatives of your accounts with their review state.',
  input: z.looseObject({
    ...RequestBase,
    account: AccountRef.optional(),
    filters: Filters.optional(),
    sort: z
      .looseObject({ field: z.string().max(40).optional(), direction: z.enum(['asc', 'desc']).optional() })
      .optional(),
    pagination: PageRequest.optional(),
  }),
  run: async (context, { account: reference, filters = {}, sort, pagination: page }) => {
    const unknown = Object.keys(filters).find((name) => !FILTERS.has(name));
    if (unknown !== undefined)
      throw new AdcpError('UNSUPPORTED_FEATURE', `This seller cannot filter creatives by ${unknown.slice(0, 60)}.`, {
        field: `filters.${unknown.slice(0, 60)}`,
      });
    const account = reference === undefined ? null : await resolveAccount(context, reference);
    const all = await readLibrary(context.call, account === null ? {} : { advertiserIds: [account.id] });
    const field = sort?.field === 'name' || sort?.field === 'updated_date' ? sort.field : 'created_date';
    const direction = sort?.direction ?? 'desc';
    const found = all.filter((one) => isWanted(one, filters, context.agentUrl)).toSorted(byField(field, direction));
    const { items, pagination } = pageOf(found, page);
    return {
      query_summary: {
        total_matching: found.length,
        returned: items.length,
        filters_applied: Object.keys(filters),
        sort_applied: { field, direction },
      },
      pagination,
      creatives: items.map((one) => renderCreative(one, context.agentUrl)),
    };
  },
});

/** The review state of a creative, as the protocol names it. */
function statusOf({ status, reviewState }: LibraryCreative): z.infer<typeof Status> {
  return status === 'ARCHIVED' ? 'archived' : REVIEW_STATUSES[reviewState];
}

function isWanted(creative: LibraryCreative, filters: Filters, agentUrl: string): boolean {
  const { creative_ids: ids, statuses, name_contains: part } = filters;
  const status = statusOf(creative);
  const [created, updated] = [Date.parse(creative.createdAt), Date.parse(creative.updatedAt)];
  const isAfter = (at: number, from: string | undefined) => from === undefined || at > Date.parse(from);
  const isBefore = (at: number, to: string | undefined) => to === undefined || at < Date.parse(to);
  return (
    (ids === undefined || ids.includes(buyersId(creative))) &&
    // Archived creatives are listed by request alone.
    (statuses === undefined ? status !== 'archived' : statuses.includes(status)) &&
    (filters.format_ids === undefined || hasFormat(creative, filters.format_ids, agentUrl)) &&
    (part === undefined || creative.name.toLowerCase().includes(part.toLowerCase())) &&
    isAfter(created, filters.created_after) &&
    isBefore(created, filters.created_before) &&
    isAfter(updated, filters.updated_after) &&
    isBefore(updated, filters.updated_before)
  );
}

function byField(field: string, direction: string) {
  const valueOf = (one: LibraryCreative) =>
    field === 'name' ? one.name : field === 'updated_date' ? one.updatedAt : one.createdAt;
  const sign = direction === 'asc' ? 1 : -1;
  return (a: LibraryCreative, b: LibraryCreative) =>
    sign * (valueOf(a) < valueOf(b) ? -1 : valueOf(a) > valueOf(b) ? 1 : 0);
}

/** The formats in which a creative can be sent. */
function formatsOf({ format, width, height }: LibraryCreative): SellerFormat[] {
  return formatsFor(format as PlacardFormat, width > 0 && height > 0 ? [{ width, height }] : []);
}

function hasFormat(creative: LibraryCreative, wanted: readonly FormatId[], agentUrl: string): boolean {
  const own = formatsOf(creative);
  return wanted.some((one) => isOwnFormat(one, agentUrl) && own.some(({ id }) => id === one.id));
}

function renderCreative(creative: LibraryCreative, agentUrl: string): object {
  const [own] = formatsOf(creative);
  return {
    creative_id: buyersId(creative),
    name: creative.name,
    format_id: { agent_url: agentUrl, id: own?.id ?? 'native' },
    status: statusOf(creative),
    ...(creative.reviewState === 'REJECTED' && creative.reviewReason !== null
      ? { rejection_reason: creative.reviewReason }
      : {}),
    created_date: creative.createdAt,
    updated_date: creative.updatedAt,
  };
}
