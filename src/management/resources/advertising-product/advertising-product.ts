import { LifecycleRef } from '../../fields/enumerations.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import { enumField, textField } from '../../kernel/scalar-fields.ts';

/** The product that line items are sold as, for reports. */
export const ADVERTISING_PRODUCT: Resource = registerBooked({
  type: 'AdvertisingProduct',
  singular: 'advertisingProduct',
  plural: 'advertisingProducts',
  description: "A product of the publisher's price list. Line items are sold as it, and reports group by it.",
  table: 'advertising_products',
  fields: [
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    textField({ name: 'description', description: 'What buyers get.', lengthMax: 2_000, initial: '' }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
  ],
  filters: [anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.')],
  children: [
    {
      name: 'lineItems',
      description: 'The line items sold as it, by id.',
      child: 'LineItem',
      column: 'advertising_product_id',
    },
  ],
  searchColumns: ['name'],
});
