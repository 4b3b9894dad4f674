import type { FieldProblem } from '../../domain/errors.ts';
import { formatSize, type Size } from '../../domain/booking/inventory.ts';
import { builder } from '../kernel/builder.ts';
import { columnField, type Field, report } from '../kernel/field.ts';
import { checkNumber } from '../kernel/scalar-fields.ts';

const SIZES_MAX = 50;
/** Longest side of a slot or creative, in CSS pixels. */
export const SIDE_PIXELS_MAX = 10_000;

/** A size of an output. */
export const SizeRef = builder.objectRef<Size>('Size').implement({
  description: 'Width and height in CSS pixels.',
  fields: (t) => ({
    width: t.exposeInt('width', { description: 'Width in CSS pixels.' }),
    height: t.exposeInt('height', { description: 'Height in CSS pixels.' }),
  }),
});

/** A size of an input. */
export const SizeInput = builder.inputType('SizeInput', {
  description: 'Width and height in CSS pixels.',
  fields: (t) => ({
    width: t.int({ required: true, description: 'Width in CSS pixels, 1…10000.' }),
    height: t.int({ required: true, description: 'Height in CSS pixels, 1…10000.' }),
  }),
});

/** A list of sizes. Its description begins with `what`. */
export function sizesField(what = 'The sizes it takes', empty = 'as the request says'): Field {
  return columnField(
    { name: 'sizes', description: `${what}, at most ${SIZES_MAX}; empty = ${empty}.` },
    { input: [SizeInput], output: [SizeRef], initial: [], check: checkSizes, isJson: true },
  );
}

/** Validates sizes; equal ones count once. */
export function checkSizes(value: unknown, path: string, problems: FieldProblem[]): Size[] {
  const sizes = value as readonly Size[];
  if (sizes.length > SIZES_MAX) report(problems, path, 'too_many', `Give at most ${SIZES_MAX} sizes.`);
  const bounds = { min: 1, max: SIDE_PIXELS_MAX };
  const checked = sizes.slice(0, SIZES_MAX).map((size, index) => ({
    width: checkNumber(size.width, `${path}.${index}.width`, bounds, problems),
    height: checkNumber(size.height, `${path}.${index}.height`, bounds, problems),
  }));
  return [...new Map(checked.map((size) => [formatSize(size), size])).values()];
}
