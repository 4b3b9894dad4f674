import type { FieldProblem } from '../../../domain/errors.ts';
import { decimalIdOf } from '../../../domain/ids/global-ids.ts';
import { report } from '../../kernel/field.ts';

/** Ids of advertisers as they are stored: decimal and without repetitions. Whether the network has them is a rule of the product. */
export function checkAdvertiserIds(
  value: unknown,
  at: { readonly path: string; readonly max: number },
  problems: FieldProblem[],
): string[] {
  const given = (value ?? []) as readonly unknown[];
  const { path, max } = at;
  if (given.length > max) report(problems, path, 'too_many', `Give at most ${max}; there are ${given.length}.`);
  const ids = given.slice(0, max).map((one, index) => {
    const id = decimalIdOf('Advertiser', one);
    if (id === null) report(problems, `${path}.${index}`, 'unknown', 'There is no advertiser with this id.');
    return id;
  });
  return [...new Set(ids.filter((id) => id !== null))];
}
