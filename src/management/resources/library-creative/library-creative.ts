import { CREATIVE_FORMATS } from '../../../domain/creative-format.ts';
import { LifecycleRef, ReviewStateRef } from '../../fields/enumerations.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import { enumField, optionalTextField, referenceField, textField } from '../../kernel/scalar-fields.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { loadContentFacts } from '../creative/creative-facts.sql.ts';
import { deriveCreative, validateLibraryCreative } from '../creative/creative.rules.ts';
import { CreativeFormatRef, FOLLOWING_FIELDS } from '../creative/following-fields.ts';

/**
 * A creative of an advertiser, for any number of line items. Each association is a creative of its line item that follows this one: a
 * change here reaches all of them in the same transaction.
 */
export const LIBRARY_CREATIVE: Resource = registerBooked({
  type: 'LibraryCreative',
  singular: 'libraryCreative',
  plural: 'libraryCreatives',
  description:
    'A creative in the library of an advertiser: associate it with line items of that advertiser; a change of it reaches all of them.',
  table: 'library_creatives',
  fields: [
    referenceField({
      name: 'advertiserId',
      description: 'Its advertiser; cannot change.',
      required: true,
      createOnly: true,
      link: 'Its advertiser.',
      to: { table: 'advertisers', label: 'advertiser' },
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({
      name: 'status',
      description: 'Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them.',
      type: LifecycleRef,
      initial: 'ACTIVE',
    }),
    ...FOLLOWING_FIELDS,
    optionalTextField({ name: 'externalId', description: 'Id in your own system.', lengthMax: 200 }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('reviewStates', 'review_state', ReviewStateRef, 'Only in one of these review states.'),
    anyOf('formats', 'format', CreativeFormatRef, `Only of these formats (${CREATIVE_FORMATS.join(', ')}).`),
    anyOf('advertiserIds', 'advertiser_id', 'ID', 'Only of these advertisers.'),
    anyOf('widths', 'width', 'Int', 'Only of one of these widths.'),
    anyOf('heights', 'height', 'Int', 'Only of one of these heights.'),
    anyOf('externalIds', 'external_id', 'String', 'Only with one of these external ids.'),
  ],
  children: [
    {
      name: 'associations',
      description: 'Its associations with line items, by id: creatives with a weight, a flight and caps of their own.',
      child: 'Creative',
      column: 'library_creative_id',
    },
  ],
  searchColumns: ['name', 'external_id'],
  validate: validateLibraryCreative,
  derive: deriveCreative,
  loadFacts: loadContentFacts,
});
