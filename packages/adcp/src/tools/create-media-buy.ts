import { z } from 'zod';
import { associate, findCreatives } from '../buying/assign-creatives.ts';
import { book, start } from '../buying/book.ts';
import { type BuyTerms, findBuy, type MediaBuy, PACKAGES_MAX, revisionOf, statusOf } from '../buying/media-buys.ts';
import { termsOf } from '../buying/package-terms.ts';
import { confirmedAt, renderPackage, totalBudget, validActions } from '../buying/render-buy.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import type { Payload } from '../protocol/envelope.ts';
import { AccountRef, BrandRef, IdempotencyKey, Instant, Name, PushConfig, RequestBase } from '../protocol/parts.ts';
import { type Account, renderAccount, resolveAccount } from '../selling/accounts.ts';
import { type Done, once } from '../selling/agent-requests.ts';
import {
  BOOKING_MS,
  type Flight,
  PackageRequest as Package,
  planPackage,
  type PlannedPackage,
} from '../selling/plan-package.ts';
import { type Portfolio, readPortfolio, readProducts } from '../selling/products.ts';
import type { SellerContext } from '../api/seller-context.ts';
import { sellerTool } from './seller-tool.ts';

/** How late a start may be: clocks differ, and requests take time. */
const LATE_MS = 5 * 60_000;
/** Parts of a buy that this seller does not honor, and so refuses. */
const UNSUPPORTED = ['reporting_webhook', 'artifact_webhook', 'invoice_recipient', 'io_acceptance', 'plan_id'];

const Request = z.looseObject({
  ...RequestBase,
  idempotency_key: IdempotencyKey,
  account: AccountRef,
  brand: BrandRef,
  packages: z.array(Package).min(1).max(PACKAGES_MAX).optional(),
  proposal_id: z.string().max(255).optional(),
  start_time: z.union([z.literal('asap'), Instant]),
  end_time: Instant,
  paused: z.boolean().optional(),
  po_number: Name.optional(),
  push_notification_config: PushConfig.optional(),
});
type Request = z.infer<typeof Request>;

/** Books products. A buy with a guaranteed product waits for a person of the publisher. */
export const createMediaBuy = sellerTool({
  name: 'create_media_buy',
  title: 'Buy products',
  description:
    'Books one or more products for an account. What is not guaranteed is booked at once; a guaranteed product waits for a person of the publisher: ' +
    'the response is a task without a media_buy_id, which get_task_status follows.',
  input: Request,
  changes: true,
  run: async (context, request) => {
    const flight = flightOf(request, context.nowMs());
    checkParts(request);
    const account = await resolveAccount(context, request.account);
    const { call } = context;
    return once({ call, tool: 'create_media_buy', accountId: account.id, request }, (requestId) =>
      buy(context, { request, account, flight, requestId }),
    );
  },
});

/** @throws AdcpError `INVALID_REQUEST` for a flight that ends before it starts, or has begun */
function flightOf({ start_time: start, end_time: end }: Request, nowMs: number): Flight {
  const asked = start === 'asap' ? nowMs : Date.parse(start);
  const endsAtMs = Date.parse(end);
  if (asked < nowMs - LATE_MS)
    throw new AdcpError('INVALID_REQUEST', 'start_time is in the past.', {
      field: 'start_time',
      suggestion: 'Send "asap", or a later instant.',
    });
  const startsAtMs = Math.max(asked, nowMs + BOOKING_MS);
  if (endsAtMs <= startsAtMs)
    throw new AdcpError('INVALID_REQUEST', 'end_time is after start_time.', { field: 'end_time' });
  return { startsAtMs, endsAtMs, isAsap: start === 'asap' };
}

function checkParts(request: Request): void {
  const found = UNSUPPORTED.find((name) => request[name] !== undefined);
  if (found !== undefined)
    throw new AdcpError('UNSUPPORTED_FEATURE', `This seller does not support ${found}.`, { field: found });
  if (request.proposal_id !== undefined)
    throw new AdcpError('PROPOSAL_NOT_FOUND', 'This seller makes no proposals; send packages.', {
      field: 'proposal_id',
    });
  if (request.packages === undefined)
    throw new AdcpError('INVALID_REQUEST', 'Send at least one package.', { field: 'packages' });
}

interface Purchase {
  readonly request: Request;
  readonly account: Account;
  readonly flight: Flight;
  readonly requestId: string;
}

