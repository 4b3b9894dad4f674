import { z } from 'zod';
import { associate, dissociate, findCreatives } from '../buying/assign-creatives.ts';
import { changeBuy } from '../buying/change-buy.ts';
import {
  type BuyTerms,
  creativesOf,
  findBuy,
  livePackages,
  type MediaBuy,
  PACKAGES_MAX,
  requireBuy,
  revisionOf,
  statusOf,
} from '../buying/media-buys.ts';
import { type Added, bookAdded, planAdded, startAdded, withdrawAdded } from '../buying/new-packages.ts';
import { cancellation, PackageUpdate, planUpdate } from '../buying/plan-update.ts';
import { renderPackage, totalBudget, validActions } from '../buying/render-buy.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import { AccountRef, Id, IdempotencyKey, Instant, PushConfig, RequestBase, Text } from '../protocol/parts.ts';
import { type Account, resolveAccount } from '../selling/accounts.ts';
import { type Done, once } from '../selling/agent-requests.ts';
import { PackageRequest } from '../selling/plan-package.ts';
import { type Product, readPortfolio, readProducts } from '../selling/products.ts';
import type { SellerContext } from '../api/seller-context.ts';
import { sellerTool } from './seller-tool.ts';

const DAY_MS = 86_400_000;
/** Parts of updates that this seller does not honor, and so refuses. */
const UNSUPPORTED = ['reporting_webhook', 'invoice_recipient'];

const Request = z.looseObject({
  ...RequestBase,
  idempotency_key: IdempotencyKey,
  account: AccountRef,
  media_buy_id: Id,
  revision: z.int().min(1).optional(),
  paused: z.boolean().optional(),
  canceled: z.literal(true).optional(),
  cancellation_reason: Text.max(500).optional(),
  start_time: z.union([z.literal('asap'), Instant]).optional(),
  end_time: Instant.optional(),
  packages: z.array(PackageUpdate).min(1).max(PACKAGES_MAX).optional(),
  new_packages: z.array(PackageRequest).min(1).max(PACKAGES_MAX).optional(),
  push_notification_config: PushConfig.optional(),
});
type Request = z.infer<typeof Request>;

/** Changes, pauses or cancels a media buy. */
export const updateMediaBuy = sellerTool({
  name: 'update_media_buy',
  title: 'Change a media buy',
  description:
    'Changes, pauses, resumes or cancels a buy or its packages. Send the revision that you read: a change in between is a CONFLICT. What is guaranteed cannot be changed, only paused and canceled.',
  input: Request,
  changes: true,
  run: async (context, request) => {
    const found = UNSUPPORTED.find((name) => request[name] !== undefined);
    if (request.new_packages !== undefined && (request.start_time ?? request.end_time) !== undefined)
      throw new AdcpError('INVALID_REQUEST', 'Change the flight first, then add packages within it.', {
        field: 'new_packages',
      });
    if (found !== undefined)
      throw new AdcpError('UNSUPPORTED_FEATURE', `This seller does not support ${found}.`, { field: found });
    const account = await resolveAccount(context, request.account);
    return once({ call: context.call, tool: 'update_media_buy', accountId: account.id, request }, (requestId) =>
      update(context, { request, account, requestId }),
    );
  },
});

interface Update {
  readonly request: Request;
  readonly account: Account;
  readonly requestId: string;
}

