import { deliveryCapsField, frequencyCapsField } from '../../fields/delivery-limits.ts';
import { LABELS_FILTER, labelsField } from '../../fields/labels.ts';
import { DeliveryStatusRef } from '../../fields/enumerations.ts';
import {
  enumField,
  instantField,
  optionalTextField,
  referenceField,
  textField,
  textListField,
} from '../../kernel/scalar-fields.ts';
import { memberField } from '../annotations/annotation-fields.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, before, type Resource, since } from '../../kernel/resource.ts';
import { loadCampaignFacts } from '../booking-approval/campaign-flight.sql.ts';
import { validateCampaign } from './campaign.rules.ts';

/** An order of an advertiser: dates, budget and line items. */
export const CAMPAIGN: Resource = registerBooked({
  type: 'Campaign',
  singular: 'campaign',
  plural: 'campaigns',
  description:
    'An order of an advertiser: line items serve only while their campaign is ACTIVE, in its flight, and within its caps.',
  table: 'campaigns',
  fields: [
    referenceField({
      name: 'advertiserId',
      description: 'The advertiser; cannot change.',
      required: true,
      createOnly: true,
      link: 'The advertiser.',
      to: { table: 'advertisers', label: 'advertiser' },
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Status; DRAFT at first.', type: DeliveryStatusRef, initial: 'DRAFT' }),
    instantField({ name: 'startsAt', description: 'Start of serving; null = at once.' }),
    instantField({ name: 'endsAt', description: 'End of serving, exclusive; null = open-ended.' }),
    deliveryCapsField(),
    frequencyCapsField(),
    labelsField('all its line items'),
    optionalTextField({ name: 'externalId', description: 'Id in your own system.', lengthMax: 200 }),
    optionalTextField({
      name: 'orderNumber',
      description: 'Number of the order, as invoices name it.',
      lengthMax: 100,
    }),
    memberField('salesperson', 'The e-mail address of the member of the network who sold the order; null = nobody.'),
    textListField({
      name: 'contacts',
      description: 'People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20.',
      lengthMax: 300,
      itemsMax: 20,
    }),
  ],
  filters: [
    anyOf('statuses', 'status', DeliveryStatusRef, 'Only with one of these statuses.'),
    anyOf('advertiserIds', 'advertiser_id', 'ID', 'Only of these advertisers.'),
    since('endsSince', 'ends_at', 'Only with an end at or after this instant.'),
    before('startsBefore', 'starts_at', 'Only with a start before this instant.'),
    LABELS_FILTER,
    anyOf('externalIds', 'external_id', 'String', 'Only with one of these external ids.'),
    anyOf('orderNumbers', 'order_number', 'String', 'Only with one of these order numbers.'),
    anyOf('salespeople', 'salesperson', 'String', 'Only sold by these members, by their e-mail addresses.'),
  ],
  children: [{ name: 'lineItems', description: 'Its line items, by id.', child: 'LineItem', column: 'campaign_id' }],
  searchColumns: ['name', 'external_id', 'order_number'],
  validate: validateCampaign,
  loadFacts: loadCampaignFacts,
});
