import { narrowedTargeting } from '../../../domain/booking/product-booking.ts';
import type { PriceOption } from '../../../domain/booking/product.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { decimalIdOf } from '../../../domain/ids/global-ids.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { targetingAsGiven } from '../../fields/targeting-field.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { objectMissing, validationFailed, type WriteInput } from '../../kernel/drafts.ts';
import { report, type StoredRow } from '../../kernel/field.ts';
import { FieldProblemRef } from '../../kernel/field-problem.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { resourceOfType } from '../../kernel/resource.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { findRows, lockRow } from '../../kernel/resource.sql.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import { orRefused, RefusedPayload } from '../../kernel/user-errors.ts';
import { createObject, type InTransaction, updateObject, type Written } from '../../kernel/write.ts';
import { priceOptionsOf } from '../advertising-product/product-facts.sql.ts';
import { loadNetworkTimezone } from '../delivery-progress/delivery-figures.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';
import { readBookedSpend } from './booked-spend.sql.ts';
import { BookProductInputRef, ChangeBookingInputRef, readTerms } from './booking-input.ts';
import {
  type AskedTerms,
  bookedInput,
  type BookingFacts,
  checkOffer,
  checkTerms,
  priceBooking,
} from './product-terms.ts';

interface Booked extends Written {
  readonly validatedOnly: boolean;
}

const VALIDATE_ONLY =
  'Validates everything and returns problems and warnings without a booking; the line item is null.';

/** Adds `bookProduct` and `changeBooking`. */
export function defineProductBooking(): void {
  const payload = builder.objectRef<Booked | RefusedPayload>('BookingPayload').implement({
    description: 'The result of a booking from a product.',
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      lineItem: t.field({
        type: objectRefOf('LineItem'),
        nullable: true,
        description: 'The line item of the booking; null when nothing was booked.',
        resolve: (made) => (made instanceof RefusedPayload || made.validatedOnly ? null : made.row),
      }),
      warnings: t.field({
        type: [FieldProblemRef],
        description: 'Warnings: allowed, but probably unintended.',
        resolve: (made) => (made instanceof RefusedPayload ? [] : [...made.warnings]),
      }),
    }),
  });
  builder.mutationField('bookProduct', (t) =>
    t.field({
      type: payload,
      nullable: true,
      description:
        'Books a product: makes a DRAFT line item in a campaign by one of its price options. Inventory, tier, price, goal and limits follow from the product; dates, amount and added targeting are checked against its terms.',
      args: {
        input: t.arg({ type: BookProductInputRef, required: true, description: 'The booking.' }),
        validateOnly: t.arg.boolean({ description: VALIDATE_ONLY }),
      },
      resolve: (_root, { input, validateOnly }, context, info) =>
        orRefused<Booked>(context, info, async () => {
          const trial = validateOnly ?? false;
          const written = await changeAll(context, trial, (inner) => book(inner, input));
          context.loaders.clear();
          return { ...written, validatedOnly: trial };
        }),
    }),
  );
  builder.mutationField('changeBooking', (t) =>
    t.field({
      type: payload,
      nullable: true,
      description:
        'Changes the terms of a line item that was booked from a product. All of its terms are checked against the product again.',
      args: {
        id: t.arg.id({ required: true, description: 'The line item.' }),
        version: t.arg.int({ description: 'The version that was read; a newer version fails as `conflict`.' }),
        input: t.arg({ type: ChangeBookingInputRef, required: true, description: 'The new terms.' }),
        validateOnly: t.arg.boolean({ description: VALIDATE_ONLY }),
      },
      resolve: (_root, { id, version, input, validateOnly }, context, info) =>
        orRefused<Booked>(context, info, async () => {
          const trial = validateOnly ?? false;
          const target = { id: String(id), version: version ?? null };
          const written = await changeAll(context, trial, (inner) => changeBooking(inner, target, input));
          context.loaders.clear();
          return { ...written, validatedOnly: trial };
        }),
    }),
  );
}