async function update(context: SellerContext, { request, account, requestId }: Update): Promise<Done> {
  const { call } = context;
  const buy = await requireBuy(call, request.media_buy_id, account.id);
  checkState(buy, request, context.nowMs());
  const [products, portfolio] = await Promise.all([readProducts(call, account.id), readPortfolio(call)]);
  checkNotice(buy, request, products, context.nowMs());
  const planned = (request.packages ?? []).map((one, index) => {
    const field = `packages[${index}]`;
    const item = buy.campaign.lineItems.nodes.find(({ id }) => id === one.package_id);
    if (item === undefined)
      throw new AdcpError('PACKAGE_NOT_FOUND', 'The buy has no such package.', { field: `${field}.package_id` });
    const product = products.find(({ id }) => id === item.advertisingProductId) ?? null;
    const terms = buy.terms.packages[item.id] ?? {};
    return { item, update: one, ...planUpdate(one, { item, terms, product, field, nowMs: context.nowMs() }) };
  });
  const { id, version } = buy.campaign;
  const added = await add(context, { request, account, requestId, buy, products }, () =>
    changeBuy(call, requestId, {
      id,
      version,
      campaign: campaignChanges(request, buy, context.nowMs()),
      items: planned.map(({ item, booking, status }) => ({ id: item.id, version: item.version, booking, status })),
    }),
  );
  const awaited = await assign(context, account, planned);
  const terms: BuyTerms = {
    ...buy.terms,
    ...(request.canceled === true ? { cancellation: cancellation(request.cancellation_reason, context.nowMs()) } : {}),
    packages: {
      ...buy.terms.packages,
      ...Object.fromEntries(planned.map(({ item, terms: own }) => [item.id, { ...own, ...awaited.get(item.id) }])),
      ...Object.fromEntries(added.map((one) => [one.id, one.terms])),
    },
  };
  const after = await findBuy(call, id);
  if (after === null) throw new AdcpError('CONFLICT', 'The buy changed while it was updated. Read it again.');
  const changed = { ...after, terms };
  return {
    state: 'COMPLETED',
    terms,
    campaignId: id,
    response: renderUpdated(changed, [...planned.map(({ item }) => item.id), ...added.map((one) => one.id)], {
      currency: portfolio.currency,
      nowMs: context.nowMs(),
    }),
  };
}

interface AddedTo extends Update {
  readonly buy: MediaBuy;
  readonly products: readonly Product[];
}

/** Makes the changes of a buy together with its new packages, which are drafts until the changes are made. */
async function add(context: SellerContext, update: AddedTo, change: () => Promise<void>): Promise<readonly Added[]> {
  const { request, account, requestId, buy, products } = update;
  const addition = { buy, accountId: account.id, requests: request.new_packages ?? [], products, requestId };
  if (addition.requests.length === 0) {
    await change();
    return [];
  }
  const added = await bookAdded(context, addition, planAdded(context, addition));
  try {
    await change();
  } catch (error) {
    await withdrawAdded(
      context.call,
      added.map(({ id }) => id),
    );
    throw error;
  }
  await startAdded(context.call, added);
  return added;
}

/** @throws AdcpError `CONFLICT` for an older revision, `NOT_CANCELLABLE` or `INVALID_STATE` for a buy that is over */
function checkState(buy: MediaBuy, request: Request, nowMs: number): void {
  const status = statusOf(buy, nowMs);
  const isOver = status === 'completed' || status === 'canceled' || status === 'rejected';
  if (isOver && request.canceled === true)
    throw new AdcpError('NOT_CANCELLABLE', `The buy is ${status} already.`, { field: 'canceled', details: { status } });
  if (isOver) throw new AdcpError('INVALID_STATE', `The buy is ${status}: it cannot change.`, { details: { status } });
  const revision = revisionOf(buy);
  if (request.revision !== undefined && request.revision !== revision)
    throw new AdcpError('CONFLICT', `The buy is at revision ${revision}, not ${request.revision}.`, {
      field: 'revision',
      details: { current_revision: revision },
    });
}

/** What is guaranteed stops only with the notice of its product: a pause without an end would be a cancellation. */
function checkNotice(buy: MediaBuy, request: Request, products: readonly Product[], nowMs: number): void {
  for (const item of livePackages(buy)) {
    const at = (request.packages ?? []).findIndex((one) => one.package_id === item.id);
    const own = request.packages?.[at];
    const whole = stopOf(request);
    const verb = whole ?? (own === undefined ? null : stopOf(own));
    const days = products.find(({ id }) => id === item.advertisingProductId)?.cancellationNoticeDays ?? 0;
    const startsAtMs = item.startsAt === null ? nowMs : Date.parse(item.startsAt);
    if (verb === null || item.type === 'PRICE' || days === 0 || startsAtMs >= nowMs + days * DAY_MS) continue;
    const message = `The product is ${verb} at the latest ${days} days before its start.`;
    throw new AdcpError(verb === 'canceled' ? 'NOT_CANCELLABLE' : 'INVALID_STATE', message, {
      field: whole === null ? `packages[${at}].${verb}` : verb,
      details: { notice_days: days, package_id: item.id },
    });
  }
}

