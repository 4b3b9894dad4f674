import { z } from 'zod';
import { AdcpError } from '../protocol/adcp-error.ts';
import { Amount, Context, Id, Instant, LIST_MAX, Text } from '../protocol/parts.ts';
import {
  amountTerms,
  Assignment,
  checkBudget,
  overlayTerms,
  PACINGS,
  priceOf,
  refusePlacements,
} from '../selling/plan-package.ts';
import type { Product } from '../selling/products.ts';
import { TargetingOverlay } from '../selling/targeting-overlay.ts';
import { numberOf } from '../selling/money.ts';
import type { LineItem, PackageTerms } from './media-buys.ts';

const REASON_MAX = 500;
/** Parts of package updates that this seller does not honor, and so refuses. */
const UNSUPPORTED = [
  'creatives',
  'catalogs',
  'optimization_goals',
  'keyword_targets_add',
  'keyword_targets_remove',
  'negative_keywords_add',
  'negative_keywords_remove',
];
/** Parts that change what a guaranteed package promises. */
const PROMISED = ['budget', 'bid_price', 'impressions', 'start_time', 'end_time', 'targeting_overlay'] as const;

/** A change of a package, as buyers ask for it. */
export const PackageUpdate = z.looseObject({
  package_id: Id,
  budget: Amount.optional(),
  bid_price: Amount.optional(),
  impressions: z.number().min(1).max(2_147_483_647).optional(),
  pacing: z.enum(['even', 'asap', 'front_loaded']).optional(),
  start_time: Instant.optional(),
  end_time: Instant.optional(),
  paused: z.boolean().optional(),
  canceled: z.literal(true).optional(),
  cancellation_reason: Text.max(REASON_MAX).optional(),
  targeting_overlay: TargetingOverlay.optional(),
  creative_assignments: z.array(Assignment).max(LIST_MAX).optional(),
  context: Context.optional(),
});
export type PackageUpdate = z.infer<typeof PackageUpdate>;

/** A package that changes: what is known of it, and where the request names it. */
export interface Changed {
  readonly item: LineItem;
  readonly terms: PackageTerms;
  /** null: it is sold as no product any more. */
  readonly product: Product | null;
  readonly field: string;
  readonly nowMs: number;
}

/** The changes of a package: those of its booking, and its terms after them. */
export interface PlannedUpdate {
  /** As `changeBooking` takes it; empty: the booking stays. */
  readonly booking: Readonly<Record<string, unknown>>;
  /** null: it stays. */
  readonly status: 'ACTIVE' | 'PAUSED' | null;
  readonly terms: PackageTerms;
}

/** Checks the change of a package against its product, and turns it into one of its booking. @throws AdcpError that names the field */
export function planUpdate(update: PackageUpdate, changed: Changed): PlannedUpdate {
  const { item, terms, field } = changed;
  const unsupported = UNSUPPORTED.find((name) => update[name] !== undefined);
  if (unsupported !== undefined)
    throw new AdcpError('UNSUPPORTED_FEATURE', `This seller does not support ${unsupported} of packages.`, {
      field: `${field}.${unsupported}`,
    });
  refusePlacements(update.creative_assignments, field);
  if (item.status === 'ARCHIVED' || terms.cancellation !== undefined)
    throw new AdcpError('INVALID_STATE', 'This package is canceled.', { field: `${field}.package_id` });
  const promised = PROMISED.find((name) => update[name] !== undefined);
  if (promised !== undefined && item.type !== 'PRICE')
    throw new AdcpError('REQUOTE_REQUIRED', `What is guaranteed does not change by an update: leave ${promised} out.`, {
      field: `${field}.${promised}`,
      suggestion: 'Buy the difference as another media buy, or ask the publisher.',
    });
  return {
    booking: {
      ...priceChanges(update, changed),
      ...(update.pacing === undefined ? {} : { pacing: PACINGS[update.pacing] }),
      ...flightChanges(update, changed),
      ...(update.targeting_overlay === undefined ? {} : overlayChanges(update.targeting_overlay, changed)),
    },
    status: statusChange(update),
    terms: {
      ...terms,
      ...(update.context === undefined ? {} : { context: update.context }),
      ...(update.targeting_overlay === undefined ? {} : { overlay: update.targeting_overlay }),
      ...(update.canceled === true ? { cancellation: cancellation(update.cancellation_reason, changed.nowMs) } : {}),
    },
  };
}

/** A cancellation by the buyer, now. */
export function cancellation(reason: string | undefined, nowMs: number) {
  const at = { canceled_at: new Date(nowMs).toISOString(), canceled_by: 'buyer' as const };
  return reason === undefined ? at : { ...at, reason };
}

/** A canceled package is paused for good: its history stays, and the buyer cannot resume it. */
function statusChange({ canceled, paused }: PackageUpdate): PlannedUpdate['status'] {
  if (canceled === true) return 'PAUSED';
  return paused === undefined ? null : paused ? 'PAUSED' : 'ACTIVE';
}

/** A new budget or bid is checked against the product. */
function priceChanges(update: PackageUpdate, { item, product, field, nowMs }: Changed): object {
  const { budget, bid_price: bid, impressions } = update;
  if (budget === undefined && bid === undefined && impressions === undefined) return {};
  const option = product?.priceOptions.find(({ id }) => id === item.priceOptionId);
  if (product === null || option === undefined)
    throw new AdcpError('PRODUCT_UNAVAILABLE', 'The product of this package is not offered any more.', {
      field: `${field}.package_id`,
    });
  const price = bid === undefined ? item.price : priceOf({ bid_price: bid }, option, field);
  const wanted = {
    budget: budget ?? numberOf(item.budget ?? '0'),
    ...(impressions === undefined ? {} : { impressions }),
  };
  checkBudget(wanted, { product, option, price, flight: flightOf(item, nowMs) }, field);
  return { ...(option.price === null ? { bid: price } : {}), ...amountTerms(wanted, option, price, field) };
}

function flightOf({ startsAt, endsAt }: LineItem, nowMs: number) {
  return {
    startsAtMs: startsAt === null ? nowMs : Date.parse(startsAt),
    endsAtMs: endsAt === null ? nowMs : Date.parse(endsAt),
  };
}

function flightChanges({ start_time: start, end_time: end }: PackageUpdate, { item, field, nowMs }: Changed): object {
  if (start === undefined && end === undefined) return {};
  const now = flightOf(item, nowMs);
  const startsAtMs = start === undefined ? now.startsAtMs : Date.parse(start);
  const endsAtMs = end === undefined ? now.endsAtMs : Date.parse(end);
  if (endsAtMs <= startsAtMs)
    throw new AdcpError('INVALID_REQUEST', 'A package ends after its start.', { field: `${field}.end_time` });
  return {
    ...(start === undefined ? {} : { startsAt: new Date(startsAtMs).toISOString() }),
    ...(end === undefined ? {} : { endsAt: new Date(endsAtMs).toISOString() }),
  };
}

function overlayChanges(overlay: TargetingOverlay, { product, field }: Changed): object {
  if (product === null)
    throw new AdcpError('PRODUCT_UNAVAILABLE', 'The product of this package is not offered any more.', {
      field: `${field}.package_id`,
    });
  const { targeting, frequencyCaps } = overlayTerms(overlay, product, `${field}.targeting_overlay`);
  return { ...(targeting === null ? {} : { targeting }), frequencyCaps };
}
