import { CREATIVE_FORMATS, type CreativeFormat } from '../../../domain/creative-format.ts';
import { frequencyCapsField } from '../../fields/delivery-limits.ts';
import { CreativeStatusRef, ReviewStateRef } from '../../fields/enumerations.ts';
import { SIDE_PIXELS_MAX } from '../../fields/sizes.ts';
import { builder } from '../../kernel/builder.ts';
import { columnField } from '../../kernel/field.ts';
import { anyOf, type Resource, registerResource } from '../../kernel/resource.ts';
import {
  checkUrl,
  enumField,
  instantField,
  integerField,
  integerListField,
  optionalTextField,
  referenceField,
  textField,
} from '../../kernel/scalar-fields.ts';
import { contentField } from './creative-content.ts';
import { loadCreativeFacts } from './creative-facts.sql.ts';
import { validateCreative } from './creative.rules.ts';
import { trackersField } from './trackers.ts';

const CreativeFormatRef = builder.enumType('CreativeFormat', {
  description: 'The format of a creative.',
  values: {
    IMAGE: { description: 'A picture banner.' },
    HTML: { description: 'HTML5 or a third-party tag.' },
    NATIVE: { description: 'The parts of a native ad.' },
    VIDEO: { description: 'A video.' },
  } satisfies Record<CreativeFormat, unknown>,
});

const readOnly = { input: null, initial: null, clearable: false };

/** One ad: its content, size and landing page. */
export const CREATIVE: Resource = registerResource({
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
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Status; ACTIVE at first.', type: CreativeStatusRef, initial: 'ACTIVE' }),
    enumField({
      name: 'reviewState',
      description: 'The result of its review; only APPROVED serves.',
      type: ReviewStateRef,
      initial: 'APPROVED',
    }),
    columnField(
      { name: 'format', description: 'Its format, as the content has it.' },
      { ...readOnly, output: CreativeFormatRef },
    ),
    contentField(),
    integerField({
      name: 'width',
      description: 'Width in CSS pixels; 0 × 0 fits any size (native, video).',
      min: 0,
      max: SIDE_PIXELS_MAX,
      initial: 0,
    }),
    integerField({
      name: 'height',
      description: 'Height in CSS pixels; 0 × 0 fits any size (native, video).',
      min: 0,
      max: SIDE_PIXELS_MAX,
      initial: 0,
    }),
    columnField(
      { name: 'clickUrl', description: 'Landing address, http or https.', required: true },
      {
        input: 'String',
        output: 'String',
        initial: undefined,
        check: (value, path, problems) => checkUrl(value, path, problems),
      },
    ),
    trackersField(),
    integerField({
      name: 'weight',
      description: 'Share of the draw among its siblings.',
      min: 1,
      max: 1_000,
      initial: 100,
    }),
    instantField({ name: 'startsAt', description: 'Start of serving; null = with its line item.' }),
    instantField({ name: 'endsAt', description: 'End of serving, exclusive; null = with its line item.' }),
    columnField(
      { name: 'secure', description: 'Whether all its addresses are https, so that it may serve on https pages.' },
      { ...readOnly, output: 'Boolean' },
    ),
    integerListField({
      name: 'attributes',
      description: 'OpenRTB creative attributes, which publishers can block.',
      min: 1,
      max: 500,
    }),
    optionalTextField({
      name: 'language',
      description: 'Language of its text, ISO 639, such as "pl".',
      lengthMax: 20,
      pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
      wants: 'a language tag such as "pl"',
    }),
    frequencyCapsField(),
    optionalTextField({ name: 'externalId', description: 'Id in your own system.', lengthMax: 200 }),
  ],
  filters: [
    anyOf('statuses', 'status', CreativeStatusRef, 'Only with one of these statuses.'),
    anyOf('reviewStates', 'review_state', ReviewStateRef, 'Only in one of these review states.'),
    anyOf('formats', 'format', CreativeFormatRef, `Only of these formats (${CREATIVE_FORMATS.join(', ')}).`),
    anyOf('lineItemIds', 'line_item_id', 'ID', 'Only of these line items.'),
    anyOf('masterCreativeIds', 'master_creative_id', 'ID', 'Only companions of these creatives.'),
    anyOf('externalIds', 'external_id', 'String', 'Only with one of these external ids.'),
  ],
  children: [
    { name: 'companions', description: 'Its companions, by id.', child: 'Creative', column: 'master_creative_id' },
  ],
  searchColumns: ['name', 'external_id'],
  validate: validateCreative,
  loadFacts: loadCreativeFacts,
});