function stopOf({ canceled, paused }: Pick<Request, 'canceled' | 'paused'>): 'canceled' | 'paused' | null {
  if (canceled === true) return 'canceled';
  return paused === true ? 'paused' : null;
}

function campaignChanges(request: Request, { campaign }: MediaBuy, nowMs: number): Readonly<Record<string, unknown>> {
  const { start_time: start, end_time: end, paused, canceled } = request;
  const startsAt = start === undefined ? undefined : start === 'asap' ? new Date(nowMs).toISOString() : start;
  const [from, to] = [Date.parse(startsAt ?? campaign.startsAt ?? ''), Date.parse(end ?? campaign.endsAt ?? '')];
  if ((start !== undefined || end !== undefined) && to <= from)
    throw new AdcpError('INVALID_REQUEST', 'end_time is after start_time.', { field: 'end_time' });
  return {
    ...(startsAt === undefined ? {} : { startsAt: new Date(startsAt).toISOString() }),
    ...(end === undefined ? {} : { endsAt: new Date(end).toISOString() }),
    ...(canceled === true
      ? { status: 'PAUSED' }
      : paused === undefined
        ? {}
        : { status: paused ? 'PAUSED' : 'ACTIVE' }),
  };
}

interface Planned {
  readonly item: MediaBuy['campaign']['lineItems']['nodes'][number];
  readonly update: PackageUpdate;
}

/** Replaces assignments of creatives. Returns what packages then wait for, by their ids. */
async function assign(
  { call }: SellerContext,
  account: Account,
  planned: readonly Planned[],
): Promise<ReadonlyMap<string, { readonly awaited: readonly { creative_id: string; weight?: number | undefined }[] }>> {
  const replaced = planned.flatMap(({ item, update: { creative_assignments: list } }) =>
    list === undefined ? [] : [{ item, list }],
  );
  const ids = replaced.flatMap(({ list }) => list.map(({ creative_id: id }) => id));
  const known = await findCreatives(call, account.id, ids);
  const wanted = replaced.flatMap(({ item, list }) =>
    list.flatMap(({ creative_id: id, weight }) => {
      const creative = known.get(id);
      return creative === undefined ? [] : [{ lineItemId: item.id, libraryCreativeId: creative.id, weight }];
    }),
  );
  const gone = replaced.flatMap(({ item }) =>
    creativesOf(item).flatMap(({ libraryCreative }) => {
      const libraryCreativeId = libraryCreative?.id;
      const stays = wanted.some((one) => one.lineItemId === item.id && one.libraryCreativeId === libraryCreativeId);
      return libraryCreativeId === undefined || stays ? [] : [{ lineItemId: item.id, libraryCreativeId }];
    }),
  );
  await associate(call, wanted);
  await dissociate(call, gone);
  return new Map(
    replaced.map(({ item, list }) => [
      item.id,
      {
        awaited: list
          .filter(({ creative_id: id }) => !known.has(id))
          .map(({ creative_id, weight }) => ({ creative_id, weight })),
      },
    ]),
  );
}

function renderUpdated(
  buy: MediaBuy,
  packageIds: readonly string[],
  { currency, nowMs }: { readonly currency: string; readonly nowMs: number },
) {
  const status = statusOf(buy, nowMs);
  return {
    media_buy_id: buy.campaign.id,
    media_buy_status: status,
    revision: revisionOf(buy),
    currency,
    total_budget: totalBudget(buy),
    implementation_date: new Date(nowMs).toISOString(),
    affected_packages: buy.campaign.lineItems.nodes
      .filter(({ id }) => packageIds.includes(id))
      .map((item) => renderPackage(item, buy.terms.packages[item.id])),
    valid_actions: validActions(status),
  };
}
