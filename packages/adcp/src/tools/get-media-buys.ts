import { z } from 'zod';
import {
  BuyStatus,
  findBuy,
  listCampaigns,
  type ListedCampaign,
  type MediaBuy,
  missingBuy,
  statusOf,
} from '../buying/media-buys.ts';
import { renderBuy } from '../buying/render-buy.ts';
import { cursorAt, readCursor } from '../protocol/pages.ts';
import { AccountRef, Id, LIST_MAX, PageRequest, RequestBase } from '../protocol/parts.ts';
import { resolveAccount } from '../selling/accounts.ts';
import { readPortfolio } from '../selling/products.ts';
import type { SellerContext } from '../api/seller-context.ts';
import { sellerTool } from './seller-tool.ts';

/** Buys of a page unless a request wants another number: each is read by itself. */
const PAGE_SIZE = 20;
/** Most buys that one request looks at to fill its page. */
const LOOKED_AT_MAX = 200;

const Request = z.looseObject({
  ...RequestBase,
  account: AccountRef.optional(),
  media_buy_ids: z.array(Id).min(1).max(LIST_MAX).optional(),
  status_filter: z.union([BuyStatus, z.array(BuyStatus).min(1).max(10)]).optional(),
  include_snapshot: z.boolean().optional(),
  include_history: z.int().min(0).max(1_000).optional(),
  pagination: PageRequest.optional(),
});
type Request = z.infer<typeof Request>;

/** Media buys of the accounts of a key. */
export const getMediaBuys = sellerTool({
  name: 'get_media_buys',
  title: 'Read media buys',
  description: 'Buys with their packages, creatives and their approval. Without ids and statuses: active buys.',
  input: Request,
  run: async (context, request) => {
    const account = request.account === undefined ? null : await resolveAccount(context, request.account);
    const { currency } = await readPortfolio(context.call);
    const shown = { currency, nowMs: context.nowMs() };
    const { buys, missing, pagination } = await readBuys(context, request, account?.id ?? null);
    return {
      media_buys: buys.map((buy) => renderBuy(buy, shown, request.include_snapshot === true)),
      ...(missing.length === 0 ? {} : { errors: missing.map(missingBuy) }),
      pagination,
    };
  },
});

interface Found {
  readonly buys: readonly MediaBuy[];
  readonly missing: readonly string[];
  readonly pagination: object;
}

async function readBuys(context: SellerContext, request: Request, accountId: string | null): Promise<Found> {
  const { media_buy_ids: ids, pagination: { max_results: size = PAGE_SIZE, cursor } = {} } = request;
  const wanted = wantedStatuses(request);
  const start = cursor === undefined ? 0 : readCursor(cursor);
  const listed = ids === undefined ? await listCampaigns(context.call, accountId === null ? null : [accountId]) : [];
  const candidates = ids ?? listed.filter((one) => mayBe(one, wanted, context.nowMs())).map(({ id }) => id);
  const buys: MediaBuy[] = [];
  const missing: string[] = [];
  let at = start;
  let next: number | null = null;
  for (; at < candidates.length; at += 1) {
    if (at - start >= LOOKED_AT_MAX) {
      next = at;
      break;
    }
    const id = candidates[at] ?? '';
    const buy = await findBuy(context.call, id);
    if (buy === null || (accountId !== null && buy.campaign.advertiserId !== accountId)) {
      if (ids !== undefined) missing.push(id);
    } else if (wanted === null || wanted.includes(statusOf(buy, context.nowMs()))) {
      if (buys.length === size) {
        next = at;
        break;
      }
      buys.push(buy);
    }
  }
  const pagination = next === null ? { has_more: false } : { has_more: true, cursor: cursorAt(next) };
  return { buys, missing, pagination };
}

function wantedStatuses({ status_filter: filter, media_buy_ids: ids }: Request): readonly string[] | null {
  if (filter === undefined) return ids === undefined ? ['active'] : null;
  return Array.isArray(filter) ? filter : [filter];
}

/** Whether a campaign can have one of the statuses, by what the list says of it. */
function mayBe({ status, endsAt }: ListedCampaign, wanted: readonly string[] | null, nowMs: number): boolean {
  if (wanted === null) return true;
  const isOver = endsAt !== null && Date.parse(endsAt) <= nowMs;
  switch (status) {
    case 'ARCHIVED':
      return wanted.includes('canceled') || wanted.includes('rejected');
    case 'COMPLETED':
      return wanted.includes('completed');
    case 'PAUSED':
      return wanted.includes(isOver ? 'completed' : 'paused');
    default:
      return isOver
        ? wanted.includes('completed')
        : wanted.some((one) => ['active', 'paused', 'pending_creatives', 'pending_start'].includes(one));
  }
}
