import { dimensionValue, nameValue, textOf } from '../../../domain/booking/delivery-text.ts';
import { splitConjuncts } from '../../../domain/targeting/targeting-conjuncts.ts';
import { namesKey, type Targeting, type TargetingTest } from '../../../domain/targeting/targeting.ts';
import { dimensionsOf } from '../../decision/index/targeting.ts';
import { ofLineItem } from './change.ts';
import type { MakeChange } from './change.ts';

/** Targeting without the condition that fails. */
export const dropTargeting: MakeChange = (input, { code, detail }) => {
  const dimension = code === 'consent.segments' ? 'segment' : (code.split('.')[1] ?? '');
  const { targeting, deal_id: dealId } = input.booked.lineItem;
  if (dimension === 'deal' && dealId !== null) return ofLineItem(input, 'sell_without_deal', { dealId: null });
  const kept = splitConjuncts(targeting).filter(({ tree }) => {
    const isFailed = dimensionsOf(tree)[0] === dimension;
    return !isFailed || (dimension === 'keyValue' && detail !== '' && !namesKey(tree, detail));
  });
  const left = kept.map(({ tree }) => tree);
  const text =
    dimension === 'keyValue' && detail !== ''
      ? textOf('drop_key', { key: nameValue(detail) })
      : textOf('drop_dimension', { dimension: dimensionValue(dimension) });
  const reduced =
    left.length === 0 ? null : toTargetingInput(left.length === 1 ? (left[0] as Targeting) : { all: left });
  return ofLineItem(input, text, { targeting: reduced });
};

/** A tree as the management API takes it: enumerations as their names. */
export function toTargetingInput(tree: Targeting): unknown {
  if ('all' in tree) return { all: tree.all.map(toTargetingInput) };
  if ('any' in tree) return { any: tree.any.map(toTargetingInput) };
  if ('not' in tree) return { not: toTargetingInput(tree.not) };
  const { dimension, operator, values, key }: TargetingTest = tree;
  const test = { dimension: constantCase(dimension), operator: constantCase(operator), values };
  return { test: key === undefined ? test : { ...test, key } };
}

function constantCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
