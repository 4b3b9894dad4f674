import { deliveryCapsField, frequencyCapsField } from '../../fields/delivery-limits.ts';
import { DeliveryStatusRef } from '../../fields/enumerations.ts';
import { enumField, instantField, optionalTextField, referenceField, textField } from '../../kernel/scalar-fields.ts';
import { type Noun, registerNoun } from '../../kernel/resource.ts';
import { judgeCampaign } from './campaign.rules.ts';

/** An order of an advertiser: the frame around its line items. */
export const CAMPAIGN: Noun = registerNoun({
  type: 'Campaign',
  singular: 'campaign',
  plural: 'campaigns',
  description:
    'An order of an advertiser: line items serve only while their campaign is ACTIVE, in its flight, and within its caps.',
  table: 'campaigns',
  fields: [
    referenceField({
      name: 'advertiserId',
      description: 'Whose it is; cannot change.',
      required: true,
      createOnly: true,
      to: { table: 'advertisers', noun: 'advertiser' },
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Status; DRAFT at first.', type: DeliveryStatusRef, initial: 'DRAFT' }),
    instantField({ name: 'startsAt', description: 'Serves from here on; null = at once.' }),
    instantField({ name: 'endsAt', description: 'Serves to before this instant; null = without end.' }),
    deliveryCapsField(),
    frequencyCapsField(),
    optionalTextField({ name: 'externalId', description: 'Id in a system of yours.', lengthMax: 200 }),
  ],
  filters: [
    {
      name: 'statuses',
      description: 'Only with one of these statuses.',
      kind: 'anyOf',
      column: 'status',
      type: DeliveryStatusRef,
    },
    {
      name: 'advertiserIds',
      description: 'Only of these advertisers.',
      kind: 'anyOf',
      column: 'advertiser_id',
      type: 'ID',
    },
    {
      name: 'endsSince',
      description: 'Only with an end at or after this instant.',
      kind: 'since',
      column: 'ends_at',
      type: 'DateTime',
    },
    {
      name: 'startsBefore',
      description: 'Only with a start before this instant.',
      kind: 'before',
      column: 'starts_at',
      type: 'DateTime',
    },
    {
      name: 'externalIds',
      description: 'Only with one of these external ids.',
      kind: 'anyOf',
      column: 'external_id',
      type: 'String',
    },
  ],
  links: [{ name: 'advertiser', description: 'Whose it is.', to: 'Advertiser', column: 'advertiser_id' }],
  children: [{ name: 'lineItems', description: 'Its line items, by id.', child: 'LineItem', column: 'campaign_id' }],
  searchColumns: ['name', 'external_id'],
  jsonColumns: ['caps', 'frequency_caps'],
  uniqueFields: {},
  judge: judgeCampaign,
});
