import type { ProductFormat } from '../../../domain/booking/product.ts';
import { formatRow } from '../../../domain/creative-format.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { checkSizes, SizeInput, SizeRef } from '../../fields/sizes.ts';
import { builder } from '../../kernel/builder.ts';
import { columnField, type Field, report } from '../../kernel/field.ts';
import { checkNumber } from '../../kernel/scalar-fields.ts';
import { CreativeFormatRef } from '../creative/following-fields.ts';

const FORMATS_MAX = 20;
const DURATION_MS_MAX = 3_600_000;

const texts = {
  format: 'The format of creatives.',
  sizes: 'Their sizes; empty = any that the inventory offers.',
  durationMinMs: 'Their shortest duration in ms, for formats that a player plays; null = no bound.',
  durationMaxMs: 'Their longest duration in ms, for formats that a player plays; null = no bound.',
} as const;

const ProductFormatRef = builder.objectRef<ProductFormat>('ProductFormat').implement({
  description: 'A format that creatives of a product may have.',
  fields: (t) => ({
    format: t.field({ type: CreativeFormatRef, description: texts.format, resolve: ({ format }) => format }),
    sizes: t.field({ type: [SizeRef], description: texts.sizes, resolve: ({ sizes }) => [...sizes] }),
    durationMinMs: t.exposeInt('durationMinMs', { nullable: true, description: texts.durationMinMs }),
    durationMaxMs: t.exposeInt('durationMaxMs', { nullable: true, description: texts.durationMaxMs }),
  }),
});

const ProductFormatInput = builder.inputType('ProductFormatInput', {
  description: 'A format that creatives of a product may have.',
  fields: (t) => ({
    format: t.field({ type: CreativeFormatRef, required: true, description: texts.format }),
    sizes: t.field({ type: [SizeInput], description: texts.sizes }),
    durationMinMs: t.int({ description: texts.durationMinMs }),
    durationMaxMs: t.int({ description: texts.durationMaxMs }),
  }),
});

/** The formats of a product, as one field. */
export function productFormatsField(): Field {
  return columnField(
    {
      name: 'formats',
      description: `The formats that its creatives may have; empty = all that the inventory shows. At most ${FORMATS_MAX}.`,
    },
    {
      input: [ProductFormatInput],
      output: [ProductFormatRef],
      initial: [],
      clearable: false,
      isJson: true,
      check: checkFormats,
    },
  );
}

type GivenFormat = Pick<ProductFormat, 'format'> & {
  readonly [name in keyof ProductFormat]?: ProductFormat[name] | null;
};

function checkFormats(value: unknown, path: string, problems: FieldProblem[]): ProductFormat[] {
  const given = value as readonly GivenFormat[];
  if (given.length > FORMATS_MAX) report(problems, path, 'too_many', `Give at most ${FORMATS_MAX} formats.`);
  const named = new Set<string>();
  return given.slice(0, FORMATS_MAX).map((one, index) => {
    const at = `${path}.${index}`;
    if (named.has(one.format))
      report(problems, `${at}.format`, 'repeated', `Name ${one.format} once, with all of its sizes.`);
    named.add(one.format);
    return checkFormat(one, at, problems);
  });
}

function checkFormat(given: GivenFormat, path: string, problems: FieldProblem[]): ProductFormat {
  const { format } = given;
  const { isSized, isPlayed } = formatRow(format);
  const sizes = checkSizes(given.sizes ?? [], `${path}.sizes`, problems);
  if (!isSized && sizes.length > 0)
    report(problems, `${path}.sizes`, 'not_allowed', `Creatives of ${format} fit any size; leave the sizes out.`);
  const bounds = (['durationMinMs', 'durationMaxMs'] as const).map((name) => {
    const duration = given[name] ?? null;
    if (duration === null) return null;
    if (!isPlayed)
      report(problems, `${path}.${name}`, 'not_allowed', `Creatives of ${format} have no duration; leave it out.`);
    return checkNumber(duration, `${path}.${name}`, { min: 1, max: DURATION_MS_MAX }, problems);
  });
  const [durationMinMs = null, durationMaxMs = null] = bounds;
  if (durationMinMs !== null && durationMaxMs !== null && durationMinMs > durationMaxMs)
    report(
      problems,
      `${path}.durationMaxMs`,
      'out_of_range',
      'Give a longest duration that is not below the shortest.',
    );
  return { format, sizes, durationMinMs, durationMaxMs };
}