async function buy(context: SellerContext, purchase: Purchase): Promise<Done> {
  const { call, agentUrl } = context;
  const { request, account, flight } = purchase;
  const packages = request.packages ?? [];
  const [products, portfolio] = await Promise.all([readProducts(call, account.id), readPortfolio(call)]);
  const planned = packages.map((one, index) =>
    planPackage(one, { products, agentUrl, flight, nowMs: context.nowMs(), field: `packages[${index}]` }),
  );
  const creatives = await findCreatives(
    call,
    account.id,
    packages.flatMap(({ creative_assignments: list }) => (list ?? []).map(({ creative_id: id }) => id)),
  );
  const isGuaranteed = planned.some(({ product }) => product.delivery === 'GUARANTEED');
  const booked = await book(call, bookingOf(purchase, planned));
  const { campaignId } = booked;
  const idOf = (index: number) => booked.itemIds[index] ?? '';
  await associate(
    call,
    packages.flatMap(({ creative_assignments: list = [] }, index) =>
      list.flatMap(({ creative_id: id, weight }) => {
        const creative = creatives.get(id);
        return creative === undefined ? [] : [{ lineItemId: idOf(index), libraryCreativeId: creative.id, weight }];
      }),
    ),
  );
  const terms: BuyTerms = {
    ...(request.context === undefined ? {} : { context: request.context }),
    packages: Object.fromEntries(
      packages.map((one, index) => [idOf(index), termsOf(one, planned[index] as PlannedPackage, creatives)]),
    ),
  };
  if (isGuaranteed) return submitted(purchase.requestId, { terms, campaignId });
  await start(call, booked, {
    campaign: request.paused === true,
    items: packages.map(({ paused }) => paused === true),
  });
  const made = await findBuy(call, campaignId);
  if (made === null) throw new AdcpError('CONFLICT', 'The buy was archived while it was made.');
  const response = renderCreated({ ...made, terms }, { account, portfolio, context });
  return { state: 'COMPLETED', terms, campaignId, response: withAwaited(response, terms) };
}

function bookingOf({ request, account, flight, requestId }: Purchase, planned: readonly PlannedPackage[]) {
  const name = [account.name, request.po_number ?? request.brand.domain, `agent order ${requestId}`].join(' · ');
  return {
    advertiserId: account.id,
    externalId: `adcp-${requestId}`,
    name: name.slice(0, 200),
    orderNumber: request.po_number ?? null,
    startsAt: new Date(flight.startsAtMs).toISOString(),
    endsAt: new Date(flight.endsAtMs).toISOString(),
    items: planned.map(({ booking }) => booking),
  };
}

/** A task that a person of the publisher decides. The media buy has no id before. */
function submitted(requestId: string, { terms, campaignId }: Pick<Done, 'terms' | 'campaignId'>): Done {
  return {
    state: 'SUBMITTED',
    terms,
    ...(campaignId === undefined ? {} : { campaignId }),
    response: {
      status: 'submitted',
      task_id: requestId,
      message:
        'A person of the publisher decides about the guaranteed inventory. Follow the task with get_task_status.',
    },
  };
}

interface Surroundings {
  readonly account: Account;
  readonly portfolio: Portfolio;
  readonly context: SellerContext;
}

/** A new buy as `create-media-buy-response.json` of the protocol has it. */
export function renderCreated(made: MediaBuy, { account, portfolio, context }: Surroundings): Payload {
  const status = statusOf(made, context.nowMs());
  return {
    media_buy_id: made.campaign.id,
    account: renderAccount(account, context.environment === 'staging'),
    media_buy_status: status,
    confirmed_at: confirmedAt(made),
    revision: revisionOf(made),
    currency: portfolio.currency,
    total_budget: totalBudget(made),
    valid_actions: validActions(status),
    packages: made.campaign.lineItems.nodes.map((item) => renderPackage(item, made.terms.packages[item.id])),
  };
}

function withAwaited(response: Payload, { packages }: BuyTerms): Payload {
  const ids = Object.values(packages).flatMap(({ awaited = [] }) => awaited.map(({ creative_id: id }) => id));
  if (ids.length === 0) return response;
  const shown = ids.slice(0, 20).join(', ');
  return {
    ...response,
    message: `These creatives are not known yet, and are assigned when sync_creatives sends them: ${shown}.`,
  };
}
