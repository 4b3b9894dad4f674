import { CREATIVE_FORMATS } from '../../../domain/creative-format.ts';
import { frequencyCapsField } from '../../fields/delivery-limits.ts';
import { CreativeStatusRef, ReviewStateRef } from '../../fields/enumerations.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import {
  enumField,
  instantField,
  integerField,
  optionalTextField,
  referenceField,
  textField,
} from '../../kernel/scalar-fields.ts';
import { loadCreativeFacts } from './creative-facts.sql.ts';
import { deriveCreative, validateCreative } from './creative.rules.ts';
import { CreativeFormatRef, FOLLOWING_FIELDS } from './following-fields.ts';

/** One ad: its content, size and landing page. */
export const CREATIVE: Resource = registerBooked({
  type: 'Creative',
  singular: 'creative',
  plural: 'creatives',
  description: 'What is shown for a line item: a picture, HTML, native parts or a video.',
  table: 'creatives',
  fields: [
    referenceField({
      name: 'lineItemId',
      description: 'Its line item; cannot change.',
      required: true,
      createOnly: true,
      link: 'Its line item.',
      to: { table: 'line_items', label: 'lineItem' },
    }),
    referenceField({
      name: 'masterCreativeId',
      description:
        'For a companion: the creative of the same line item beside which this banner stands; null = it is shown by itself. Cannot change.',
      createOnly: true,
      link: 'The master that it accompanies.',
      to: { table: 'creatives', label: 'creative', isOwner: true },
    }),
    {
      ...referenceField({
        name: 'libraryCreativeId',
        description:
          'The library creative that is associated with its line item here, so that its content follows it; null = it has content of its own.',
        link: 'The library creative that it follows.',
        to: { table: 'library_creatives', label: 'libraryCreative' },
      }),
      input: null,
    },
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Status; ACTIVE at first.', type: CreativeStatusRef, initial: 'ACTIVE' }),
    ...FOLLOWING_FIELDS,
    integerField({
      name: 'weight',
      description: 'Share of the draw among its siblings.',
      min: 1,
      max: 1_000,
      initial: 100,
    }),
    instantField({ name: 'startsAt', description: 'Start of serving; null = with its line item.' }),
    instantField({ name: 'endsAt', description: 'End of serving, exclusive; null = with its line item.' }),
    frequencyCapsField(),
    optionalTextField({ name: 'externalId', description: 'Id in your own system.', lengthMax: 200 }),
  ],
  filters: [
    anyOf('statuses', 'status', CreativeStatusRef, 'Only with one of these statuses.'),
    anyOf('reviewStates', 'review_state', ReviewStateRef, 'Only in one of these review states.'),
    anyOf('formats', 'format', CreativeFormatRef, `Only of these formats (${CREATIVE_FORMATS.join(', ')}).`),
    anyOf('lineItemIds', 'line_item_id', 'ID', 'Only of these line items.'),
    anyOf('masterCreativeIds', 'master_creative_id', 'ID', 'Only companions of these creatives.'),
    anyOf('libraryCreativeIds', 'library_creative_id', 'ID', 'Only associations of these library creatives.'),
    anyOf('externalIds', 'external_id', 'String', 'Only with one of these external ids.'),
  ],
  children: [
    { name: 'companions', description: 'Its companions, by id.', child: 'Creative', column: 'master_creative_id' },
  ],
  searchColumns: ['name', 'external_id'],
  validate: validateCreative,
  derive: deriveCreative,
  loadFacts: loadCreativeFacts,
});
