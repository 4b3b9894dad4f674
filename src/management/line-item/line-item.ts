import { deliveryCapsField, frequencyCapsField } from '../fields/delivery-limits.ts';
import {
  CreativeRotationRef,
  DeliveryStatusRef,
  LineItemTypeRef,
  PacingRef,
  PricingModelRef,
  RoadblockRef,
} from '../fields/enumerations.ts';
import { dayPartsField, goalField } from '../fields/schedule.ts';
import { targetingField } from '../fields/targeting-field.ts';
import { type Noun, registerNoun } from '../noun/noun.ts';
import {
  booleanField,
  enumField,
  instantField,
  integerField,
  moneyField,
  numberField,
  optionalTextField,
  referenceField,
  textField,
  textListField,
} from '../noun/scalar-fields.ts';
import { loadLineItemFacts } from './line-item-facts.ts';
import { judgeLineItem } from './line-item.rules.ts';

/** What is booked: where, to whom, when, how much, at which price. */
export const LINE_ITEM: Noun = registerNoun({
  type: 'LineItem',
  singular: 'lineItem',
  plural: 'lineItems',
  description: 'What is booked: where and to whom it serves, when, how much, and at which price.',
  table: 'line_items',
  fields: [
    referenceField({
      name: 'campaignId',
      description: 'Its campaign; cannot change.',
      required: true,
      createOnly: true,
      to: { table: 'campaigns', noun: 'campaign' },
    }),
    referenceField({
      name: 'dealId',
      description: 'The deal it serves; null = open.',
      to: { table: 'deals', noun: 'deal' },
    }),
    referenceField({
      name: 'advertisingProductId',
      description: 'The product it is sold as; null = none.',
      to: { table: 'advertising_products', noun: 'advertisingProduct' },
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Status; DRAFT at first.', type: DeliveryStatusRef, initial: 'DRAFT' }),
    enumField({ name: 'type', description: 'Its tier.', type: LineItemTypeRef, required: true }),
    integerField({
      name: 'level',
      description: 'Rank within its tier (SPONSORSHIP, STANDARD): 1 is asked first, 16 last.',
      min: 1,
      max: 16,
      initial: 8,
    }),
    numberField({
      name: 'sharePercent',
      description: 'Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere.',
      min: 0.01,
      max: 100,
      initial: null,
    }),
    goalField(),
    enumField({ name: 'pacing', description: 'How delivery is spread.', type: PacingRef, initial: 'EVEN' }),
    enumField({
      name: 'pricingModel',
      description: 'Which event earns the price.',
      type: PricingModelRef,
      initial: 'CPM',
    }),
    moneyField({
      name: 'price',
      column: 'price_micros',
      description: 'CPM, VCPM: per thousand; CPC, CPA: each; FLAT: per day.',
      initial: 0n,
    }),
    deliveryCapsField(),
    frequencyCapsField(),
    booleanField({
      name: 'serveWithoutUser',
      description: 'Whether it serves, with frequency caps, to users that cannot be told apart.',
      initial: false,
    }),
    booleanField({ name: 'pauseAfterGoal', description: 'Whether it stops at its goal.', initial: false }),
    instantField({ name: 'startsAt', description: 'Serves from here on; null = at once.' }),
    instantField({ name: 'endsAt', description: 'Serves to before this instant; null = without end.' }),
    optionalTextField({
      name: 'timezone',
      description: "IANA time zone of its days and day-parts; null = the network's.",
      lengthMax: 64,
    }),
    dayPartsField(),
    targetingField(),
    enumField({
      name: 'creativeRotation',
      description: 'How one of several fitting creatives is chosen.',
      type: CreativeRotationRef,
      initial: 'EVEN',
    }),
    enumField({
      name: 'roadblock',
      description: 'Whether its creatives fill several slots of one request.',
      type: RoadblockRef,
      initial: 'ONE',
    }),
    textListField({
      name: 'exclusionLabels',
      description: 'Two ads that share a label never stand in one answer.',
      lengthMax: 100,
    }),
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
    { name: 'types', description: 'Only of these tiers.', kind: 'anyOf', column: 'type', type: LineItemTypeRef },
    { name: 'campaignIds', description: 'Only of these campaigns.', kind: 'anyOf', column: 'campaign_id', type: 'ID' },
    { name: 'dealIds', description: 'Only of these deals.', kind: 'anyOf', column: 'deal_id', type: 'ID' },
    {
      name: 'advertisingProductIds',
      description: 'Only of these advertising products.',
      kind: 'anyOf',
      column: 'advertising_product_id',
      type: 'ID',
    },
    {
      name: 'pricingModels',
      description: 'Only with one of these pricing models.',
      kind: 'anyOf',
      column: 'pricing_model',
      type: PricingModelRef,
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
  links: [
    { name: 'campaign', description: 'Its campaign.', to: 'Campaign', column: 'campaign_id' },
    { name: 'deal', description: 'The deal it serves.', to: 'Deal', column: 'deal_id' },
    {
      name: 'advertisingProduct',
      description: 'The product it is sold as.',
      to: 'AdvertisingProduct',
      column: 'advertising_product_id',
    },
  ],
  children: [{ name: 'creatives', description: 'Its creatives, by id.', child: 'Creative', column: 'line_item_id' }],
  searchColumns: ['name', 'external_id'],
  jsonColumns: ['goal', 'caps', 'frequency_caps', 'day_parts', 'targeting'],
  uniqueFields: {},
  judge: judgeLineItem,
  loadFacts: loadLineItemFacts,
});
