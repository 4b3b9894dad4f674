import { CHANNELS, type ProductDelivery } from '../../../domain/booking/product.ts';
import { LifecycleRef } from '../../fields/enumerations.ts';
import { constantCase, DimensionRef, targetingField } from '../../fields/targeting-field.ts';
import { builder } from '../../kernel/builder.ts';
import { enumOf } from '../../kernel/described-enum.ts';
import { columnField, type Field } from '../../kernel/field.ts';
import { anyOf, overlaps, type Resource } from '../../kernel/resource.ts';
import {
  booleanField,
  enumField,
  enumListField,
  integerField,
  moneyField,
  textField,
} from '../../kernel/scalar-fields.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { checkAdvertiserIds } from './advertiser-ids.ts';
import { loadProductFacts } from './product-facts.sql.ts';
import { validateProduct } from './product.rules.ts';
import { priceOptionsField } from './price-options.ts';
import { productFormatsField } from './product-formats.ts';
import { creativePolicyField, measurementField } from './product-terms.ts';

/** Most advertisers that a product is offered to by name. */
const OFFERED_MAX = 1_000;
const DAYS_MAX = 3_660;
const HOURS_MAX = 8_784;

const ProductDeliveryRef = builder.enumType('ProductDelivery', {
  description: 'Whether a product promises an amount.',
  values: {
    GUARANTEED: { description: 'It promises an amount at a fixed price: its bookings are STANDARD or SPONSORSHIP.' },
    NON_GUARANTEED: { description: 'It promises nothing: its bookings are PRICE.' },
  } satisfies Record<ProductDelivery, { description: string }>,
});

const ChannelRef = enumOf('Channel', 'A media channel that buyers plan by.', CHANNELS);

/** The dimensions that a buyer may narrow a booking by. */
function buyerDimensionsField(): Field {
  return {
    ...enumListField({
      name: 'buyerDimensions',
      description: 'The dimensions of targeting that a buyer may add; empty = none.',
      type: DimensionRef,
      initial: [],
      mayBeEmpty: true,
    }),
    asInput: (row) => (row['buyer_dimensions'] as readonly string[]).map(constantCase),
  };
}

function offeredAdvertisersField(): Field {
  return columnField(
    {
      name: 'offeredAdvertiserIds',
      description: `The advertisers whose keys of buyers see it, by id; empty = all. At most ${OFFERED_MAX}.`,
    },
    {
      input: ['ID'],
      output: ['ID'],
      initial: [],
      clearable: false,
      isJson: true,
      check: (value, path, problems) => checkAdvertiserIds(value, { path, max: OFFERED_MAX }, problems),
    },
  );
}

/** What is sold: inventory, formats, prices and terms. Line items are booked as it, and reports group by it. */
export const ADVERTISING_PRODUCT: Resource = registerBooked({
  type: 'AdvertisingProduct',
  singular: 'advertisingProduct',
  plural: 'advertisingProducts',
  description:
    "A product of the publisher's price list: inventory, formats, prices and terms. Line items are sold as it, and reports group by it.",
  table: 'advertising_products',
  fields: [
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    textField({ name: 'description', description: 'What buyers get.', lengthMax: 2_000, initial: '' }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
    enumField({
      name: 'delivery',
      description: 'Whether it promises an amount; default: NON_GUARANTEED.',
      type: ProductDeliveryRef,
      initial: 'NON_GUARANTEED',
    }),
    enumListField({
      name: 'channels',
      description: 'The media channels that it is sold in.',
      type: ChannelRef,
      initial: [],
      mayBeEmpty: true,
    }),
    { ...targetingField(), description: 'Its inventory and audiences; null = all inventory and all users.' },
    productFormatsField(),
    buyerDimensionsField(),
    priceOptionsField(),
    moneyField({
      name: 'minimumSpend',
      column: 'minimum_spend_micros',
      description: 'The lowest budget of a booking; null = none.',
      initial: null,
    }),
    integerField({
      name: 'minimumDays',
      description: 'Shortest flight of a booking in days; null = none.',
      min: 1,
      max: DAYS_MAX,
      initial: null,
    }),
    integerField({
      name: 'maximumDays',
      description: 'Longest flight of a booking in days; null = none.',
      min: 1,
      max: DAYS_MAX,
      initial: null,
    }),
    integerField({
      name: 'leadTimeHours',
      description: 'Hours from a booking to its earliest start.',
      min: 0,
      max: HOURS_MAX,
      initial: 0,
    }),
    integerField({
      name: 'cancellationNoticeDays',
      description: 'Days from a cancellation to its effect.',
      min: 0,
      max: DAYS_MAX,
      initial: 0,
    }),
    measurementField(),
    creativePolicyField(),
    booleanField({
      name: 'offeredToBuyers',
      description: "Whether keys of buyers, such as their agents', see it and may book it.",
      initial: false,
    }),
    offeredAdvertisersField(),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('deliveries', 'delivery', ProductDeliveryRef, 'Only those that promise an amount, or those that do not.'),
    overlaps('channels', 'channels', ChannelRef, 'Only those that are sold in one of these channels.'),
  ],
  children: [
    {
      name: 'lineItems',
      description: 'The line items sold as it, by id.',
      child: 'LineItem',
      column: 'advertising_product_id',
    },
  ],
  searchColumns: ['name'],
  validate: validateProduct,
  loadFacts: loadProductFacts,
});
