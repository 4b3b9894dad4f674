import { DealKindRef, LifecycleRef } from '../../fields/enumerations.ts';
import { oneByOne } from '../../kernel/checks.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import { enumField, moneyField, textField, textListField } from '../../kernel/scalar-fields.ts';
import { loadDealFacts, validateDeal } from './deal.rules.ts';

/** An agreement with a buyer. */
export const DEAL: Resource = registerBooked({
  type: 'Deal',
  singular: 'deal',
  plural: 'deals',
  description: 'An agreement with a buyer; its code is the deal id of OpenRTB.',
  table: 'deals',
  fields: [
    textField({
      name: 'code',
      description: 'Its code in bid requests and responses, unique in the network.',
      lengthMax: 100,
      pattern: /^[\w.:-]+$/,
      wants: 'letters, digits and . _ : -',
      required: true,
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
    enumField({
      name: 'kind',
      description: 'The kind of agreement; default: PRIVATE.',
      type: DealKindRef,
      initial: 'PRIVATE',
    }),
    moneyField({ name: 'floor', column: 'floor_micros', description: 'Lowest CPM; 0 = none.', initial: 0n }),
    moneyField({
      name: 'fixedPrice',
      column: 'fixed_price_micros',
      description: "Fixed CPM; null = the line item's price.",
      initial: null,
    }),
    textListField({ name: 'seats', description: 'Buyers that may use it; empty = all.', lengthMax: 100 }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('kinds', 'kind', DealKindRef, 'Only of these kinds.'),
    anyOf('codes', 'code', 'String', 'Only with one of these codes.'),
  ],
  children: [
    { name: 'lineItems', description: 'The line items that serve it, by id.', child: 'LineItem', column: 'deal_id' },
  ],
  searchColumns: ['name', 'code'],
  uniqueFields: { deals_workspace_id_code_key: 'code' },
  validate: validateDeal,
  loadFacts: oneByOne(loadDealFacts),
});
