import { FORMATS } from '../../../domain/creative-format.ts';
import { ReviewStateRef } from '../../fields/enumerations.ts';
import { SIDE_PIXELS_MAX } from '../../fields/sizes.ts';
import { builder } from '../../kernel/builder.ts';
import { columnField, type Field } from '../../kernel/field.ts';
import { checkUrl, enumField, integerField, integerListField, optionalTextField } from '../../kernel/scalar-fields.ts';
import { contentField } from './creative-content.ts';
import { trackersField } from './trackers.ts';

export const CreativeFormatRef = builder.enumType('CreativeFormat', {
  description: 'The format of a creative.',
  values: FORMATS,
});

const readOnly = { input: null, initial: null, clearable: false };

/** Besides the name: what a creative of a line item and one of the library have in common. An association follows its library creative in them. */
export const FOLLOWING_FIELDS: readonly Field[] = [
  enumField({
    name: 'reviewState',
    description: 'The result of its review; only APPROVED serves.',
    type: ReviewStateRef,
    initial: 'APPROVED',
  }),
  optionalTextField({
    name: 'reviewReason',
    description: 'Why it was rejected, or a remark of the review; a new review state without one clears it.',
    lengthMax: 1_000,
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
];
