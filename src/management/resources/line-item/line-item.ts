import { pricingModelsWhere } from '../../../domain/pricing/pricing-models.ts';
import { deliveryCapsField, frequencyCapsField } from '../../fields/delivery-limits.ts';
import { LABELS_FILTER, labelsField } from '../../fields/labels.ts';
import {
  CompanionModeRef,
  CreativeRotationRef,
  DeliveryStatusRef,
  LineItemTypeRef,
  OptimisationGoalRef,
  PacingRef,
  PricingModelRef,
  RoadblockRef,
} from '../../fields/enumerations.ts';
import { dayPartsField, goalField } from '../../fields/schedule.ts';
import { targetingField } from '../../fields/targeting-field.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { columnField } from '../../kernel/field.ts';
import { anyOf, before, type Resource, since } from '../../kernel/resource.ts';
import {
  booleanField,
  enumField,
  instantField,
  integerField,
  moneyField,
  numberField,
  optionalEnumField,
  optionalTextField,
  referenceField,
  textField,
  textListField,
} from '../../kernel/scalar-fields.ts';
import { countedActivitiesField } from './counted-activities.ts';
import { loadLineItemFacts } from './line-item-facts.sql.ts';
import { DESK_FILTERS } from './line-item.filters.ts';
import { validateLineItem } from './line-item.rules.ts';

const UNIT_TEXTS = { thousand: 'per thousand', each: 'each', day: 'per day' } as const;

/** "CPM, VCPM: per thousand; …" */
function describePriceUnits(): string {
  const units = Object.entries(UNIT_TEXTS).map(
    ([unit, text]) => `${pricingModelsWhere((row) => row.unit === unit).join(', ')}: ${text}`,
  );
  return `${units.join('; ')}.`;
}

/** A line item: dates, goal, price, targeting, creatives. */
export const LINE_ITEM: Resource = registerBooked({
  type: 'LineItem',
  singular: 'lineItem',
  plural: 'lineItems',
  description: 'A booking: targeting, flight, goal, limits and price.',
  table: 'line_items',
  fields: [
    referenceField({
      name: 'campaignId',
      description: 'Its campaign; cannot change.',
      required: true,
      createOnly: true,
      link: 'Its campaign.',
      to: { table: 'campaigns', label: 'campaign' },
    }),
    referenceField({
      name: 'dealId',
      description: 'The deal it serves; null = open.',
      link: 'The deal it serves.',
      to: { table: 'deals', label: 'deal' },
    }),
    referenceField({
      name: 'advertisingProductId',
      description: 'The product it is sold as; null = none.',
      link: 'The product it is sold as.',
      to: { table: 'advertising_products', label: 'advertisingProduct' },
    }),
    columnField(
      {
        name: 'priceOptionId',
        description: 'The price option of the product by which it was booked; null: it was not booked from a product.',
      },
      { input: null, output: 'ID', initial: null },
    ),
    {
      ...moneyField({
        name: 'budget',
        column: 'budget_micros',
        description: 'What it was booked for, from a product; null: it was not booked from a product.',
        initial: null,
      }),
      input: null,
      initial: {},
    },
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Status; DRAFT at first.', type: DeliveryStatusRef, initial: 'DRAFT' }),
    enumField({ name: 'type', description: 'Its tier.', type: LineItemTypeRef, required: true }),
    integerField({
      name: 'level',
      description: 'Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last.',
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
    countedActivitiesField(),
    numberField({
      name: 'representativePercent',
      description:
        'No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread evenly over all of its traffic.',
      min: 0,
      max: 100,
      initial: null,
    }),
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
      description: describePriceUnits(),
      initial: 0n,
    }),
    deliveryCapsField(),
    frequencyCapsField(),
    labelsField('the line item'),
    booleanField({
      name: 'serveWithoutUser',
      description: 'Whether it serves to unidentified users although it has frequency caps.',
      initial: false,
    }),
    booleanField({ name: 'pauseAfterGoal', description: 'Whether it stops at its goal.', initial: false }),
    instantField({ name: 'startsAt', description: 'Start of serving; null = at once.' }),
    instantField({ name: 'endsAt', description: 'End of serving, exclusive; null = open-ended.' }),
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
    optionalEnumField({
      name: 'optimisationGoal',
      description:
        'What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item that has more opportunities than its goal needs chooses the ad units. null = nothing.',
      type: OptimisationGoalRef,
    }),
    enumField({
      name: 'roadblock',
      description: 'Whether its creatives fill several slots of one request.',
      type: RoadblockRef,
      initial: 'ONE',
    }),
    enumField({
      name: 'companionMode',
      description: 'Whether its companions stand beside their masters; other than NONE only with roadblock ONE.',
      type: CompanionModeRef,
      initial: 'NONE',
    }),
    textListField({
      name: 'exclusionLabels',
      description: 'Two ads that share a label never appear in one response.',
      lengthMax: 100,
    }),
    optionalTextField({ name: 'externalId', description: 'Id in your own system.', lengthMax: 200 }),
  ],
  filters: [
    anyOf('statuses', 'status', DeliveryStatusRef, 'Only with one of these statuses.'),
    anyOf('types', 'type', LineItemTypeRef, 'Only of these tiers.'),
    anyOf('campaignIds', 'campaign_id', 'ID', 'Only of these campaigns.'),
    anyOf('dealIds', 'deal_id', 'ID', 'Only of these deals.'),
    anyOf('advertisingProductIds', 'advertising_product_id', 'ID', 'Only of these advertising products.'),
    anyOf('pricingModels', 'pricing_model', PricingModelRef, 'Only with one of these pricing models.'),
    since('endsSince', 'ends_at', 'Only with an end at or after this instant.'),
    before('startsBefore', 'starts_at', 'Only with a start before this instant.'),
    LABELS_FILTER,
    ...DESK_FILTERS,
    anyOf('externalIds', 'external_id', 'String', 'Only with one of these external ids.'),
  ],
  children: [{ name: 'creatives', description: 'Its creatives, by id.', child: 'Creative', column: 'line_item_id' }],
  searchColumns: ['name', 'external_id'],
  validate: validateLineItem,
  loadFacts: loadLineItemFacts,
});