async function book(inner: InTransaction, input: typeof BookProductInputRef.$inferInput): Promise<Written> {
  const problems: FieldProblem[] = [];
  const product = await findOne(inner, 'AdvertisingProduct', input.productId);
  const campaign = await findOne(inner, 'Campaign', input.campaignId);
  if (product === null) report(problems, 'input.productId', 'unknown', 'There is no product with this id.');
  if (campaign === null) report(problems, 'input.campaignId', 'unknown', 'There is no campaign with this id.');
  const asked = readTerms(input, input, problems);
  if (product === null || campaign === null) throw validationFailed(problems);
  const option = priceOptionsOf(product).find(({ id }) => id === String(input.priceOptionId));
  const facts = await factsOf(inner, campaign, null);
  const terms = await checkBooking(inner, { product, option, asked, facts, exceptId: null }, problems);
  const { frequencyCaps, pacing, externalId } = input;
  const given = { frequencyCaps, pacing, externalId };
  return createObject(
    inner,
    LINE_ITEM,
    {
      ...withoutAbsent(given),
      ...terms.input,
      campaignId: String(campaign.id),
      advertisingProductId: String(product.id),
      name: input.name ?? product['name'],
      status: 'DRAFT',
    },
    { trial: false, path: 'input', columns: { ...terms.columns, buyer_key_id: buyerKeyOf(inner) } },
  );
}

async function changeBooking(
  inner: InTransaction,
  target: { readonly id: string; readonly version: number | null },
  input: typeof ChangeBookingInputRef.$inferInput,
): Promise<Written> {
  const { workspaceId } = inner.principal;
  const id = decimalIdOf('LineItem', target.id);
  const row = id === null ? undefined : await lockRow(inner.transaction, workspaceId, 'line_items', BigInt(id));
  if (row === undefined) throw objectMissing(LINE_ITEM, target.id);
  const problems: FieldProblem[] = [];
  refuseRunning(inner, row, problems);
  const product = await findOne(inner, 'AdvertisingProduct', String((row['advertising_product_id'] ?? 0n) as bigint));
  const campaign = await findOne(inner, 'Campaign', String(row['campaign_id']));
  const optionId = input.priceOptionId ?? (row['price_option_id'] as string | null);
  if (product === null || campaign === null || optionId === null)
    throw validationFailed([{ path: 'id', code: 'not_allowed', message: 'It is not booked from a product.' }]);
  const option = priceOptionsOf(product).find((one) => one.id === String(optionId));
  const asked = askedAgain(row, input, problems);
  const facts = await factsOf(inner, campaign, row['starts_at'] as Date | null);
  const terms = await checkBooking(inner, { product, option, asked, facts, exceptId: row.id }, problems);
  const { targeting, ...more } = terms.input;
  const { frequencyCaps, pacing } = input;
  const given = { frequencyCaps, pacing };
  const change = { ...withoutAbsent(given), ...more, ...(input.targeting ? { targeting } : {}) };
  return updateObject(inner, LINE_ITEM, target, { input: change, trial: false, path: 'input', columns: terms.columns });
}

/** A buyer changes what promises nothing at any time, and a guaranteed booking while it is a draft. */
function refuseRunning({ caller }: ManagementContext, row: StoredRow, problems: FieldProblem[]): void {
  if (caller.buyer === undefined || row['type'] === 'PRICE' || row['status'] === 'DRAFT') return;
  const message = `A guaranteed booking that is ${String(row['status'])} is changed by a member of the network.`;
  report(problems, 'id', 'not_allowed', message);
}

