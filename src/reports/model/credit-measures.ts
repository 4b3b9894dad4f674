import type { MeasureDefinition } from './cube.ts';
import { DRILL, shiftDecimal } from './measure-parts.olap.ts';

function credit(column: string, title: string, description: string): MeasureDefinition {
  return {
    type: 'number',
    sql: shiftDecimal(`sumOrNull(facts.${column})`, 6),
    ungroupedSql: shiftDecimal(`facts.${column}`, 6),
    aggType: 'sum',
    title,
    description,
    drillMembers: DRILL,
  };
}

/** Attributed conversions by attribution model; only single events have them. */
export const CREDIT_MEASURES: Readonly<Record<string, MeasureDefinition>> = {
  first_touch_conversions: credit(
    'first_touch_credit',
    'First-touch conversions',
    'Attributed conversions, each credited to the first touch on its path.',
  ),
  last_touch_conversions: credit(
    'last_touch_credit',
    'Last-touch conversions',
    'Attributed conversions, each credited to the last touch on its path, click or impression.',
  ),
  linear_conversions: credit(
    'linear_credit',
    'Linear conversions',
    'Attributed conversions, each credited in equal parts to all touches on its path.',
  ),
  position_based_conversions: credit(
    'position_based_credit',
    'Position-based conversions',
    'Attributed conversions: 40 % of each to the first touch, 40 % to the last, the rest to those between.',
  ),
};
/** Their names. */
export const CREDIT_NAMES: readonly string[] = Object.keys(CREDIT_MEASURES);