/** The terms that a booking has, with those of an input in their stead. */
function askedAgain(
  row: StoredRow,
  input: typeof ChangeBookingInputRef.$inferInput,
  problems: FieldProblem[],
): AskedTerms {
  const [startsAt, endsAt] = [row['starts_at'], row['ends_at']] as (Date | null)[];
  const flight = { startsAt: input.startsAt ?? startsAt ?? null, endsAt: input.endsAt ?? endsAt ?? null };
  if (flight.startsAt === null) report(problems, 'input.startsAt', 'required', 'Give the start of the flight.');
  if (flight.endsAt === null) report(problems, 'input.endsAt', 'required', 'Give the end of the flight.');
  const asked = readTerms(
    input,
    { startsAt: flight.startsAt ?? new Date(0), endsAt: flight.endsAt ?? new Date(0) },
    problems,
  );
  const isPaidByDay = row['pricing_model'] === 'FLAT';
  const stays = asked.budgetMicros === null && asked.quantity === null && !isPaidByDay;
  return {
    ...asked,
    budgetMicros: stays ? (row['budget_micros'] as bigint | null) : asked.budgetMicros,
    bidMicros: asked.bidMicros ?? (input.priceOptionId ? null : (row['price_micros'] as bigint)),
  };
}

interface CheckedBooking {
  readonly product: StoredRow;
  readonly option: PriceOption | undefined;
  readonly asked: AskedTerms;
  readonly facts: BookingFacts;
  readonly exceptId: bigint | null;
}

interface BookedTerms {
  readonly input: WriteInput;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** Checks a booking against its product and the spend limit of a buyer. @throws PlacardError `validation_failed` with all problems */
async function checkBooking(
  inner: InTransaction,
  booking: CheckedBooking,
  problems: FieldProblem[],
): Promise<BookedTerms> {
  const { product, option, asked, facts, exceptId } = booking;
  checkOffer(product, option, facts, problems);
  checkTerms(product, asked, facts, problems);
  const priced = option === undefined ? null : priceBooking({ product, option }, asked, facts, problems);
  if (priced !== null && problems.length === 0) await checkSpend(inner, { ...priced, exceptId }, problems);
  if (problems.length > 0 || option === undefined || priced === null) throw validationFailed(problems);
  const targeting = narrowedTargeting((product['targeting'] ?? null) as Targeting | null, asked.added);
  return {
    input: {
      ...bookedInput(product, option, priced),
      targeting: targeting === null ? null : targetingAsGiven(targeting),
      startsAt: asked.startsAt,
      endsAt: asked.endsAt,
    },
    columns: { price_option_id: option.id, budget_micros: priced.budgetMicros },
  };
}

async function checkSpend(
  inner: InTransaction,
  { budgetMicros, exceptId }: { readonly budgetMicros: bigint; readonly exceptId: bigint | null },
  problems: FieldProblem[],
): Promise<void> {
  const { buyer } = inner.caller;
  if (buyer === undefined || buyer.spendLimitMicros === null) return;
  const { workspaceId } = inner.principal;
  const { advertiserIds } = buyer;
  const booked = await readBookedSpend(inner.transaction, { workspaceId, advertiserIds, exceptId });
  const left = BigInt(buyer.spendLimitMicros) - booked;
  if (budgetMicros <= left) return;
  const headroom = formatMicros(left > 0n ? left : 0n);
  const message = `The key may book ${formatMicros(BigInt(buyer.spendLimitMicros))} for its advertisers, of which ${headroom} is left; this booking is for ${formatMicros(budgetMicros)}.`;
  report(problems, 'input.budget', 'spend_limit', message);
}

async function factsOf(inner: InTransaction, campaign: StoredRow, startedAt: Date | null): Promise<BookingFacts> {
  return {
    advertiserId: String(campaign['advertiser_id']),
    timezone: await loadNetworkTimezone(inner),
    nowMs: inner.nowMs(),
    startedAt,
    isBuyer: inner.caller.buyer !== undefined,
  };
}

async function findOne(inner: ManagementContext, type: string, id: string | number): Promise<StoredRow | null> {
  const decimal = decimalIdOf(type, id);
  if (decimal === null) return null;
  const { table } = resourceOfType(type);
  const [row] = await findRows(queryableOf(inner), inner.principal.workspaceId, table, [BigInt(decimal)]);
  return row ?? null;
}

function buyerKeyOf({ caller }: ManagementContext): bigint | null {
  return caller.buyer === undefined ? null : BigInt(caller.id);
}

function withoutAbsent(given: Readonly<Record<string, unknown>>): WriteInput {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
}
